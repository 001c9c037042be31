/** An order of UCP: what a checkout's lines have become. Only its own agent reads it. */
import { type TObject, Type } from 'typebox'
import { Refusal } from '../contract/errors.ts'
import type { Checkout } from '../orders/checkouts.ts'
import type { CheckoutLine } from '../orders/session-store.ts'
import type { AftersaleItem, OrderDetail, OrderView } from '../orders/view.ts'
import type { Services } from '../services.ts'
import { ORDER } from './capabilities.ts'
import { CURRENCY, variantId } from './catalog/product.ts'
import { maskedAddress } from './checkout/delivery.ts'
import { deliveryTitle, orderIdOf } from './checkout/session.ts'
import { defineUcp } from './operation.ts'

const OrderOutput: TObject = Type.Object({
  ucp: Type.Unknown(), id: Type.String(), checkout_id: Type.String(),
  line_items: Type.Array(Type.Object({
    id: Type.String(), item: Type.Unknown(), quantity: Type.Unknown(), status: Type.String(),
  })),
  fulfillment: Type.Unknown(), adjustments: Type.Unknown(), totals: Type.Unknown(),
})

export const getOrder = defineUcp({
  name: 'get_order',
  title: 'Read an order',
  description: 'What became of a completed checkout: each line with what was shipped and '
    + 'delivered, and what was cancelled, returned or refunded.',
  capability: ORDER,
  access: 'key',
  effect: 'read',
  route: 'GET /orders/:id',
  output: OrderOutput,
  fails: ['not_found'],
  example: { id: 'CO00000000EXAMP000' },

  async handle({ id }, { caller: { agent }, services: { checkouts, orders } }) {
    return await orderAnswer({ checkouts, orders }, agent, id)
  },
})

/** The order without its `ucp`. */
export async function orderAnswer(
  services: Pick<Services, 'checkouts' | 'orders'>, agent: string, id: string,
): Promise<object> {
  const { checkout, parts } = await readUcpOrder(services, agent, id)
  return orderOf(checkout, parts, services.checkouts.payUrl(checkout.id))
}

/** A line of a checkout, and the order that it is now. */
export interface OrderPart { readonly line: CheckoutLine, readonly order: OrderView & OrderDetail }

/** Refuses one that is another agent's, or not paid. */
export async function readUcpOrder(
  { checkouts, orders }: Pick<Services, 'checkouts' | 'orders'>, agent: string, id: string,
): Promise<{ checkout: Checkout, parts: OrderPart[] }> {
  if (!id.startsWith('CO')) throw noSuchOrder()
  const checkout = await checkouts.read(agent, id.replace(/^CO/, 'CK'))
    .catch((error: unknown) => {
      // What it says is of a checkout.
      throw error instanceof Refusal && error.error === 'not_found' ? noSuchOrder() : error
    })
  const { orderNos = [], lines } = checkout
  const found = await Promise.all(orderNos.map((orderNo) => orders.detail(agent, orderNo)))
  const parts = lines.flatMap((line, at) => (found[at] ? [{ line, order: found[at] }] : []))
  const isPaid = parts.some(({ order }) => order.events.some(({ event }) => event === 'paid'))
  if (!isPaid) {
    throw new Refusal('not_found', { hint: 'There is an order once a checkout is paid.' })
  }
  return { checkout, parts }
}

const noSuchOrder = (): Refusal => new Refusal('not_found', {
  hint: 'Take the id from order in a checkout that is paid; only the key that opened it reads it.',
})

function orderOf(checkout: Checkout, parts: readonly OrderPart[], url: string): object {
  const sum = (of: (part: OrderPart) => number): number =>
    parts.reduce((total, part) => total + of(part), 0)
  const freight = sum(({ order }) => order.freight)
  return {
    id: orderIdOf(checkout.id),
    checkout_id: checkout.id,
    permalink_url: url,
    currency: CURRENCY,
    line_items: parts.map(lineItem),
    fulfillment: {
      expectations: parts.map((part) => expectation(part, deliveryTitle(freight))),
      events: parts.flatMap((part) => shipments(part, url)).toSorted(byTime),
    },
    adjustments: parts.flatMap(adjustments).toSorted(byTime),
    totals: [
      { type: 'subtotal', amount: sum(({ order }) => order.goods_amount) },
      { type: 'fulfillment', amount: freight },
      { type: 'total', amount: sum(({ order }) => order.amount) },
    ],
  }
}

interface Dated { readonly occurred_at: string, readonly [member: string]: unknown }

const byTime = (one: Dated, other: Dated): number =>
  one.occurred_at.localeCompare(other.occurred_at)

const GONE: ReadonlySet<string> = new Set(['closed', 'refunded'])
const SENT: ReadonlySet<string> = new Set(['shipped', 'delivered', 'completed'])

function lineItem({ line, order }: OrderPart): object {
  const [item] = order.items
  const total = GONE.has(order.status) ? 0 : line.qty
  const fulfilled = SENT.has(order.status) ? total : 0
  return {
    id: line.id,
    item: {
      id: variantId(line.skuId), title: item?.title ?? variantId(line.skuId),
      price: item?.unit_price ?? 0,
    },
    quantity: { original: line.qty, total, fulfilled },
    totals: [
      { type: 'subtotal', amount: order.goods_amount },
      { type: 'total', amount: order.goods_amount },
    ],
    status: total === 0 ? 'removed' : fulfilled === total ? 'fulfilled' : 'processing',
  }
}

function expectation(
  { line, order: { receiver_masked: to, order_no } }: OrderPart, description: string,
): object {
  return {
    id: `parcel_${order_no}`,
    line_items: [{ id: line.id, quantity: line.qty }],
    method_type: 'shipping',
    destination: maskedAddress(to),
    description,
  }
}

/** A parcel is followed on the page of its order: carriers here have no address for it. */
function shipments(
  { line, order: { events, order_no, logistics } }: OrderPart, url: string,
): Dated[] {
  return events.filter(({ event }) => event === 'shipped' || event === 'delivered')
    .map(({ event, at }) => ({
      id: `${order_no}_${event}`,
      occurred_at: at,
      type: event,
      line_items: [{ id: line.id, quantity: line.qty }],
      ...(logistics && {
        tracking_number: logistics.waybill_no, tracking_url: url,
        carrier: logistics.express_co,
      }),
    }))
}

function adjustments({ line, order }: OrderPart): Dated[] {
  const closed = order.events.find(({ event }) => event === 'closed')
  const refunded = order.events.find(({ event }) => event === 'refunded')
  const lines = [{ id: line.id, quantity: -line.qty }]
  return [
    ...(closed ? [{
      id: `${order.order_no}_closed`, type: 'cancellation', occurred_at: closed.at,
      status: 'completed', line_items: lines,
      ...(closed.detail?.reason !== undefined && { description: closed.detail.reason }),
    }] : []),
    // The refund of an after-sale is the after-sale's.
    ...(refunded && !order.aftersales.some(({ status }) => status === 'refunded') ? [{
      id: `${order.order_no}_refunded`, type: 'refund', occurred_at: refunded.at,
      status: order.refund?.status === 'on_its_way' ? 'pending' : 'completed', line_items: lines,
      totals: [{ type: 'total', amount: -(order.refund?.amount ?? order.amount) }],
    }] : []),
    ...order.aftersales.map((one) => aftersale(one, line)),
  ]
}

const aftersale = (one: AftersaleItem, line: CheckoutLine): Dated => ({
  id: one.aftersale_id,
  type: one.type === 'return_refund' ? 'return' : 'refund',
  occurred_at: one.created_at,
  status: one.status === 'refunded' ? 'completed'
    : one.status === 'rejected' || one.status === 'cancelled' ? 'failed' : 'pending',
  line_items: [{ id: line.id, quantity: -line.qty }],
  totals: [{ type: 'total', amount: -one.refund_amount }],
  ...(one.reason !== undefined && { description: one.reason }),
})
