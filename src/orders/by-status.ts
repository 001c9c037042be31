/**
 * Orders by their status, from what each partition keeps in the step that moves an order: those
 * that were paid in `by-status`, the others in the lists by which they expire and are dropped.
 */
import { partitionOfOrder } from '../contract/ids.ts'
import type { RedisClient } from '../redis/connect.ts'
import { everyPartition } from '../redis/doorbell.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { scoredOf, type Scored } from '../redis/replies.ts'
import { scanNames } from '../redis/scan.ts'
import { defineScript } from '../redis/script.ts'
import { runMany } from '../redis/send.ts'
import { STATUSES, type Status } from './states.ts'

const orderIndex = defineScript('order-index', ['order', 'by_status'], ['order_no', 'scores'],
  (changed: number) => changed)

/** More than any time in ms; nine of it are exact in a double. */
const RANK = 1e13
const PAGE = 64
/** Of one partition in one millisecond: more than a master places. */
const TIES_MAX = 50
const ORDERS_AT_ONCE = 200

/** By rank of the status, then by time. */
export const scoreOf = (status: Status, createdAt: number): number =>
  STATUSES.indexOf(status) * RANK + createdAt

const SCORES = JSON.stringify(Object.fromEntries(STATUSES
  .filter((status) => status !== 'pending_payment').map((status) => [status, scoreOf(status, 0)])))

/**
 * Order numbers in the status by when they were placed, in batches; one that moves meanwhile may be
 * missing or named although it left. Pending ones come by the end of their window, closed ones that
 * were never paid after all others, by when they are dropped. `from`, in ms, leaves out what was
 * placed before it.
 */
export async function* ordersByStatus(
  ledger: RedisClient, status: Status, from = 0,
): AsyncGenerator<string[]> {
  await buildStatusIndex(ledger)
  if (status === 'pending_payment') {
    yield* merged(ledger, keys.unpaid, 0, '+inf')
    return
  }
  yield* merged(ledger, keys.byStatus, scoreOf(status, from), scoreOf(status, RANK - 1))
  if (status === 'closed') yield* merged(ledger, keys.fading, 0, '+inf')
}

/** What was read of a partition's list and is not yielded yet. */
interface Head {
  readonly partition: number
  readonly page: Scored[]
  /** The last that was read. */
  last: Scored
  isRead: boolean
}

/**
 * One sorted set of each partition, between two scores, as one list: lowest score first, equal ones
 * by name. The first word of a member is the order.
 */
async function* merged(
  ledger: RedisClient, key: (partition: number) => string, from: number, to: number | '+inf',
): AsyncGenerator<string[]> {
  let heads = everyPartition().map((partition): Head =>
    ({ partition, page: [], last: { member: '', score: from }, isRead: false }))
  while (heads.length > 0) {
    await fill(ledger, heads.filter(({ page, isRead }) => !isRead && page.length < PAGE / 2),
      key, to)
    // What is not read yet comes after what was read last of its list.
    const bounds = heads.filter(({ isRead }) => !isRead).map(({ last }) => last).toSorted(compare)
    const ready = heads.flatMap(({ page }) => {
      const [bound] = bounds
      const count = bound ? page.findIndex((one) => compare(one, bound) > 0) : -1
      return page.splice(0, count === -1 ? page.length : count)
    })
    if (ready.length > 0) {
      yield ready.toSorted(compare).map(({ member }) => member.split(' ')[0] ?? '')
    }
    heads = heads.filter(({ page, isRead }) => page.length > 0 || !isRead)
  }
}

async function fill(
  ledger: RedisClient, heads: readonly Head[], key: (partition: number) => string,
  to: number | '+inf',
): Promise<void> {
  const count = PAGE + TIES_MAX
  const replies = await runMany(ledger, heads.map(({ partition, last }) =>
    ['zrangebyscore', key(partition), last.score, to, 'WITHSCORES', 'LIMIT', 0, count] as const))
  for (const [index, head] of heads.entries()) {
    const found = scoredOf(replies[index] as string[])
    const fresh = found.filter((one) => compare(one, head.last) > 0)
    head.page.push(...fresh)
    head.last = fresh.at(-1) ?? head.last
    head.isRead = found.length < count
  }
}

const compare = (one: Scored, other: Scored): number =>
  one.score - other.score || (one.member < other.member ? -1 : one.member > other.member ? 1 : 0)

/** Looks at every order once, on a ledger that older code wrote to; nothing on any other. */
export async function buildStatusIndex(ledger: RedisClient): Promise<void> {
  if (await isStatusIndexBuilt(ledger)) return
  for await (const orderNos of scanNames(ledger, scans.orders)) {
    for (let from = 0; from < orderNos.length; from += ORDERS_AT_ONCE) {
      await indexOrders(ledger, orderNos.slice(from, from + ORDERS_AT_ONCE))
    }
  }
  await noteStatusIndex(ledger)
}

export const isStatusIndexBuilt = async (ledger: RedisClient): Promise<boolean> =>
  await ledger.exists(keys.statusesIndexed) === 1

/** Takes out what is no order; the number of entries. */
export async function cleanStatusIndex(ledger: RedisClient): Promise<number> {
  let removed = 0
  for (const partition of everyPartition()) {
    let cursor = '0'
    do {
      const [next, flat] = await ledger.zscan(
        keys.byStatus(partition), cursor, 'COUNT', ORDERS_AT_ONCE)
      const orderNos = flat.filter((_, index) => index % 2 === 0)
      const found = await runMany(ledger, orderNos.map((orderNo) =>
        ['exists', keys.order(partition, orderNo)] as const))
      const strays = orderNos.filter((_, index) => found[index] === 0)
      if (strays.length > 0) removed += await ledger.zrem(keys.byStatus(partition), ...strays)
      cursor = next
    } while (cursor !== '0')
  }
  return removed
}

/** Says that every order is in it. */
export async function noteStatusIndex(ledger: RedisClient): Promise<void> {
  await ledger.set(keys.statusesIndexed, '1')
}

/** The number of orders that were not where they belong. */
export async function indexOrders(
  ledger: RedisClient, orderNos: readonly string[],
): Promise<number> {
  const changed = await Promise.all(orderNos.map((orderNo) => {
    const partition = partitionOfOrder(orderNo) ?? 0
    return orderIndex.run(ledger, {
      order: keys.order(partition, orderNo), by_status: keys.byStatus(partition),
    }, { order_no: orderNo, scores: SCORES })
  }))
  return changed.reduce((sum, count) => sum + count, 0)
}

const orderFade = defineScript('order-fade', ['order', 'events', 'fading'],
  ['order_no', 'fade_ms'], (fadesAt: number) => fadesAt)

/** Resolves with the time (ms) at which the order is dropped; undefined for one that is kept. */
export async function fadeOrder(
  ledger: RedisClient, orderNo: string, unpaidKeptMs: number,
): Promise<number | undefined> {
  const partition = partitionOfOrder(orderNo) ?? 0
  const fadesAt = await orderFade.run(ledger, {
    order: keys.order(partition, orderNo),
    events: keys.events(partition, orderNo),
    fading: keys.fading(partition),
  }, { order_no: orderNo, fade_ms: unpaidKeptMs })
  return fadesAt > 0 ? fadesAt : undefined
}
