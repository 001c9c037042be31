/** Purchases at platforms of several agents as one list, by the time of their last change. */
import type { OrderLine, OrderStatus } from '../../adapters/index.ts'
import { modeOf, type Mode } from '../contract/money.ts'
import { byAmount, type ListSort } from '../orders/list-account.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { Listed, Listing } from '../redis/listing.ts'
import { runMany } from '../redis/slots.ts'
import { MALL_NAMES } from '../../adapters/names.ts'

export interface Purchase {
  readonly agent: string
  readonly mode: Mode
  readonly line: OrderLine
}

export interface PurchaseFilters {
  readonly source?: string | undefined
  readonly status?: OrderStatus | undefined
  /** A part of the platform's order number or of the title. */
  readonly q?: string | undefined
  /** Milliseconds, both included. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly sort?: ListSort | undefined
}

type LineName = readonly [source: string, line: string]

export function purchasesOf(
  ledger: RedisClient, agents: readonly string[], filters: PurchaseFilters,
): Listing<Purchase> {
  const { source, from, to, sort } = filters
  const sources = source === undefined ? MALL_NAMES : [source]
  const sets = new Map(sources.flatMap((source) => agents.map((agent) =>
    [keys.mallOrders(source, agent), { source, agent }] as const)))
  return {
    keys: [...sets.keys()], from, to, isOldestFirst: sort === 'oldest',
    matches: matcherOf(filters), compare: byAmount(sort, ({ line }) => line.amount),
    async read(found: readonly Listed[]) {
      const purchases = await readLines(ledger, found.map(({ key, member }): LineName =>
        [sets.get(key)?.source ?? '', member]))
      return purchases.map((one, index) =>
        (one?.agent === sets.get(found[index]?.key ?? '')?.agent ? one : undefined))
    },
  }
}

/** Undefined where no platform reported it, or for nobody. */
export async function readPurchase(
  ledger: RedisClient, source: string, line: string,
): Promise<Purchase | undefined> {
  return (await readLines(ledger, [[source, line]]))[0]
}

async function readLines(
  ledger: RedisClient, names: readonly LineName[],
): Promise<(Purchase | undefined)[]> {
  const records = await runMany(ledger, names.map(([source, line]) =>
    ['hmget', keys.mallOrder(source, line), 'agent', 'data', 'mode'] as const)) as
      (string | null)[][]
  return records.map(([agent, data, mode]) => (agent && data
    ? { agent, mode: modeOf(mode), line: JSON.parse(data) as OrderLine } : undefined))
}

/** Undefined where each one matches. */
function matcherOf({ status, q }: PurchaseFilters): ((one: Purchase) => boolean) | undefined {
  const part = q?.trim().toLowerCase() ?? ''
  if (status === undefined && part === '') return undefined
  return ({ line }) => (status === undefined || line.status === status)
    && (line.order_no.toLowerCase().includes(part) || line.title.toLowerCase().includes(part))
}
