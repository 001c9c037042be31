/** What orders cost the ledger, kept and archived: bytes by kind of key, its start, a rewrite. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { randomBase62 } from '../../src/contract/ids.ts'
import { monotonicMs, nowMs, sleep } from '../../src/contract/time.ts'
import { createLogger } from '../../src/log.ts'
import { OrderArchive } from '../../src/orders/archive/archive.ts'
import { FolderStore } from '../../src/orders/archive/store.ts'
import { buildStatusIndex } from '../../src/orders/by-status.ts'
import { openRedis, untilReady, type RedisClient } from '../../src/redis/connect.ts'
import { createDurable } from '../../src/redis/durable.ts'
import { openSecrets } from '../../src/secrets/open.ts'
import type { Secrets } from '../../src/secrets/derive.ts'
import { verifyLedger } from '../../src/verify/verify.ts'
import { archiveOrders } from '../../src/workers/order-archive.ts'
import { infoOf, removeData, startGrowthServer, usedMb } from './servers.ts'
import { writeOrders } from './write-orders.ts'

export interface OrdersGrowth {
  readonly orders: number
  readonly archived: number
  readonly ledgerMb: number
  readonly bytesPerOrder: number
  /** Bytes an order by kind of key. */
  readonly kinds: Readonly<Record<string, number>>
  readonly rewriteSeconds: number
  /** Memory that the rewrite needed beside the data. */
  readonly rewriteCopiedMb: number
  readonly diskMb: number
  readonly startSeconds: number
  readonly verifySeconds?: number
  readonly violations?: number
  readonly archiveSeconds?: number
  readonly archiveMb?: number
}

/** A walk over everything, and moving it, are measured where they end within the hour. */
const VERIFIED_MAX = 1_000_000
const ARCHIVED_MAX = 1_000_000
const DAY_MS = 86_400_000
const POLL_MS = 50
const log = createLogger('warn')

interface Growing {
  readonly folder: string
  readonly secret: string
  readonly emptyMb: number
  readonly startMs: number
}

/** Sizes from small to large; of the last, so many as end within the hour are archived. */
export async function* growOrders(
  sizes: readonly number[], parent: string,
): AsyncGenerator<OrdersGrowth> {
  const folder = join(parent, 'orders')
  await removeData(folder)
  const place = { folder, secret: randomBase62(40), startMs: nowMs() - 200 * DAY_MS }
  let emptyMb = 0
  let from = 0
  try {
    for (const to of sizes) {
      const growing = { ...place, emptyMb }
      const found = await withServer(growing, async (ledger, secrets) => {
        await buildStatusIndex(ledger)
        await writeOrders({ ledger, secrets, from, to, startMs: place.startMs })
      }, to)
      if (from === 0 && to === 0) emptyMb = found.ledgerMb
      yield { ...found, orders: to }
      from = to
    }
    yield await archiveAll({ ...place, emptyMb }, from)
  } finally {
    await removeData(folder)
  }
}

async function archiveAll(growing: Growing, orders: number): Promise<OrdersGrowth> {
  const files = join(growing.folder, 'archive')
  const archive = new OrderArchive(new FolderStore(files))
  let archived = 0
  let archiveSeconds = 0
  const found = await withServer(growing, async (ledger, _, url) => {
    const client = openRedis(url, log)
    const durable = createDurable({ client, replicas: 0, log })
    const began = monotonicMs()
    for (;;) {
      const run = await archiveOrders({ ledger, durable, archive }, nowMs() - 100 * DAY_MS)
      archived += run.archived
      if (run.archived === 0 || archived >= ARCHIVED_MAX) break
    }
    archiveSeconds = (monotonicMs() - began) / 1000
    durable.close()
  }, orders, archive)
  return { ...found, orders, archived, archiveSeconds, archiveMb: diskMb(files) }
}

/** Works, rewrites the log, measures, and starts the server once more on what is there. */
async function withServer(
  growing: Growing,
  work: (ledger: RedisClient, secrets: Secrets, url: string) => Promise<void>,
  orders: number, archive?: OrderArchive,
): Promise<OrdersGrowth> {
  const { folder, secret, emptyMb } = growing
  const server = await startGrowthServer('ledger', folder)
  const ledger = openRedis(server.url, log, 'bulk')
  let facts
  try {
    await untilReady(ledger, 'ledger')
    const secrets = await openSecrets(ledger, secret)
    await work(ledger, secrets, server.url)
    const rewrite = await rewriteLog(ledger)
    const ledgerMb = await usedMb(ledger)
    facts = {
      archived: 0, ledgerMb,
      bytesPerOrder: orders === 0 ? 0 : Math.round((ledgerMb - emptyMb) * 2 ** 20 / orders),
      kinds: orders === 0 ? {} : await bytesByKind(ledger, orders),
      ...rewrite,
      ...orders > 0 && orders <= VERIFIED_MAX && await verified(ledger, secrets, archive),
    }
  } finally {
    ledger.disconnect()
    await server.stop()
  }
  const disk = diskMb(join(folder, 'ledger'))
  const again = await startGrowthServer('ledger', folder)
  await again.stop()
  return { orders, ...facts, diskMb: disk, startSeconds: again.seconds }
}

async function rewriteLog(ledger: RedisClient) {
  const began = monotonicMs()
  await ledger.bgrewriteaof()
  for (;;) {
    const info = await infoOf(ledger, 'persistence')
    const isOver = info.get('aof_rewrite_in_progress') === 0
      && info.get('aof_rewrite_scheduled') === 0
    if (isOver) {
      return {
        rewriteSeconds: (monotonicMs() - began) / 1000,
        rewriteCopiedMb: (info.get('aof_last_cow_size') ?? NaN) / 2 ** 20,
      }
    }
    await sleep(POLL_MS)
  }
}

const KINDS: readonly (readonly [string, RegExp])[] = [
  ['order', /^\{p\d+\}:order:[^:]+$/],
  ['timeline', /^\{p\d+\}:order:.*:events$/],
  ['index by status', /:by-status$/],
  ['claim', /^idem:/],
  ['agent\'s list', /^agent:.*:orders$/],
  ['entries', /^acct:.*:entries$/],
  ['posted ids', /^acct:.*:posted$/],
  ['commission', /^acct:.*:(records|confirmed)$/],
]
const SAMPLE = 400
const PAGE = 1000

/** By samples of each kind: their mean, times how many keys of it there are. */
async function bytesByKind(
  ledger: RedisClient, orders: number,
): Promise<Record<string, number>> {
  const counts = new Map<string, number>()
  const samples = new Map<string, string[]>()
  let cursor = '0'
  do {
    const [next, names] = await ledger.scan(cursor, 'COUNT', PAGE)
    for (const name of names) {
      const kind = KINDS.find(([, is]) => is.test(name))?.[0] ?? 'other'
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      const held = samples.get(kind) ?? []
      if (held.length < SAMPLE) held.push(name)
      samples.set(kind, held)
    }
    cursor = next
  } while (cursor !== '0')
  const found: Record<string, number> = {}
  for (const [kind, names] of samples) {
    let bytes = 0
    for (const name of names) bytes += Number(await ledger.call('MEMORY', 'USAGE', name) ?? 0)
    found[kind] = Math.round(bytes / names.length * (counts.get(kind) ?? 0) / orders)
  }
  return found
}

async function verified(ledger: RedisClient, secrets: Secrets, archive?: OrderArchive) {
  const began = monotonicMs()
  const { violations } = await verifyLedger({ ledger, secrets, archive, log })
  if (violations.length > 0) process.stderr.write(`${JSON.stringify(violations.slice(0, 5))}\n`)
  return { verifySeconds: (monotonicMs() - began) / 1000, violations: violations.length }
}

function diskMb(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 2 ** 20
}
