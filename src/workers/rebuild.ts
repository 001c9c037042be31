/**
 * Makes again what follows from orders while they go on: lists, claims, the index by status and
 * commissions; and fills a shelf that was flushed or came back empty.
 */
import { partitionOfOrder } from '../contract/ids.ts'
import { cleanStatusIndex, fadeOrder, indexOrders, noteStatusIndex } from '../orders/by-status.ts'
import { checkFeed } from '../events/feed.ts'
import { claimKey, fadeOrderClaim } from '../orders/place-order.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys, mallLines, scans } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { scanNames } from '../redis/scan.ts'
import { runMany, type KeyCommand } from '../redis/send.ts'
import { MALL_NAMES } from '../../adapters/names.ts'
import { noteAllEarners } from '../earnings/listed-accounts.ts'
import { noteAllWithdrawals } from '../earnings/payouts.ts'
import type { EarningsStore } from '../earnings/books.ts'
import { earnedByLine, earnedByOrder, reconcileCommission } from '../earnings/commission.ts'
import {
  mallSubject, orderOfSubject, orderSubject, readJson, type CommissionRecord,
} from '../earnings/records.ts'
import { MODES } from '../contract/money.ts'
import { rebuildShelf } from '../goods/store.ts'
import type { Goods } from '../goods/goods.ts'
import { ChangeUnderWay } from '../goods/version.ts'
import type { Logger } from '../log.ts'
import { openPrimaryShelf, type RedisUrls } from '../redis/roles.ts'
import type { Worker } from './lease.ts'

interface OrdersRebuilt {
  /** Orders that there are, as often as the walk came by them. */
  orders: number
  /** Entries that were missing, or had another time. */
  added: number
  /** Entries that pointed nowhere, or at another agent's order. */
  removed: number
  /** Claims that were missing, or would have ended too early. */
  claims: number
  /** Entries of agents' feeds that told what did not happen. */
  feed: number
  /** Orders that were never paid and had no time at which they are dropped. */
  fading: number
  /** Orders that the index by status did not have in their place, and entries without an order. */
  statuses: number
}

interface Listed {
  readonly orderNo: string
  readonly agent: string
  readonly createdAt: string
  readonly attempt: string
  readonly fingerprint: string
  /** When it is dropped (ms); absent for one that is kept. */
  readonly fadesAt?: number
}

interface EarningsRebuilt {
  orders: number
  lines: number
  /** Commissions of orders that are not there. */
  orphans: number
}

/** Where the caller has no setting. */
const UNPAID_KEPT_MS = 2_592_000_000
const ORDERS_AT_ONCE = 200
const ENTRIES_MAX = 500
const LISTS_AT_ONCE = 64
const FIELDS = ['agent', 'created_at', 'fingerprint', 'given', 'status'] as const
/** What PTTL answers of a key without an end. */
const ENDLESS = -1
const AT_ONCE = 64
const EVERY_MS = 2000

/**
 * Nothing is emptied first: a list is right for its readers at every moment, and repeating this
 * changes nothing. Entries are removed only where no order is; an order stands before its entry.
 */
export async function rebuildOrders(
  ledger: RedisClient, { unpaidKeptMs = UNPAID_KEPT_MS, onProgress }: {
    /** For orders that older code closed unpaid and gave no end. */
    unpaidKeptMs?: number, onProgress?: (orders: number) => void,
  } = {},
): Promise<OrdersRebuilt> {
  const report: OrdersRebuilt = {
    orders: 0, added: 0, removed: 0, claims: 0, feed: 0, fading: 0,
    statuses: await cleanStatusIndex(ledger),
  }
  for await (const agents of scanNames(ledger, scans.agentOrders)) {
    for (let from = 0; from < agents.length; from += LISTS_AT_ONCE) {
      const removed = await Promise.all([...new Set(agents.slice(from, from + LISTS_AT_ONCE))]
        .map((agent) => clean(ledger, agent)))
      report.removed += removed.reduce((sum, count) => sum + count, 0)
    }
  }
  const now = await redisTimeMs(ledger)
  for await (const agents of scanNames(ledger, scans.feeds)) {
    for (const agent of new Set(agents)) report.feed += await cleanFeed(ledger, agent, now)
  }
  for await (const orderNos of scanNames(ledger, scans.orders)) {
    for (let from = 0; from < orderNos.length; from += ORDERS_AT_ONCE) {
      const part = orderNos.slice(from, from + ORDERS_AT_ONCE)
      await restore(ledger, part, unpaidKeptMs, report)
      onProgress?.(report.orders)
    }
  }
  await noteStatusIndex(ledger)
  return report
}

async function restore(
  ledger: RedisClient, orderNos: readonly string[], unpaidKeptMs: number, report: OrdersRebuilt,
): Promise<void> {
  const orders = await readListed(ledger, orderNos, unpaidKeptMs, report)
  const replies = await runMany(ledger, orders.flatMap((order): KeyCommand[] => {
    const { agent, orderNo, createdAt, attempt, fingerprint, fadesAt } = order
    const claim = claimKey(agent, attempt)
    return [
      ['zadd', keys.agentOrders(agent), 'CH', createdAt, orderNo],
      // One that binds the key to something else is left as it is: verify tells of it.
      ['set', claim, `${fingerprint} ${orderNo}`, 'NX'],
      fadesAt === undefined ? ['persist', claim] : ['exists', claim],
    ]
  }))
  // After a time was given to those that were never paid.
  report.statuses += await indexOrders(ledger, orderNos)
  const run: Durable['run'] = (script, names, args) => script.run(ledger, names, args)
  await Promise.all(orders.map(async ({ orderNo: id, agent, attempt, fadesAt }, index) => {
    const [added, bound, persisted] = replies.slice(index * 3, index * 3 + 3)
    if (fadesAt !== undefined) await fadeOrderClaim({ run }, agent, attempt, { id, fadesAt })
    report.orders += 1
    report.added += Number(added)
    report.claims += bound === 'OK' ? 1 : fadesAt === undefined ? Number(persisted) : 0
  }))
}

async function readListed(
  ledger: RedisClient, orderNos: readonly string[], unpaidKeptMs: number, report: OrdersRebuilt,
): Promise<Listed[]> {
  const found = await runMany(ledger, orderNos.flatMap((orderNo): KeyCommand[] => {
    const order = keys.order(partitionOfOrder(orderNo) ?? 0, orderNo)
    return [['hmget', order, ...FIELDS], ['pttl', order]]
  }))
  const listed = await Promise.all(orderNos.map(async (orderNo, index) => {
    const [facts, leftMs] = found.slice(index * 2, index * 2 + 2)
    const [agent, createdAt, fingerprint, given, status] = facts as (string | null)[]
    if (!agent || !createdAt || !fingerprint || !given) return []
    const fadesAt = status === 'closed' ? await fadeOrder(ledger, orderNo, unpaidKeptMs) : undefined
    if (fadesAt !== undefined && leftMs === ENDLESS) report.fading += 1
    const { attempt } = JSON.parse(given) as { attempt: string }
    return [{
      orderNo, agent, createdAt, attempt, fingerprint, ...(fadesAt !== undefined && { fadesAt }),
    }]
  }))
  return listed.flat()
}

/** Removes what points nowhere; the number of entries. */
async function clean(ledger: RedisClient, agent: string): Promise<number> {
  const list = keys.agentOrders(agent)
  const type = await ledger.type(list)
  if (type !== 'zset') return type === 'none' ? 0 : await ledger.del(list)
  let removed = 0
  let cursor = '0'
  do {
    const [next, flat] = await ledger.zscan(list, cursor, 'COUNT', ENTRIES_MAX)
    const entries = flat.filter((_, index) => index % 2 === 0)
    const owners = await runMany(ledger, entries.map((orderNo) =>
      ['hget', keys.order(partitionOfOrder(orderNo) ?? 0, orderNo), 'agent'] as const))
    const strays = entries.filter((_, index) => owners[index] !== agent)
    if (strays.length > 0) removed += await ledger.zrem(list, ...strays)
    cursor = next
  } while (cursor !== '0')
  return removed
}

async function cleanFeed(ledger: RedisClient, agent: string, now: number): Promise<number> {
  const feed = keys.feed(agent)
  if (await ledger.type(feed) !== 'stream') return 0
  let removed = 0
  for await (const { strays } of checkFeed(ledger, agent, now)) {
    if (strays.length > 0) removed += await ledger.xdel(feed, ...strays.map(({ id }) => id))
  }
  return removed
}

/** Safe beside the workers, and to repeat. */
export async function rebuildEarnings(
  place: Omit<EarningsStore, 'mode'>,
  onProgress: (done: number) => void = () => {},
): Promise<EarningsRebuilt> {
  const { ledger, durable: { read } } = place
  const rebuilt = { orders: 0, lines: 0, orphans: 0 }
  for await (const orderNos of scanNames(ledger, scans.orders)) {
    await inParts(orderNos, (orderNo) =>
      reconcileCommission(place, orderSubject(orderNo), () => earnedByOrder(read, orderNo)))
    rebuilt.orders += orderNos.length
    onProgress(rebuilt.orders)
  }
  for (const source of MALL_NAMES) {
    for await (const lines of scanNames(ledger, mallLines(source))) {
      await inParts(lines, (line) =>
        reconcileCommission(place, mallSubject(source, line),
          () => earnedByLine(read, source, line)))
      rebuilt.lines += lines.length
    }
  }
  for (const mode of MODES) {
    rebuilt.orphans += await reconcileOrphans({ ...place, mode })
    await noteAllEarners({ ...place, mode })
    await noteAllWithdrawals({ ...place, mode })
  }
  return rebuilt
}

async function reconcileOrphans(place: EarningsStore): Promise<number> {
  const { ledger, mode, durable: { read } } = place
  let orphans = 0
  for await (const accounts of scanNames(ledger, scans.earners[mode])) {
    for (const account of accounts) {
      for await (const orderNos of orphansOf(place, account)) {
        await inParts(orderNos, (orderNo) => reconcileCommission(place,
          orderSubject(orderNo), async () =>
          await earnedByOrder(read, orderNo) ?? { account, mode, amount: 0, state: 'none' }))
        orphans += orderNos.length
      }
    }
  }
  return orphans
}

/** Orders that are not there and have a commission that was not taken back. */
async function* orphansOf(
  { ledger, mode, durable: { read } }: EarningsStore, account: string,
): AsyncGenerator<string[]> {
  for (let cursor = '0'; ;) {
    const [next, flat] = await ledger.hscan(keys.records(account, mode), cursor, 'COUNT', AT_ONCE)
    const orderNos = new Set(flat.flatMap((field, index) => {
      if (index % 2 === 1 || !field.startsWith('order:')) return []
      const { state } = readJson<CommissionRecord>(flat[index + 1] ?? '{}')
      return state === 'reversed' || state === 'moved' ? [] : [orderOfSubject(field)]
    }))
    const found = await Promise.all([...orderNos].map(async (orderNo) =>
      (await earnedByOrder(read, orderNo) ? [] : [orderNo])))
    if (found.flat().length > 0) yield found.flat()
    cursor = next
    if (cursor === '0') return
  }
}

async function inParts(
  names: readonly string[], work: (name: string) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < names.length; from += AT_ONCE) {
    await Promise.all(names.slice(from, from + AT_ONCE).map(work))
  }
}

/**
 * The rebuild outlasts a lease and many ticks; two nodes that try at once are kept apart by the
 * catalogue's own lock, which a node that died leaves behind for a minute.
 */
export function shelfWorker(
  { urls, goods, log }: { urls: RedisUrls, goods: Pick<Goods, 'isEmptied'>, log: Logger },
): Worker {
  let rebuilding: Promise<void> | undefined

  async function rebuild(): Promise<void> {
    const { shelf, close } = await openPrimaryShelf(urls, log, 'bulk')
    const ledger = openRedis(urls.ledger, log, 'bulk')
    try {
      await untilReady(ledger, 'ledger')
      log.warn('the shelf is empty: rebuilding it from the ledger')
      const { items } = await rebuildShelf({ shelf, ledger })
      log.warn({ items }, 'the shelf is rebuilt')
    } finally {
      close()
      ledger.disconnect()
    }
  }

  return {
    name: 'shelf-rebuild',
    everyMs: EVERY_MS,
    async tick() {
      if (rebuilding || !await goods.isEmptied()) return false
      rebuilding = rebuild().catch((error: Error) => {
        if (error instanceof ChangeUnderWay) log.info('the catalogue is being changed: waiting')
        else log.error({ error: error.message }, 'the shelf could not be rebuilt: trying again')
      }).finally(() => { rebuilding = undefined })
      return false
    },
  }
}
