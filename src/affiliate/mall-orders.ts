/** Orders at platforms: kept as they are reported, each for the agent whose mark it carries. */
import type { OrderLine, OrderStatus } from '../../adapters/index.ts'
import { isoTime } from '../contract/time.ts'
import { lineCommissions } from '../earnings/line-commissions.ts'
import { modeOf, type Mode } from '../contract/money.ts'
import type { AgentCaller } from '../contract/caller.ts'
import type { RedisClient } from '../redis/connect.ts'
import { cursorOf, readCursor } from '../redis/cursor.ts'
import { ledger as keys } from '../redis/keys.ts'
import { scoredOf } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { runMany } from '../redis/slots.ts'
import { agentOfMark } from './links.ts'
import type { SourceName } from './sources.ts'
import { itemIdOf } from './views.ts'

const mallOrder = defineScript(
  'mall-order', ['line', 'list', 'events'],
  ['id', 'agent', 'updated_ms', 'status', 'data', 'events_max', 'mode'],
  (changed: number) => changed === 1)

export interface OrdersQuery {
  readonly updated_after?: string
  readonly status?: OrderStatus
  readonly cursor?: string
  readonly limit?: number
}

const EVENTS_KEPT = 100_000
/** Lines that carry no mark of ours: an operator's own purchases, or a mark that has expired. */
const NOBODY = '-'
/** Lines looked through for one page, whatever their status. */
const SCANNED_MAX = 500
const LIMIT = 20
/** What platforms name lines by. */
const LINE = /^.{1,128}$/

/**
 * True when it was new or has changed. Doing it twice is as doing it once. A line keeps the mode
 * that it was first reported with.
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
  const places = scoredOf(found).filter(({ member, score }) =>
    from === undefined || score < from.score || member < from.member)
  const texts = await runMany(ledger, places.map(({ member }) =>
    ['hmget', keys.mallOrder(source, member), 'data', 'mode'] as const)) as string[][]
  const lines = places.flatMap((place, at) => {
    const [data = '', mode] = texts[at] ?? []
    const line = JSON.parse(data) as OrderLine
    return status === undefined || line.status === status
      ? [{ ...place, line, mode: modeOf(mode) }] : []
  })
  const shown = lines.slice(0, limit)
  const last = shown.at(-1) ?? places.at(-1)
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
