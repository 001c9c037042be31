/** The process that archives is killed (-9) again and again: no order is lost, none is twice. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { nowMs } from '../contract/time.ts'
import { createLogger } from '../log.ts'
import { OrderArchive } from '../orders/archive/archive.ts'
import { FolderStore } from '../orders/archive/store.ts'
import { ledger as keys } from '../redis/keys.ts'
import { createSecrets } from '../secrets/derive.ts'
import { startLedger } from '../testing/ledger.ts'
import { PATIENCE_MS } from '../testing/patience.ts'
import {
  attemptAt, newBuyer, openShop, SHOP_SECRET, stockOf, supplyProduct,
} from '../testing/products.ts'
import { verifyLedger } from '../verify/verify.ts'
import { ConsumerWorker } from './consumer.ts'
import { orderEffects } from './order-effects.ts'

const ORDERS = 600
const KILLS = 12
const own = await startLedger()
const folder = await mkdtemp(join(tmpdir(), 'agentmall-archive-'))
const archive = new OrderArchive(new FolderStore(folder))
const shop = await openShop({}, { url: own.url, archive })
afterAll(async () => {
  shop.close()
  await own.stop()
  await rm(folder, { recursive: true, force: true })
})

async function completedOrders() {
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
  await settle()
  return { products, placed }
}

async function settle(): Promise<void> {
  const worker = new ConsumerWorker(orderEffects(shop), { ...shop, sweepMs: 0 })
  await worker.begin?.()
  while (await worker.tick()) { /* There is more. */ }
}

const started: ChildProcess[] = []
afterAll(() => started.forEach((child) => child.kill('SIGKILL')))

function archiving(): ChildProcess {
  const script = fileURLToPath(new URL('../testing/archive-run.ts', import.meta.url))
  const child = spawn(process.execPath,
    ['--import', 'tsx', script, own.url, folder, String(nowMs() + 3_600_000)],
    { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  return child
}

/** Kills it somewhere in the few hundred milliseconds after it began. */
async function killed(): Promise<void> {
  const child = archiving()
  await once(child.stdout!, 'data')
  const exit = once(child, 'exit')
  setTimeout(() => child.kill('SIGKILL'), randomInt(0, 60))
  await exit
}

test('every order is answered as before, by the ledger or by the archive', async () => {
  const { products, placed } = await completedOrders()
  const read = () => Promise.all(placed.map(({ buyer, orderNo }) =>
    shop.orders.read(buyer.agent, orderNo)))
  const before = await read()
  for (let kill = 0; kill < KILLS; kill += 1) await killed()
  expect(await read()).toEqual(before)
  // An order waits until the consumer has passed the millisecond of its last event.
  for (let run = 0; run < 2; run += 1) {
    await settle()
    const [code] = await once(archiving(), 'exit')
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
