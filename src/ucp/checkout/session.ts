/** A checkout as UCP shows it: computed at each answer from what the ledger says now. */
import { Refusal } from '../../contract/errors.ts'
import { isoTime } from '../../contract/time.ts'
import type { AgentCaller } from '../../contract/caller.ts'
import type { Checkout } from '../../orders/checkouts.ts'
import type { CheckoutLine } from '../../orders/session-store.ts'
import type { OrderView } from '../../orders/view.ts'
import type { Receiver } from '../../orders/record.ts'
import type { Services } from '../../services.ts'
import { FULFILLMENT } from '../capabilities.ts'
import { CURRENCY, variantId } from '../catalog/product.ts'
import { ownView } from '../catalog/view.ts'
import type { Active } from '../negotiate.ts'
import { errorMessage, type UcpMessage } from '../problems.ts'
import { deliveryOf, maskedAddress, receiverOf, STANDARD } from './delivery.ts'

type Used = Pick<Services, 'goods' | 'orders' | 'checkouts' | 'carts' | 'config'>

export interface SessionContext {
  readonly services: Used
  readonly caller: AgentCaller
  readonly active: Active
}

/** A line with its price, as it is now or as it was ordered. */
export interface PricedLine {
  readonly line: CheckoutLine
  readonly title: string
  readonly unitPrice: number
  readonly goods: number
  readonly freight: number
  readonly image?: string
  /** Why it cannot be ordered. */
  readonly problem?: { readonly code: string, readonly content: string }
  /** No quantity of it can be ordered. */
  readonly isSoldOut?: boolean
}

/** What a line costs now, with a quote that holds the price. */
export async function priceLine(
  { services: { goods, orders }, caller }: SessionContext, line: CheckoutLine,
): Promise<PricedLine> {
  const image = (await ownView({ goods }).item(line.skuId))?.images[0]
  try {
    const { productId: product_id, merchantId: merchant_id, qty } = line
    const found = await orders.preview({ product_id, merchant_id, qty }, caller)
    const code = qty > found.qty_cap ? 'quantity_exceeded'
      : qty > found.available_qty ? 'out_of_stock' : 'owner_limit'
    return {
      line: { ...line, quote: found.quote_token }, title: found.title,
      unitPrice: found.unit_price, goods: found.goods_amount, freight: found.freight,
      ...(image !== undefined && { image }),
      isSoldOut: found.available_qty === 0,
      ...(!found.orderable && { problem: { code, content: found.why ?? '' } }),
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.error === 'unavailable') throw error
    return {
      line, title: variantId(line.skuId), unitPrice: 0, goods: 0, freight: 0,
      problem: { code: 'item_unavailable', content: 'This item is not sold any more.' },
    }
  }
}

/** What is missing before it can be completed, and to whom the goods go. */
export interface Readiness {
  readonly messages: readonly UcpMessage[]
  readonly receiver?: Receiver
}

export function readinessOf(
  checkout: Checkout, lines: readonly PricedLine[], active: Active,
): Readiness {
  const items = lines.flatMap(({ problem }, at) => problem
    ? [errorMessage(problem.code, problem.content, 'recoverable', `$.line_items[${at}]`)] : [])
  if (!active.has(FULFILLMENT)) {
    return { messages: [...items, errorMessage('fulfillment_required',
      `The platform profile must declare ${FULFILLMENT}: goods need an address.`,
      'recoverable')] }
  }
  const found = receiverOf(deliveryOf(checkout.details))
  return 'receiver' in found ? { messages: items, receiver: found.receiver }
    : { messages: [...items, ...found.messages] }
}

/** Of a checkout before and after it is ordered. */
export async function sessionOf(context: SessionContext, checkout: Checkout): Promise<object> {
  if (checkout.status === 'placed') return await placedSession(context, checkout)
  const lines = await Promise.all(checkout.lines.map((line) => priceLine(context, line)))
  const { messages } = readinessOf(checkout, lines, context.active)
  const isOpen = checkout.status === 'open'
  const all = isOpen ? [...messages, ...shortageOf(checkout)] : []
  if (isOpen && lines.some(({ line }, at) => line.quote !== checkout.lines[at]?.quote)) {
    await context.services.checkouts.requote(checkout, lines.map(({ line }) => line))
  }
  return {
    ...commonOf(context, checkout, lines),
    status: checkout.status === 'cancelled' ? 'canceled'
      : !isOpen ? 'complete_in_progress'
        : all.length > 0 ? 'incomplete' : 'ready_for_complete',
    ...(all.length > 0 && { messages: all }),
    expires_at: isoTime(checkout.endsAt),
    ...(checkout.status !== 'cancelled' && {
      continue_url: context.services.checkouts.payUrl(checkout.id),
    }),
  }
}

function shortageOf({ shortage, lines }: Checkout): UcpMessage[] {
  if (!shortage) return []
  const at = lines.findIndex(({ id }) => id === shortage.line)
  return [errorMessage(shortage.error,
    `Nothing was ordered, because of this line: ${shortage.note}`, 'recoverable',
    `$.line_items[${at}]`)]
}

/** Undefined for one that was closed unpaid, and has gone since. */
export async function readOrders(
  { services: { orders } }: SessionContext, { agent, orderNos = [] }: Checkout,
): Promise<(OrderView | undefined)[]> {
  return await Promise.all(orderNos.map((orderNo) => orders.read(agent, orderNo)
    .catch((error: unknown) => {
      if (error instanceof Refusal && error.error === 'not_found') return undefined
      throw error
    })))
}

/** The id of what a checkout's orders are together. */
export const orderIdOf = (checkoutId: string): string => checkoutId.replace(/^CK/, 'CO')

async function placedSession(context: SessionContext, checkout: Checkout): Promise<object> {
  const found = await readOrders(context, checkout)
  const lines = await Promise.all(checkout.lines.map(async (line, at): Promise<PricedLine> => {
    const order = found[at]
    const image = (await ownView(context.services).item(line.skuId))?.images[0]
    const [item] = order?.items ?? []
    return {
      line, title: item?.title ?? variantId(line.skuId), unitPrice: item?.unit_price ?? 0,
      goods: order?.goods_amount ?? 0, freight: order?.freight ?? 0,
      ...(image !== undefined && { image }),
    }
  }))
  const pending = found.filter((order) => order?.status === 'pending_payment')
  const isOver = found.every((order) => !order || isUnpaid(order))
  const url = context.services.checkouts.payUrl(checkout.id)
  const status = pending.length > 0 ? 'requires_escalation' : isOver ? 'canceled' : 'completed'
  const [to] = found.flatMap((order) => order?.receiver_masked ?? [])
  const details = to === undefined ? {}
    : { destinations: [{ id: 'address', ...maskedAddress(to) }], selected: 'address' }
  const [expires] = pending.map((order) => order?.pay_expires_at ?? '').toSorted()
  return {
    ...commonOf(context, { ...checkout, details }, lines),
    status,
    ...(status === 'requires_escalation' && {
      messages: [errorMessage('payment_required',
        'The buyer looks at the order and pays it on the page of continue_url.',
        'requires_buyer_input')],
      continue_url: url,
      expires_at: expires,
    }),
    ...(status === 'completed' && {
      order: { id: orderIdOf(checkout.id), permalink_url: url },
    }),
  }
}

const isUnpaid = ({ status, events }: OrderView): boolean =>
  status === 'closed' && !events.some(({ event }) => event === 'paid')

function commonOf(
  { services: { config }, active }: SessionContext, { id, details }: Checkout,
  lines: readonly PricedLine[],
): object {
  const delivery = deliveryOf(details)
  return {
    id,
    currency: CURRENCY,
    ...(delivery.buyer && { buyer: delivery.buyer }),
    line_items: lines.map(lineItem),
    totals: totalsOf(lines),
    links: [{ type: 'faq', url: `${config.publicUrl}/docs`, title: 'How this shop works' }],
    ...(active.has(FULFILLMENT) && { fulfillment: fulfillmentOf(details, lines) }),
  }
}

export const lineItem = ({ line, title, unitPrice, goods, image }: PricedLine): object => ({
  id: line.id,
  item: {
    id: variantId(line.skuId), title, price: unitPrice,
    ...(image !== undefined && { image_url: image }),
  },
  quantity: line.qty,
  totals: [{ type: 'subtotal', amount: goods }, { type: 'total', amount: goods }],
})

const sumOf = (lines: readonly PricedLine[], part: 'goods' | 'freight'): number =>
  lines.reduce((sum, line) => sum + line[part], 0)

export function totalsOf(lines: readonly PricedLine[]): object[] {
  const [goods, freight] = [sumOf(lines, 'goods'), sumOf(lines, 'freight')]
  return [
    { type: 'subtotal', display_text: 'Goods', amount: goods },
    { type: 'fulfillment', display_text: 'Delivery', amount: freight },
    { type: 'total', display_text: 'Total', amount: goods + freight },
  ]
}

/** Of the option that a checkout has, and of what an order then expects. */
export const deliveryTitle = (freight: number): string =>
  freight === 0 ? 'Free delivery' : 'Standard delivery'

/** One package for a platform, though each line is a parcel: all ship in the same way. */
function fulfillmentOf(details: Checkout['details'], lines: readonly PricedLine[]): object {
  const { method, destinations, selected, group } = deliveryOf(details)
  const ids = lines.map(({ line }) => line.id)
  const freight = sumOf(lines, 'freight')
  return {
    methods: [{
      id: method,
      type: 'shipping',
      line_item_ids: ids,
      destinations,
      selected_destination_id: selected ?? null,
      groups: [{
        id: group,
        line_item_ids: ids,
        selected_option_id: STANDARD,
        options: [{
          id: STANDARD,
          title: deliveryTitle(freight),
          description: 'Each line is its own parcel, free from the amount that its seller names.',
          totals: [{ type: 'total', amount: freight }],
        }],
      }],
    }],
  }
}
