/** The operation table. Tools in the order of the service document, then what only REST has. */
import { cancelAftersale } from './cancel-aftersale.ts'
import { cancelOrder } from './cancel-order.ts'
import { cpsCompare } from './cps-compare.ts'
import { cpsFoodConvert } from './cps-food-convert.ts'
import { cpsItemInfo } from './cps-item-info.ts'
import { cpsMallBConvert } from './cps-mallb-convert.ts'
import { cpsMallBGoodsSearch } from './cps-mallb-goods-search.ts'
import { cpsMallBOrders } from './cps-mallb-orders.ts'
import { cpsMallCConvert } from './cps-mallc-convert.ts'
import { cpsMallCGoodsSearch } from './cps-mallc-goods-search.ts'
import { cpsMallCOrders } from './cps-mallc-orders.ts'
import { cpsSearchShops } from './cps-search-shops.ts'
import { cpsSmartSearch } from './cps-smart-search.ts'
import { cpsTpwd } from './cps-tpwd.ts'
import { createOrder } from './create-order.ts'
import { createTrialKey } from './create-trial-key.ts'
import { createWebhook } from './create-webhook.ts'
import type { NodeOperation } from './define.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { getGoodsDetail } from './get-goods-detail.ts'
import { getLogistics } from './get-logistics.ts'
import { getOrderStatus } from './get-order-status.ts'
import { listAftersales } from './list-aftersales.ts'
import { listCategories } from './list-categories.ts'
import { listEvents } from './list-events.ts'
import { listOrders } from './list-orders.ts'
import { listWebhookAttempts } from './list-webhook-attempts.ts'
import { listWebhooks } from './list-webhooks.ts'
import { previewOrder } from './preview-order.ts'
import { requestAftersale } from './request-aftersale.ts'
import { resendWebhook } from './resend-webhook.ts'
import { rotateWebhookSecret } from './rotate-webhook-secret.ts'
import { searchGoods } from './search-goods.ts'
import { shelfItem } from './shelf-item.ts'
import { shelfSearch } from './shelf-search.ts'
import { testWebhook } from './test-webhook.ts'
import { updateWebhook } from './update-webhook.ts'

export const operations: readonly NodeOperation[] = [
  searchGoods,
  getGoodsDetail,
  createOrder,
  getOrderStatus,
  getLogistics,
  requestAftersale,
  cpsSmartSearch,
  cpsCompare,
  shelfSearch,
  shelfItem,
  cpsSearchShops,
  cpsItemInfo,
  cpsTpwd,
  cpsMallBGoodsSearch,
  cpsMallBConvert,
  cpsMallBOrders,
  cpsMallCGoodsSearch,
  cpsMallCConvert,
  cpsMallCOrders,
  cpsFoodConvert,
  previewOrder,
  cancelOrder,
  createTrialKey,
  listAftersales,
  cancelAftersale,
  listOrders,
  listCategories,
  listEvents,
  createWebhook,
  listWebhooks,
  updateWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookAttempts,
  resendWebhook,
  deleteWebhook,
]
