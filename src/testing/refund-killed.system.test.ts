/** A node is killed (-9) while the payment provider gives money back. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startPaymentSimulator } from '../../adapters/payment/simulator.ts'
import { nowMs } from '../contract/time.ts'
import { importCatalogue } from '../goods/import.ts'
import { openProvider } from '../orders/payment-provider.ts'
import { createTestbedNode } from '../../loadtest/faults/testbed-node.ts'
import { ownLine } from './goods.ts'
import { PATIENCE_MS } from './patience.ts'
import { attemptAt, newBuyer, openShop, SHOP_SECRET, supplyProduct } from './products.ts'
import { startOwnRedis } from './recovery.ts'

const MERCHANT = { merchantId: 'M1', secrets: ['a-payment-secret-of-these-tests-0001'] }
/** A node starts, and waits for the lease of the one that was killed. */
const RESTART = { timeout: 3 * PATIENCE_MS }
const TIMEOUT_MS = 10 * PATIENCE_MS

const simulator = await startPaymentSimulator({ ...MERCHANT, clock: { now: nowMs } })
const own = await startOwnRedis()
// A node waits for a shelf that has its indexes.
await importCatalogue(own.place, [ownLine(910_001)])
const shop = await openShop({ sandbox: false }, { url: own.urls.ledger })
const folder = await mkdtemp(join(tmpdir(), 'agentmall-refund-'))
const node = await createTestbedNode({
  name: 'node', secret: SHOP_SECRET, urls: own.urls, outputPath: join(folder, 'node.log'),
  environment: {
    SANDBOX: 'off', NODES: '1', LEDGER_REPLICAS: '0', PAYMENT_URL: simulator.url,
    PAYMENT_MERCHANT_ID: MERCHANT.merchantId, PAYMENT_SECRET: MERCHANT.secrets.join(','),
  },
})
afterAll(async () => {
  await node.kill()
  shop.close()
  await simulator.close()
  await own.stop()
  await rm(folder, { recursive: true, force: true })
})

/** An order that was paid with the provider, and then cancelled. */
async function owedOrder() {
  const provider = openProvider({
    sandbox: false, publicUrl: 'http://127.0.0.1:1',
    payment: { url: simulator.url, ...MERCHANT, pages: [] },
  })!
  const buyer = newBuyer()
  const { order_no: orderNo, amount } =
    await shop.orders.place(attemptAt(await supplyProduct(shop.ledger)), buyer)
  await provider.create({
    orderNo, amount, title: 'An order', expiresAt: nowMs() + TIMEOUT_MS,
    returnUrl: 'http://127.0.0.1:1',
  })
  const taken = await simulator.pay(orderNo, { isNotified: false })
  expect(await shop.orders.payments.record(taken, provider.name, 'live'))
    .toEqual({ outcome: 'paid' })
  await provider.close()
  await shop.orders.move('cancel_paid', orderNo)
  return { orderNo, amount, agent: buyer.agent }
}

test('a node that is killed twice within a refund gives the money back once', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { payments } = shop.orders
  const { orderNo, amount, agent } = await owedOrder()
  expect(simulator.holds(orderNo)).toBe(amount)
  // The provider does what it is asked for, and no answer of it arrives before the kill.
  simulator.faults.add('refund', 'hang', Infinity)
  for (let kills = 0; kills < 2; kills += 1) {
    const before = simulator.refundsAsked.length
    await node.start()
    await expect.poll(() => simulator.refundsAsked.length, RESTART).toBeGreaterThan(before)
    await node.kill()
    expect(simulator.holds(orderNo)).toBe(0)
    expect(await payments.of(orderNo)).toMatchObject([{ status: 'applied' }])
  }
  simulator.faults.clear()
  await node.start()
  await expect.poll(() => payments.of(orderNo), RESTART).toMatchObject(
    [{ status: 'returned', returned: amount }])
  expect(simulator.holds(orderNo)).toBe(0)
  expect(new Set(simulator.refundsAsked).size).toBe(1)
  expect((await shop.orders.read(agent, orderNo)).refund).toMatchObject(
    { amount, status: 'arrived' })
})
