/** An agent's orders, newest first. The list is kept by the outbox worker, moments behind. */
import { ORDER_NO_PATTERN, partitionOfOrder } from '../contract/ids.ts'
import type { RedisClient } from '../redis/connect.ts'
import { wrongCursor } from '../redis/cursor.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import { FACT_FIELDS, factsOf } from './record.ts'
import { summaryOf, type OrderSummary } from './view.ts'

export interface OrderPage {
  items: OrderSummary[]
  /** Absent on the last page. */
  next_cursor?: string
}

const ORDER_NO = new RegExp(ORDER_NO_PATTERN)

export async function listOrders(
  ledger: RedisClient, agent: string, cursor: string | undefined, limit: number,
): Promise<OrderPage> {
  const list = keys.agentOrders(agent)
  const from = cursor === undefined ? 0 : await placeAfter(ledger, list, cursor)
  // One more than asked for tells whether there is a next page.
  const orderNos = await ledger.zrevrange(list, from, from + limit)
  const shown = orderNos.slice(0, limit)
  const found = await runMany(ledger, shown.map((orderNo) => [
    'hmget', keys.order(partitionOfOrder(orderNo) ?? 0, orderNo), ...FACT_FIELDS, 'agent',
  ] as const))
  const last = shown.at(-1)
  return {
    items: shown.flatMap((orderNo, index) => {
      const values = found[index] as string[]
      // An entry may outlive its order where a failover took that.
      return values.at(-1) === agent ? [summaryOf(factsOf(orderNo, values))] : []
    }),
    ...(last !== undefined && orderNos.length > limit && { next_cursor: cursorOf(last) }),
  }
}

/** Names the last order shown, so that new ones at the head of the list shift nothing. */
const cursorOf = (orderNo: string): string => Buffer.from(orderNo).toString('base64url')

async function placeAfter(ledger: RedisClient, list: string, cursor: string): Promise<number> {
  const orderNo = Buffer.from(cursor, 'base64url').toString()
  const place = ORDER_NO.test(orderNo) ? await ledger.zrevrank(list, orderNo) : null
  if (place === null) throw wrongCursor()
  return place + 1
}
