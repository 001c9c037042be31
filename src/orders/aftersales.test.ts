import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { ledger as keys } from '../redis/keys.ts'
import { openTwoNodes } from '../testing/own-shop.ts'
import {
  attemptAt, newBuyer, RECEIVER, refusalOf, stockOf, supplyProduct, type Product,
} from '../testing/products.ts'
import type { AftersaleInput } from './aftersales.ts'
import type { PlaceInput } from './place-order.ts'
import type { MoveName } from './states.ts'

const [shop, other] = await openTwoNodes()

const WAY: readonly MoveName[] = ['pay', 'accept', 'ship', 'deliver']
const BUYER = { agent: '', account: '' }

async function orderAt(
  last: MoveName | undefined, given: Partial<PlaceInput> = {}, buyer = newBuyer(),
): Promise<{ orderNo: string, product: Product, buyer: typeof BUYER }> {
  const product = await supplyProduct(shop.ledger)
  const { order_no: orderNo } = await shop.orders.place(attemptAt(product, given), buyer)
  const moves = last === undefined ? [] : WAY.slice(0, WAY.indexOf(last) + 1)
  for (const name of moves) await shop.orders.move(name, orderNo)
  return { orderNo, product, buyer }
}

const RETURN = { type: 'return_refund', reason_class: 'quality' } as const
const REFUND = { type: 'refund_only' } as const

const ask = (orderNo: string, wish: Partial<AftersaleInput>): AftersaleInput =>
  ({ order_no: orderNo, type: 'refund_only', ...wish })

describe('what it would bring', () => {
  test.each([
    ['before shipping all of it, at once', 'pay', REFUND,
      { refund_amount: 2590, return_freight_payer: 'user' }],
    ['for a fault all of it, and the freight is ours', 'deliver', RETURN,
      { refund_amount: 2590, return_freight_payer: 'us' }],
    ['without a reason the goods, and the user pays both ways', 'deliver',
      { type: 'return_refund', reason_class: 'no_reason' },
      { refund_amount: 1990, return_freight_payer: 'user', freight_amount: 1000 }],
    ['who brings it themselves pays no pickup', 'deliver',
      { type: 'return_refund', pickup: false },
      { refund_amount: 1990, return_freight_payer: 'user' }],
    ['a lost parcel is ours', 'ship', { type: 'refund_only', reason_class: 'shipping_issue' },
      { refund_amount: 2590, return_freight_payer: 'us' }],
  ] as const)('%s', async (_, last, wish, terms) => {
    const { orderNo, buyer } = await orderAt(last)
    const preview = await shop.orders.requestAftersale(
      ask(orderNo, { ...wish, preview: true }), buyer)
    expect(preview).toEqual({ eligible: true, ...terms, quota_left: 5 })
    const filed = await shop.orders.requestAftersale(ask(orderNo, wish), buyer)
    expect(filed).toMatchObject({ ...terms, duplicate: false, quota_left: 4 })
  })

  test.each([
    ['an unpaid order is cancelled, not returned', undefined, RETURN, 'order_state'],
    ['nothing can be sent back before it shipped', 'accept', RETURN, 'aftersale_refused'],
    ['keeping goods and money needs a reason', 'deliver', REFUND, 'aftersale_refused'],
  ] as const)('%s', async (_, last, wish, error) => {
    const { orderNo, buyer } = await orderAt(last)
    const preview = await shop.orders.requestAftersale(
      ask(orderNo, { ...wish, preview: true }), buyer)
    expect(preview).toMatchObject({ eligible: false, why: expect.any(String), refund_amount: 0 })
    const refusal = await refusalOf(shop.orders.requestAftersale(ask(orderNo, wish), buyer))
    expect(refusal).toMatchObject({ error, why: preview.why })
    expect(await shop.orders.aftersales(buyer.agent, orderNo)).toEqual([])
  })

  test('a completed order is past it, and says what is allowed', async () => {
    const { orderNo, buyer } = await orderAt('deliver')
    await shop.orders.move('complete', orderNo)
    expect(await refusalOf(shop.orders.requestAftersale(ask(orderNo, RETURN), buyer)))
      .toMatchObject({ error: 'order_state', status: 'completed', allowed: [] })
  })

  test('a preview changes nothing', async () => {
    const { orderNo, buyer, product } = await orderAt('pay')
    const before = await shop.orders.read(buyer.agent, orderNo)
    await shop.orders.requestAftersale(ask(orderNo, { ...REFUND, preview: true }), buyer)
    expect(await shop.orders.read(buyer.agent, orderNo)).toEqual(before)
    expect(await stockOf(shop.ledger, product)).toBe(9)
  })
})

test('before shipping the order is refunded at once and its units are back', async () => {
  const { orderNo, buyer, product } = await orderAt('accept')
  const answer = await shop.orders.requestAftersale(ask(orderNo, REFUND), buyer)
  expect(answer).toMatchObject({ status: 'refunded', next_actions: [] })
  expect(answer.poll_after_s).toBeUndefined()
  const order = await shop.orders.read(buyer.agent, orderNo)
  expect(order.status).toBe('refunded')
  expect(order.events.map(({ event }) => event).slice(-2))
    .toEqual(['aftersale_requested', 'refunded'])
  expect(await stockOf(shop.ledger, product)).toBe(10)
})

describe('a return', () => {
  test('goes its way to the refund; units come back with the goods', async () => {
    const { orderNo, buyer, product } = await orderAt('ship')
    const { aftersale_id: id = '' } = await shop.orders
      .requestAftersale(ask(orderNo, RETURN), buyer)
    const aftersale = { id, type: 'return_refund', hasPickup: true } as const
    for (const name of ['approve_return', 'book_pickup', 'collect', 'receive'] as const) {
      const detail = shop.orders.driver.detail(name, id)
      expect((await shop.orders.move(name, orderNo, { aftersale, ...(detail && { detail }) })).code)
        .toBe('moved')
      // The parcel may arrive while its return is being prepared.
      if (name === 'approve_return') await shop.orders.move('deliver', orderNo)
    }
    expect(await stockOf(shop.ledger, product)).toBe(9)
    await shop.orders.move('refund_returned', orderNo, { aftersale })
    expect(await stockOf(shop.ledger, product)).toBe(10)
    const order = await shop.orders.read(buyer.agent, orderNo)
    expect(order).toMatchObject({
      status: 'refunded',
      aftersale: { aftersale_id: id, status: 'refunded', pickup_waybill_no: expect.any(String) },
    })
    const [item] = await shop.orders.aftersales(buyer.agent, orderNo)
    expect(item?.events.map(({ status }) => status)).toEqual([
      'requested', 'approved', 'pickup_booked', 'returning', 'received', 'refunded',
    ])
  })

  test('is not decided as a refund whose goods the buyer keeps', async () => {
    const { orderNo, buyer } = await orderAt('deliver')
    const { aftersale_id: id = '' } = await shop.orders
      .requestAftersale(ask(orderNo, RETURN), buyer)
    const aftersale = { id, type: 'return_refund', hasPickup: true } as const
    expect(await shop.orders.move('approve_refund', orderNo, { aftersale }))
      .toEqual({ code: 'aftersale', status: 'delivered' })
    expect(await shop.orders.read(buyer.agent, orderNo))
      .toMatchObject({ status: 'delivered', aftersale: { status: 'requested' } })
  })

  test('holds up the completion as long as it is open', async () => {
    const { orderNo, buyer } = await orderAt('deliver')
    await shop.orders.requestAftersale(ask(orderNo, RETURN), buyer)
    expect((await shop.orders.move('complete', orderNo)).code).toBe('aftersale')
    await shop.orders.cancelAftersale(buyer.agent, orderNo)
    expect((await shop.orders.move('complete', orderNo)).code).toBe('moved')
  })

  test('can be taken back until it is collected, again and again', async () => {
    const { orderNo, buyer } = await orderAt('deliver')
    const { aftersale_id: id = '' } = await shop.orders
      .requestAftersale(ask(orderNo, RETURN), buyer)
    const first = await shop.orders.cancelAftersale(buyer.agent, orderNo)
    expect(first).toMatchObject({ aftersale_id: id, status: 'cancelled' })
    expect(await other.orders.cancelAftersale(buyer.agent, orderNo)).toEqual(first)

    const { aftersale_id: next = '' } = await shop.orders
      .requestAftersale(ask(orderNo, { ...RETURN, reason: 'again' }), buyer)
    const aftersale = { id: next, type: 'return_refund', hasPickup: false } as const
    for (const name of ['approve_return', 'collect'] as const) {
      await shop.orders.move(name, orderNo, { aftersale })
    }
    expect(await refusalOf(shop.orders.cancelAftersale(buyer.agent, orderNo)))
      .toMatchObject({ error: 'aftersale_refused', aftersale_id: next })
  })

  test('that is open is the only one, and the refusal names it', async () => {
    const { orderNo, buyer } = await orderAt('deliver')
    const { aftersale_id } = await shop.orders.requestAftersale(ask(orderNo, RETURN), buyer)
    expect(await refusalOf(shop.orders.requestAftersale(
      ask(orderNo, { ...RETURN, reason: 'other' }), buyer)))
      .toMatchObject({ error: 'aftersale_refused', aftersale_id, aftersale_status: 'requested' })
  })
})

test('goods that the buyer keeps do not go back to the stock', async () => {
  const { orderNo, buyer, product } = await orderAt('deliver')
  const { aftersale_id: id = '' } = await shop.orders
    .requestAftersale(ask(orderNo, { ...REFUND, reason_class: 'quality' }), buyer)
  const aftersale = { id, type: 'refund_only', hasPickup: false } as const
  for (const name of ['approve_refund', 'refund_kept'] as const) {
    expect((await shop.orders.move(name, orderNo, { aftersale })).code).toBe('moved')
  }
  expect(await shop.orders.read(buyer.agent, orderNo)).toMatchObject({ status: 'refunded' })
  expect(await stockOf(shop.ledger, product)).toBe(9)
})

describe('asked again', () => {
  test('with its key: the one that was filed, as it is now, from any node', async () => {
    const { orderNo, buyer } = await orderAt('deliver')
    const request = ask(orderNo, { ...RETURN, idempotency_key: randomUUID() })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? shop : other).orders.requestAftersale(request, buyer)))
    expect(new Set(answers.map(({ aftersale_id }) => aftersale_id)).size).toBe(1)
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
    await shop.orders.cancelAftersale(buyer.agent, orderNo)
    expect(await other.orders.requestAftersale(request, buyer))
      .toMatchObject({ status: 'cancelled', duplicate: true })
    const preview = await shop.orders.requestAftersale({ ...request, preview: true }, buyer)
    expect(preview.quota_left, 'one request took one place').toBe(4)
  })

  test('without a key: the same request is the one that stands', async () => {
    const { orderNo, buyer } = await orderAt('deliver')
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? shop : other).orders.requestAftersale(ask(orderNo, RETURN), buyer)))
    expect(new Set(answers.map(({ aftersale_id }) => aftersale_id)).size).toBe(1)
    expect(await shop.orders.aftersales(buyer.agent, orderNo)).toHaveLength(1)
    expect(await shop.orders.requestAftersale(ask(orderNo, { ...RETURN, preview: true }), buyer))
      .toMatchObject({ quota_left: 4 })
  })

  test('by whoever gets no answer: the replay keeps its key for good', async () => {
    const { orderNo, buyer } = await orderAt('deliver')
    const key = randomUUID()
    const request = ask(orderNo, { ...RETURN, idempotency_key: key })
    await shop.orders.requestAftersale(request, buyer)
    const claim = keys.idempotency(buyer.agent, 'request_aftersale', key)
    await shop.ledger.expire(claim, 1000)
    await other.orders.requestAftersale(request, buyer)
    expect(await shop.ledger.ttl(claim)).toBe(-1)
  })

  test('its key with another body is 422, also after the claim was lost', async () => {
    const { orderNo, buyer } = await orderAt('deliver')
    const idempotency_key = randomUUID()
    const request = ask(orderNo, { ...RETURN, idempotency_key })
    const { aftersale_id } = await shop.orders.requestAftersale(request, buyer)
    const claim = keys.idempotency(buyer.agent, 'request_aftersale', idempotency_key)
    expect(await refusalOf(shop.orders.requestAftersale({ ...request, reason: 'x' }, buyer)))
      .toEqual({ error: 'idempotency_mismatch' })
    await shop.ledger.del(claim)
    expect(await refusalOf(shop.orders.requestAftersale({ ...request, reason: 'x' }, buyer)))
      .toEqual({ error: 'idempotency_mismatch' })
    await shop.ledger.del(claim)
    expect(await shop.orders.requestAftersale(request, buyer))
      .toMatchObject({ aftersale_id, duplicate: true })
  })
})

describe('a person', () => {
  test('has five requests in a window, over all orders and nodes of the account', async () => {
    const buyer = newBuyer()
    const orders = await Promise.all(Array.from({ length: 12 }, () =>
      orderAt('deliver', { user_ref: 'u-1' }, { ...buyer, agent: `ag_${randomUUID()}` })))
    const results = await Promise.allSettled(orders.map(({ orderNo, buyer: { agent } }, index) =>
      (index % 2 ? shop : other).orders.requestAftersale(ask(orderNo, RETURN),
        { ...buyer, agent })))
    const granted = results.filter(({ status }) => status === 'fulfilled')
    const refused = results.flatMap((result) => (result.status === 'rejected'
      ? [(result.reason as Refusal)] : []))
    expect(granted).toHaveLength(5)
    expect(refused.map(({ error }) => error)).toEqual(Array.from({ length: 7 }, () =>
      'aftersale_quota'))
    expect(refused[0]?.detail.retry_after_s).toBeGreaterThan(29 * 86_400)
  })

  test('is the phone where no user_ref is given, however it is written', async () => {
    const buyer = newBuyer()
    const receivers = ['13800009999', '+86 138 0000 9999', '138-0000-9999', '0086 13800009999']
      .map((phone) => ({ ...RECEIVER, phone }))
    const left = []
    for (const receiver of receivers) {
      const { orderNo } = await orderAt('deliver', { receiver }, buyer)
      left.push((await shop.orders.requestAftersale(ask(orderNo, RETURN), buyer)).quota_left)
    }
    expect(left).toEqual([4, 3, 2, 1])
  })

  test('is not another account\'s of the same name', async () => {
    for (const { orderNo, buyer } of [await orderAt('deliver', { user_ref: 'u-1' }),
      await orderAt('deliver', { user_ref: 'u-1' })]) {
      expect(await shop.orders.requestAftersale(ask(orderNo, RETURN), buyer))
        .toMatchObject({ quota_left: 4 })
    }
  })

  test('cannot be exchanged for another in the request', async () => {
    const { orderNo, buyer } = await orderAt('deliver', { user_ref: 'u-1' })
    expect(await refusalOf(shop.orders.requestAftersale(
      ask(orderNo, { ...RETURN, user_ref: 'u-2' }), buyer)))
      .toMatchObject({ error: 'invalid_request', fields: [{ path: 'user_ref' }] })
  })

  test('keeps the place that a refused request had taken', async () => {
    const { orderNo, buyer } = await orderAt('deliver')
    await shop.orders.requestAftersale(ask(orderNo, RETURN), buyer)
    await refusalOf(shop.orders.requestAftersale(ask(orderNo, { ...RETURN, reason: 'x' }), buyer))
    expect(await shop.orders.requestAftersale(ask(orderNo, { ...RETURN, preview: true }), buyer))
      .toMatchObject({ quota_left: 4 })
  })
})

test('the latest is the one that the order names, whatever the clock said', async () => {
  const { orderNo, buyer, product } = await orderAt('deliver')
  const first = await shop.orders.requestAftersale(ask(orderNo, RETURN), buyer)
  await shop.orders.cancelAftersale(buyer.agent, orderNo)
  // As a new master leaves it whose clock is behind its predecessor's.
  await shop.ledger.hset(keys.after(product.partition, orderNo),
    `${first.aftersale_id}.at.requested`, 9_000_000_000_000)
  const second = await shop.orders.requestAftersale(ask(orderNo, { ...RETURN, reason: 'b' }), buyer)
  const order = await shop.orders.read(buyer.agent, orderNo)
  expect(order.aftersale).toMatchObject({ aftersale_id: second.aftersale_id, status: 'requested' })
})

test('another agent\'s order is as unknown as none', async () => {
  const { orderNo } = await orderAt('deliver')
  const stranger = newBuyer()
  const { orders } = shop
  for (const work of [orders.requestAftersale(ask(orderNo, RETURN), stranger),
    orders.cancelAftersale(stranger.agent, orderNo), orders.cancel(stranger.agent, orderNo),
    orders.aftersales(stranger.agent, orderNo)]) {
    expect(await refusalOf(work)).toEqual({ error: 'not_found' })
  }
})
