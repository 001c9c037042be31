/** What the operator sees of orders, and no agent does. */
import { isoTime } from '../clock.ts'
import { partitionOfOrder, type Secrets } from '../ids.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { runMany } from '../redis/slots.ts'
import { aftersaleItem } from './aftersale-view.ts'
import { openReceiver } from './receiver.ts'
import { readOrder } from './record.ts'
import type { Status } from './states.ts'

export interface FoundOrder {
  readonly order_no: string
  readonly created_at: string
  readonly product_id: number
  readonly qty: number
  readonly merchant_id: number
}

/**
 * Oldest first, of one moment by number. Looks at every order once: a question for a person, not
 * for a loop.
 */
export async function findOrders(ledger: RedisClient, status: Status): Promise<FoundOrder[]> {
  const found = new Map<string, FoundOrder>()
  for await (const orderNos of scanNames(ledger, scans.orders)) {
    const replies = await runMany(ledger, orderNos.map((orderNo) => [
      'hmget', keys.order(partitionOfOrder(orderNo) ?? 0, orderNo), 'status', 'created_at',
      'product_id', 'qty', 'merchant_id',
    ] as const))
    for (const [index, orderNo] of orderNos.entries()) {
      const [stands, createdAt, productId, qty, merchantId] = replies[index] as string[]
      if (stands !== status) continue
      found.set(orderNo, {
        order_no: orderNo, created_at: isoTime(Number(createdAt)), product_id: Number(productId),
        qty: Number(qty), merchant_id: Number(merchantId),
      })
    }
  }
  return [...found.values()].toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

const placeOf = ({ created_at, order_no }: FoundOrder): string => `${created_at} ${order_no}`

/** An order with its receiver in clear; undefined when there is none. */
export async function showOrder(ledger: RedisClient, secrets: Secrets, orderNo: string) {
  const order = await readOrder(ledger, orderNo)
  if (!order) return undefined
  const { status, mode, productId, skuId, title, qty, unitPrice, freight, amount } = order
  return {
    order_no: orderNo,
    status,
    mode,
    product_id: productId,
    sku_id: skuId,
    title,
    qty,
    unit_price: unitPrice,
    freight,
    amount,
    merchant_id: order.merchantId,
    agent_ref: order.agent,
    user_ref: order.given.user_ref,
    waybill_no: order.waybillNo,
    express_co: order.expressCo,
    created_at: isoTime(order.createdAt),
    receiver: openReceiver(order.receiver, orderNo, secrets.receiverKey),
    events: order.events.map(({ event, at, detail }) => ({ event, at: isoTime(at), detail })),
    aftersales: order.aftersales.map(aftersaleItem),
  }
}
