/** A service that takes real money, against a provider over HTTP: the whole way of the money. */
import { afterAll, expect, test } from 'vitest'
import { startPaymentSimulator } from '../../adapters/payment/simulator.ts'
import { createOrder } from '../operations/create-order.ts'
import { getOrderStatus } from '../operations/get-order-status.ts'
import { openProvider } from '../orders/payment-provider.ts'
import { ledger as keys } from '../redis/keys.ts'
import { outboxEvent } from '../redis/streams.ts'
import { orderInput } from './live.ts'
import { randomAddress, startTestNode } from './node.ts'
import { supplyProduct, type Product } from './products.ts'
import { emptyLedger } from './spare.ts'
import { inject } from 'vitest'

const MERCHANT = { merchantId: 'M1', secrets: ['a-payment-secret-of-these-tests-0001'] }
const simulator = await startPaymentSimulator({
  ...MERCHANT, clock: { now: () => Date.now() }, retryMs: [50, 50, 50],
})
const own = await emptyLedger()
const { shelfUrl } = inject('redis')
const live = {
  sandbox: false, redis: { shelf: shelfUrl, ledger: own, counters: own },
  payment: { url: simulator.url, ...MERCHANT, pages: [] },
}
const node = await startTestNode({ ...live, paymentWindowMs: 60_000 })
const second = await startTestNode({ ...live, paymentWindowMs: 60_000 })
afterAll(async () => {
  await Promise.all([node.stop(), second.stop()])
  await simulator.close()
})
const key = await node.newKey()
const { ledger, orders } = node.services

/** Where notices go: the tests' nodes have no public address. */
const callback = (to = node) => ({ url: `${to.url}/payments/callback` })

interface Placed { orderNo: string, product: Product, payUrl: URL }

async function place(): Promise<Placed> {
  const product = await supplyProduct(ledger)
  const { envelope: { data } } = await node.rest(createOrder, orderInput({
    product_id: product.productId, merchant_id: product.merchantId,
  }), key)
  return { orderNo: data.order_no as string, product, payUrl: new URL(data.pay_url as string) }
}

const read = async (orderNo: string) =>
  (await node.rest(getOrderStatus, { order_no: orderNo }, key)).envelope.data

const ENGLISH = { headers: { 'Accept-Language': 'en' } }
const page = ({ payUrl }: Placed) =>
  fetch(`${node.url}${payUrl.pathname}${payUrl.search}`, ENGLISH)

const press = ({ payUrl }: Placed) => fetch(`${node.url}${payUrl.pathname}`, {
  method: 'POST', redirect: 'manual',
  body: new URLSearchParams({ t: payUrl.searchParams.get('t') ?? '' }),
})

test('order, cashier, provider\'s page, notice, paid: and the page says so', async () => {
  const order = await place()
  const waiting = await page(order)
  const html = await waiting.text()
  expect(html).toContain('Go to the payment')
  expect(html).not.toContain('andbox')
  expect(waiting.headers.get('content-security-policy'))
    .toContain(`form-action 'self' ${simulator.url};`)
  const pressed = await press(order)
  expect(pressed.status).toBe(303)
  const payerPage = pressed.headers.get('location') ?? ''
  expect(new URL(payerPage).origin).toBe(simulator.url)
  expect(simulator.created(order.orderNo)).toMatchObject(
    { amount: 2590, returnUrl: order.payUrl.href })
  expect((await press(order)).headers.get('location')).toBe(payerPage)
  const taken = await simulator.pay(order.orderNo, { isNotified: false })
  expect(await simulator.deliver(taken, callback())).toBe(200)
  expect(await read(order.orderNo)).toMatchObject({ status: 'paid' })
  expect(await (await page(order)).text()).toContain('This order is paid')
})

test('a notice that comes often, at once and on two nodes pays once', async () => {
  const order = await place()
  await press(order)
  const taken = await simulator.pay(order.orderNo, { isNotified: false })
  const statuses = await Promise.all(Array.from({ length: 12 }, (_, at) =>
    simulator.deliver(taken, callback(at % 2 ? node : second))))
  expect(new Set(statuses)).toEqual(new Set([200]))
  const { partition } = order.product
  const paid = (await ledger.xrange(keys.outbox(partition), '-', '+'))
    .map((entry) => outboxEvent(partition, entry))
    .filter(({ orderNo, type }) => orderNo === order.orderNo && type === 'paid')
  expect(paid).toHaveLength(1)
  expect(await orders.payments.of(order.orderNo)).toHaveLength(1)
})

test('what comes after the order closed goes back by itself, and the page says so', async () => {
  const order = await place()
  await press(order)
  await ledger.hset(keys.order(order.product.partition, order.orderNo), 'expires_at', '1')
  expect((await orders.move('expire', order.orderNo)).code).toBe('moved')
  simulator.holdRefunds(1)
  const taken = await simulator.pay(order.orderNo, { isNotified: false })
  expect(await simulator.deliver(taken, callback())).toBe(200)
  await expect.poll(() => simulator.holds(order.orderNo)).toBe(0)
  await expect.poll(() => read(order.orderNo)).toMatchObject(
    { status: 'closed', refund: { amount: 2590, status: 'arrived' } })
  const html = await (await page(order)).text()
  expect(html).toContain('The payment arrived when the order was closed.')
  expect(html).toContain('¥25.90 was given back')
  expect(html).not.toContain('Nothing was charged')
})

test('a payment whose notice is lost is found before its order closes', async () => {
  const order = await place()
  await press(order)
  await simulator.pay(order.orderNo, { isNotified: false })
  const { partition } = order.product
  // Its first question is due in 15 s.
  expect(await ledger.zadd(keys.paymentChecks(partition), 'XX', 'CH', '1', order.orderNo)).toBe(1)
  await expect.poll(async () => (await read(order.orderNo)).status).toBe('paid')
})

test('a completed order is refunded by the operator, at the provider, too', async () => {
  const order = await place()
  await press(order)
  const taken = await simulator.pay(order.orderNo, { isNotified: false })
  await simulator.deliver(taken, callback())
  for (const move of ['accept', 'ship', 'deliver', 'complete', 'refund_completed'] as const) {
    expect((await orders.move(move, order.orderNo)).code).toBe('moved')
  }
  expect(simulator.holds(order.orderNo)).toBe(2590)
  await expect.poll(() => simulator.holds(order.orderNo)).toBe(0)
  await expect.poll(() => read(order.orderNo)).toMatchObject(
    { status: 'refunded', refund: { amount: 2590, status: 'arrived' } })
})

test('a provider that is down costs the payer a page that says later, and no order', async () => {
  const order = await place()
  simulator.faults.add('create', 'error_500', 2)
  expect((await press(order)).status).toBe(503)
  simulator.faults.clear()
  await expect.poll(async () => (await press(order)).status).toBe(303)
})

test('nothing but the provider\'s signature pays, and those who try are slowed', async () => {
  const order = await place()
  await press(order)
  const taken = await simulator.pay(order.orderNo, { isNotified: false })
  const forged = { ...callback(), secret: 'a-secret-that-somebody-else-made-up-01' }
  expect(await simulator.deliver(taken, forged)).toBe(401)
  expect(await simulator.deliver(taken, { ...callback(), time: 0 })).toBe(401)
  expect(await simulator.deliver(taken, { ...callback(), body: '{}' })).toBe(400)
  expect(await read(order.orderNo)).toMatchObject({ status: 'pending_payment' })
  const stranger = randomAddress()
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await fetch(
    callback().url, { method: 'POST', body: 'x'.repeat(1000),
      headers: { 'X-Forwarded-For': stranger } })).status))
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  const large = await fetch(callback().url, { method: 'POST', body: 'x'.repeat(70_000) })
  expect(large.status).toBe(413)
  expect(await simulator.deliver(taken, callback())).toBe(200)
})

test('without a provider the cashier has no button and says how the merchant is paid', async () => {
  const bare = await startTestNode({ ...live, payment: undefined })
  const order = await place()
  const html = await (await fetch(
    `${bare.url}${order.payUrl.pathname}${order.payUrl.search}`, ENGLISH)).text()
  expect(html).toContain('The merchant is not paid on this page')
  expect(html).not.toContain('<form')
  expect((await fetch(`${bare.url}/payments/callback`, { method: 'POST' })).status).toBe(404)
  await bare.stop()
  expect(openProvider({ sandbox: false, payment: undefined, publicUrl: '' })).toBeUndefined()
})
