/** All that a run needs, as processes of its own: Redis, proxies, nodes, goods and keys. */
import {
  mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { ApiKeys } from '../../src/accounts/api-keys.ts'
import { cacheDir } from '../../src/config.ts'
import { type RunningCluster, startCluster } from '../../src/dev/redis/cluster.ts'
import { hasEnded, isAlive } from '../../src/dev/redis/process.ts'
import { provisionRedis, shelfSettings } from '../../src/dev/redis/provision.ts'
import { type RunningServer, startServer, stopServer } from '../../src/dev/redis/server.ts'
import { catalogueLine } from '../../src/goods/generate.ts'
import { importCatalogue } from '../../src/goods/import.ts'
import type { CatalogueLine } from '../../src/goods/line.ts'
import { createLogger } from '../../src/log.ts'
import { openRedis, type RedisClient, untilReady } from '../../src/redis/connect.ts'
import type { Secrets } from '../../src/secrets/derive.ts'
import { openSecrets } from '../../src/secrets/open.ts'
import type { Goods } from './agents.ts'
import { type Certificates, makeCertificates } from './certificates.ts'
import { WHOLE_MS_MAX } from './fault.ts'
import type { Buyer } from './model.ts'
import { type Receiver, startReceivers } from './receivers.ts'
import { createTestbedNode, keptPort, type TestbedNode } from './testbed-node.ts'
import {
  mountSmall, ownAddress, type Proxy, startToxiproxy, type Tools, type Toxiproxy, unmount,
} from './tools.ts'

export type LedgerKind = 'single' | 'cluster'

export interface Testbed {
  readonly kind: LedgerKind
  readonly nodes: readonly TestbedNode[]
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
  /** Of the webhook that each buyer has. */
  readonly receivers: readonly Receiver[]
  /** By how much agents slow down while a fault needs the machine for itself. */
  readonly pace: { factor: number }
  stop(): Promise<void>
}

interface TestbedPlan {
  readonly kind: LedgerKind
  readonly folder: string
  readonly seed: string
  readonly nodes: number
  readonly tools: Tools
  readonly needs: ReadonlySet<Need>
}

/** What only some faults need, and others would only be slowed down by. */
export type Need = 'proxy' | 'clock' | 'mount' | 'synced' | 'cut' | 'certificates'

const SECRET = 'the-secret-of-all-fault-runs-0001'
const PASSWORD = 'one-run-only'
const ITEMS = 400
const [SCARCE, SCARCE_STOCK_MAX, CAP_MAX] = [14, 6, 99]
const LEDGER_MB = 256
const ACCOUNTS = 2
const AGENTS_EACH = 3

/** Short ways, so that everything that can happen to an order happens within a run. */
const PACE = {
  PAYMENT_WINDOW_MS: '4000', SANDBOX_STEP_MS: '200', SANDBOX_COMPLETE_MS: '5000',
  LOG_LEVEL: 'warn', DRAIN_MS: '1000', REQUEST_DEADLINE_MS: '4000', NODES: '1', SANDBOX: 'on',
}

export async function startTestbed(plan: TestbedPlan): Promise<Testbed> {
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
      port: await keptPort(), password: PASSWORD, readyWithinMs: WHOLE_MS_MAX,
    })
    opened.push(() => stopServer(shelfServer, ['SHUTDOWN', 'NOSAVE']))
    const ledgerServers = await startLedger(plan, redis.server, opened)
    const { ledgerUrl, proxies } = ledgerServers

    const shelfUrl = `redis://:${PASSWORD}@127.0.0.1:${shelfServer.port}`
    const [shelf, ledger] = [openRedis(shelfUrl, log, 'bulk'), openRedis(ledgerUrl, log, 'bulk')]
    opened.push(() => [shelf, ledger].forEach((client) => client.disconnect()))
    await Promise.all([untilReady(shelf, 'shelf'), untilReady(ledger, 'ledger')])
    const secrets = await openSecrets(ledger, SECRET)
    const goods = goodsOf(plan.seed)
    const { refused } = await importCatalogue({ shelf, ledger }, goods.lines)
    if (refused > 0) throw new Error(`${refused} lines of the catalogue were refused`)
    const buyers = await makeBuyers(ledger, secrets)
    const certificates = await certificatesOf(plan)

    const nodes = await Promise.all(Array.from({ length: plan.nodes }, async (_, index) => {
      const name = `node-${index + 1}`
      const proxy = proxies[index]
      const node = await createTestbedNode({
        name, secret: SECRET, outputPath: join(folder, `${name}.log`),
        urls: {
          shelf: shelfUrl, counters: shelfUrl,
          ledger: proxy ? `redis://:${PASSWORD}@127.0.0.1:${proxy.port}` : ledgerUrl,
        },
        environment: {
          ...PACE, LEDGER_REPLICAS: kind === 'cluster' ? '1' : '0',
          ...(certificates && { NODE_EXTRA_CA_CERTS: certificates.trusted }),
        },
        clock: needs.has('clock') && 'path' in tools.faketime
          ? { library: tools.faketime.path, file: join(folder, `${name}.clock`) } : undefined,
      })
      opened.push(() => node.kill())
      await node.start()
      return node
    }))
    const receivers = await startReceivers(
      buyers, `http://127.0.0.1:${nodes[0]?.port}`, certificates, opened)
    return {
      ...ledgerServers, kind, nodes, buyers, ...goods, ledger, shelf: shelfServer, secret: SECRET,
      receivers, pace: { factor: 1 }, stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function certificatesOf(
  { needs, tools: { openssl, faketime }, folder }: TestbedPlan,
): Promise<Certificates | undefined> {
  if (!needs.has('certificates') || !('path' in openssl) || !('path' in faketime)) return undefined
  return await makeCertificates({
    openssl: openssl.path, faketime: faketime.path, folder: join(folder, 'certificates'),
  })
}

async function startLedger(
  { kind, folder, needs, tools, nodes, seed }: TestbedPlan, program: string,
  opened: (() => unknown)[],
) {
  const settings = readFileSync(new URL('../../config/redis.conf', import.meta.url), 'utf8')
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
  const apiKeys = new ApiKeys({
    ledger, secrets, log: createLogger('silent'),
    takeTrial: async () => undefined,
  })
  const buyers: Buyer[] = []
  for (let number = 0; number < ACCOUNTS * AGENTS_EACH; number += 1) {
    const { agent, account, apiKey } = await apiKeys.createKey({
      tier: 't2', label: 'fault run', account: `ac_${number % ACCOUNTS}`,
    })
    buyers.push({ agent, account, apiKey })
  }
  return buyers
}

export interface Single {
  readonly port: number
  readonly url: string
  readonly directory: string
  /** The present process. */
  server(): RunningServer
  isUp(): boolean
  kill(): Promise<void>
  /** Starts it on what the files hold, where it has ended. */
  restart(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** The file that takes the commands. */
  log(): string
  /** Cuts that file to what was synced of it; the bytes that went. */
  losePower(): number
  stop(): Promise<void>
}

interface SinglePlan {
  readonly program: string
  readonly folder: string
  readonly port: number
  readonly password: string
  readonly settings: string
  /** Puts its files on a file system of this size. */
  readonly megabytes?: number | undefined
  /** The library that notes what was synced. */
  readonly synced?: string | undefined
}

async function startSingle(plan: SinglePlan): Promise<Single> {
  const { port, password, settings, folder } = plan
  const directory = join(folder, 'ledger')
  const notes = join(folder, 'synced')
  for (const path of [directory, notes]) mkdirSync(path, { recursive: true, mode: 0o700 })
  const isMounted = plan.megabytes !== undefined && mountSmall(directory, plan.megabytes)
  const program = plan.synced === undefined ? plan.program : wrapper(plan, folder, notes)
  const begin = (): Promise<RunningServer> =>
    startServer({ program, directory, port, password, settings, readyWithinMs: WHOLE_MS_MAX })
  let server = await begin()

  return {
    port,
    url: `redis://:${password}@127.0.0.1:${port}`,
    directory,
    server: () => server,
    isUp: () => isAlive(server),
    async kill() {
      if (!isAlive(server)) return
      process.kill(server.pid, 'SIGKILL')
      if (!await hasEnded(server, WHOLE_MS_MAX)) throw new Error('redis-server cannot be killed')
    },
    async restart() {
      if (!isAlive(server)) server = await begin()
    },
    signal(name) {
      if (isAlive(server)) process.kill(server.pid, name)
    },
    log: () => logIn(directory),
    losePower: () => cut(logIn(directory), notes),
    async stop() {
      if (isAlive(server)) process.kill(server.pid, 'SIGCONT')
      await stopServer(server, ['SHUTDOWN', 'NOSAVE'])
      if (isMounted) unmount(directory)
    },
  }
}

/** The newest of the files that a ledger in this directory appends to. */
export function logIn(directory: string): string {
  const files = join(directory, 'appendonlydir')
  return join(files, readdirSync(files).filter((name) => name.includes('.incr.'))
    .toSorted((one, other) => numberOf(one) - numberOf(other)).at(-1) ?? '')
}

const numberOf = (name: string): number => Number(/\.(\d+)\.incr/.exec(name)?.[1] ?? 0)

/** Only what is being written to can lose anything; without a note of it nothing would be shown. */
function cut(path: string, notes: string): number {
  const { size } = statSync(path)
  const synced = Math.min(size, Number(readFileSync(join(notes, basename(path)), 'utf8')))
  truncateSync(path, synced)
  return size - synced
}

/** exec keeps the process: its pid is that of redis-server. */
function wrapper(plan: SinglePlan, folder: string, notes: string): string {
  const path = join(folder, 'redis-server')
  rmSync(path, { force: true })
  writeFileSync(path, `#!/bin/sh
export LD_PRELOAD='${plan.synced}' SYNCED_DIR='${notes}'
exec '${plan.program}' "$@"
`, { mode: 0o700 })
  return path
}
