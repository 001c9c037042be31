/** Nodes of the topology end and come back while a load goes on; what the load saw of it. */
import pLimit from 'p-limit'
import { monotonicMs, sleep } from '../../src/contract/time.ts'
import type { Topology } from '../topology/topology.ts'
import { startLoad, type Item, type Load, type Sent } from './load.ts'

export interface RollingPlan {
  /** Requests a second. */
  readonly rate: number
  /** Load before the first node ends, and after each is back. */
  readonly restMs: number
  /** Ended one after the other by SIGTERM. */
  readonly restarted: readonly string[]
  /** Then one more by SIGKILL. */
  readonly killed: string
}

export interface Phase {
  readonly name: string
  readonly seconds: number
  readonly requests: number
  readonly latencies: readonly number[]
  readonly failures: readonly Sent[]
}

export interface RollingResult {
  readonly phases: readonly Phase[]
  /** Failures of requests that began after the killed node was gone: there should be none. */
  readonly afterKill: readonly Sent[]
  readonly orders: number
  /** Acknowledged orders that were not there afterwards, or had become others. */
  readonly lost: readonly string[]
  /** What `agentmall verify` said at the end. */
  readonly verified: string
}

/** More would take longer than the rest of the run. */
const ASKED_AGAIN_MAX = 500
const ASKED_AT_ONCE = 16
const STOCK_MIN = 50
const PAGES = 4

export async function runRolling(topology: Topology, plan: RollingPlan): Promise<RollingResult> {
  const apiKey = await createKey(topology)
  const items = await itemsInStock(topology.url, apiKey)
  const marks: { readonly name: string, readonly at: number }[] = []
  const begin = (name: string): void => { marks.push({ name, at: monotonicMs() }) }
  begin('nothing happens')
  const load = startLoad({ url: topology.url, apiKey, items, rate: plan.rate })
  let goneAt = Infinity
  try {
    await sleep(plan.restMs)
    for (const name of plan.restarted) {
      begin(`${name} is restarted (SIGTERM)`)
      await topology.service(name).stop()
      await comeBack(topology, name, plan.restMs)
    }
    begin(`${plan.killed} is killed (SIGKILL)`)
    await topology.service(plan.killed).kill()
    goneAt = monotonicMs()
    await comeBack(topology, plan.killed, plan.restMs)
  } finally {
    await load.stop()
  }
  return {
    phases: marks.map(({ name, at }, index) =>
      phaseOf(name, load.sent, at, marks[index + 1]?.at ?? Infinity)),
    afterKill: load.sent.filter(({ startedMs, failure }) => failure && startedMs > goneAt),
    orders: load.orders.length,
    lost: await lostOf(load),
    verified: await topology.run('verify'),
  }
}

async function comeBack(topology: Topology, name: string, restMs: number): Promise<void> {
  await topology.start(name)
  await topology.untilBalanced()
  await sleep(restMs)
}

function phaseOf(name: string, sent: readonly Sent[], from: number, to: number): Phase {
  const own = sent.filter(({ startedMs }) => startedMs >= from && startedMs < to)
  const end = Math.min(to, own.reduce((last, { startedMs }) => Math.max(last, startedMs), from))
  return {
    name, seconds: (end - from) / 1000, requests: own.length, latencies: own.map(({ ms }) => ms),
    failures: own.filter(({ failure }) => failure !== undefined),
  }
}

async function createKey(topology: Topology): Promise<string> {
  const key = /ak_[0-9A-Za-z]+/.exec(await topology.run('key', 'create', '--tier', 't2'))
  if (!key) throw new Error('No key was made.')
  return key[0]
}

async function itemsInStock(url: string, apiKey: string): Promise<Item[]> {
  const pages = await Promise.all(Array.from({ length: PAGES }, async (_, page) => {
    const response = await fetch(`${url}/v1/goods?page_size=50&page=${page + 1}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    })
    const { data } = await response.json() as {
      data: { items: (Item & { available_qty: number })[] }
    }
    return data.items
  }))
  const items = pages.flat().filter(({ available_qty }) => available_qty >= STOCK_MIN)
  if (items.length === 0) throw new Error('Nothing is in stock.')
  return items
}

/** Every acknowledged order, asked for with its own key, is the same one and no new one. */
async function lostOf(load: Load): Promise<string[]> {
  const lost: string[] = []
  const limit = pLimit(ASKED_AT_ONCE)
  await Promise.all(load.orders.slice(-ASKED_AGAIN_MAX).map((order) => limit(async () => {
    const found = await load.again(order)
    if (!found.isDuplicate || found.orderNo !== order.orderNo) lost.push(order.orderNo)
  })))
  return lost
}
