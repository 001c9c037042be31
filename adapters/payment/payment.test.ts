/** The provider over HTTP against its simulator: what is signed, repeated, late, or broken. */
import { afterAll, describe, expect, test } from 'vitest'
import { SourceError } from '../contract.ts'
import { createPaymentGateway } from './adapter.ts'
import { request, SKEW_MS } from './signing.ts'
import { startPaymentSimulator } from './simulator.ts'

const SECRET = 'a-secret-that-only-these-tests-use-0001'
const OTHER = 'another-secret-of-at-least-32-characters'
let now = Date.UTC(2026, 10, 22, 4)
// It goes on with each look: calls are counted by it.
const clock = { now: () => (now += 20) }
const simulator = await startPaymentSimulator({
  clock, merchantId: 'M1', secrets: [SECRET], retryMs: [],
})
const settings = simulator.settings('http://127.0.0.1:9')
const gateway = createPaymentGateway({ settings, clock })
afterAll(async () => {
  await gateway.close()
  await simulator.close()
})

let orders = 0
async function created(amount = 2590) {
  const orderNo = `AM${orders += 1}`
  const { url } = await gateway.create({
    orderNo, title: '测试商品 <b>', amount, expiresAt: now + 60_000,
    returnUrl: 'https://mall.example/pay/1?t=x',
  }) as { url: string }
  return { orderNo, url }
}

/** A notice as the simulator sends it, caught instead of delivered. */
async function notice(change: Parameters<typeof simulator.deliver>[1] = {}) {
  const { createServer } = await import('node:http')
  const { orderNo } = await created()
  const taken = await simulator.pay(orderNo, { isNotified: false })
  let caught: { headers: Record<string, unknown>, body: Buffer } | undefined
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => { chunks.push(chunk) }).on('end', () => {
      caught = { headers: incoming.headers, body: Buffer.concat(chunks) }
      response.end()
    })
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  const { port } = server.address() as { port: number }
  await simulator.deliver(taken, { url: `http://127.0.0.1:${port}`, ...change })
  await new Promise((resolve) => { server.close(resolve) })
  const { headers, body } = caught!
  return { header: (name: string) => headers[name] as string | undefined, body, taken }
}

describe('a payment', () => {
  test('is created once for an order, and leads to a page of the provider', async () => {
    const { orderNo, url } = await created()
    expect(new URL(url).origin).toBe(simulator.url)
    const again = await gateway.create({ orderNo, title: '', amount: 2590, expiresAt: now,
      returnUrl: 'https://mall.example' })
    expect(again).toEqual({ url })
    await expect(gateway.create({ orderNo, title: '', amount: 1, expiresAt: now,
      returnUrl: 'https://mall.example' })).rejects.toMatchObject({ kind: 'permission' })
  })

  test('is found by its order, also where somebody paid twice', async () => {
    const { orderNo } = await created()
    expect(await gateway.query(orderNo)).toEqual([])
    const first = await simulator.pay(orderNo, { isNotified: false })
    const second = await simulator.pay(orderNo, { amount: 1, currency: 'USD', isNotified: false })
    expect(await gateway.query(orderNo)).toEqual([first, second])
  })

  test('does not lead to a page of anybody else', async () => {
    const strict = createPaymentGateway({ clock, settings: {
      ...settings, baseUrl: simulator.url.replace('127.0.0.1', 'localhost') } })
    await expect(strict.create({ orderNo: 'AM-x', title: '', amount: 1, expiresAt: now,
      returnUrl: 'https://mall.example' })).rejects.toMatchObject({ code: 'page_origin' })
    await strict.close()
  })

  test('its page shows a title as text', async () => {
    const { url } = await created()
    expect(await (await fetch(url)).text()).toContain('&lt;b&gt;')
  })
})

describe('a refund', () => {
  test('is made once, however often it is asked for', async () => {
    const { orderNo } = await created()
    const { paymentId } = await simulator.pay(orderNo, { isNotified: false })
    const wanted = { refundId: `R-${orderNo}`, paymentId, orderNo, amount: 2000, currency: 'CNY' }
    simulator.holdRefunds(1)
    expect(await gateway.refund(wanted)).toBe('pending')
    expect(await gateway.refund(wanted)).toBe('refunded')
    expect(await gateway.refund(wanted)).toBe('refunded')
    expect(simulator.holds(orderNo)).toBe(590)
    await expect(gateway.refund({ ...wanted, refundId: 'R-more' }))
      .rejects.toMatchObject({ kind: 'permission' })
  })

  test.each(['reset', 'error_500', 'html', 'truncated'] as const)(
    'whose answer is lost (%s) is asked for again without harm', async (kind) => {
      const { orderNo } = await created()
      const { paymentId } = await simulator.pay(orderNo, { isNotified: false })
      const wanted = { refundId: `R-${orderNo}`, paymentId, orderNo, amount: 1, currency: 'CNY' }
      simulator.faults.add('refund', kind, 2)
      const attempt = gateway.refund(wanted)
      await expect(attempt).rejects.toBeInstanceOf(SourceError)
      simulator.faults.clear()
      expect(await gateway.refund(wanted)).toBe('refunded')
      expect(simulator.holds(orderNo)).toBe(2589)
    })
})

test('the list of a day has all of it, page by page, with what went back', async () => {
  now += 3 * 86_400_000
  const taken = []
  for (let count = 0; count < 201; count += 1) {
    const { orderNo } = await created()
    taken.push(await simulator.pay(orderNo, { isNotified: false }))
  }
  await gateway.refund({ refundId: 'R-day', ...taken[0]!, amount: 90 })
  const listed = await gateway.listDay('2026-11-25')
  expect(listed.map(({ paymentId }) => paymentId)).toEqual(taken.map(({ paymentId }) => paymentId))
  expect(listed[0]?.refunded).toBe(90)
  expect(await gateway.listDay('2026-11-24')).toEqual([])
})

describe('a notice', () => {
  test('that is signed tells the payment', async () => {
    const { taken, ...raw } = await notice()
    expect(gateway.readNotice(raw)).toEqual({ kind: 'payment', payment: taken })
  })

  test('is read with a new secret beside the old one', async () => {
    const { taken, ...raw } = await notice()
    const rotating = createPaymentGateway({
      clock, settings: { ...settings, secrets: [OTHER, SECRET] },
    })
    expect(rotating.readNotice(raw)).toEqual({ kind: 'payment', payment: taken })
    await rotating.close()
  })

  test.each<[string, Parameters<typeof notice>[0], string]>([
    ['signed by somebody else', { secret: OTHER }, 'signature'],
    ['from before the window', { time: now - SKEW_MS - 2000 }, 'time'],
    ['from the future', { time: now + SKEW_MS + 2000 }, 'time'],
    ['of no time', { time: NaN }, 'time'],
    ['that is no JSON', { body: '{"type":' }, 'format'],
    ['of a negative amount', { body: JSON.stringify({ type: 'payment.succeeded', payment: {
      payment_id: 'P1', order_no: 'AM1', amount: -5, currency: 'CNY', paid_at: 1 } }) }, 'format'],
    ['of half a fen', { body: JSON.stringify({ type: 'payment.succeeded', payment: {
      payment_id: 'P1', order_no: 'AM1', amount: 0.5, currency: 'CNY', paid_at: 1 } }) }, 'format'],
    ['with a name that breaks out', { body: JSON.stringify({ type: 'payment.succeeded', payment: {
      payment_id: 'P1 x', order_no: 'AM1', amount: 1, currency: 'CNY', paid_at: 1 } }) }, 'format'],
  ])('%s is refused', async (_, change, why) => {
    const given = { ...change }
    if (given.time !== undefined) given.time += now - Date.UTC(2026, 10, 22, 4)
    expect(gateway.readNotice(await notice(given))).toEqual({ kind: 'refused', why })
  })

  test('that was changed on its way is refused', async () => {
    const { header, body } = await notice()
    const changed = Buffer.from(body.toString().replace('2590', '9590'))
    expect(gateway.readNotice({ header, body: changed }))
      .toEqual({ kind: 'refused', why: 'signature' })
    const stranger = (name: string) => (name === 'x-pay-merchant' ? 'M2' : header(name))
    expect(gateway.readNotice({ header: stranger, body }))
      .toEqual({ kind: 'refused', why: 'signature' })
    expect(gateway.readNotice({ header: () => undefined, body }))
      .toEqual({ kind: 'refused', why: 'signature' })
  })

  test('cannot be made of a request that this side signed', () => {
    const { headers, body = '' } = request(settings, 'POST', '/v1/payments', {
      type: 'payment.succeeded', payment: {
        payment_id: 'P1', order_no: 'AM1', amount: 1, currency: 'CNY', paid_at: 1,
      },
    }, now)
    expect(gateway.readNotice({ header: (name) => headers[name], body: Buffer.from(body) }))
      .toEqual({ kind: 'refused', why: 'signature' })
  })

  test('about something else is taken and means nothing', async () => {
    expect(gateway.readNotice(await notice({ body: '{"type":"refund.succeeded"}' })))
      .toEqual({ kind: 'other' })
  })
})

test.each([
  ['another secret', { secrets: [OTHER] }, 0, 'auth'],
  ['another merchant', { merchantId: 'M2' }, 0, 'auth'],
  ['a clock that is ten minutes off', {}, 600_000, 'clock'],
])('a caller with %s is refused', async (_, change, ahead, kind) => {
  const wrong = createPaymentGateway({
    settings: { ...settings, ...change }, clock: { now: () => now + ahead },
  })
  await expect(wrong.query('AM1')).rejects.toMatchObject({ kind })
  await wrong.close()
})
