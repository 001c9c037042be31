/** The process that archives is killed (-9) again and again: no order is lost, none is twice. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { environmentWith } from '../config.ts'
import { nowMs } from '../contract/time.ts'
import { createLogger } from '../log.ts'
import { OrderArchive } from '../orders/archive/archive.ts'
import { ledger as keys } from '../redis/keys.ts'
import { createSecrets } from '../secrets/derive.ts'
import { openArchiveStores, type TestedStore } from '../testing/archive-stores.ts'
import { startLedger } from '../testing/ledger.ts'
import { PATIENCE_MS } from '../testing/patience.ts'
import {
  attemptAt, newBuyer, openShop, type Shop, SHOP_SECRET, stockOf, supplyProduct,
} from '../testing/products.ts'
import { verifyLedger } from '../verify/verify.ts'
import { ConsumerWorker } from './consumer.ts'
import { orderEffects } from './order-effects.ts'

const ORDERS = 600
const KILLS = 12
const own = await startLedger()
const STORES = await openArchiveStores()
afterAll(() => own.stop())

async function completedOrders(shop: Shop) {
  const products = await Promise.all(Array.from({ length: 20 }, () =>
    supplyProduct(shop.ledger, { stock: ORDERS })))
  const placed = await Promise.all(Array.from({ length: ORDERS }, async (_, index) => {
    const product = products[index % products.length]!
    const [attempt, buyer] = [attemptAt(product), newBuyer()]
    const { order_no: orderNo } = await shop.orders.place(attempt, buyer)
    for (const name of ['pay', 'accept', 'ship', 'deliver', 'complete'] as const) {
      await shop.orders.move(name, orderNo)
    }
    return { attempt, buyer, orderNo }
  }))
  await settle(shop)
  return { products, placed }
}

async function settle(shop: Shop): Promise<void> {
  const worker = new ConsumerWorker(orderEffects(shop), { ...shop, sweepMs: 0 })
  await worker.begin?.()
  while (await worker.tick()) { /* There is more. */ }
}

const started: ChildProcess[] = []
afterAll(() => started.forEach((child) => child.kill('SIGKILL')))

function archiving({ settings }: TestedStore): ChildProcess {
  const script = fileURLToPath(new URL('../testing/archive-run.ts', import.meta.url))
  const child = spawn(process.execPath,
    ['--import', 'tsx', script, own.url, String(nowMs() + 3_600_000)],
    { stdio: ['ignore', 'pipe', 'inherit'], env: environmentWith(settings) })
  started.push(child)
  return child
}

/** Kills it somewhere in the few hundred milliseconds after it began. */
async function killed(tested: TestedStore): Promise<void> {
  const child = archiving(tested)
  await once(child.stdout!, 'data')
  const exit = once(child, 'exit')
  setTimeout(() => child.kill('SIGKILL'), randomInt(0, 60))
  await exit
}

test.each(STORES)('each order is answered as before, by the ledger or $name', async (tested) => {
  const archive = new OrderArchive(tested.open())
  const shop = await openShop({}, { url: own.url, archive })
  onTestFinished(() => shop.close())
  await shop.ledger.flushdb()
  const { products, placed } = await completedOrders(shop)
  const read = () => Promise.all(placed.map(({ buyer, orderNo }) =>
    shop.orders.read(buyer.agent, orderNo)))
  const before = await read()
  for (let kill = 0; kill < KILLS; kill += 1) await killed(tested)
  expect(await read()).toEqual(before)
  // An order waits until the consumer has passed the millisecond of its last event.
  for (let run = 0; run < 2; run += 1) {
    await settle(shop)
    const [code] = await once(archiving(tested), 'exit')
    expect(code).toBe(0)
  }
  expect(await read()).toEqual(before)
  const secrets = createSecrets(SHOP_SECRET)
  const { violations, checked } = await verifyLedger(
    { ledger: shop.ledger, archive, secrets, log: createLogger('silent') })
  expect(violations).toEqual([])
  expect(checked).toMatchObject({ orders: ORDERS, archived: ORDERS })
  const again = await Promise.all(placed.slice(0, 100).map(({ attempt, buyer }) =>
    shop.orders.place(attempt, buyer)))
  expect(again.every(({ duplicate }) => duplicate)).toBe(true)
  const left = await Promise.all(products.map((product) => stockOf(shop.ledger, product)))
  expect(left).toEqual(products.map(() => ORDERS - ORDERS / products.length))
  expect(await shop.ledger.exists(...placed.map(({ orderNo }, index) =>
    keys.events(products[index % products.length]!.partition, orderNo)))).toBe(0)
}, 5 * PATIENCE_MS)
