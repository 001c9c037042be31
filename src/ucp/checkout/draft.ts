/** What a request says of a session: its lines with their prices, and its idempotency key. */
import type { AgentCaller } from '../../contract/caller.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Call } from '../../contract/operation.ts'
import type { Change, CheckoutLine } from '../../orders/session-store.ts'
import type { Services } from '../../services.ts'
import { offerIn, skuIdIn } from '../catalog/product.ts'
import { ownView } from '../catalog/view.ts'
import { idempotencyKeyOf, type UcpGiven } from '../operation.ts'
import type { CheckoutInput } from './fields.ts'
import { type PricedLine, priceLine, type SessionContext } from './session.ts'

export const contextOf = (
  { active }: UcpGiven<unknown>, { services, caller }: Call<AgentCaller, Services>,
): SessionContext => ({ services, caller, active })

/** Of the payload as it came: with the same key another one is refused. */
export const changeOf = (given: UcpGiven<unknown>): Change =>
  ({ key: idempotencyKeyOf(given), request: given.payload ?? null })

const LINE_ID = /^[0-9A-Za-z_-]{1,40}$/

/** Every line with what it is an order of, and its price. */
export async function pricedLines(
  items: CheckoutInput['line_items'], context: SessionContext,
): Promise<PricedLine[]> {
  const taken = new Set<string>()
  return await Promise.all(items.map(async ({ item, quantity, id }, at) => {
    const skuId = skuIdIn(item.id)
    const found = skuId === undefined ? undefined
      : await ownView(context.services).item(skuId)
    if (!found) {
      throw new Refusal('not_found', {
        reason: 'item_unavailable',
        hint: `$.line_items[${at}] ${offerIn(item.id) === undefined
          ? 'names no item: take the id of a variant from the catalogue.'
          : 'is sold by a mall: your user buys it at the url of its variant.'}`,
      })
    }
    const named = id !== undefined && LINE_ID.test(id) && !taken.has(id) ? id : `li_${at + 1}`
    taken.add(named)
    const line: CheckoutLine = {
      id: named, skuId: found.sku_id, productId: found.product_id,
      merchantId: found.merchant_id, qty: quantity,
    }
    return await priceLine(context, line)
  }))
}
