/** Holds a live ledger against every invariant, without stopping anything. */
import { sleep } from '../contract/time.ts'
import { readTiers } from '../limits/tiers.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Logger } from '../log.ts'
import type { OrderArchive } from '../orders/archive/archive.ts'
import type { RedisClient } from '../redis/connect.ts'
import { everyPartition } from '../redis/doorbell.ts'
import { scans } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { countKeys, scanNames } from '../redis/scan.ts'
import { lastIds } from '../redis/streams.ts'
import { isTransient } from '../workers/dead-letters.ts'
import { outboxState } from '../workers/outboxes.ts'
import { checkEarnings, earnedViolations } from './earnings-invariants.ts'
import {
  checkAccounts, checkFeeds, checkHumans, checkLists, checkQuotas,
} from './owner-invariants.ts'
import { CursorLost, readPartition, type StoredOrders, type StoredOrder } from './partition.ts'
import { createTally, type VerifyReport, type VerifyTally, type Violation } from './report.ts'
import {
  elsewhereViolations, orderViolations, partitionViolations, type OrderNote,
} from './order-invariants.ts'

export type { VerifyReport, Violation } from './report.ts'

interface VerifyTarget {
  readonly ledger: RedisClient
  /** Where ended orders are; without it those that are there are unreadable. */
  readonly archive?: OrderArchive | undefined
  readonly secrets: Secrets
  readonly log: Logger
}

export interface VerifyOptions {
  /** These alone; their orders, without what belongs to agents and persons. */
  readonly partitions?: readonly number[]
  /** Milliseconds; the ledger's own clock without it. */
  readonly now?: number
  readonly onProgress?: (done: number, total: number) => void
}

/** Keys whose order numbers are held in memory at once: a larger ledger is walked in parts. */
const KEYS_AT_ONCE = 1_000_000
const TRIES_MAX = 5
/** A failover takes a few of these. */
const TROUBLE_MS = 2000
/** After-sales of all orders, to find places in windows that none of them holds. */
const AFTERSALES_MAX = 1_000_000

export async function verifyLedger(
  place: VerifyTarget, options: VerifyOptions = {},
): Promise<VerifyReport> {
  const { ledger, archive, secrets, log } = place
  const { partitions = everyPartition(), onProgress } = options
  const tally = createTally()
  const aftersales = new Set<string>()
  const checking: Checking = {
    ledger, archive, secrets, tally, aftersales, now: options.now ?? await redisTimeMs(ledger),
  }
  const parts = Math.min(Math.ceil(await countKeys(ledger) / KEYS_AT_ONCE) || 1, partitions.length)
  const size = Math.ceil(partitions.length / parts)
  let done = 0
  for (let from = 0; from < partitions.length; from += size) {
    const part = partitions.slice(from, from + size)
    let collected = await collect(ledger, part)
    for (const partition of part) {
      for (let tried = 1; ; tried += 1) {
        const { orders, place: at } = collected.get(partition) as Collected
        try {
          await checkPartition(checking, partition, orders, at)
          break
        } catch (error) {
          const isLost = error instanceof CursorLost
          if (tried === TRIES_MAX || !(isLost || isTransient(error))) throw error
          log.info({ partition, isLost }, 'a partition is read again')
          // A place is lost where the outbox was trimmed meanwhile.
          if (isLost) collected = new Map([...collected, ...await collect(ledger, [partition])])
          else await sleep(TROUBLE_MS)
        }
      }
      collected.delete(partition)
      onProgress?.(done += 1, partitions.length)
    }
  }
  if (!options.partitions) {
    await checkLists(ledger, tally)
    await checkFeeds(ledger, checking.now, tally)
    await checkHumans(ledger, aftersales.size < AFTERSALES_MAX ? aftersales : undefined, tally)
    await checkQuotas(ledger, readTiers(), tally)
    await checkEarnings(ledger, tally)
    await checkAccounts(ledger, tally)
  }
  await tellOutboxes(ledger, tally)
  return tally.report()
}

interface Collected {
  readonly orders: Set<string>
  /** In the outbox, from before the walk: what came later is found from here. */
  readonly place: string
}

async function collect(
  ledger: RedisClient, partitions: readonly number[],
): Promise<Map<number, Collected>> {
  const places = await lastIds(ledger, partitions)
  const found = new Map(partitions.map((partition, index) =>
    [partition, { orders: new Set<string>(), place: places[index] as string }]))
  for await (const orderNos of scanNames(ledger, scans.orders)) {
    for (const orderNo of orderNos) {
      found.get(partitionOfOrder(orderNo) ?? -1)?.orders.add(orderNo)
    }
  }
  return found
}

async function tellOutboxes(ledger: RedisClient, tally: VerifyTally): Promise<void> {
  const { lagEntries, lagMs, aside } = await outboxState(ledger)
  if (lagEntries > 0) {
    tally.warn(`The effects of ${lagEntries} events are not done, the oldest ${lagMs} ms old.`)
  }
  if (aside > 0) tally.warn(`${aside} events are set aside: see agentmall outbox aside.`)
}

interface Checking extends StoredOrders {
  readonly secrets: Secrets
  readonly tally: VerifyTally
  /** Gathers the ids of all after-sales. */
  readonly aftersales: Set<string>
  /** The ledger's clock, ms. */
  readonly now: number
}

async function checkPartition(
  { ledger, archive, secrets, tally, aftersales, now }: Checking, partition: number,
  orderNos: ReadonlySet<string>, place: string,
): Promise<void> {
  const notes = new Map<string, OrderNote>()
  /** Of each order, as it was last read. */
  const found = new Map<string, readonly Violation[]>()
  const { view, moving } = await readPartition({ ledger, archive }, partition, [...orderNos], place,
    async (read, view) => {
      const orders = read.flatMap(([, order]) => order ?? [])
      const whole = orders.filter(isWhole)
      const elsewhere = [
        ...await elsewhereViolations(ledger, whole, view),
        ...await earnedViolations(ledger, whole, view),
      ]
      for (const [orderNo] of read) {
        notes.delete(orderNo)
        found.delete(orderNo)
      }
      for (const order of orders) {
        notes.set(order.orderNo, noteOf(order))
        for (const { id } of order.aftersales) aftersales.add(id)
        const violations = [
          ...orderViolations(order, secrets),
          ...elsewhere.filter(({ subject }) => subject === order.orderNo),
        ]
        if (violations.length > 0) found.set(order.orderNo, violations)
      }
    })
  const isStill = ({ subject }: Violation): boolean =>
    !moving.orders.has(subject) && !moving.products.has(Number(subject))
  tally.count('partitions')
  tally.count('products', view.stock.size)
  tally.count('orders', notes.size)
  tally.count('archived', [...notes.values()].filter(({ isArchived }) => isArchived).length)
  tally.count('moving', moving.orders.size)
  tally.add([...found.values()].flat().filter(isStill))
  tally.add(partitionViolations({ view, orders: notes, now }).filter(isStill))
}

const isWhole = ({ flaws }: StoredOrder): boolean => flaws.length === 0

const noteOf = (order: StoredOrder): OrderNote => ({
  productId: order.productId, status: order.status, held: order.held || 0,
  expiresAt: order.expiresAt, afterStatus: order.afterStatus,
  agent: order.agent, isFading: order.isFading, trialHeld: order.trialHeld,
  createdAt: order.createdAt, isArchived: order.isArchived,
})
