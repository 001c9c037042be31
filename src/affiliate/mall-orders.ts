/**
 * Orders at platforms: kept as they are reported, each for the agent whose mark it carries, and
 * listed for an agent or for an account's agents.
 */
import type { OrderLine, MallOrderStatus } from '../../adapters/index.ts'
import { MALL_NAMES, type SourceName } from '../../adapters/names.ts'
import type { AgentCaller } from '../contract/caller.ts'
import { type Mode, modeOf } from '../contract/money.ts'
import { isoTime } from '../contract/time.ts'
import { lineCommissions } from '../earnings/records.ts'
import { byAmount, type ListSort } from '../orders/lists.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { cursorOf, type Listed, type Listing, readCursor } from '../redis/listing.ts'
import { scoredOf } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { runMany } from '../redis/send.ts'
import { itemIdOf } from './items.ts'
import { agentOfMark } from './links.ts'

const mallOrder = defineScript(
  'mall-order', ['line', 'list', 'events'],
  ['id', 'agent', 'updated_ms', 'status', 'data', 'events_max', 'mode'],
  (changed: number) => changed === 1)

export interface OrdersQuery {
  readonly updated_after?: string
  readonly status?: MallOrderStatus
  readonly cursor?: string
  readonly limit?: number
}

const EVENTS_KEPT = 100_000
/** Lines that carry no mark of ours: an operator's own purchases, or a mark that has expired. */
const NOBODY = '-'
/** Lines read for one page, of any status. */
const SCANNED_MAX = 500
const LIMIT = 20
/** The platforms' names of lines. */
const LINE = /^.{1,128}$/

/**
 * True when it was new or has changed; idempotent. A line keeps the mode of its first report.
 */
export async function keepOrder(
  ledger: RedisClient, line: OrderLine, mode: Mode,
): Promise<boolean> {
  const { source, line_id: id, sub_id, status, updated_at } = line
  const agent = sub_id === null ? null : await agentOfMark(ledger, source, sub_id)
  return await mallOrder.run(ledger, {
    line: keys.mallOrder(source, id),
    list: keys.mallOrders(source, agent ?? NOBODY),
    events: keys.mallEvents(source),
  }, {
    id, status, agent: agent ?? '', updated_ms: updated_at, data: JSON.stringify(line),
    events_max: EVENTS_KEPT, mode,
  })
}

/** An agent's own lines, the last changed first. */
export async function listMallOrders(
  ledger: RedisClient, source: SourceName, caller: Pick<AgentCaller, 'agent' | 'account'>,
  query: OrdersQuery,
) {
  const { limit = LIMIT, status } = query
  const list = keys.mallOrders(source, caller.agent)
  const from = query.cursor === undefined ? undefined : readCursor(query.cursor, LINE)
  const oldest = query.updated_after === undefined ? '-inf' : `(${Date.parse(query.updated_after)}`
  const found = await ledger.zrevrangebyscore(
    list, from?.score ?? '+inf', oldest, 'WITHSCORES', 'LIMIT', 0, SCANNED_MAX)
  const positions = scoredOf(found).filter(({ member, score }) =>
    from === undefined || score < from.score || member < from.member)
  const texts = await runMany(ledger, positions.map(({ member }) =>
    ['hmget', keys.mallOrder(source, member), 'data', 'mode'] as const)) as string[][]
  const lines = positions.flatMap((position, at) => {
    const [data = '', mode] = texts[at] ?? []
    const line = JSON.parse(data) as OrderLine
    return status === undefined || line.status === status
      ? [{ ...position, line, mode: modeOf(mode) }] : []
  })
  const shown = lines.slice(0, limit)
  const last = shown.at(-1) ?? positions.at(-1)
  const hasMore = lines.length > limit || found.length === 2 * SCANNED_MAX
  const fen = await lineCommissions(ledger, caller.account, shown)
  return {
    orders: shown.map(({ line }, index) => view(line, fen[index] ?? 0)),
    next_cursor: hasMore && last ? cursorOf(last) : null,
  }
}

function view(line: OrderLine, commission: number) {
  const { source, order_no, item_id, title, qty, amount, status, paid_at, updated_at } = line
  return {
    mall_order_no: order_no,
    item_id: item_id === null ? null : itemIdOf(source, item_id),
    title, qty, amount, commission, status,
    paid_at: paid_at === null ? null : isoTime(paid_at),
    updated_at: isoTime(updated_at),
  }
}

// Purchases of several agents as one list, by the time of their last change.

export interface Purchase {
  readonly agent: string
  readonly mode: Mode
  readonly line: OrderLine
}

export interface PurchaseFilters {
  readonly source?: string | undefined
  readonly status?: MallOrderStatus | undefined
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

/** Undefined for a line that no platform reported, or without an agent. */
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

/** Undefined where every purchase matches. */
function matcherOf({ status, q }: PurchaseFilters): ((one: Purchase) => boolean) | undefined {
  const part = q?.trim().toLowerCase() ?? ''
  if (status === undefined && part === '') return undefined
  return ({ line }) => (status === undefined || line.status === status)
    && (line.order_no.toLowerCase().includes(part) || line.title.toLowerCase().includes(part))
}
