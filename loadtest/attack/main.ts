/**
 * `npm run attack`: a node of its own, one well-behaved t1 caller on it, and then all that one
 * address with ten trial keys can do, at once. Prints the caller's latencies before and during it,
 * in the same run, what became of each attack, and by how much the ledger grew.
 */
import { execFile, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { Agent, request } from 'undici'
import { monotonicMs } from '../../src/contract/time.ts'
import { startOwnNode } from '../../src/commands/demo/own-node.ts'
import { attachEmbeddedRedis } from '../../src/dev/redis/embedded.ts'
import { memoryUse } from '../../src/redis/durability.ts'
import { openRedis, untilReady } from '../../src/redis/connect.ts'
import { createLogger } from '../../src/log.ts'
import type { Redis } from 'ioredis'
import { quantile } from '../bench/rounds.ts'
import type { AttackPlan, AttackReport } from './attacks.ts'

const { seconds: given, only, times, nice } = new Command('attack')
  .option('--seconds <n>', 'of the attack, 5 to 600; before it half as long without', '60')
  .option('--only <name>', 'one attack alone, by a part of its name')
  .option('--times <n>', 'so many connections and requests at a time, 1 to 64', '1')
  .option('--nice <n>', 'priority of the attacker: 19 leaves the cores to whom it attacks', '0')
  .parse().opts<{ seconds: string, only?: string, times: string, nice: string }>()
const seconds = Math.min(600, Math.max(5, Number(given) || 60))

const CLI = fileURLToPath(new URL('../../src/cli.mjs', import.meta.url))
/** The caller's own address, which the attack does not come from. */
const OWN_ADDRESS = '127.0.0.2'
/** Together under t1's rate. */
const [SEARCH_EVERY_MS, ORDER_EVERY_MS] = [125, 500]
const WORDS = ['杯', '耳机', '茶', '灯', '鞋', '包', '书', '米', '锅', '毛巾']
const RECEIVER = {
  name: '张三', phone: '13800000000', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路1号',
}
const say = (text: string): void => { process.stdout.write(`${text}\n`) }

interface Item { product_id: number, merchant_id: number, qty_cap: number, available_qty: number }
interface Phase { readonly search: number[], readonly order: number[], readonly failed: string[] }

const dataDir = await mkdtemp(join(tmpdir(), 'agentmall-attack-'))
const node = await startOwnNode({ dataDir }, 5000, { TRIAL_KEYS_PER_DAY: '', FAN_OUT_MS: '' })
let isRight = false
try {
  isRight = await run(node.config.publicUrl)
} finally {
  await node.stop()
  await rm(dataDir, { recursive: true, force: true })
}
process.exit(isRight ? 0 : 1)

async function run(url: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'key', 'create'])
  const { api_key: key } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { api_key: string }
  const caller = createCaller(url, key)
  const goods = await caller.goods()
  await caller.during(5, goods)
  say(`| the t1 caller | search p50 ms | p99 | order p50 ms | p99 | not as wanted |`)
  say('|---|---|---|---|---|---|')
  // Loading the attacker takes a core for a second, and is no part of the attack.
  const attacker = fileURLToPath(new URL('attacks.ts', import.meta.url))
  const child = fork(attacker, { execArgv: process.execArgv })
  await once(child, 'message')
  const begun = await readNode(url)
  const before = await caller.during(seconds / 2, goods)
  tell('before', before)
  const between = await readNode(url)

  const sizeBefore = await ledgerSize()
  const counted = once(child, 'message') as Promise<[AttackReport]>
  if (child.pid !== undefined) setPriority(child.pid, Math.min(19, Math.max(0, Number(nice))))
  child.send({
    url, seconds,
    times: Math.min(64, Math.max(1, Number(times) || 1)), goods: goods.slice(0, 40),
    ...(only !== undefined && { only }),
  } satisfies AttackPlan)
  const during = await caller.during(seconds, goods.slice(40))
  const [{ counts, cpuS }] = await counted
  tell('during', during)
  const ended = await readNode(url)
  const sizeAfter = await ledgerSize()

  const ratio = (part: 'search' | 'order'): number =>
    quantile(during[part], 0.99) / quantile(before[part], 0.99)
  say(`\np99 during / before: search ${ratio('search').toFixed(2)}, order `
    + `${ratio('order').toFixed(2)}`)
  const cores = (from: NodeFacts, to: NodeFacts, over: number): string =>
    ((to.cpuS - from.cpuS) / over).toFixed(2)
  say(`node: ${cores(begun, between, seconds / 2)} of a core before, `
    + `${cores(between, ended, seconds)} during; its event loop late by `
    + `${between.delayMs.toFixed(1)} and ${ended.delayMs.toFixed(1)} ms (p99); `
    + `the attacker ${(cpuS / seconds).toFixed(2)} of a core`)
  say('\n| attack | answers by status (0: cut off) |\n|---|---|')
  for (const [name, by] of Object.entries(counts)) {
    const cells = Object.entries(by).map(([code, count]) => `${count} × ${code}`)
    say(`| ${name} | ${cells.join(', ')} |`)
  }
  say(`\nledger: ${sizeAfter.keys - sizeBefore.keys} keys and `
    + `${((sizeAfter.bytes - sizeBefore.bytes) / 1024).toFixed(0)} KiB more, the caller's `
    + `${during.order.length} orders among them`)
  return ratio('search') <= 2 && ratio('order') <= 2 && during.failed.length === 0
}

interface NodeFacts { readonly cpuS: number, readonly delayMs: number }

/** As its own process says; the delay is that since the last time. */
async function readNode(url: string): Promise<NodeFacts> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const valueOf = (name: RegExp): number =>
    Number(new RegExp(`^${name.source} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN)
  return {
    cpuS: valueOf(/process_cpu_seconds_total(?:\{[^}]*\})?/),
    delayMs: valueOf(/agentmall_event_loop_delay_seconds\{[^}]*quantile="0.99"[^}]*\}/) * 1000,
  }
}

function tell(name: string, { search, order, failed }: Phase): void {
  const of = (values: number[], share: number): string => quantile(values, share).toFixed(1)
  say(`| ${name} | ${of(search, 0.5)} | ${of(search, 0.99)} | ${of(order, 0.5)} `
    + `| ${of(order, 0.99)} | ${failed.length}${failed[0] ? ` (${failed[0]})` : ''} |`)
}

async function ledgerSize(): Promise<{ keys: number, bytes: number }> {
  const embedded = await attachEmbeddedRedis(node.config)
  const redis = openRedis(embedded?.ledgerUrl ?? '', createLogger('silent')) as Redis
  try {
    await untilReady(redis, 'ledger')
    return { keys: await redis.dbsize(), bytes: (await memoryUse(redis)).used }
  } finally {
    redis.disconnect()
  }
}

/** Searches and orders at a steady pace, whatever the answers; cancels what it ordered. */
function createCaller(url: string, key: string) {
  const client = new Agent({ connections: 16, connect: { localAddress: OWN_ADDRESS } })

  async function send(method: 'GET' | 'POST', path: string, body?: object, id?: string) {
    const at = monotonicMs()
    const answer = await request(`${url}${path}`, {
      method, dispatcher: client,
      headers: {
        authorization: `Bearer ${key}`, ...(id !== undefined && { 'idempotency-key': id }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { data } = await answer.body.json() as { data: unknown }
    return { status: answer.statusCode, data, ms: monotonicMs() - at }
  }

  return {
    async goods(): Promise<Item[]> {
      const pages = await Promise.all([1, 2, 3, 4].map((page) =>
        send('GET', `/v1/goods?page=${page}&page_size=50`)))
      return pages.flatMap(({ data }) => (data as { items: Item[] }).items)
        .filter((item) => item.available_qty > 20)
    },
    async during(length: number, goods: readonly Item[]): Promise<Phase> {
      const phase: Phase = { search: [], order: [], failed: [] }
      const end = monotonicMs() + length * 1000
      const open: Promise<void>[] = []
      const every = async (ms: number, once: (turn: number) => Promise<void>): Promise<void> => {
        for (let turn = 0; monotonicMs() < end; turn += 1) {
          open.push(once(turn).catch((error: Error) => { phase.failed.push(error.message) }))
          await pause(ms)
        }
      }
      const expectOk = (status: number, what: string): void => {
        if (status !== 200) phase.failed.push(`${what} ${status}`)
      }
      await Promise.all([
        every(SEARCH_EVERY_MS, async (turn) => {
          const word = WORDS[turn % WORDS.length] ?? ''
          const unseen = turn % 2 === 0 ? '' : ` ${turn}`
          const { status, ms } = await send('GET',
            `/v1/goods?q=${encodeURIComponent(word + unseen)}&page_size=20`)
          phase.search.push(ms)
          expectOk(status, 'search')
        }),
        every(ORDER_EVERY_MS, async (turn) => {
          const { product_id, merchant_id } = goods[turn % goods.length] as Item
          const { status, data, ms } = await send('POST', '/v1/orders',
            { product_id, merchant_id, qty: 1, receiver: RECEIVER }, randomUUID())
          phase.order.push(ms)
          expectOk(status, 'order')
          const { order_no } = data as { order_no?: string }
          if (order_no !== undefined) {
            expectOk((await send('POST', `/v1/orders/${order_no}/cancel`, {})).status, 'cancel')
          }
        }),
      ])
      await Promise.all(open)
      return phase
    },
  }
}
