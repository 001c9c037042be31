/** A node that only answers, and a process that has the workers. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { setEnvironment } from '../config.ts'
import { freePort } from '../dev/redis/server.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import { counters } from '../redis/keys.ts'
import { eventually } from '../testing/eventually.ts'
import { orderInput } from '../testing/live.ts'
import { TEST_SECRET } from '../testing/node.ts'
import { PATIENCE_MS } from '../testing/patience.ts'
import { processesOf, RUN } from '../testing/processes.ts'
import { supplyProduct } from '../testing/products.ts'
import { emptyLedger } from '../testing/spare.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'

const log = createLogger('silent')
let url: string
let ledger: RedisClient
let supervisor: Supervisor
let apiKey: string

beforeAll(async () => {
  const own = await emptyLedger()
  ledger = openRedis(own, log)
  await untilReady(ledger, 'ledger')
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  setEnvironment({
    PORT: String(port), HOST: '127.0.0.1', NODES: '1', LOG_LEVEL: 'silent',
    SANDBOX_STEP_MS: '30', SANDBOX_COMPLETE_MS: '30',
  })
  supervisor = createSupervisor({ nodes: 1, hasOwnWorkers: true }, log)
  await supervisor.start({
    urls: { shelf: inject('redis').shelfUrl, ledger: own, counters: own },
    secret: TEST_SECRET, malls: {},
  })
  const trial = await send('POST', '/v1/trial-keys', {})
  apiKey = trial.data.api_key
})
afterAll(async () => {
  await supervisor.drain(PATIENCE_MS)
  ledger.disconnect()
})

interface Answer {
  readonly data: {
    readonly api_key: string
    readonly order_no: string
    readonly items: readonly { readonly order_no: string }[]
  }
}

async function send(
  method: string, path: string, body?: object, headers = {},
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method, headers: { 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return await answer.json() as Answer
}

const asAgent = (key?: string) =>
  ({ Authorization: `Bearer ${apiKey}`, ...(key && { 'Idempotency-Key': key }) })

async function place(): Promise<string> {
  const { productId, merchantId } = await supplyProduct(ledger)
  const { idempotency_key, ...body } =
    orderInput({ product_id: productId, merchant_id: merchantId })
  const { data } = await send('POST', '/v1/orders', body, asAgent(idempotency_key))
  return data.order_no
}

const listed = async (): Promise<string[]> =>
  (await send('GET', '/v1/orders', undefined, asAgent())).data.items
    .map(({ order_no }) => order_no)

const workerPids = (): number[] =>
  processesOf({ name: process.env[RUN] ?? 'none', folder: '/nowhere' })
    .filter(({ parent, command }) => parent === process.pid && command.endsWith(' workers'))
    .map(({ pid }) => pid)

test('orders are followed, and are followed again after the process was killed', async () => {
  const first = await place()
  await eventually(async () => expect(await listed()).toContain(first))
  const [pid] = workerPids()
  expect(workerPids()).toHaveLength(1)
  process.kill(pid as number, 'SIGKILL')
  const second = await place()
  await eventually(async () => expect(await listed()).toContain(second))
  expect(workerPids()).not.toContain(pid)
})

test('the node holds no lease, and a scrape of it tells of both processes', async () => {
  await eventually(async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    for (const number of [1, 2]) {
      expect(text).toContain(`agentmall_process_up{process="${number}"} 1\n`)
    }
  })
  // Those of the process that was killed run out before its successor has them.
  await eventually(async () => {
    const holders = await ledger.mget(counters.lease('outbox:order-effects'),
      counters.lease('expiry'), counters.lease('driver'), counters.lease('shelf-rebuild'))
    expect(holders.filter((holder) => holder !== null)).toHaveLength(4)
  })
  const [pid] = workerPids()
  process.kill(pid as number, 'SIGSTOP')
  const stopped = await place()
  // Longer than its leases: the node does not take them over.
  await eventually(async () =>
    expect(await ledger.exists(counters.lease('outbox:order-effects'))).toBe(0))
  expect(await listed()).not.toContain(stopped)
  process.kill(pid as number, 'SIGCONT')
  await eventually(async () => expect(await listed()).toContain(stopped))
})

test('a drain ends both, and gives the leases back', async () => {
  await supervisor.drain(PATIENCE_MS)
  expect(workerPids()).toEqual([])
  expect(await ledger.exists(counters.lease('outbox:order-effects'))).toBe(0)
})
