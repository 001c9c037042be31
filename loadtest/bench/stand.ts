/** What all cases share: Redis with the catalogue, one node, keys, and where each may run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccounts } from '../../src/accounts/keys.ts'
import { randomBase62 } from '../../src/contract/ids.ts'
import type { Secrets } from '../../src/secrets/derive.ts'
import { createLogger } from '../../src/log.ts'
import type { EmbeddedRedis } from '../../src/redis/embedded.ts'
import { urlsOf } from '../../src/redis/embedded.ts'
import { openRoles, type RedisRoles, type RedisUrls } from '../../src/redis/roles.ts'
import { openSecrets } from '../../src/secrets/open.ts'
import { startCatalogue } from './catalogue.ts'
import { canPin, pin, placementFor, type Placement, type Subject } from './cores.ts'
import { startNodeServer } from './node-server.ts'
import { residentMb, type Server } from './processes.ts'
import { ownLines, type OwnLine } from './workload/goods.ts'

/**
 * Of tier t2, with 2,000 calls a second each: together they may call more often than any node
 * answers, while key check, limits and headers are what they are for everybody.
 */
const KEYS = 128
const PAGE_ITEMS = 20

export interface StandOptions {
  readonly dataDir: string
  readonly items: number
  readonly connections: number
  readonly logLevel: string
  readonly isPinned: boolean
  readonly nodeArgs?: readonly string[]
}

export interface Buyer {
  readonly agent: string
  readonly account: string
  readonly apiKey: string
}

export interface Stand {
  readonly urls: RedisUrls
  readonly redis: RedisRoles
  readonly pids: Readonly<Record<'shelf' | 'ledger', number>>
  readonly secret: string
  readonly secrets: Secrets
  readonly node: Server
  /** Memory of the node before its first request. */
  readonly residentMbAtStart: number | undefined
  readonly buyers: readonly Buyer[]
  readonly apiKeys: readonly string[]
  readonly lines: readonly OwnLine[]
  readonly connections: number
  /** Items of a page that is full. */
  readonly pageItems: number
  /** For request files; gone with the stand. */
  readonly folder: string
  /** Where clients run now; undefined where nothing is pinned. */
  readonly placement: Placement | undefined
  /** Commands that shelf and ledger have run until now. */
  commandsRun(): Promise<number>
  /** Gives the subject a core of its own, as far as there are cores. */
  place(subject: Subject, servers?: readonly number[]): void
  close(): Promise<void>
}

const SEED = 'agentmall-1'

export async function openStand(options: StandOptions): Promise<Stand> {
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
    const secret = randomBase62(40)
    const secrets = await openSecrets(redis.ledger, secret)
    const accounts = createAccounts({
      ledger: redis.ledger, secrets, log, takeTrial: async () => undefined,
    })
    const buyers = await Promise.all(Array.from({ length: KEYS }, () =>
      accounts.createKey({ tier: 't2', label: 'bench' })))
    const node = await startNodeServer({
      urls, secret, logLevel: options.logLevel, execArgv: options.nodeArgs ?? [],
    })
    opened.push(node.stop)
    const pids = { shelf: await pidOf(redis.shelf), ledger: await pidOf(redis.ledger) }
    const isPinned = options.isPinned && canPin()
    let placement: Placement | undefined
    return {
      urls, redis, pids, secret, secrets, node, buyers, connections, folder, close,
      pageItems: PAGE_ITEMS,
      residentMbAtStart: residentMb(node.pid),
      apiKeys: buyers.map(({ apiKey }) => apiKey),
      lines: ownLines(items, SEED),
      get placement() { return placement },
      commandsRun: async () => await commandsOf(redis.shelf) + await commandsOf(redis.ledger),
      place(subject, servers = []) {
        if (!isPinned) return
        placement = placementFor(subject)
        for (const pid of [node.pid, ...servers]) pin(pid, placement.server)
        pin(pids.shelf, placement.shelf)
        pin(pids.ledger, placement.ledger)
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

const pidOf = async (redis: RedisRoles['shelf']): Promise<number> =>
  Number(/^process_id:(\d+)/m.exec(await redis.info('server') as string)?.[1])

const commandsOf = async (redis: RedisRoles['shelf']): Promise<number> =>
  Number(/^total_commands_processed:(\d+)/m.exec(await redis.info('stats') as string)?.[1])
