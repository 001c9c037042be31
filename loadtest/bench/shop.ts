/**
 * A shop over MCP beside the same on other SDKs, each from one core: sessions of 50 users that
 * connect, make one call and go: a search, an item, an order, the list of tools. The task is that
 * of the public comparison http4k/benchmark-mcp-servers-v2, the peers do what its servers do: goods
 * from a service over HTTP, counts and orders in a Redis that keeps nothing on the disk.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { cacheDir, programPath } from '../../src/config.ts'
import { randomBase62 } from '../../src/contract/ids.ts'
import { withDeadline } from '../../src/contract/time.ts'
import { provisionRedis } from '../../src/dev/redis/provision.ts'
import { startOnFreePort, stopServer } from '../../src/dev/redis/server.ts'
import { onPath } from '../executables.ts'
import { acceptTool, type HttpCall, httpLoad, type HttpLoad } from './http-load.ts'
import {
  pin, runProgram, type Server, type ShopBackends, startGoodsService, startShopSdkServer,
} from './processes.ts'
import { type Comparison, type Group } from './rounds.ts'
import type { BenchTestbed } from './testbed.ts'
import { attempts, type OwnLine, rpcCall, stockUp, toolCall } from './workload.ts'

/** What the service of goods has, and peers answer. */
export interface ShopItem {
  readonly product_id: number
  readonly sku_id: number
  readonly merchant_id: number
  readonly title: string
  readonly retail_price: number
  readonly image: string
  readonly description: string
}

const PEERS = fileURLToPath(new URL('peers/shop', import.meta.url))
/** A first build of the Rust peer, with its dependencies, on a busy machine. */
const BUILD_MS_MAX = 1_200_000
const READY_MS_MAX = 10_000
const REDIS_READY_MS_MAX = 10_000
/** Rounds of sessions that a run may need before one has told how many it takes. */
const ROUNDS_PER_SECOND = 5000
/** As many as a page of the public comparison has. */
const PAGE_ITEMS = 10
/** As in the public comparison, nothing is on the disk. */
const REDIS_SETTINGS = 'save ""\nappendonly no\nmaxmemory 512mb\nmaxmemory-policy noeviction'
/** As much text as an item of ours has. */
const DESCRIPTION = '详情页上的一段说明，讲材质、尺寸、保养和售后。'.repeat(4)

const shopItem = (line: OwnLine): ShopItem => ({
  product_id: line.product_id, sku_id: line.sku_id, merchant_id: line.merchant_id,
  title: line.words.join(' '), retail_price: line.retail_price,
  image: `https://img.shop.example/${line.sku_id}.jpg`, description: DESCRIPTION,
})

/** What a client sends before its one call. */
const greeting: readonly HttpCall[] = [
  rpcCall('initialize', {
    protocolVersion: '2025-11-25', capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  }),
  { ...rpcCall('', {}), body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' },
]

/** A session for each thing a user does, for goods of its own. */
const sessionCalls = (line: OwnLine, search: object, order: object): HttpCall[] => [
  toolCall('search_goods', search),
  toolCall('get_goods_detail', { sku_id: line.sku_id }),
  toolCall('create_order', order),
  rpcCall('tools/list', {}),
].flatMap((call) => [...greeting, call])

export async function shopGroup(testbed: BenchTestbed): Promise<Group> {
  const products = await stockUp(testbed.redis.ledger, testbed.lines)
  const backends = await startBackends(testbed, products.map(shopItem))
  const peers = await startPeers(backends)
  testbed.assignCores('server', peers.map(({ server }) => server.pid))
  const cores = testbed.placement?.client
  if (cores !== undefined) for (const pid of backends.pids) pin(pid, cores)
  const calls = (isOurs: boolean) => (seconds: number): HttpCall[] => {
    const count = Math.ceil(Math.max(seconds, 1) * ROUNDS_PER_SECOND)
    return attempts(testbed, products, count).flatMap(({ input }, at) => {
      const { idempotency_key, product_id, qty } = input
      const line = products[at % products.length] as OwnLine
      const search = { q: line.words[0] ?? '' }
      return isOurs
        ? sessionCalls(line, { ...search, page_size: PAGE_ITEMS }, input)
        : sessionCalls(line, search, { idempotency_key, product_id, qty })
    })
  }
  const accept: HttpLoad['accept'] = (answer) => {
    if (answer.status === 202) return
    const { result } = JSON.parse(answer.text) as { result?: Record<string, unknown> }
    if (answer.status !== 200 || !result) throw new Error(`status ${answer.status}`)
    if (!('serverInfo' in result) && !('tools' in result)) acceptTool(answer)
  }
  const ours = 'agentmall, orders on the disk'
  return {
    name: 'shop',
    title: 'A shop over MCP, requests of sessions, against SDKs whose orders are in memory',
    subject: 'server',
    contenders: [
      httpLoad(testbed, { name: ours, server: testbed.node, calls: calls(true), isKeyed: true,
        accept }),
      ...peers.map(({ name, server }) => httpLoad(testbed, { name, server, calls: calls(false),
        isKeyed: false, usesRedis: false, accept })),
    ],
    comparisons: peers.map(({ name, target }): Comparison => ({
      label: `sessions of the shop against ${name}`, of: ours, against: name, measure: 'rate',
      ...(target !== undefined && { target }),
    })),
    close: async () => {
      await Promise.all(peers.map(({ server }) => server.stop()))
      await backends.stop()
    },
  }
}

interface RunningBackends extends ShopBackends {
  readonly pids: readonly number[]
  stop(): Promise<void>
}

async function startBackends(
  { folder }: BenchTestbed, items: readonly ShopItem[],
): Promise<RunningBackends> {
  const file = join(folder, 'shop.json')
  writeFileSync(file, JSON.stringify(items))
  const goods = await startGoodsService(file)
  const { server: program } = await provisionRedis({ cacheDir: cacheDir() })
  const password = randomBase62(20)
  const server = await startOnFreePort({
    program, directory: join(folder, 'shop-redis'), settings: REDIS_SETTINGS, password,
    readyWithinMs: REDIS_READY_MS_MAX,
  })
  const redis = `redis://:${password}@127.0.0.1:${server.port}`
  await fillRedis(redis, items)
  return {
    goods: `http://127.0.0.1:${goods.port}`, redis, pids: [goods.pid, server.pid],
    async stop() {
      await goods.stop()
      await stopServer(server, ['SHUTDOWN', 'NOSAVE'])
    },
  }
}

async function fillRedis(url: string, items: readonly ShopItem[]): Promise<void> {
  const redis = new Redis(url)
  try {
    await redis.zadd('popular', ...items.flatMap(({ product_id }, at) => [at, product_id]))
    await redis.mset(Object.fromEntries(items.map(({ sku_id }) => [`stock:${sku_id}`, 1000])))
  } finally {
    redis.disconnect()
  }
}

interface Peer {
  readonly name: string
  readonly server: Server
  readonly target?: number
}

/** Those whose compiler is here; of the others the bench says that they are left out. */
async function startPeers(backends: ShopBackends): Promise<Peer[]> {
  const peers: Peer[] = [
    { name: 'the Node SDK with Express', server: await startShopSdkServer(backends) },
  ]
  const go = findProgram('go', ['/usr/local/go/bin'])
  if (go === undefined) leftOut('the Go SDK', 'go')
  else {
    const program = await built('go', [go, 'build', '-o', 'shop', '.'], 'shop')
    // One core, as the bench gives to each: more threads would only wait for it.
    peers.push({ name: 'the Go SDK', server: await startProgram(program, backends,
      { GOMAXPROCS: '1' }) })
  }
  const cargo = findProgram('cargo', [join(homedir(), '.cargo', 'bin')])
  if (cargo === undefined) leftOut('rmcp', 'cargo')
  else {
    const program = await built('rust', [cargo, 'build', '--release', '--quiet'],
      join('target', 'release', 'shop'))
    const server = await startProgram(program, backends)
    peers.push({ name: 'rmcp with axum', target: 1.2, server })
  }
  return peers
}

const leftOut = (peer: string, program: string): void => {
  process.stderr.write(`  left out: ${peer}, since there is no ${program}\n`)
}

const findProgram = (name: string, folders: readonly string[]): string | undefined =>
  onPath([programPath(), ...folders].join(delimiter), name)[0]

/** In the cache folder, where what was built before is found. */
async function built(
  peer: string, command: readonly string[], program: string,
): Promise<string> {
  const folder = join(cacheDir(), 'bench-shop', peer)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  cpSync(join(PEERS, peer), folder, { recursive: true })
  if (!existsSync(join(folder, program))) process.stderr.write(`  building the ${peer} peer\n`)
  await runProgram(command, BUILD_MS_MAX, folder)
  return join(folder, program)
}

/** It prints its port, and ends with the signal. */
async function startProgram(
  program: string, { goods, redis }: ShopBackends, env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const child = spawn(program, [goods, redis], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const line = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${program} ended.`)))
  })
  const port = Number(await withDeadline(line, READY_MS_MAX,
    () => new Error(`${program} does not say its port.`)))
  return {
    pid: child.pid as number, port,
    async stop() {
      if (child.exitCode === null) child.kill('SIGKILL')
    },
  }
}
