/** All that a run needs, as processes of its own: Redis, proxies, nodes, goods and keys. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAccounts } from '../../accounts/keys.ts'
import { cacheDir } from '../../config.ts'
import { catalogueLine } from '../../goods/generate.ts'
import { importCatalogue } from '../../goods/import.ts'
import type { CatalogueLine } from '../../goods/line.ts'
import type { Secrets } from '../../secrets/derive.ts'
import { createLogger } from '../../log.ts'
import { startCluster, type RunningCluster } from '../../redis/cluster.ts'
import { openRedis, untilReady, type RedisClient } from '../../redis/connect.ts'
import { provisionRedis, shelfSettings } from '../../redis/provision.ts'
import { startServer, stopServer, type RunningServer } from '../../redis/server.ts'
import { openSecrets } from '../../secrets/open.ts'
import type { Goods } from './agents.ts'
import type { Buyer } from './model.ts'
import { ownAddress } from './network-namespace.ts'
import { keptPort } from './ports.ts'
import { startSingle, type Single } from './single.ts'
import { createStandNode, type StandNode } from './stand-node.ts'
import type { Tools } from './tools.ts'
import { startToxiproxy, type Proxy, type Toxiproxy } from './toxiproxy.ts'

export type LedgerKind = 'single' | 'cluster'

export interface Stand {
  readonly kind: LedgerKind
  readonly nodes: readonly StandNode[]
  readonly buyers: readonly Buyer[]
  readonly scarce: readonly Goods[]
  readonly plenty: readonly Goods[]
  /** Around all proxies, for checks. */
  readonly ledger: RedisClient
  readonly shelf: RunningServer
  readonly secret: string
  /** One of these two. */
  readonly single?: Single
  readonly cluster?: RunningCluster
  /** Between each node and the single ledger. */
  readonly proxies: readonly Proxy[]
  stop(): Promise<void>
}

export interface StandPlan {
  readonly kind: LedgerKind
  readonly folder: string
  readonly seed: string
  readonly nodes: number
  readonly tools: Tools
  readonly needs: ReadonlySet<Need>
}

/** What only some faults need, and others would only be slowed down by. */
export type Need = 'proxy' | 'clock' | 'mount' | 'synced' | 'cut'

const SECRET = 'the-secret-of-all-fault-runs-0001'
const PASSWORD = 'one-run-only'
const ITEMS = 400
const [SCARCE, SCARCE_STOCK_MAX, CAP_MAX] = [14, 6, 99]
const LEDGER_MB = 48
const ACCOUNTS = 2
const AGENTS_EACH = 3

/** Short ways, so that everything that can happen to an order happens within a run. */
const PACE = {
  PAYMENT_WINDOW_MS: '4000', SANDBOX_STEP_MS: '200', SANDBOX_COMPLETE_MS: '5000',
  LOG_LEVEL: 'warn', DRAIN_MS: '1000', REQUEST_DEADLINE_MS: '4000', NODES: '1', SANDBOX: 'on',
}

export async function startStand(plan: StandPlan): Promise<Stand> {
  const { kind, folder, needs, tools } = plan
  const log = createLogger('silent')
  const opened: (() => unknown)[] = []
  const stop = async (): Promise<void> => {
    for (const close of opened.splice(0).toReversed()) await close()
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const redis = await provisionRedis({ cacheDir: cacheDir() })
    const shelfServer = await startServer({
      program: redis.server, directory: join(folder, 'shelf'), settings: shelfSettings(redis),
      port: await keptPort(), password: PASSWORD, readyWithinMs: 60_000,
    })
    opened.push(() => stopServer(shelfServer, ['SHUTDOWN', 'NOSAVE']))
    const ledgerStand = await startLedger(plan, redis.server, opened)
    const { ledgerUrl, proxies } = ledgerStand

    const shelfUrl = `redis://:${PASSWORD}@127.0.0.1:${shelfServer.port}`
    const [shelf, ledger] = [openRedis(shelfUrl, log, 'bulk'), openRedis(ledgerUrl, log, 'bulk')]
    opened.push(() => [shelf, ledger].forEach((client) => client.disconnect()))
    await Promise.all([untilReady(shelf, 'shelf'), untilReady(ledger, 'ledger')])
    const secrets = await openSecrets(ledger, SECRET)
    const goods = goodsOf(plan.seed)
    const { refused } = await importCatalogue({ shelf, ledger }, goods.lines)
    if (refused > 0) throw new Error(`${refused} lines of the catalogue were refused`)
    const buyers = await makeBuyers(ledger, secrets)

    const nodes = await Promise.all(Array.from({ length: plan.nodes }, async (_, index) => {
      const name = `node-${index + 1}`
      const proxy = proxies[index]
      const node = await createStandNode({
        name, secret: SECRET, outputPath: join(folder, `${name}.log`),
        urls: {
          shelf: shelfUrl, counters: shelfUrl,
          ledger: proxy ? `redis://:${PASSWORD}@127.0.0.1:${proxy.port}` : ledgerUrl,
        },
        environment: { ...PACE, LEDGER_REPLICAS: kind === 'cluster' ? '1' : '0' },
        clock: needs.has('clock') && 'path' in tools.faketime
          ? { library: tools.faketime.path, file: join(folder, `${name}.clock`) } : undefined,
      })
      opened.push(() => node.kill())
      await node.start()
      return node
    }))
    return {
      ...ledgerStand, kind, nodes, buyers, ...goods, ledger, shelf: shelfServer, secret: SECRET,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startLedger(
  { kind, folder, needs, tools, nodes, seed }: StandPlan, program: string,
  opened: (() => unknown)[],
) {
  const settings = readFileSync(new URL('../../../config/redis.conf', import.meta.url), 'utf8')
  if (kind === 'cluster') {
    const cluster = await startCluster({
      program, directory: join(folder, 'cluster'), password: PASSWORD, settings,
      ...(needs.has('cut') && { memberSettings: ownAddress }),
    })
    opened.push(() => cluster.stop())
    return { cluster, ledgerUrl: cluster.url, proxies: [] }
  }
  const single = await startSingle({
    program, folder, settings, password: PASSWORD, port: await keptPort(),
    megabytes: needs.has('mount') ? LEDGER_MB : undefined,
    synced: needs.has('synced') && 'path' in tools.synced ? tools.synced.path : undefined,
  })
  opened.push(() => single.stop())
  const proxies: Proxy[] = []
  if (needs.has('proxy') && 'path' in tools.toxiproxy) {
    const toxiproxy: Toxiproxy = await startToxiproxy(tools.toxiproxy.path)
    opened.push(() => toxiproxy.stop())
    for (let index = 1; index <= nodes; index += 1) {
      proxies.push(await toxiproxy.proxy(`${seed}-node-${index}`, single.port))
    }
  }
  return { single, ledgerUrl: single.url, proxies }
}

/** Own goods, some of them nearly gone: what many want is where races are. */
function goodsOf(seed: string) {
  const lines = Array.from({ length: ITEMS }, (_, index) => catalogueLine(seed, index))
    .filter(({ supply }) => supply === 'own')
    .map((line, index): CatalogueLine => ({
      ...line, qty_cap: CAP_MAX,
      stock: index < SCARCE ? 1 + index % SCARCE_STOCK_MAX : 500,
    }))
  const goods = lines.map(({ product_id, merchant_id }): Goods =>
    ({ product_id, merchant_id: merchant_id ?? 0, cap: CAP_MAX }))
  return { lines, scarce: goods.slice(0, SCARCE), plenty: goods.slice(SCARCE) }
}

async function makeBuyers(ledger: RedisClient, secrets: Secrets): Promise<Buyer[]> {
  const accounts = createAccounts({
    ledger, secrets, log: createLogger('silent'),
    takeTrial: async () => undefined,
  })
  const buyers: Buyer[] = []
  for (let number = 0; number < ACCOUNTS * AGENTS_EACH; number += 1) {
    const { agent, account, apiKey } = await accounts.createKey({
      tier: 't2', label: 'fault run', account: `ac_${number % ACCOUNTS}`,
    })
    buyers.push({ agent, account, apiKey })
  }
  return buyers
}
