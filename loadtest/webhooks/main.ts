/**
 * `npm run webhooks -- [--seconds 20] [--rate 10]`: how long events take to 1,000 endpoints, of
 * which none hangs, and then one of a hundred. All are at one host and port, as those of a
 * service that takes webhooks for many are.
 */
import { loadavg } from 'node:os'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { monotonicMs, sleep } from '../../src/contract/time.ts'
import { askChild, endChild, forkScript, residentMb } from '../bench/processes.ts'
import { type BenchTestbed, type Buyer, openBenchTestbed } from '../bench/testbed.ts'
import { attempts, orderCall, stockUp } from '../bench/workload.ts'
import type { Received } from './receiver.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, rate: { type: 'string', default: '10' } },
})
const [SECONDS, RATE] = [Number(values.seconds), Number(values.rate)]
const [AGENTS, EACH] = [100, 10]
const HANGING = 10
const AT_ONCE = 16
const POLL_MS = 250
const TRIES_MAX = 40
const PROVEN_MS_MAX = 180_000
/** What came by then counts; an attempt at one that hangs takes ten seconds. */
const SETTLED_MS = 12_000
const CATALOGUE_ITEMS = 2400
const say = (text: string): void => { process.stdout.write(`${text}\n`) }

type Send = (buyer: Buyer, method: string, path: string, body?: string,
  headers?: Readonly<Record<string, string>>) => Promise<Record<string, never>>

const senderTo = (port: number): Send => async (buyer, method, path, body, headers = {}) => {
  const ask = () => fetch(`http://127.0.0.1:${port}${path}`, {
    method, ...(body !== undefined && { body }), signal: AbortSignal.timeout(30_000),
    headers: { ...headers, 'X-Api-Key': buyer.apiKey, 'Content-Type': 'application/json' },
  })
  let answer = await ask()
  // On a machine with little room: what is measured is the way of events, not of these calls.
  for (let tries = 0; answer.status === 503 && tries < TRIES_MAX; tries += 1) {
    await sleep(POLL_MS)
    answer = await ask()
  }
  const { data } = await answer.json() as { data: Record<string, never> }
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(data)}`)
  return data
}

async function each<T>(list: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = list.values()
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const one of left) await work(one)
  }))
}

/** Ten endpoints for each agent; of the first agents one hangs. Ready when all are proven. */
async function openEndpoints(
  send: Send, buyers: readonly Buyer[], receiver: number, hanging: number,
): Promise<void> {
  await each(buyers.flatMap((buyer, at) => Array.from({ length: EACH }, (_, number) =>
    ({ buyer, path: number === 0 && at < hanging ? `hang/${at}` : `${at}/${number}` }))),
  async ({ buyer, path }) => await send(buyer, 'POST', '/v1/webhooks',
    JSON.stringify({ url: `http://127.0.0.1:${receiver}/${path}`, events: ['order.*'] })))
  const end = monotonicMs() + PROVEN_MS_MAX
  for (const buyer of buyers) {
    for (;;) {
      const { webhooks } = await send(buyer, 'GET', '/v1/webhooks') as unknown as
        { webhooks: { state: string }[] }
      if (webhooks.every(({ state }) => state === 'active')) break
      if (monotonicMs() > end) throw new Error('The endpoints were not proven in time.')
      await sleep(POLL_MS)
    }
  }
}

async function closeEndpoints(send: Send, buyers: readonly Buyer[]): Promise<void> {
  await each(buyers, async (buyer) => {
    const { webhooks } = await send(buyer, 'GET', '/v1/webhooks') as unknown as
      { webhooks: { webhook_id: string }[] }
    for (const { webhook_id } of webhooks) {
      await send(buyer, 'DELETE', `/v1/webhooks/${webhook_id}`, '{}')
    }
  })
}

/** Orders at a steady rate, whether or not those before were answered. */
async function placeOrders(send: Send, buyers: readonly Buyer[], testbed: BenchTestbed) {
  const products = await stockUp(testbed.redis.ledger, testbed.lines)
  const began = monotonicMs()
  const orders = attempts({ buyers }, products, SECONDS * RATE)
  await Promise.all(orders.map(async (attempt, at) => {
    await sleep(at * 1000 / RATE - (monotonicMs() - began))
    const { method, path, headers, body } = orderCall(attempt)
    await send(attempt.buyer, method, path, body?.toString(), headers)
  }))
  return orders.length
}

const partOf = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN

async function measure(testbed: BenchTestbed, hanging: number): Promise<string> {
  const { node } = testbed
  const receiver = forkScript({ file: fileURLToPath(new URL('receiver.ts', import.meta.url)) })
  const [{ port }] = await once(receiver, 'message') as [{ port: number }]
  const [send, buyers] = [senderTo(node.port), testbed.buyers.slice(0, AGENTS)]
  try {
    await openEndpoints(send, buyers, port, hanging)
    const orders = await placeOrders(send, buyers, testbed)
    await sleep(SETTLED_MS)
    const received = await askChild<Received>(receiver, {})
    const sorted = received.waits.toSorted((one, other) => one - other)
    const ofHanging = Array.from({ length: orders }, (_, at) => at % AGENTS)
      .filter((at) => at < hanging).length
    const missing = orders * EACH - ofHanging - sorted.length
    return `| ${hanging} | ${sorted.length} | ${[0.5, 0.9, 0.99, 1].map((part) =>
      `${partOf(sorted, part)} ms`).join(' | ')} | ${missing} | ${received.repeated} | `
      + `${received.hanging} | ${Math.round(residentMb(node.pid) ?? NaN)} MB | `
      + `${loadavg()[0]?.toFixed(1)} |`
  } finally {
    await closeEndpoints(send, buyers)
    await endChild(receiver)
  }
}

const testbed = await openBenchTestbed({
  items: CATALOGUE_ITEMS, dataDir: '.data/bench', connections: 1, logLevel: 'warn',
  isPinned: false, workers: 'own',
})
try {
  say(`${RATE} orders a second for ${SECONDS} s, ${AGENTS * EACH} endpoints, one node\n`)
  say('| endpoints that hang | delivered to the others | p50 | p90 | p99 | longest | missing '
    + '| repeated | left hanging | node | load |')
  say('|---|---|---|---|---|---|---|---|---|---|---|')
  for (const hanging of [0, HANGING]) say(await measure(testbed, hanging))
} finally {
  await testbed.close()
}
