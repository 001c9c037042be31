/**
 * Ended orders leave the ledger: written to the archive and read back, then replaced by what the
 * ledger needs of them, each in one script that first compares it with what was written. Killed in
 * between, a run leaves a file whose orders are still on the ledger; the next one writes them anew.
 */
import { partitionOfOrder } from '../contract/ids.ts'
import { nowMs } from '../contract/time.ts'
import type { Logger } from '../log.ts'
import type { ArchivedOrder, OrderArchive } from '../orders/archive/archive.ts'
import { scoreOf } from '../orders/by-status.ts'
import type { Given, OrderEvent } from '../orders/record.ts'
import { isFinal, openOf, STATUSES, type AftersaleStatus, type Status } from '../orders/states.ts'
import type { RedisClient } from '../redis/connect.ts'
import { everyPartition } from '../redis/doorbell.ts'
import type { Durable } from '../redis/durable.ts'
import { assertFormat, FORMAT } from '../redis/format.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs, replyValues, scoredOf } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { runMany } from '../redis/send.ts'
import type { Worker } from './lease.ts'
import { ORDER_EFFECTS } from './order-effects.ts'

const orderArchive = defineScript('order-archive',
  ['order', 'events', 'after', 'by_status', 'refunds', 'outbox'], ['order_no', 'was', 'kept'],
  (done: number) => done === 1)

const orderRecall = defineScript('order-recall',
  ['order', 'events', 'after', 'by_status', 'outbox'], ['order_no', 'place', 'was', 'score'],
  (done: number) => done === 1)

export interface ArchivingStores {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run'>
  readonly archive: OrderArchive
}

export interface ArchiveRun {
  readonly archived: number
  /** Left as they are, since they changed while they were written. */
  readonly changed: number
  /** Absent where there was nothing to write. */
  readonly file?: string
  readonly bytes?: number
}

/** Orders of one file: a run of the worker stays far shorter than its lease. */
const FILE_ORDERS_MAX = 2000
const PAGE = 32
const AT_ONCE = 64
const DAY_MS = 86_400_000
const EVERY_MS = 600_000
/** Code of a lower format finds no order where one left. */
const READER_MIN = 7
const FINAL = STATUSES.filter((status) => status !== 'pending_payment' && isFinal(status))

/** One file of orders that ended before the time (ms); fewer than `max` once there are no more. */
export async function archiveOrders(
  { ledger, durable, archive }: ArchivingStores, before: number, max = FILE_ORDERS_MAX,
): Promise<ArchiveRun> {
  const found = await readEnded(ledger, before, max)
  if (found.length === 0) return { archived: 0, changed: 0 }
  await assertFormat(ledger, { format: FORMAT.format, readerMin: READER_MIN })
  // The orders of a partition stand together: who reads a whole partition reads each block once.
  const orders = found.toSorted((one, other) => (one.order_no < other.order_no ? -1 : 1))
  const { facts, places } = await archive.write(orders, nowMs())
  let archived = 0
  for (let from = 0; from < orders.length; from += AT_ONCE) {
    const done = await Promise.all(orders.slice(from, from + AT_ONCE).map((order, index) =>
      replace(durable, order, places[from + index] ?? '')))
    archived += done.filter(Boolean).length
  }
  return { archived, changed: orders.length - archived, file: facts.file, bytes: facts.bytes }
}

function replace(
  durable: Pick<Durable, 'run'>, { order_no, order, events, after }: ArchivedOrder, place: string,
): Promise<boolean> {
  const partition = partitionOfOrder(order_no) ?? 0
  return durable.run(orderArchive, {
    order: keys.order(partition, order_no),
    events: keys.events(partition, order_no),
    after: keys.after(partition, order_no),
    by_status: keys.byStatus(partition),
    refunds: keys.refunds(partition),
    outbox: keys.outbox(partition),
  }, {
    order_no,
    was: JSON.stringify({
      order: Object.entries(order).flat(), after: Object.entries(after).flat(),
      events: events.length,
    }),
    kept: JSON.stringify(Object.entries(keptOf(order, events, place)).flat()),
  })
}

/** Has an order on the ledger as it was, so that it can be moved; false where none is archived. */
export async function recallOrder(
  { ledger, durable, archive }: ArchivingStores, orderNo: string,
): Promise<boolean> {
  const partition = partitionOfOrder(orderNo) ?? 0
  const place = await ledger.hget(keys.order(partition, orderNo), 'archived')
  if (place === null) return false
  const { order, events, after } = await archive.read(place, orderNo)
  return await durable.run(orderRecall, {
    order: keys.order(partition, orderNo),
    events: keys.events(partition, orderNo),
    after: keys.after(partition, orderNo),
    by_status: keys.byStatus(partition),
    outbox: keys.outbox(partition),
  }, {
    order_no: orderNo, place,
    was: JSON.stringify({
      order: Object.entries(order).flat(), events, after: Object.entries(after).flat(),
    }),
    score: scoreOf(order['status'] as Status, Number(order['created_at'])),
  })
}

const KEPT = [
  'agent', 'fingerprint', 'product_id', 'sku_id', 'title', 'qty', 'held', 'unit_price', 'freight',
  'amount', 'created_at', 'expires_at', 'mode', 'replays',
] as const

/** What retries, lists, the sums of units and commissions are answered from. */
export function keptOf(
  order: ArchivedOrder['order'], events: readonly string[], archived: string,
): Record<string, string> {
  const { account, attempt, user_ref } = JSON.parse(order['given'] ?? '') as Given
  const timeline = events.map((line) => JSON.parse(line) as OrderEvent)
  const timeOf = (name: OrderEvent['event']): number | undefined =>
    timeline.find(({ event }) => event === name)?.at
  const [paidAt, completedAt] = [timeOf('paid'), timeOf('completed')]
  return {
    ...Object.fromEntries(KEPT.flatMap((name) => {
      const value = order[name]
      return value === undefined ? [] : [[name, value]]
    })),
    ended: order['status'] ?? '',
    given: JSON.stringify({ account, attempt, ...(user_ref !== undefined && { user_ref }) }),
    ...(paidAt !== undefined && { paid_at: String(paidAt) }),
    ...(completedAt !== undefined && { completed_at: String(completedAt) }),
    archived,
  }
}

/** The list of one status in one partition, read from its oldest order on. */
interface Head {
  readonly partition: number
  readonly status: Status
  from: number | string
  isRead: boolean
}

/** Orders that ended before, whose money is where it belongs and whose events had their effects. */
async function readEnded(
  ledger: RedisClient, before: number, max: number,
): Promise<ArchivedOrder[]> {
  const orders: ArchivedOrder[] = []
  const heads = FINAL.flatMap((status) => everyPartition().map((partition): Head =>
    ({ partition, status, from: scoreOf(status, 0), isRead: false })))
  for (;;) {
    const open = heads.filter(({ isRead }) => !isRead)
    if (open.length === 0 || orders.length >= max) return orders.slice(0, max)
    const pages = await runMany(ledger, open.map(({ partition, status, from }) =>
      ['zrangebyscore', keys.byStatus(partition), from, `(${scoreOf(status, before)}`,
        'WITHSCORES', 'LIMIT', 0, PAGE] as const)) as string[][]
    for (const [index, head] of open.entries()) {
      const page = scoredOf(pages[index] ?? [])
      head.isRead = page.length < PAGE
      // Of several in one millisecond some may be left to the next run.
      head.from = `(${page.at(-1)?.score ?? 0}`
      if (page.length === 0 || orders.length >= max) continue
      orders.push(...await readPartition(
        ledger, head.partition, page.map(({ member }) => member), before))
    }
  }
}

async function readPartition(
  ledger: RedisClient, partition: number, orderNos: readonly string[], before: number,
): Promise<ArchivedOrder[]> {
  const reading = ledger.multi()
    .hget(keys.progress(partition), ORDER_EFFECTS)
    .xrevrange(keys.outbox(partition), '+', '-', 'COUNT', 1)
    .hvals(keys.aside(partition))
  for (const orderNo of orderNos) {
    reading.hgetall(keys.order(partition, orderNo))
      .lrange(keys.events(partition, orderNo), 0, -1)
      .hgetall(keys.after(partition, orderNo))
      .zscore(keys.refunds(partition), orderNo)
  }
  const [place, last, aside, ...replies] = replyValues(await reading.exec())
  const lastId = (last as [string, unknown][])[0]?.[0]
  const past = place === lastId ? Infinity : Number(String(place ?? 0).split('-')[0])
  const isEnded = ({ order_no, order, events }: ArchivedOrder): boolean => {
    const { at = Infinity } = JSON.parse(events.at(-1) ?? '{}') as Partial<OrderEvent>
    return FINAL.includes(order['status'] as Status) && at < before && at < past
      && openOf(order['after_status'] as AftersaleStatus | undefined) === 'none'
      && !(aside as string[]).some((text) => text.includes(order_no))
  }
  return orderNos.flatMap((order_no, index) => {
    const [order, events, after, refund] = replies.slice(index * 4, index * 4 + 4)
    const found = { order_no, order, events, after } as ArchivedOrder
    return refund === null && isEnded(found) ? [found] : []
  })
}

/** Up to the end of the day that is so many days ago, by the ledger's clock. */
export async function archiveBefore(ledger: RedisClient, days: number): Promise<number> {
  return (Math.floor(await redisTimeMs(ledger) / DAY_MS) - days) * DAY_MS
}

/** Works once a day for a few moments: each day's orders come of age together. */
export const archiveWorker = (
  place: ArchivingStores & { readonly days: number, readonly log: Logger },
): Worker => ({
  name: 'archive',
  everyMs: EVERY_MS,
  async tick() {
    const { archived, ...run } = await archiveOrders(
      place, await archiveBefore(place.ledger, place.days))
    if (run.file !== undefined) place.log.info({ archived, ...run }, 'orders were archived')
    // What could not leave is tried again with the next tick.
    return archived === FILE_ORDERS_MAX
  },
})
