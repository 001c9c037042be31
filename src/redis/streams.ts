/** The outboxes: what happened in each partition, and how a node's own view follows them. */
import { nowMs } from '../contract/time.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from './connect.ts'
import { everyPartition, startPollLoop, type Doorbell } from './doorbell.ts'
import { ledger as keys, PARTITIONS } from './keys.ts'
import { fieldsOf } from './replies.ts'
import { isOneServer, isReachable, readWith, runMany, type Read } from './send.ts'

/** An entry of a partition's outbox. */
export interface OutboxEvent {
  readonly id: string
  readonly partition: number
  /** What happened: an order's event name, or `stock` for a recorded delta. */
  readonly type: string
  /** Milliseconds, Redis's clock. */
  readonly at: number
  readonly productId: number
  /** Units left after it, when it changed the stock. */
  readonly stock?: number
  readonly orderNo?: string
  readonly agent?: string
  /** The idempotency key of an order that was created, or was closed unpaid. */
  readonly attempt?: string
  /** When an order that was closed unpaid is dropped: milliseconds, Redis's clock. */
  readonly fadesAt?: number
  /** What an after-sale became, and its id. */
  readonly status?: string
  readonly aftersale?: string
  /** Whether an order was closed by its payment window or by its agent. */
  readonly why?: 'expired' | 'cancelled'
  /** Fen that were given back. */
  readonly amount?: number
}

/** Follows every outbox without acknowledging: a node's own view, rebuilt when it falls behind. */
export interface Follower {
  apply(events: readonly OutboxEvent[]): void
  /** Entries were trimmed before they were read: reload the partition from the truth. */
  reload(partition: number): Promise<void>
  /** All partitions were seen to be followed up to this moment (node clock, ms). */
  current(atMs: number): void
}

export interface FollowOptions {
  readonly ledger: RedisClient
  readonly doorbell: Doorbell
  readonly follower: Follower
  readonly log: Logger
  readonly gatherMs?: number
  readonly sweepMs?: number
}

/** Of a feed: whoever was away for more reads the orders themselves. */
export const FEED_MAX = 1000
export const FEED_TTL_MS = 7 * 86_400_000

/** Before the first entry of a stream. */
export const STREAM_START = '0-0'

const GATHER_MS = 25
/** With the time that reading takes, a lost bell is still made good within five seconds. */
const SWEEP_MS = 4000
const READ_MAX = 500
/** Of one command that reads many: what it may find together bounds how long it takes. */
const STREAMS_AT_ONCE = 32
const SEQUENCE_MAX = '18446744073709551615'
const RELOADS_AT_ONCE = 16

export type RawEntry = [id: string, fields: string[]]

export function outboxEvent(partition: number, [id, fields]: RawEntry): OutboxEvent {
  const { type = '', at, product_id, stock, order_no, agent, attempt, status, fades_at,
    aftersale, why, amount } = fieldsOf(fields)
  return {
    id,
    partition,
    type,
    at: Number(at),
    productId: Number(product_id),
    ...(stock !== undefined && { stock: Number(stock) }),
    ...(order_no !== undefined && { orderNo: order_no }),
    ...(agent !== undefined && { agent }),
    ...(attempt !== undefined && { attempt }),
    ...(status !== undefined && { status }),
    ...(aftersale !== undefined && { aftersale }),
    ...((why === 'expired' || why === 'cancelled') && { why }),
    ...(amount !== undefined && { amount: Number(amount) }),
    ...(fades_at !== undefined && { fadesAt: Number(fades_at) }),
  }
}

/**
 * Entries of partitions that one command may name, from their positions on, and those at the
 * positions with them; `count` is of each. Partitions without an entry are left out.
 */
export async function readOutboxes(
  read: Read, [first, ...others]: readonly number[], position: (partition: number) => string,
  count: number,
): Promise<Map<number, OutboxEvent[]>> {
  if (first === undefined) return new Map()
  const partitions = [first, ...others]
  const found = await read('xread', 'COUNT', count, 'STREAMS',
    ...partitions.map((partition) => keys.outbox(partition)),
    ...partitions.map((partition) => idBefore(position(partition))))
  const entries = new Map((found ?? []) as [key: string, entries: RawEntry[]][])
  return new Map(partitions.flatMap((partition) => {
    const own = entries.get(keys.outbox(partition))
    return own ? [[partition, own.map((entry) => outboxEvent(partition, entry))]] : []
  }))
}

/** Partitions that one command may name: of a cluster it is one. */
export const inCommands = (
  ledger: { readonly isOneServer: boolean }, partitions: readonly number[],
): number[][] => {
  const size = ledger.isOneServer ? STREAMS_AT_ONCE : 1
  return Array.from({ length: Math.ceil(partitions.length / size) },
    (_, part) => partitions.slice(part * size, (part + 1) * size))
}

/** The last entry's id in each partition. */
export async function lastIds(
  ledger: RedisClient, partitions: readonly number[],
): Promise<string[]> {
  const replies = await runMany(ledger, partitions.map((partition) =>
    ['xrevrange', keys.outbox(partition), '+', '-', 'COUNT', 1] as const))
  return replies.map((reply) => (reply as RawEntry[])[0]?.[0] ?? STREAM_START)
}

/** The highest id below: XREAD leaves out the one that it is given. */
function idBefore(id: string): string {
  const [ms = 0, sequence = 0] = id.split('-').map(Number)
  if (sequence > 0) return `${ms}-${sequence - 1}`
  return ms > 0 ? `${ms - 1}-${SEQUENCE_MAX}` : id
}

/** Whether an entry's id comes after another's. */
export function isAfter(a: string, b: string): boolean {
  const [aMs = 0, aSeq = 0] = a.split('-').map(Number)
  const [bMs = 0, bSeq = 0] = b.split('-').map(Number)
  return aMs > bMs || (aMs === bMs && aSeq > bSeq)
}

/** Has every node load its view again from the truth, with its next sweep. */
export async function reloadViews(ledger: RedisClient): Promise<void> {
  await ledger.incr(keys.viewGeneration)
}

/**
 * Loads every partition and follows it from then on; resolves when the follower is current.
 * Positions are taken before the load, so that nothing falls in between.
 */
export async function followOutbox(options: FollowOptions): Promise<{ stop(): Promise<void> }> {
  const { doorbell, log, gatherMs = GATHER_MS, sweepMs = SWEEP_MS } = options
  const view = new FollowedView(options)
  await view.load()
  return startPollLoop({
    doorbell,
    log,
    gatherMs,
    sweepMs,
    async read(partitions, isSweep) {
      if (!isSweep) return await view.advance(partitions.filter((one) => view.isWithin(one)))
      await view.sweep()
      return []
    },
  })
}

class FollowedView {
  private readonly ledger: RedisClient
  private readonly follower: Follower
  private readonly positions: string[] = []
  /** To be reloaded, whatever their outbox says. */
  private readonly stale = new Set<number>()
  private generation: string | null = null

  constructor({ ledger, follower }: FollowOptions) {
    this.ledger = ledger
    this.follower = follower
  }

  async load(): Promise<void> {
    this.generation = await this.ledger.get(keys.viewGeneration)
    const at = nowMs()
    await this.reload(everyPartition())
    this.follower.current(at)
  }

  /** A master that is down leaves its partitions for a later sweep, and no other behind. */
  isWithin(partition: number): boolean {
    return isReachable(this.ledger, keys.outbox(partition))
  }

  async sweep(): Promise<void> {
    const at = nowMs()
    const asked = await this.ledger.get(keys.viewGeneration)
    if (asked !== this.generation) {
      for (const partition of everyPartition()) this.stale.add(partition)
    }
    this.generation = asked
    const reached = everyPartition().filter((partition) => this.isWithin(partition))
    for (let behind = reached; behind.length > 0;) behind = await this.advance(behind)
    if (reached.length === PARTITIONS) this.follower.current(at)
  }

  /** Returns the partitions that have more, and reloads those whose place was trimmed away. */
  async advance(partitions: readonly number[]): Promise<number[]> {
    const read = readWith(this.ledger)
    const parts = inCommands({ isOneServer: isOneServer(this.ledger) }, partitions)
    const replies = await Promise.all(parts.map((part) =>
      readOutboxes(read, part, (partition) => this.at(partition), READ_MAX)))
    const found = new Map(replies.flatMap((reply) => [...reply]))
    const more: number[] = []
    const lost: number[] = []
    for (const partition of partitions) {
      const events = found.get(partition) ?? []
      // Trimming keeps the last entry, so the one at our place is missing only after a gap.
      const first = events[0]?.id ?? STREAM_START
      const isWhole = first === this.at(partition) && !this.stale.has(partition)
      if (!isWhole) {
        lost.push(partition)
      } else if (events.length > 1) {
        this.follower.apply(events.slice(1))
        this.positions[partition] = events.at(-1)?.id ?? STREAM_START
        if (events.length === READ_MAX) more.push(partition)
      }
    }
    if (lost.length > 0) await this.reload(lost)
    return more
  }

  private at(partition: number): string {
    return this.positions[partition] ?? STREAM_START
  }

  private async reload(partitions: readonly number[]): Promise<void> {
    const last = await lastIds(this.ledger, partitions)
    const waiting = [...partitions.entries()]
    await Promise.all(Array.from({ length: RELOADS_AT_ONCE }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, partition] = next
        await this.follower.reload(partition)
        this.positions[partition] = last[index] ?? STREAM_START
        this.stale.delete(partition)
      }
    }))
  }
}
