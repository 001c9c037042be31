import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { monotonicMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import { eventually } from '../testing/eventually.ts'
import { startLedger, type OwnLedger } from '../testing/ledger.ts'
import {
  attemptAt, newBuyer, openShop, stockOf, supplyProduct, type Shop,
} from '../testing/products.ts'
import { ledger as keys } from './keys.ts'
import { ask } from '../dev/redis/server.ts'

const own: OwnLedger[] = []
let master: OwnLedger['server']
let replica: OwnLedger['server']
let url: string
let shop: Shop

beforeAll(async () => {
  // Nothing but our own writes may move the replication offset.
  const first = await startLedger({ settings: 'repl-ping-replica-period 3600' })
  own.push(first)
  own.push(await startLedger({ master: first }))
  ;[master, replica] = own.map(({ server }) => server) as [typeof master, typeof replica]
  url = first.url
  await eventually(async () => {
    const info = await ask(master, (redis) => redis.info('replication'))
    if (!/slave0:.*state=online/.test(info)) throw new Error('The replica is not in step yet.')
  })
  shop = await openShop({}, { url, replicas: 1 })
})

afterEach(() => {
  for (const { server } of own) process.kill(server.pid, 'SIGCONT')
})

afterAll(async () => {
  await Promise.all(own.map((one) => one.stop()))
  shop.close()
})

const errorOf = (work: Promise<unknown>) => work.then(
  () => 'none', (error: unknown) => (error instanceof Refusal ? error.error : error))

const callsOf = async (command: string): Promise<number> => {
  const stats = await ask(master, (redis) => redis.info('commandstats'))
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
}

test('with the replica stopped nothing is acknowledged; a retry finds one order', async () => {
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

test('a replay is not acknowledged by a node that has written nothing either', async () => {
  const product = await supplyProduct(shop.ledger)
  const [buyer, input] = [newBuyer(), attemptAt(product)]
  const { order_no } = await shop.orders.place(input, buyer)
  await shop.orders.move('pay', order_no)
  const fresh = await openShop({}, { url, replicas: 1 })

  process.kill(replica.pid, 'SIGSTOP')
  expect(await errorOf(fresh.orders.move('pay', order_no))).toBe('unavailable')
  expect(await errorOf(fresh.orders.place(input, buyer))).toBe('unavailable')
  process.kill(replica.pid, 'SIGCONT')

  expect(await fresh.orders.place(input, buyer)).toMatchObject({ order_no, duplicate: true })
  fresh.close()
})

test.each([
  [1, ['order-move', 'order-place']], [2, ['claim-bind', 'order-move', 'order-place']],
])('in %i rounds each script that only repeats an answer writes all the same', async (
  rounds, names,
) => {
  const offset = async (): Promise<number> => {
    const info = await ask(master, (redis) => redis.info('replication'))
    return Number(/master_repl_offset:(\d+)/.exec(info)?.[1])
  }
  const written = new Map<string, number>()
  const watched = await openShop({}, {
    url,
    wrap: (durable) => ({
      ...durable,
      isOneServer: rounds === 1,
      send: async () => 0,
      async run(script, ...rest) {
        const before = await offset()
        const answer = await durable.run(script, ...rest)
        written.set(script.name, await offset() - before)
        return answer
      },
    }),
  })
  const product = await supplyProduct(watched.ledger)
  const [buyer, input] = [newBuyer(), attemptAt(product)]
  const { order_no } = await watched.orders.place(input, buyer)
  await watched.orders.move('pay', order_no)
  written.clear()
  await watched.orders.place(input, buyer)
  expect((await watched.orders.move('pay', order_no)).code).toBe('done')
  expect([...written.keys()].toSorted()).toEqual(names)
  for (const bytes of written.values()) expect(bytes).toBeGreaterThan(0)
  watched.close()
})

test('a read is answered once the replica has what it shows', async () => {
  const product = await supplyProduct(shop.ledger)
  const { order_no } = await shop.orders.place(attemptAt(product), newBuyer())
  const order = keys.order(product.partition, order_no)
  const fresh = await openShop({}, { url, replicas: 1 })
  const status = () => fresh.durable.read('hget', order, 'status')

  process.kill(replica.pid, 'SIGSTOP')
  expect(await errorOf(shop.orders.move('pay', order_no))).toBe('unavailable')
  expect(await fresh.ledger.hget(order, 'status')).toBe('paid')
  expect(await errorOf(status())).toBe('unavailable')
  process.kill(replica.pid, 'SIGCONT')

  expect(await status()).toBe('paid')
  fresh.close()
})

test('one write and one WAIT cover the reads in flight; without replicas there is neither',
  async () => {
    const alone = await openShop({}, { url })
    const count = async (durable: typeof shop.durable) => {
      const [waits, sets] = [await callsOf('wait'), await callsOf('set')]
      await Promise.all(Array.from({ length: 200 }, (_, index) =>
        durable.read('xrange', keys.outbox(index), '-', '+', 'COUNT', 50)))
      return { waits: await callsOf('wait') - waits, sets: await callsOf('set') - sets }
    }
    const { waits, sets } = await count(shop.durable)
    expect(waits).toBeGreaterThan(0)
    expect(waits).toBeLessThanOrEqual(20)
    expect(sets).toBe(waits)
    expect(await count(alone.durable)).toEqual({ waits: 0, sets: 0 })
    alone.close()
  })

test('one WAIT covers the calls in flight', async () => {
  const product = await supplyProduct(shop.ledger, { stock: 500 })
  const [waits, scripts] = [await callsOf('wait'), await callsOf('evalsha')]
  await Promise.all(Array.from({ length: 200 }, () =>
    shop.orders.place(attemptAt(product), newBuyer())))
  expect(await callsOf('evalsha') - scripts).toBeGreaterThanOrEqual(200)
  expect(await callsOf('wait') - waits).toBeLessThanOrEqual(50)
  expect(await stockOf(shop.ledger, product)).toBe(300)
})

test('a hung ledger answers unavailable in time, and the retry succeeds after it', async () => {
  const product = await supplyProduct(shop.ledger)
  const [buyer, input] = [newBuyer(), attemptAt(product)]
  process.kill(master.pid, 'SIGSTOP')
  const started = monotonicMs()
  expect(await errorOf(shop.orders.place(input, buyer))).toBe('unavailable')
  expect(monotonicMs() - started).toBeLessThan(5000)
  process.kill(master.pid, 'SIGCONT')
  await expect.poll(() => errorOf(shop.orders.place(input, buyer)))
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
