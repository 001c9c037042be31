/** Money that the operator notes, sees and reconciles. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startPaymentSimulator } from '../../adapters/payment/simulator.ts'
import { ConfigError, readConfig } from '../config.ts'
import { createSecrets } from '../secrets/derive.ts'
import { openProvider } from '../orders/payment-provider.ts'
import { attemptAt, newBuyer, openShop, SHOP_SECRET, supplyProduct } from '../testing/products.ts'
import { emptyLedger } from '../testing/spare.ts'
import { refundsWorker } from '../workers/payments.ts'
import type { CommandContext, WithLedger } from './context.ts'
import { ordersCommands } from './orders.ts'
import { paymentsCommands } from './payments.ts'

const AMOUNT = 2590
const merchant = { merchantId: 'M1', secrets: ['a-payment-secret-of-these-tests-0002'] }
const simulator = await startPaymentSimulator({ ...merchant, clock: { now: () => Date.now() } })
const url = await emptyLedger()
const config = {
  ...readConfig({ SANDBOX: 'off' }), payment: { url: simulator.url, ...merchant, pages: [] },
}
const provider = openProvider(config)!
const shop = await openShop({ sandbox: false }, { url })
const { orders: { payments }, ledger, log } = shop
afterAll(async () => {
  shop.close()
  await provider.close()
  await simulator.close()
})
afterEach(() => { process.exitCode = undefined })

async function run(group: 'orders' | 'payments', ...words: string[]) {
  const place = {
    ledger, log, urls: { ledger: url }, config, secrets: createSecrets(SHOP_SECRET),
  } as unknown as CommandContext
  const here: WithLedger = (work) => work(place)
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const command = group === 'orders' ? ordersCommands(here) : paymentsCommands(config, here)
    await command.parseAsync(words, { from: 'user' })
    return printed.mock.calls.map(([text]) => JSON.parse(String(text)) as Record<string, unknown>)
  } finally {
    printed.mockRestore()
  }
}

async function order(): Promise<string> {
  const product = await supplyProduct(ledger)
  return (await shop.orders.place(attemptAt(product), newBuyer())).order_no
}

/** The payer was sent to the provider and paid; nobody here knows of it yet. */
async function takenFor(orderNo: string) {
  await provider.create({ orderNo, title: 'x', amount: AMOUNT, expiresAt: 1,
    returnUrl: 'https://mall.example' })
  return await simulator.pay(orderNo, { isNotified: false })
}

test('money that came elsewhere is noted once for its reference, and pays', async () => {
  const orderNo = await order()
  const pay = ['pay', orderNo, '--reference', 'bank 4711'] as const
  expect(await run('orders', ...pay)).toEqual([{ order_no: orderNo, outcome: 'paid' }])
  expect(await run('orders', ...pay))
    .toEqual([{ order_no: orderNo, outcome: 'known', status: 'applied' }])
  expect(process.exitCode).toBeUndefined()
  expect(await run('payments', 'show', orderNo)).toMatchObject(
    [{ payment: 'operator:bank 4711', status: 'applied', amount: AMOUNT }])
})

test('another amount does not pay, waits to go back, and is noted as returned', async () => {
  const orderNo = await order()
  expect(await run('orders', 'pay', orderNo, '--reference', 'b1', '--amount', '2500'))
    .toEqual([{ order_no: orderNo, outcome: 'stray', why: 'amount' }])
  expect(process.exitCode).toBe(1)
  const waiting = await run('payments', 'list')
  expect(waiting).toContainEqual(expect.objectContaining(
    { order_no: orderNo, payment: 'operator:b1', owed: 2500 }))
  const returned = ['returned', orderNo, '--payment', 'operator:b1', '--reference', 'b2'] as const
  expect(await run('payments', ...returned)).toMatchObject([{ outcome: 'returned', amount: 2500 }])
  await expect(run('payments', ...returned)).rejects.toThrow(ConfigError)
  expect(await run('payments', 'list')).not.toContainEqual(
    expect.objectContaining({ order_no: orderNo }))
})

test.each([['--reference', ''], ['--reference', 'x\n'], ['--reference', 'x'.repeat(65)]])(
  'a reference that is none is refused: %s %j', async (...words) => {
    await expect(run('orders', 'pay', await order(), ...words)).rejects.toThrow(ConfigError)
  })

test('a day is reconciled: what is missing, differs, went back, or nobody took', async () => {
  const [good, lost, wrong, back, ghost] =
    await Promise.all(Array.from({ length: 5 }, order)) as [string, ...string[]]
  const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  const record = async (orderNo: string, change: object = {}) =>
    payments.record({ ...await takenFor(orderNo), ...change }, provider.name, 'live')
  await record(good)
  await takenFor(lost!)
  await record(wrong!, { amount: 1 })
  await record(back!)
  await shop.orders.move('cancel_paid', back!)
  await payments.record({ paymentId: 'P0', orderNo: ghost!, amount: AMOUNT, currency: 'CNY',
    paidAt: Date.now() }, provider.name, 'live')
  const differences = await run('payments', 'reconcile', '--day', day)
  expect(process.exitCode).toBe(1)
  expect(differences.map(({ difference, order_no }) => [difference, order_no]).toSorted())
    .toEqual([['amount', wrong], ['not_at_provider', ghost], ['not_recorded', lost],
      [undefined, undefined]].toSorted())
  expect(differences.at(-1)).toMatchObject({ day, payments: 4, amount: 4 * AMOUNT, refunded: 0 })
  await run('payments', 'reconcile', '--day', day, '--record')
  expect(await run('payments', 'show', lost!)).toMatchObject([{ status: 'applied' }])
  await refundsWorker({ ledger, payments, providers: [provider], log }).tick()
  const after = await run('payments', 'reconcile', '--day', day)
  expect(after.map(({ order_no }) => order_no)).not.toContain(lost)
  expect(after.at(-1)).toMatchObject({ refunded: AMOUNT + 1 })
})

beforeAll(() => { process.exitCode = undefined })

test.each(['2026-13-01', '2026-02-30', 'today', '20261122'])('%s is no day', async (day) => {
  await expect(run('payments', 'reconcile', '--day', day)).rejects.toThrow(ConfigError)
})
