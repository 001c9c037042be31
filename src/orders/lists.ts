/** Orders as lists: an agent's, an account's, and the operator's by status. */
import { ORDER_NO_PATTERN, partitionOfOrder } from '../contract/ids.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/send.ts'
import { orderFactsOf, readFacts, type Given, type OrderFacts } from './record.ts'
import { orderSummary, type OrderSummary } from './view.ts'
import {
  readPage, wrongCursor, type Listed, type Listing, type ListPage,
} from '../redis/listing.ts'
import type { Status } from './states.ts'
import { isoTime } from '../contract/time.ts'
import { ordersByStatus } from './by-status.ts'

export interface AgentOrderPage {
  items: OrderSummary[]
  /** Absent on the last page. */
  next_cursor?: string
}

const ORDER_NO = new RegExp(ORDER_NO_PATTERN)

export async function listAgentOrders(
  ledger: RedisClient, agent: string, cursor: string | undefined, limit: number,
): Promise<AgentOrderPage> {
  const list = keys.agentOrders(agent)
  const from = cursor === undefined ? 0 : await placeAfter(ledger, list, cursor)
  // One more than asked for tells whether there is a next page.
  const orderNos = await ledger.zrevrange(list, from, from + limit)
  const shown = orderNos.slice(0, limit)
  const found = await readFacts(ledger, shown, 'agent')
  const last = shown.at(-1)
  return {
    items: shown.flatMap((orderNo, index) => {
      const values = found[index] ?? []
      // An entry may outlive its order where a failover took that.
      return values.at(-1) === agent ? [orderSummary(orderFactsOf(orderNo, values))] : []
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

export interface AccountOrder {
  readonly agent: string
  readonly user_ref?: string
  readonly facts: OrderFacts
}

export const LIST_SORTS = ['newest', 'oldest', 'amount_desc', 'amount_asc'] as const
export type ListSort = (typeof LIST_SORTS)[number]

export interface OrderFilters {
  readonly status?: Status | undefined
  /** A part of an order's number or of a user_ref. */
  readonly q?: string | undefined
  /** Milliseconds, both included. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly sort?: ListSort | undefined
}

export function ordersOf(
  ledger: RedisClient, agents: readonly string[], filters: OrderFilters,
): Listing<AccountOrder> {
  const { from, to, sort } = filters
  const agentOf = new Map(agents.map((agent) => [keys.agentOrders(agent), agent]))
  return {
    keys: [...agentOf.keys()], from, to, isOldestFirst: sort === 'oldest',
    matches: matcherOf(filters), compare: byAmount(sort, ({ facts }) => facts.amount),
    async read(found: readonly Listed[]) {
      const orders = await readOrders(ledger, found.map(({ member }) => member))
      // An entry may outlive its order where a failover took that.
      return orders.map((order, index) =>
        (order?.agent === agentOf.get(found[index]?.key ?? '') ? order : undefined))
    },
  }
}

/** A whole order number is found wherever it stands; everything else as `readPage` does. */
export async function listAccountOrders(
  ledger: RedisClient, agents: readonly string[], filters: OrderFilters,
  place: { page: number, limit: number },
): Promise<ListPage<AccountOrder>> {
  const orderNo = filters.q?.trim().toUpperCase() ?? ''
  if (!ORDER_NO.test(orderNo)) {
    return await readPage(ledger, ordersOf(ledger, agents, filters), place)
  }
  const { from = -Infinity, to = Infinity } = filters
  const isMatch = matcherOf(filters)
  const items = (await readOrders(ledger, [orderNo])).filter((order) => order !== undefined)
    .filter((order) => agents.includes(order.agent) && isMatch?.(order) !== false
      && order.facts.createdAt >= from && order.facts.createdAt <= to)
  return { items, page: 1, total: items.length, looked_through: 1, in_range: items.length }
}

async function readOrders(
  ledger: RedisClient, orderNos: readonly string[],
): Promise<(AccountOrder | undefined)[]> {
  const records = await readFacts(ledger, orderNos, 'given', 'agent')
  return records.map((values, index) => {
    const [given, agent] = values.slice(-2)
    if (!agent || !given) return undefined
    const { user_ref } = JSON.parse(given) as Given
    const facts = orderFactsOf(orderNos[index] ?? '', values)
    return { agent, facts, ...(user_ref !== undefined && { user_ref }) }
  })
}

/** Undefined where each one matches. */
function matcherOf({ status, q }: OrderFilters): ((order: AccountOrder) => boolean) | undefined {
  const part = q?.trim().toLowerCase() ?? ''
  if (status === undefined && part === '') return undefined
  return ({ facts, user_ref = '' }) => (status === undefined || facts.status === status)
    && (facts.orderNo.toLowerCase().includes(part) || user_ref.toLowerCase().includes(part))
}

/** Undefined where the list is by time. */
export function byAmount<T>(
  sort: ListSort | undefined, amountOf: (one: T) => number,
): ((one: T, other: T) => number) | undefined {
  if (sort === 'amount_desc') return (one, other) => amountOf(other) - amountOf(one)
  return sort === 'amount_asc' ? (one, other) => amountOf(one) - amountOf(other) : undefined
}

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
