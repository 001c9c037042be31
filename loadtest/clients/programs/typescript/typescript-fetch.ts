/** Orders with the client that OpenAPI Generator makes for typescript-fetch: order.ts URL KEY */
import { randomUUID } from 'node:crypto'
import {
  AffiliateApi, Configuration, GoodsApi,
  IdempotencyMismatchOrQtyOverCapOrMerchantMismatchAnswerFromJSON,
  KeyRequiredOrKeyInvalidAnswerFromJSON, OrdersApi, ResponseError, type CreateOrderAnswer,
} from './client'

const [basePath = '', key = ''] = process.argv.slice(2)
const print = (...words: unknown[]): boolean => process.stdout.write(`${words.join(' ')}\n`)
const withKey = (accessToken: string): Configuration =>
  new Configuration({ basePath, accessToken: () => accessToken })

async function main(): Promise<void> {
  const goods = new GoodsApi(withKey(key))
  const affiliate = new AffiliateApi(withKey(key))
  const found = await goods.searchGoods({ q: '杯', pageSize: 5 })
  const [item] = found.data.items
  if (item === undefined) throw new Error('Nothing was found.')
  const { merchantId, productId, skuId } = item
  print('read get_goods_detail', (await goods.getGoodsDetail({ skuId })).data.title)
  const smart = await affiliate.cpsSmartSearch({ cpsSmartSearchBody: { query: '杯', pageSize: 3 } })
  const items = smart.data.items.slice(0, 2).map(({ itemId }) => itemId)
  print('read cps_smart_search', items[0])
  const compared = await affiliate.cpsCompare({ cpsCompareBody: { items: new Set(items) } })
  print('read cps_compare', compared.data.rows[0]?.attribute)

  const idempotencyKey = randomUUID()
  const order = (qty: number, accessToken = key): Promise<CreateOrderAnswer> =>
    new OrdersApi(withKey(accessToken)).createOrder({
      idempotencyKey,
      createOrderBody: {
        merchantId, productId, qty,
        receiver: {
          name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市',
          district: '西湖区', address: '文三路 1 号',
        },
      },
    })

  const { orderNo } = (await order(1)).data
  print('order', orderNo)
  const status = await new OrdersApi(withKey(key)).getOrderStatus({ orderNo })
  print('read get_order_status', status.data.status)
  const again = await order(1)
  print('again', again.data.orderNo, again.data.duplicate)
  const changed = IdempotencyMismatchOrQtyOverCapOrMerchantMismatchAnswerFromJSON(
    await refusalOf(order(2)))
  print('refusal', changed.data.error, changed.data.hint)
  const stranger = KeyRequiredOrKeyInvalidAnswerFromJSON(
    await refusalOf(order(1, `ak_${'0'.repeat(32)}`)))
  print('refusal', stranger.data.error, stranger.data.hint)
}

async function refusalOf(answer: Promise<unknown>): Promise<unknown> {
  const error = await answer.then(() => undefined, (reason: unknown) => reason)
  if (!(error instanceof ResponseError)) throw new Error('It was not refused.', { cause: error })
  return error.response.json()
}

void main()
