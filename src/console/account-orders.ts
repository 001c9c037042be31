/** Orders of an account's agents, here and at platforms, with names and commissions. */
import type { Static } from 'typebox'
import { agentsOf, labelsOf } from '../accounts/agent-records.ts'
import {
  purchasesOf, type Purchase, type PurchaseFilters,
} from '../affiliate/mall-orders.ts'
import { itemIdOf } from '../affiliate/items.ts'
import { isoTime } from '../contract/time.ts'
import {
  readCommissions, type SubjectInMode, mallSubject, orderSubject, type CommissionRecord,
} from '../earnings/records.ts'
import { startOfDay } from '../earnings/month.ts'
import { Refusal } from '../contract/errors.ts'
import {
  ordersOf, listAccountOrders, type AccountOrder, type ListSort, type OrderFilters,
} from '../orders/lists.ts'
import { orderSummary } from '../orders/view.ts'
import { readMatches, readPage } from '../redis/listing.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Services } from '../services.ts'
import type { Commission as CommissionView } from './operations/fields.ts'

/** Rows of a file, at most. */
export const EXPORTED_MAX = 10_000
const PAGE_SIZE = 20
const DAY_MS = 86_400_000

interface ListQuery {
  readonly agent?: string
  readonly from?: string
  readonly to?: string
  readonly sort?: ListSort
  readonly page?: number
  readonly limit?: number
}

export type AccountOrdersQuery = ListQuery & Pick<OrderFilters, 'status' | 'q'>
export type PurchasesQuery = ListQuery & Pick<PurchaseFilters, 'source' | 'status' | 'q'>

type Store = Pick<Services, 'ledger'>

export async function pageOfAccountOrders(
  { ledger }: Store, account: string, query: AccountOrdersQuery,
) {
  const agents = await agentsFor(ledger, account, query)
  const page = await listAccountOrders(ledger, agents, filtersOf(query), placeOf(query))
  return { ...page, items: await orderRows(ledger, account, page.items) }
}

/** In parts, newest or oldest first; of agents that are the account's. */
export async function* allAccountOrders(
  { ledger }: Store, account: string, agents: readonly string[], query: AccountOrdersQuery,
): AsyncGenerator<Awaited<ReturnType<typeof orderRows>>> {
  const listing = ordersOf(ledger, agents, filtersOf(query))
  for await (const part of readMatches(ledger, listing, EXPORTED_MAX)) {
    yield await orderRows(ledger, account, part)
  }
}

export async function pageOfPurchases(
  { ledger }: Store, account: string, query: PurchasesQuery,
) {
  const agents = await agentsFor(ledger, account, query)
  const page = await readPage(
    ledger, purchasesOf(ledger, agents, filtersOf(query)), placeOf(query))
  return { ...page, items: await purchaseRows(ledger, account, page.items) }
}

/** The same, by the last change. */
export async function* allPurchases(
  { ledger }: Store, account: string, agents: readonly string[], query: PurchasesQuery,
): AsyncGenerator<Awaited<ReturnType<typeof purchaseRows>>> {
  const listing = purchasesOf(ledger, agents, filtersOf(query))
  for await (const part of readMatches(ledger, listing, EXPORTED_MAX)) {
    yield await purchaseRows(ledger, account, part)
  }
}

async function orderRows(ledger: RedisClient, account: string, orders: readonly AccountOrder[]) {
  const [labels, commissions] = await Promise.all([
    labelsOf(ledger, orders.map(({ agent }) => agent)),
    commissionsOf(ledger, account, orders.map(({ facts: { orderNo, mode } }) =>
      ({ subject: orderSubject(orderNo), mode }))),
  ])
  return orders.map(({ agent, user_ref, facts }, index) => ({
    ...orderSummary(facts), agent, agent_label: labels.get(agent) ?? '',
    ...(user_ref !== undefined && { user_ref }),
    ...(commissions[index] && { commission: commissions[index] }),
  }))
}

export async function purchaseRows(
  ledger: RedisClient, account: string, purchases: readonly Purchase[],
) {
  const [labels, commissions] = await Promise.all([
    labelsOf(ledger, purchases.map(({ agent }) => agent)),
    commissionsOf(ledger, account, purchases.map(({ line: { source, line_id: id }, mode }) =>
      ({ subject: mallSubject(source, id), mode }))),
  ])
  return purchases.map(({ agent, line }, index) => ({
    purchase: mallSubject(line.source, line.line_id),
    source: line.source,
    mall_order_no: line.order_no,
    item_id: line.item_id === null ? null : itemIdOf(line.source, line.item_id),
    title: line.title, qty: line.qty, amount: line.amount, status: line.status,
    agent, agent_label: labels.get(agent) ?? '',
    ordered_at: timeOf(line.ordered_at), paid_at: timeOf(line.paid_at),
    updated_at: isoTime(line.updated_at),
    ...(commissions[index] && { commission: commissions[index] }),
  }))
}

/** In the order of the subjects; undefined where the books have nothing (yet). */
export async function commissionsOf(
  ledger: RedisClient, account: string, subjects: readonly SubjectInMode[],
): Promise<(Static<typeof CommissionView> | undefined)[]> {
  return (await readCommissions(ledger, account, subjects)).map(viewOf)
}

function viewOf(record: CommissionRecord | undefined): Static<typeof CommissionView> | undefined {
  if (record === undefined || record.state === 'moved') return undefined
  const { state, commission: amount, bps } = record
  return { state, amount, bps }
}

const timeOf = (ms: number | null): string | null => (ms === null ? null : isoTime(ms))

/** The account's agents, or the one that the query names; refuses another account's. */
export async function agentsFor(
  ledger: RedisClient, account: string, { agent }: Pick<ListQuery, 'agent'>,
): Promise<string[]> {
  const own = await agentsOf(ledger, account)
  if (agent === undefined) return own
  if (!own.includes(agent)) throw new Refusal('not_found')
  return [agent]
}

const placeOf = ({ page = 1, limit = PAGE_SIZE }: ListQuery) => ({ page, limit })

/** Days become times, from the start of the first to the end of the last, in China's time. */
const filtersOf = <Query extends ListQuery>({ from, to, ...query }: Query) => ({
  ...query,
  from: from === undefined ? undefined : startOfDay(from),
  to: to === undefined ? undefined : (startOfDay(to) ?? 0) + DAY_MS - 1,
})
