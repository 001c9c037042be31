/** Orders of several agents as one list, by the time of their creation. */
import { ORDER_NO_PATTERN, partitionOfOrder } from '../contract/ids.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { readPage, type Listed, type Listing, type ListPage } from '../redis/listing.ts'
import { runMany } from '../redis/slots.ts'
import { FACT_FIELDS, factsOf, type Given, type OrderFacts } from './record.ts'
import type { Status } from './states.ts'

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

const ORDER_NO = new RegExp(ORDER_NO_PATTERN)

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
export async function pageOfOrders(
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
  const records = await runMany(ledger, orderNos.map((orderNo) => [
    'hmget', keys.order(partitionOfOrder(orderNo) ?? 0, orderNo), ...FACT_FIELDS, 'given', 'agent',
  ] as const)) as (string | null)[][]
  return records.map((values, index) => {
    const [given, agent] = values.slice(-2)
    if (!agent || !given) return undefined
    const { user_ref } = JSON.parse(given) as Given
    const facts = factsOf(orderNos[index] ?? '', values as string[])
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
