/** Every operation of UCP, in the order in which MCP lists them. */
import { cancelCart, createCart, getCart, updateCart } from './cart/operations.ts'
import { getProduct } from './catalog/get-product.ts'
import { lookupCatalog } from './catalog/lookup.ts'
import { searchCatalog } from './catalog/search.ts'
import {
  cancelCheckout, completeCheckout, createCheckout, getCheckout, updateCheckout,
} from './checkout/operations.ts'
import type { UcpOperation } from './operation.ts'
import { getOrder } from './order.ts'
import { returnOperations } from './returns/operations.ts'

export const ucpOperations: readonly UcpOperation[] = [
  searchCatalog, lookupCatalog, getProduct,
  createCart, getCart, updateCart, cancelCart,
  createCheckout, getCheckout, updateCheckout, completeCheckout, cancelCheckout, getOrder,
  ...returnOperations,
] as readonly UcpOperation[]
