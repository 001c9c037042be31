/** Limits, counted to the call: over three nodes, one of which is killed and replaced meanwhile. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, inject, test } from 'vitest'
import { ApiKeys } from '../accounts/api-keys.ts'
import { createLimits, readTiers } from '../limits/limits.ts'
import { randomId } from '../contract/ids.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import type { NodeOrders, NodeReport } from '../start/supervisor.ts'
import { openSecrets } from '../secrets/open.ts'
import { TEST_SECRET } from './node.ts'

const NODES = 3
/**
 * Of what the bucket has, this much is granted at least, where more was asked for: a machine that
 * stands still grants nothing meanwhile.
 */
const USED_MIN = 0.5
/** It was, when so many times of it were refused: a slow machine asks in fits and starts. */
const DEMAND_MIN = 2
const CLI = fileURLToPath(new URL('../cli.mjs', import.meta.url))
const tiers = readTiers()
const log = createLogger('silent')
const urls = inject('redis')
const counters = openRedis(urls.countersUrl, log)
const ledger = openRedis(urls.ledgerUrl, log)
await Promise.all([untilReady(counters, 'counters'), untilReady(ledger, 'ledger')])
const nodes = new Set<ChildProcess>()
afterAll(() => {
  for (const node of nodes) node.kill('SIGKILL')
  counters.disconnect()
  ledger.disconnect()
})

async function redisMicros(): Promise<number> {
  const [seconds, micros] = await counters.time()
  return Number(seconds) * 1_000_000 + Number(micros)
}

interface Count { readonly tier: string, granted: number, refused: number }

/** Whole calls that a bucket which was full has in that time. */
const allowed = (tier: string, micros: number): number => {
  const { burst, rate_per_s } = tiers[tier] as { burst: number, rate_per_s: number }
  return Math.floor(burst + rate_per_s * micros / 1e6)
}

function expectWithin(counts: Iterable<Count>, micros: number): void {
  for (const { tier, granted, refused } of counts) {
    const most = allowed(tier, micros)
    const facts = `${tier}: ${granted} granted of ${most}, ${refused} refused`
    expect(granted, facts).toBeLessThanOrEqual(most)
    const least = refused >= DEMAND_MIN * most ? Math.floor(USED_MIN * most) : 0
    expect(granted, facts).toBeGreaterThanOrEqual(least)
  }
}

test('three limiters, one lost with its slices: never a call more, hardly one less', async () => {
  const limiters = Array.from({ length: NODES }, () => createLimits(counters))
  const counts = new Map(['t2', 't2', 't2', 't1', 'trial'].map((tier): [string, Count] =>
    [randomId('ag_'), { tier, granted: 0, refused: 0 }]))
  const begun = await redisMicros()
  const end = begun + 2_500_000
  let isReplaced = false

  async function flood(agent: string, count: Count, node: number): Promise<void> {
    for (let now = begun; now < end; now = await redisMicros()) {
      if (now > begun + 1_000_000 && !isReplaced) {
        isReplaced = true
        limiters[1] = createLimits(counters)
      }
      const answers = await Promise.all(Array.from({ length: 40 }, () => limiters[node]?.admit({
        agent, account: 'ac_1', tier: count.tier, client: { address: '192.0.2.1' },
      })))
      for (const answer of answers) {
        if (answer?.refusal) count.refused += 1
        else count.granted += 1
      }
    }
  }

  await Promise.all([...counts].flatMap(([agent, count]) =>
    limiters.map((_, node) => flood(agent, count, node))))
  expectWithin(counts.values(), await redisMicros() - begun)
})

async function startNode(): Promise<{ child: ChildProcess, port: number }> {
  const child = fork(CLI, ['node'], {
    execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent',
      SANDBOX_STEP_MS: '30', SANDBOX_COMPLETE_MS: '30',
    },
  })
  nodes.add(child)
  const { shelfUrl: shelf, ledgerUrl, countersUrl } = urls
  const orders: NodeOrders = {
    urls: { shelf, ledger: ledgerUrl, counters: countersUrl }, secret: TEST_SECRET, malls: {},
  }
  child.send(orders)
  const [report] = await once(child, 'message') as [NodeReport]
  if ('failed' in report) throw new Error(report.failed)
  return { child, port: report.ready }
}

const connections = new Agent({ keepAlive: true, maxSockets: 60 })

/** The status of one call; undefined when its node died under it. */
const call = (port: number, key: string): Promise<number | undefined> => new Promise((resolve) => {
  request({
    agent: connections, port, host: '127.0.0.1', path: '/v1/goods/1', headers: { 'X-API-Key': key },
  }, (response) => {
    response.resume().on('end', () => { resolve(response.statusCode) })
      .on('error', () => { resolve(undefined) })
  }).on('error', () => { resolve(undefined) }).end()
})

test('three nodes, one killed and replaced: what they answer is within the bound', async () => {
  const secrets = await openSecrets(ledger, TEST_SECRET)
  const apiKeys = new ApiKeys({ ledger, secrets, log, takeTrial: async () => undefined })
  const [spare, ...running] = await Promise.all(Array.from({ length: NODES + 1 }, startNode))
  const counts = new Map<string, Count>()
  for (const tier of ['t2', 't1', 't1', 'trial']) {
    const { apiKey } = await apiKeys.createKey({ tier, label: 'test' })
    counts.set(apiKey, { tier, granted: 0, refused: 0 })
  }
  const begun = await redisMicros()
  const state = { isOver: false }

  async function use(key: string, count: Count, node: number): Promise<void> {
    while (!state.isOver) {
      const status = await call(running[node]?.port ?? 0, key)
      if (status === 429) count.refused += 1
      else if (status === 404) count.granted += 1
      else if (status !== undefined) throw new Error(`unexpected answer ${status}`)
    }
  }

  const using = Promise.all([...counts].flatMap(([key, count]) =>
    running.flatMap((_, node) => Array.from({ length: 3 }, () => use(key, count, node)))))
  const busy = async (calls: number): Promise<void> => {
    const total = () => [...counts.values()].reduce((sum, one) => sum + one.granted, 0)
    await expect.poll(total).toBeGreaterThan(calls)
  }
  await busy(1000)
  running[1]?.child.kill('SIGKILL')
  running[1] = spare as NonNullable<typeof spare>
  await busy(2500)
  state.isOver = true
  await using
  expectWithin(counts.values(), await redisMicros() - begun)
})
