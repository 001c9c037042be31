/**
 * Workers over the partitions' lists of orders by time: unpaid orders expire, the driver makes the
 * moves that it planned, and orders that were never paid leave their agents' lists once they are
 * dropped.
 */
import pLimit from 'p-limit'
import { everyPartition } from '../redis/doorbell.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { redisTimeMs, scoredOf } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { isReachable, runMany } from '../redis/send.ts'
import type { Orders } from '../orders/orders.ts'
import { ledger as keys } from '../redis/keys.ts'
import { aftersaleSubject } from '../orders/aftersale-record.ts'
import { readOrder } from '../orders/record.ts'
import type { Status } from '../orders/states.ts'
import { createLedgerClocks, type LedgerClocks } from './ledger-clocks.ts'
import type { Worker } from './lease.ts'
import { isTransient } from './dead-letters.ts'

export interface DueOrder {
  readonly partition: number
  readonly orderNo: string
  /** Milliseconds, as it was read. */
  readonly dueAt: number
}

interface DriverOptions {
  readonly ledger: RedisClient
  readonly orders: Pick<Orders, 'move' | 'driver'>
  readonly stepMs: number
  readonly log: Logger
  readonly clocks?: LedgerClocks
}

/** At most this many of a partition in one tick: what is left comes with the next. */
const PER_PARTITION_MAX = 20
/** Writes of a tick that are under way at a time: they share the way to the ledger with orders. */
const AT_ONCE = 256
const EXPIRY_EVERY_MS = 1000
const FADING_EVERY_MS = 10_000
const DRIVER_EVERY_MS_MIN = 50
const DRIVER_EVERY_MS_MAX = 1000
/** An order that waits for the end of its after-sale is looked at again after this. */
const WAITING_MS_MAX = 3_600_000
/** So is one whose move failed. */
const FAILED_MS = 60_000
/** What PTTL answers of a key that is not there. */
const GONE = -2

const dueSettle = defineScript('due-settle', ['due'], ['order_no', 'read', 'later_ms'],
  (did: number) => did === 1)

/**
 * The orders whose time has come, by the ledger's own clock: with `clocks` by that of their master,
 * and where that can be trusted. Whoever closes or completes orders gives them.
 */
export async function dueOrders(
  ledger: RedisClient, list: (partition: number) => string, clocks?: LedgerClocks,
): Promise<DueOrder[]> {
  const timeOf = clocks ? await clocks.look() : always(await redisTimeMs(ledger))
  const partitions = everyPartition().filter((partition) =>
    timeOf(list(partition)) !== undefined && isReachable(ledger, list(partition)))
  const replies = await runMany(ledger, partitions.map((partition) => [
    'zrangebyscore', list(partition), '-inf', timeOf(list(partition)) ?? 0, 'WITHSCORES',
    'LIMIT', 0, PER_PARTITION_MAX,
  ] as const))
  return partitions.flatMap((partition, place) => scoredOf(replies[place] as string[])
    .map(({ member, score }) => ({ partition, orderNo: member, dueAt: score })))
}

const always = (time: number) => (_key: string): number => time

/** Whether a partition may have more of them than were read: there is work to do at once. */
function isFull(due: readonly DueOrder[]): boolean {
  const counts = new Map<number, number>()
  for (const { partition } of due) counts.set(partition, (counts.get(partition) ?? 0) + 1)
  return [...counts.values()].some((count) => count >= PER_PARTITION_MAX)
}

/** Takes it off the list, or puts it off by `laterMs`, unless it was planned anew meanwhile. */
export async function settleDue(
  ledger: RedisClient, list: (partition: number) => string,
  { partition, orderNo, dueAt }: DueOrder, laterMs?: number,
): Promise<void> {
  await dueSettle.run(ledger, { due: list(partition) },
    { order_no: orderNo, read: dueAt, later_ms: laterMs ?? '' })
}

/** Does something for each; one that fails is logged, and keeps no other from its turn. */
export async function forEachDue<T>(
  entries: readonly T[], log: Logger, work: (entry: T) => Promise<unknown>,
): Promise<void> {
  const limit = pLimit(AT_ONCE)
  const ends = await Promise.allSettled(entries.map((entry) => limit(() => work(entry))))
  const failed = ends.filter((end) => end.status === 'rejected')
  const [first] = failed
  if (!first) return
  const { message } = first.reason as Error
  log.warn({ failed: failed.length, of: entries.length, error: message }, 'some were not moved')
}

export function expiryWorker(
  { ledger, orders, log, clocks = createLedgerClocks({ ledger, log }) }: {
    ledger: RedisClient, orders: Pick<Orders, 'move'>, log: Logger, clocks?: LedgerClocks,
  },
): Worker {
  return {
    name: 'expiry',
    everyMs: EXPIRY_EVERY_MS,
    async tick() {
      const due = await dueOrders(ledger, keys.unpaid, clocks)
      let isMoving = false
      await forEachDue(due, log, async (entry) => {
        const { code } = await orders.move('expire', entry.orderNo)
        isMoving ||= code !== 'early'
        // A move takes its order off the list: one that cannot be moved is a remnant.
        if (code === 'state' || code === 'missing' || code === 'done') {
          await settleDue(ledger, keys.unpaid, entry)
        }
      })
      // All that sold out in one moment falls due in one moment: it is closed within its minute.
      return isMoving && isFull(due)
    },
  }
}

export function driverWorker(options: DriverOptions): Worker {
  const { ledger, stepMs, log, clocks = createLedgerClocks({ ledger, log }) } = options
  return {
    name: 'driver',
    everyMs: Math.min(Math.max(stepMs / 4, DRIVER_EVERY_MS_MIN), DRIVER_EVERY_MS_MAX),
    async tick() {
      const due = await dueOrders(ledger, keys.due, clocks)
      const statuses = await runMany(ledger, due.map(({ partition, orderNo }) =>
        ['hget', keys.order(partition, orderNo), 'status'] as const))
      await forEachDue([...due.entries()], log, ([index, entry]) => orPutOff(
        ledger, keys.due, entry,
        moveOrder(options, entry, statuses[index] as Status | null)))
      const aftersales = await dueOrders(ledger, keys.afterDue, clocks)
      await forEachDue(aftersales, log, (entry) =>
        orPutOff(ledger, keys.afterDue, entry, moveAftersale(options, entry)))
      return isFull(due) || isFull(aftersales)
    },
  }
}

/** One that cannot be moved for a reason of its own must not stand before the others for ever. */
async function orPutOff(
  ledger: RedisClient, list: (partition: number) => string, entry: DueOrder, work: Promise<void>,
): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isTransient(error)) await settleDue(ledger, list, entry, FAILED_MS)
    throw error
  }
}

async function moveOrder(
  { ledger, orders }: DriverOptions, entry: DueOrder, status: Status | null,
): Promise<void> {
  const next = status === null ? undefined : orders.driver.next(status)
  // Planned by another driver, or left over: nothing happens to it by itself.
  if (!next) return await settleDue(ledger, keys.due, entry)
  const detail = orders.driver.detail(next.move, entry.orderNo)
  const { code } = await orders.move(next.move, entry.orderNo, detail && { detail })
  // The move takes its order off the list: what is still there as it was read is a remnant.
  if (code !== 'moved') {
    const isWaiting = code === 'aftersale'
    await settleDue(ledger, keys.due, entry,
      isWaiting ? Math.min(next.afterMs, WAITING_MS_MAX) : undefined)
  }
}

async function moveAftersale({ ledger, orders }: DriverOptions, entry: DueOrder): Promise<void> {
  const order = await readOrder(ledger, entry.orderNo)
  const record = order?.aftersales.at(-1)
  const aftersale = record && aftersaleSubject(record)
  const next = record && aftersale && orders.driver.nextAftersale(record.status, aftersale)
  if (!next) return await settleDue(ledger, keys.afterDue, entry)
  const detail = orders.driver.detail(next.move, aftersale.id)
  const { code } = await orders.move(next.move, entry.orderNo,
    { aftersale, ...(detail && { detail }) })
  if (code !== 'moved') await settleDue(ledger, keys.afterDue, entry)
}

export function fadingWorker(
  { ledger, log, clocks = createLedgerClocks({ ledger, log }) }: {
    ledger: RedisClient, log: Logger, clocks?: LedgerClocks,
  },
): Worker {
  return {
    name: 'fading',
    everyMs: FADING_EVERY_MS,
    async tick() {
      const due = await dueOrders(ledger, keys.fading, clocks)
      const names = due.map(({ orderNo: member }) =>
        member.split(' ') as [orderNo: string, agent: string])
      const left = await runMany(ledger, due.map(({ partition }, index) =>
        ['pttl', keys.order(partition, names[index]?.[0] ?? '')] as const)) as number[]
      await forEachDue([...due.entries()], log, async ([index, entry]) => {
        const [orderNo, agent] = names[index] as (typeof names)[number]
        const leftMs = left[index] as number
        // Its master's clock decides when it is dropped; one without an end was placed anew.
        if (leftMs >= 0) return await settleDue(ledger, keys.fading, entry, leftMs + 1)
        if (leftMs === GONE) await ledger.zrem(keys.agentOrders(agent), orderNo)
        await settleDue(ledger, keys.fading, entry)
      })
      return isFull(due)
    },
  }
}
