/**
 * `npm run backup-rate -- [--orders 50000] [--accounts 5000]`: what a completed order costs on the
 * ledger, and how fast a backup copies it. One Redis on this machine; accounts have books of their
 * own beside those of the orders.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createArchive } from '../../src/backup/archive.ts'
import { backupLedger } from '../../src/backup/backup.ts'
import { monotonicMs } from '../../src/contract/time.ts'
import { monthBounds } from '../../src/earnings/month.ts'
import { createSecrets } from '../../src/secrets/derive.ts'
import type { RedisClient } from '../../src/redis/connect.ts'
import { everyPartition } from '../../src/redis/doorbell.ts'
import { ledger as keys } from '../../src/redis/keys.ts'
import { countKeys } from '../../src/redis/scan.ts'
import { startLedger } from '../../src/testing/ledger.ts'
import {
  attemptAt, newBuyer, openShop, SHOP_SECRET, supplyProduct, type Product, type Shop,
} from '../../src/testing/products.ts'
import { ConsumerWorker } from '../../src/workers/consumer.ts'
import { orderEffects } from '../../src/workers/order-effects.ts'
import { writeCommissions } from '../settlement/write-commissions.ts'

const PRODUCTS = 512
const AT_ONCE = 64
const say = (facts: object): void => { process.stdout.write(`${JSON.stringify(facts)}\n`) }

/** Without what is trimmed by age: the outboxes, of which the last entry stays. */
async function usedBytes(ledger: RedisClient): Promise<number> {
  for (const partition of everyPartition()) await ledger.xtrim(keys.outbox(partition), 'MAXLEN', 1)
  return Number(/used_memory:(\d+)/.exec(await ledger.info('memory'))?.[1])
}

/** Placed, paid and brought to their end, as the workers leave them. */
async function completeOrders(shop: Shop, orders: number): Promise<void> {
  const products = await Promise.all(Array.from({ length: PRODUCTS }, () =>
    supplyProduct(shop.ledger, { stock: orders })))
  // As many agents as a service has: lists and books of each grow long.
  const buyers = Array.from({ length: 20 }, () => newBuyer())
  const worker = new ConsumerWorker(orderEffects(shop), shop)
  await worker.begin?.()
  for (let from = 0; from < orders; from += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, orders - from) }, async (_, at) => {
      const product = products[(from + at) % PRODUCTS] as Product
      const buyer = buyers[at % buyers.length] as ReturnType<typeof newBuyer>
      const { order_no: orderNo } = await shop.orders.place(attemptAt(product), buyer)
      for (const move of ['pay', 'accept', 'ship', 'deliver', 'complete'] as const) {
        await shop.orders.move(move, orderNo)
      }
    }))
    if (from % (AT_ONCE * 20) === 0) while (await worker.tick()) { /* There is more. */ }
  }
  while (await worker.tick()) { /* There is more. */ }
}

const { values } = parseArgs({ options: {
  orders: { type: 'string', default: '50000' }, accounts: { type: 'string', default: '5000' },
} })
const [orders, accounts] = [Number(values.orders), Number(values.accounts)]
const own = await startLedger({ settings: 'appendfsync everysec' })
const folder = await mkdtemp(join(tmpdir(), 'agentmall-backup-'))
const shop = await openShop({}, { url: own.url })
try {
  const { ledger } = shop
  await completeOrders(shop, 1)
  const before = await usedBytes(ledger)
  await completeOrders(shop, orders)
  say({ orders, bytesPerOrder: Math.round((await usedBytes(ledger) - before) / orders) })
  const at = (monthBounds('2026-10')?.end ?? 0) - 1
  await writeCommissions(
    ledger, Array.from({ length: accounts }, () => `ac_${randomUUID()}`), 20, at)
  const count = await countKeys(ledger)
  for (const turn of [1, 2, 3]) {
    const archive = createArchive(join(folder, String(turn)))
    const began = monotonicMs()
    const { files } = await backupLedger({ ledger, secrets: createSecrets(SHOP_SECRET) }, archive)
    const seconds = (monotonicMs() - began) / 1000
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    say({
      keys: count, megabytes: Math.round(bytes / 1e6), seconds: Math.round(seconds * 10) / 10,
      keysPerSecond: Math.round(count / seconds),
      megabytesPerSecond: Math.round(bytes / 1e5 / seconds) / 10,
    })
  }
} finally {
  shop.close()
  await own.stop()
  await rm(folder, { recursive: true, force: true })
}
