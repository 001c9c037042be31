import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cacheDir } from '../config.ts'
import { Refusal } from '../errors.ts'
import { createLogger } from '../log.ts'
import {
  attemptAt, newBuyer, openShop, stockOf, supplyProduct, type Shop,
} from '../testing/products.ts'
import { ledger as keys } from './keys.ts'
import { provisionRedis } from './provision.ts'
import { ask, freePort, startServer, stopServer, type RunningServer } from './server.ts'

const PASSWORD = 'durable-test'
let directory: string
let master: RunningServer
let replica: RunningServer
let shop: Shop

const url = (): string => `redis://:${PASSWORD}@127.0.0.1:${master.port}`

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'agentmall-durable-'))
  const log = createLogger('silent')
  const { server: program } = await provisionRedis({ cacheDir: cacheDir(), log })
  const start = async (name: string, settings: string) => await startServer({
    program, directory: join(directory, name), settings, port: await freePort(),
    password: PASSWORD, readyWithinMs: 20_000,
  })
  master = await start('master', 'appendonly yes\nappendfsync always\nsave ""')
  replica = await start('replica',
    `save ""\nmasterauth ${PASSWORD}\nreplicaof 127.0.0.1 ${master.port}`)
  await expect.poll(() => ask(master, (redis) => redis.info('replication')), { timeout: 20_000 })
    .toMatch(/slave0:.*state=online/)
  shop = await openShop({}, { url: url(), replicas: 1 })
})

afterEach(() => {
  for (const { pid } of [master, replica]) process.kill(pid, 'SIGCONT')
})

afterAll(async () => {
  shop.close()
  await Promise.all([master, replica].map((server) => stopServer(server, ['SHUTDOWN', 'NOSAVE'])))
  await rm(directory, { recursive: true, force: true })
})

const errorOf = (work: Promise<unknown>) => work.then(
  () => 'none', (error: unknown) => (error instanceof Refusal ? error.error : error))

const callsOf = async (command: string): Promise<number> => {
  const stats = await ask(master, (redis) => redis.info('commandstats'))
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
}

test('with the replica stopped an order is not acknowledged; the retry finds it, once', async () => {
  const product = await supplyProduct(shop.ledger)
  const [buyer, input] = [newBuyer(), attemptAt(product)]
  const settled = await shop.orders.place(attemptAt(product), newBuyer())
  expect(settled.duplicate).toBe(false)

  process.kill(replica.pid, 'SIGSTOP')
  expect(await errorOf(shop.orders.place(input, buyer))).toBe('unavailable')
  expect(await errorOf(shop.orders.move('pay', settled.order_no))).toBe('unavailable')
  process.kill(replica.pid, 'SIGCONT')

  const orders = await Promise.all(Array.from({ length: 5 }, () => shop.orders.place(input, buyer)))
  expect(new Set(orders.map(({ order_no }) => order_no)).size).toBe(1)
  expect(await stockOf(shop.ledger, product)).toBe(8)
  expect((await shop.orders.move('pay', settled.order_no)).code).toBe('done')
})

test('a replay that changes nothing is not acknowledged by a node that has written nothing', async () => {
  const product = await supplyProduct(shop.ledger)
  const [buyer, input] = [newBuyer(), attemptAt(product)]
  const { order_no } = await shop.orders.place(input, buyer)
  await shop.orders.move('pay', order_no)
  const fresh = await openShop({}, { url: url(), replicas: 1 })

  process.kill(replica.pid, 'SIGSTOP')
  expect(await errorOf(fresh.orders.move('pay', order_no))).toBe('unavailable')
  expect(await errorOf(fresh.orders.place(input, buyer))).toBe('unavailable')
  process.kill(replica.pid, 'SIGCONT')

  expect(await fresh.orders.place(input, buyer)).toMatchObject({ order_no, duplicate: true })
  fresh.close()
})

test('one WAIT covers the calls in flight', async () => {
  const product = await supplyProduct(shop.ledger, { stock: 500 })
  const [waits, scripts] = [await callsOf('wait'), await callsOf('evalsha')]
  await Promise.all(Array.from({ length: 200 }, () =>
    shop.orders.place(attemptAt(product), newBuyer())))
  expect(await callsOf('evalsha') - scripts).toBeGreaterThanOrEqual(400)
  expect(await callsOf('wait') - waits).toBeLessThanOrEqual(20)
  expect(await stockOf(shop.ledger, product)).toBe(300)
})

test('a hung ledger answers unavailable in time, and the retry succeeds after it', async () => {
  const product = await supplyProduct(shop.ledger)
  const [buyer, input] = [newBuyer(), attemptAt(product)]
  process.kill(master.pid, 'SIGSTOP')
  const started = performance.now()
  expect(await errorOf(shop.orders.place(input, buyer))).toBe('unavailable')
  expect(performance.now() - started).toBeLessThan(5000)
  process.kill(master.pid, 'SIGCONT')
  await expect.poll(() => errorOf(shop.orders.place(input, buyer)), { timeout: 15_000 })
    .toBe('none')
  expect(await stockOf(shop.ledger, product)).toBe(9)
})

test('scripts that the ledger forgot are sent again, each call once', async () => {
  const product = await supplyProduct(shop.ledger)
  await ask(master, (redis) => redis.script('FLUSH'))
  await Promise.all(Array.from({ length: 5 }, () =>
    shop.orders.place(attemptAt(product), newBuyer())))
  expect(await stockOf(shop.ledger, product)).toBe(5)
})

test('a defect in a script is no retry, and its error carries no operands', async () => {
  const product = await supplyProduct(shop.ledger)
  await shop.ledger.del(keys.sku(product.productId))
  await shop.ledger.set(keys.sku(product.productId), 'not a hash')
  const error = await shop.orders.place(attemptAt(product), newBuyer()).catch((one: Error) => one)
  expect(error).not.toBeInstanceOf(Refusal)
  expect(error).toMatchObject({ message: expect.stringMatching(/^order-place: /) })
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('西湖区')
})
