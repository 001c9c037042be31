/**
 * What all cases share: Redis with the catalogue, one node, keys, and the cores of each process.
 */
import { createHash } from 'node:crypto'
import {
  cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiKeys } from '../../src/accounts/api-keys.ts'
import { cacheDir, readConfig, type WorkersSetting } from '../../src/config.ts'
import { randomBase62 } from '../../src/contract/ids.ts'
import {
  attachEmbeddedRedis, type EmbeddedRedis, startEmbeddedRedis,
} from '../../src/dev/redis/embedded.ts'
import { skuFields } from '../../src/goods/document.ts'
import { generateCatalogue } from '../../src/goods/generate.ts'
import { prepareCatalogue } from '../../src/goods/prepare.ts'
import { shelfCommands } from '../../src/goods/store.ts'
import { createLogger, type Logger } from '../../src/log.ts'
import { showProgress } from '../../src/progress.ts'
import { openRedis, type RedisClient, untilReady } from '../../src/redis/connect.ts'
import { openRoles, type RedisRoles, type RedisUrls, urlsOf } from '../../src/redis/roles.ts'
import type { Secrets } from '../../src/secrets/derive.ts'
import { openSecrets } from '../../src/secrets/open.ts'
import {
  canPin, pin, type Placement, placementFor, residentMb, type Server, startNodeServer,
  type Subject,
} from './processes.ts'
import { type OwnLine, ownLines } from './workload.ts'

/**
 * Of tier t2, with 2,000 calls a second each: together they may call more often than any node
 * answers, while key check, limits and headers are what they are for everybody.
 */
const KEYS = 128
const PAGE_ITEMS = 20

interface BenchTestbedOptions {
  readonly dataDir: string
  readonly items: number
  readonly connections: number
  readonly logLevel: string
  readonly isPinned: boolean
  readonly workers: WorkersSetting
  readonly nodeArgs?: readonly string[]
}

export interface Buyer {
  readonly agent: string
  readonly account: string
  readonly apiKey: string
}

export interface BenchTestbed {
  readonly urls: RedisUrls
  readonly redis: RedisRoles
  /** The ledger under the name that may change and watch it. */
  readonly operator: RedisClient
  readonly pids: Readonly<Record<'shelf' | 'ledger', number>>
  /** Of all that an order keeps busy. */
  readonly processes: Readonly<Record<string, number>>
  readonly secret: string
  readonly secrets: Secrets
  readonly node: Server
  /** Its workers, where they have a process of their own. */
  readonly workers: Server | undefined
  /** Memory of the node before its first request. */
  readonly residentMbAtStart: number | undefined
  readonly buyers: readonly Buyer[]
  readonly apiKeys: readonly string[]
  readonly lines: readonly OwnLine[]
  readonly connections: number
  /** Items of a page that is full. */
  readonly pageItems: number
  /** For request files; gone with the testbed. */
  readonly folder: string
  /** Where clients run now; undefined where nothing is pinned. */
  readonly placement: Placement | undefined
  /** Commands that shelf and ledger have run until now. */
  commandsRun(): Promise<number>
  /** Gives the subject a core of its own, as far as there are cores. */
  assignCores(subject: Subject, servers?: readonly number[]): void
  close(): Promise<void>
}

const SEED = 'agentmall-1'

export async function openBenchTestbed(options: BenchTestbedOptions): Promise<BenchTestbed> {
  const log = createLogger('warn')
  const opened: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (const end of opened.splice(0).toReversed()) await end()
  }
  try {
    const folder = mkdtempSync(join(tmpdir(), 'agentmall-bench-'))
    opened.push(() => rmSync(folder, { recursive: true, force: true }))
    const { items, dataDir, connections } = options
    const embedded: EmbeddedRedis = await startCatalogue({ dataDir, items, seed: SEED, log })
    opened.push(embedded.stop)
    const urls = urlsOf(embedded)
    const redis = await openRoles(urls, log, 'bulk')
    opened.push(redis.close)
    const operator = await openOperator(dataDir, log)
    opened.push(() => operator.disconnect())
    const secret = randomBase62(40)
    const secrets = await openSecrets(redis.ledger, secret)
    const apiKeys = new ApiKeys({
      ledger: redis.ledger, secrets, log, takeTrial: async () => undefined,
    })
    const buyers = await Promise.all(Array.from({ length: KEYS }, () =>
      apiKeys.createKey({ tier: 't2', label: 'bench' })))
    const isOwn = options.workers === 'own'
    const node = await startNodeServer({
      urls, secret, logLevel: options.logLevel, execArgv: options.nodeArgs ?? [],
      trustedProxies: '127.0.0.1',
      ...(isOwn && { part: 'without workers' }),
    })
    opened.push(node.stop)
    const workers = isOwn
      ? await startNodeServer({ urls, secret, part: 'workers' }) : undefined
    if (workers) opened.push(workers.stop)
    const pids = { shelf: await pidOf(redis.shelf), ledger: await pidOf(redis.ledger) }
    const isPinned = options.isPinned && canPin()
    let placement: Placement | undefined
    return {
      urls, redis, operator, pids, secret, secrets, node, workers, buyers, connections, folder,
      close,
      processes: {
        node: node.pid, ...(workers && { workers: workers.pid }), ledger: pids.ledger,
        'shelf and counters': pids.shelf,
      },
      pageItems: PAGE_ITEMS,
      residentMbAtStart: residentMb(node.pid),
      apiKeys: buyers.map(({ apiKey }) => apiKey),
      lines: ownLines(items, SEED),
      get placement() { return placement },
      commandsRun: async () => await commandsOf(redis.shelf) + await commandsOf(redis.ledger),
      assignCores(subject, servers = []) {
        if (!isPinned) return
        placement = placementFor(subject)
        for (const pid of [node.pid, ...servers]) pin(pid, placement.server)
        if (workers) pin(workers.pid, placement.client)
        pin(pids.shelf, placement.shelf)
        pin(pids.ledger, placement.ledger)
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function openOperator(dataDir: string, log: Logger): Promise<RedisClient> {
  const servers = await attachEmbeddedRedis({ dataDir: join(dataDir, RUN), user: 'operator' })
  const operator = openRedis(urlsOf(servers).ledger, log)
  await untilReady(operator, 'ledger')
  return operator
}

const pidOf = async (redis: RedisRoles['shelf']): Promise<number> =>
  Number(/^process_id:(\d+)/m.exec(await redis.info('server') as string)?.[1])

const commandsOf = async (redis: RedisRoles['shelf']): Promise<number> =>
  Number(/^total_commands_processed:(\d+)/m.exec(await redis.info('stats') as string)?.[1])

interface CatalogueOptions {
  readonly dataDir: string
  readonly items: number
  readonly seed: string
  readonly log: Logger
}

const SAMPLE = 240
const PREFIX = 'catalogue-'
const RUN = 'run'

/** Changes with what would be stored, so that yesterday's copy is never taken for today's. */
function fingerprintOf(items: number, seed: string): string {
  const hash = createHash('sha256').update(`${items} ${seed}`)
  for (const line of generateCatalogue({ items: Math.min(items, SAMPLE), seed })) {
    hash.update(JSON.stringify([shelfCommands(line), skuFields(line)]))
  }
  return hash.digest('hex').slice(0, 12)
}

/** A Redis pair over a fresh copy of the catalogue; what a run leaves behind dies with it. */
async function startCatalogue(options: CatalogueOptions): Promise<EmbeddedRedis> {
  const { dataDir, items, seed, log } = options
  const kept = join(dataDir, `${PREFIX}${fingerprintOf(items, seed)}`)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(kept)) {
    removeOthers(dataDir)
    await make(`${kept}.draft`, options)
    renameSync(`${kept}.draft`, kept)
  }
  const copy = join(dataDir, RUN)
  rmSync(copy, { recursive: true, force: true })
  cpSync(kept, copy, { recursive: true })
  // It names the servers of the folder it was copied from.
  rmSync(join(copy, 'redis.json'), { force: true })
  const redis = await startEmbeddedRedis({ dataDir: copy, cacheDir: cacheDir(), log })
  return {
    ...redis,
    async stop() {
      await redis.stop()
      rmSync(copy, { recursive: true, force: true })
    },
  }
}

async function make(folder: string, { items, seed, log }: CatalogueOptions): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const redis = await startEmbeddedRedis({ dataDir: folder, cacheDir: cacheDir(), log })
  try {
    const config = { ...readConfig({}), catalogItems: items, catalogSeed: seed }
    await prepareCatalogue({ urls: urlsOf(redis), config, log, progress: showProgress() })
  } finally {
    await redis.stop()
  }
}

/** One catalogue is kept: several would fill a disk without anybody's notice. */
function removeOthers(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(PREFIX)) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}
