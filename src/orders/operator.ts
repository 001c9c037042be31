/** What the operator sees of orders, and no agent does. */
import { isoTime } from '../contract/time.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import { aftersaleItem } from './aftersale-view.ts'
import { ordersByStatus } from './by-status.ts'
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

export interface FindOptions {
  /** Placed at this time (ms) or later. */
  readonly from?: number
  readonly limit?: number
}

const ORDERS_AT_ONCE = 500

/**
 * Oldest first, through the index by status: what is read and kept at once is bounded, however many
 * there are. Unpaid ones come by the end of their payment window, never paid ones after all others.
 */
export async function* findOrders(
  ledger: RedisClient, status: Status, { from = 0, limit = Infinity }: FindOptions = {},
): AsyncGenerator<FoundOrder> {
  let count = 0
  for await (const batch of ordersByStatus(ledger, status, from)) {
    for (let at = 0; at < batch.length; at += ORDERS_AT_ONCE) {
      for (const order of await readFound(ledger, status, batch.slice(at, at + ORDERS_AT_ONCE))) {
        if (Date.parse(order.created_at) < from) continue
        if (count === limit) return
        count += 1
        yield order
      }
    }
  }
}

/** Those that are in the status now. */
async function readFound(
  ledger: RedisClient, status: Status, orderNos: readonly string[],
): Promise<FoundOrder[]> {
  const replies = await runMany(ledger, orderNos.map((orderNo) => [
    'hmget', keys.order(partitionOfOrder(orderNo) ?? 0, orderNo), 'status', 'created_at',
    'product_id', 'qty', 'merchant_id',
  ] as const))
  return orderNos.flatMap((orderNo, index) => {
    const [stands, createdAt, productId, qty, merchantId] = replies[index] as string[]
    return stands === status ? [{
      order_no: orderNo, created_at: isoTime(Number(createdAt)), product_id: Number(productId),
      qty: Number(qty), merchant_id: Number(merchantId),
    }] : []
  })
}

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
    receiver: openReceiver(order.receiver, orderNo, secrets.seal('receiver')),
    events: order.events.map(({ event, at, detail }) => ({ event, at: isoTime(at), detail })),
    aftersales: order.aftersales.map((record) => aftersaleItem(record)),
  }
}
