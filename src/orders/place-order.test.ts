import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS, Refusal } from '../contract/errors.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import { orderAmount } from '../contract/money.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import {
  attemptAt, inTwoRounds, newBuyer, openShop, RECEIVER, stockOf, supplyProduct, type Product,
  type Shop,
} from '../testing/products.ts'
import { claimKey, type PlaceInput } from './place-order.ts'
import { readOrder } from './record.ts'
import type { PlacedOrder } from './view.ts'

let shop: Shop
/** Another node on the same ledger, which claims keys before it places, as on a cluster. */
let other: Shop

beforeAll(async () => {
  shop = await openShop()
  other = await openShop({}, { wrap: inTwoRounds })
})
afterAll(() => {
  shop.close()
  other.close()
})

const refusalOf = (work: Promise<unknown>): Promise<Refusal> => work.then(
  () => { throw new Error('It was not refused.') },
  (error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })

/** Units that the product's orders hold or have consumed. */
async function held(product: Product, orderNos: Iterable<string>): Promise<number> {
  let units = 0
  for (const orderNo of new Set(orderNos)) {
    units += Number(await shop.ledger.hget(keys.order(product.partition, orderNo), 'held'))
  }
  return units
}

describe('an order is computed by the server', () => {
  test('from the sku\'s price and freight, and answered with all an agent needs', async () => {
    const product = await supplyProduct(shop.ledger)
    const buyer = newBuyer()
    const order = await shop.orders.place(attemptAt(product, { qty: 2 }), buyer)
    expect(order).toEqual({
      order_no: expect.stringMatching(/^AM[0-9A-Z]{18}$/),
      status: 'pending_payment',
      amount: 2 * 1990 + 600,
      items: [{
        product_id: product.productId, sku_id: product.productId * 100 + 1,
        title: `测试商品 ${product.productId}`, qty: 2, unit_price: 1990,
      }],
      goods_amount: 2 * 1990, freight: 600,
      grand_total: 2 * 1990 + 600,
      pay_url: expect.stringContaining(`http://mall.test/pay/${order.order_no}?t=`),
      pay_expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      next_actions: [expect.objectContaining({
        tool: 'get_order_status', arguments: { order_no: order.order_no },
      })],
      poll_after_s: 5,
      render_hint: 'qrcode',
      expire_in_minutes: 30,
      duplicate: false,
    })
    expect(partitionOfOrder(order.order_no)).toBe(product.partition)
    expect(await stockOf(shop.ledger, product)).toBe(8)
  })

  test('in the mode of the service, which it keeps when the service goes live', async () => {
    const live = await openShop({ sandbox: false })
    const product = await supplyProduct(shop.ledger)
    const buyer = newBuyer()
    const attempt = attemptAt(product, { qty: 1 })
    const { order_no: pretended } = await shop.orders.place(attempt, buyer)
    const again = await live.orders.place(attempt, buyer)
    const { order_no: real } = await live.orders.place(attemptAt(product, { qty: 1 }), buyer)
    live.close()
    expect(again).toMatchObject({ order_no: pretended, duplicate: true })
    expect(await readOrder(shop.ledger, pretended)).toMatchObject({ mode: 'sandbox' })
    expect(await readOrder(shop.ledger, real)).toMatchObject({ mode: 'live' })
  })

  test('and is of the sandbox where an older version placed it, without a mode', async () => {
    const product = await supplyProduct(shop.ledger)
    const { order_no: orderNo } =
      await shop.orders.place(attemptAt(product, { qty: 1 }), newBuyer())
    await shop.ledger.hdel(keys.order(product.partition, orderNo), 'mode')
    expect(await readOrder(shop.ledger, orderNo)).toMatchObject({ mode: 'sandbox' })
  })

  test('exactly as money.ts computes it', async () => {
    await fc.assert(fc.asyncProperty(
      fc.integer({ min: 1, max: 100_000_000 }), fc.integer({ min: 1, max: 99 }),
      fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 1_000_000_000 }),
      async (price, qty, freight, threshold) => {
        const product = await supplyProduct(shop.ledger, {
          price, freight, freeShipThreshold: threshold, stock: 99,
        })
        const order = await shop.orders.place(attemptAt(product, { qty }), newBuyer())
        const expected = orderAmount(price, qty, freight, threshold)
        expect(order).toMatchObject({ freight: expected.freight, amount: expected.amount })
        expect(order.items[0]?.unit_price).toBe(price)
      }), { numRuns: 60 })
  })

  test('a phone gets redirect instead of a QR code', async () => {
    const product = await supplyProduct(shop.ledger)
    const order = await shop.orders.place(attemptAt(product, { display: 'mobile' }), newBuyer())
    expect(order.render_hint).toBe('redirect')
  })
})

describe('what cannot be ordered is refused and leaves nothing behind', () => {
  const cases: [string, Partial<Product>, Record<string, string>, Partial<PlaceInput>, object][] = [
    ['another supply', {}, { supply: 'mall_a' }, {}, { error: 'not_found' }],
    ['a delisted item', {}, { delisted: '1' }, {}, { error: 'not_found' }],
    ['a sku without a price', {}, { retail_price: '' }, {}, { error: 'not_found' }],
    ['another merchant', {}, {}, { merchant_id: 7 }, { error: 'merchant_mismatch' }],
    ['more than the cap', { cap: 3 }, {}, { qty: 4 },
      { error: 'qty_over_cap', detail: expect.objectContaining({ qty_cap: 3 }) }],
    ['more than the stock', { stock: 2 }, {}, { qty: 3 },
      { error: 'out_of_stock', detail: expect.objectContaining({ available_qty: 2 }) }],
  ]
  test.each(cases)('%s', async (_, given, facts, wanted, refusal) => {
    const product = await supplyProduct(shop.ledger, given, facts)
    const before = await shop.ledger.xlen(keys.outbox(product.partition))
    const buyer = newBuyer()
    const input = attemptAt(product, wanted)
    expect(await refusalOf(shop.orders.place(input, buyer))).toMatchObject(refusal)
    expect(await stockOf(shop.ledger, product)).toBe(product.stock)
    const [, orderNo = ''] = (await shop.ledger.get(claimKey(buyer.agent, input.idempotency_key))
      ?? '').split(' ')
    expect(await shop.ledger.exists(
      keys.order(product.partition, orderNo), keys.events(product.partition, orderNo))).toBe(0)
    expect(await shop.ledger.zscore(keys.unpaid(product.partition), orderNo)).toBeNull()
    const after = await shop.ledger.xrange(keys.outbox(product.partition), '-', '+')
    expect(after.slice(before).flatMap(([, fields]) => fields)).not.toContain(orderNo)
  })

  test('a product that does not exist is not_found and names the field', async () => {
    const product = await supplyProduct(shop.ledger)
    const input = attemptAt(product, { product_id: product.productId - 256 })
    expect(await refusalOf(shop.orders.place(input, newBuyer()))).toMatchObject({
      error: 'not_found', detail: { fields: [{ path: 'product_id' }] },
    })
  })
})

describe('one order per key', () => {
  test('many at once, over two nodes: one order, one decrement, one first answer', async () => {
    const product = await supplyProduct(shop.ledger)
    const [buyer, input] = [newBuyer(), attemptAt(product, { qty: 3 })]
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) =>
      (index % 2 ? shop : other).orders.place(input, buyer)))
    expect(new Set(answers.map(({ order_no }) => order_no)).size).toBe(1)
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
    expect(await stockOf(shop.ledger, product)).toBe(7)
    const orderNo = answers[0]?.order_no ?? ''
    expect(await shop.ledger.llen(keys.events(product.partition, orderNo))).toBe(1)
  })

  test('a replay shows the order as it is now', async () => {
    const product = await supplyProduct(shop.ledger)
    const [buyer, input] = [newBuyer(), attemptAt(product)]
    const first = await shop.orders.place(input, buyer)
    await shop.orders.move('pay', first.order_no)
    const { quote_token } = await shop.orders.preview(input)
    const again = await other.orders.place({ ...input, display: 'mobile', quote_token }, buyer)
    expect(again).toMatchObject({
      order_no: first.order_no, status: 'paid', amount: first.amount, duplicate: true,
    })
    expect(again.pay_url).toBeUndefined()
  })

  const others: [string, (input: PlaceInput) => Partial<PlaceInput>][] = [
    ['another quantity', ({ qty }) => ({ qty: qty + 1 })],
    ['another receiver', () => ({ receiver: { ...RECEIVER, address: '别处' } })],
    ['a user_ref', () => ({ user_ref: 'someone' })],
    ['another merchant', () => ({ merchant_id: 9 })],
    ['another product', ({ product_id }) => ({ product_id: product_id - 1 })],
  ]
  test.each(others)('the same key with %s is 422, nothing of it is shown', async (_, change) => {
    const product = await supplyProduct(shop.ledger)
    const [buyer, input] = [newBuyer(), attemptAt(product)]
    const first = await shop.orders.place(input, buyer)
    const refusal = await refusalOf(shop.orders.place({ ...input, ...change(input) }, buyer))
    expect(refusal.error).toBe('idempotency_mismatch')
    expect(refusal.detail).toEqual({})
    expect(JSON.stringify(refusal)).not.toContain(first.order_no)
    expect(await stockOf(shop.ledger, product)).toBe(9)
  })

  test('a refused order that is corrected needs a new key, and the hint says so', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 1, cap: 5 })
    const right = attemptAt(product)
    const wrongs: Partial<PlaceInput>[] = [
      { qty: 2 }, { qty: 6 }, { merchant_id: right.merchant_id + 1 }, { product_id: 999_999_999 },
    ]
    for (const wrong of wrongs) {
      const [buyer, input] = [newBuyer(), { ...attemptAt(product), ...wrong }]
      const { error, detail } = await refusalOf(shop.orders.place(input, buyer))
      expect(detail.hint ?? ERRORS[error].hint).toContain('new UUID')
      const corrected = { ...right, idempotency_key: input.idempotency_key }
      const again = await refusalOf(shop.orders.place(corrected, buyer))
      expect(again.error).toBe('idempotency_mismatch')
    }
  })

  test('the order itself tells a mismatch when the claim is gone', async () => {
    const product = await supplyProduct(shop.ledger)
    const [buyer, input] = [newBuyer(), attemptAt(product)]
    await shop.orders.place(input, buyer)
    await shop.ledger.del(claimKey(buyer.agent, input.idempotency_key))
    expect(await shop.orders.place(input, buyer)).toMatchObject({ duplicate: true })
    await shop.ledger.del(claimKey(buyer.agent, input.idempotency_key))
    const refusal = await refusalOf(shop.orders.place({ ...input, qty: 5 }, buyer))
    expect(refusal.error).toBe('idempotency_mismatch')
  })

  test('the same key of another agent is another order', async () => {
    const product = await supplyProduct(shop.ledger)
    const input = attemptAt(product)
    const one = await shop.orders.place(input, newBuyer())
    const two = await shop.orders.place(input, newBuyer())
    expect(two).toMatchObject({ duplicate: false })
    expect(two.order_no).not.toBe(one.order_no)
  })

  test('an attempt that found no stock succeeds with the same key after a restock', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 0 })
    const [buyer, input] = [newBuyer(), attemptAt(product)]
    expect((await refusalOf(shop.orders.place(input, buyer))).error).toBe('out_of_stock')
    const claim = claimKey(buyer.agent, input.idempotency_key)
    expect(await shop.ledger.ttl(claim)).toBeGreaterThan(86_000)
    const another = await refusalOf(shop.orders.place({ ...input, qty: 2 }, buyer))
    expect(another.error).toBe('idempotency_mismatch')
    await shop.ledger.hincrby(keys.stock(product.partition), String(product.productId), 1)
    expect(await shop.orders.place(input, buyer)).toMatchObject({ duplicate: false })
    expect(await shop.ledger.ttl(claim)).toBe(-1)
  })

  test('a claim in two rounds that is about to end is held for the worker to keep it', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 0 })
    const [buyer, input] = [newBuyer(), attemptAt(product)]
    await refusalOf(other.orders.place(input, buyer))
    const claim = claimKey(buyer.agent, input.idempotency_key)
    await shop.ledger.expire(claim, 60)
    await refusalOf(other.orders.place(input, buyer))
    expect(await shop.ledger.ttl(claim)).toBeGreaterThan(3000)
  })
})

const lost = () => new Refusal('unavailable')
type Fault = (work: () => Promise<unknown>) => Promise<unknown>
const before: Fault = async () => { throw lost() }
const after: Fault = async (work) => {
  await work()
  throw lost()
}
/** A node that fails once at a script, before or after it ran. */
const failingAt = (script: string, fault: Fault) => (durable: Durable): Durable => {
  let isDue = true
  return {
    ...durable,
    run(named, ...rest) {
      const work = () => durable.run(named, ...rest)
      if (!isDue || named.name !== script) return work()
      isDue = false
      return fault(work) as ReturnType<typeof work>
    },
  }
}

describe('a crash at any point, and a retry on another node', () => {
  const points: [string, string, Fault, number][] = [
    ['before the claim', 'claim-bind', before, 2],
    ['after the claim, before its answer', 'claim-bind', after, 2],
    ['before the order, with its claim', 'order-place', before, 2],
    ['after the order, before its answer, with its claim', 'order-place', after, 2],
    ['before the order', 'order-place', before, 1],
    ['after the order, before its answer', 'order-place', after, 1],
  ]
  test.each(points)('%s: one order, one decrement', async (_, script, fault, rounds) => {
    const failing = failingAt(script, fault)
    const crashing = await openShop({}, {
      wrap: (durable) => failing(rounds === 2 ? inTwoRounds(durable) : durable),
    })
    const product = await supplyProduct(shop.ledger)
    const [buyer, input] = [newBuyer(), attemptAt(product)]
    expect((await refusalOf(crashing.orders.place(input, buyer))).error).toBe('unavailable')
    crashing.close()
    const retried = await other.orders.place(input, buyer)
    const isPlacedBefore = script === 'order-place' && fault === after
    expect(retried.duplicate).toBe(isPlacedBefore)
    expect(await shop.orders.place(input, buyer)).toMatchObject({
      order_no: retried.order_no, duplicate: true,
    })
    expect(await stockOf(shop.ledger, product)).toBe(9)
  })
})

describe('a herd on the last items', () => {
  test('never sells more than there is; supplied = stock + held', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 25 })
    const answers = await Promise.all(Array.from({ length: 120 }, async (_, index) => {
      const node = index % 2 ? shop : other
      const input = attemptAt(product, { qty: 1 + index % 3 })
      return await node.orders.place(input, newBuyer()).catch((error: unknown) => error)
    }))
    const placed = answers.filter((answer) => !(answer instanceof Error)) as PlacedOrder[]
    const refused = answers.filter((answer) => answer instanceof Error) as Refusal[]
    expect(new Set(refused.map(({ error }) => error))).toEqual(new Set(['out_of_stock']))
    const stock = await stockOf(shop.ledger, product)
    expect(stock).toBe(0)
    const units = await held(product, placed.map(({ order_no }) => order_no))
    expect(units + stock).toBe(25)
  })

  test('any mix of attempts and retries keeps one order a key and loses no unit', async () => {
    const step = fc.record({
      key: fc.integer({ min: 0, max: 4 }), qty: fc.integer({ min: 1, max: 4 }), node: fc.boolean(),
    })
    const steps = fc.array(step, { minLength: 1, maxLength: 30 })
    await fc.assert(fc.asyncProperty(steps, async (mix) => {
      const product = await supplyProduct(shop.ledger, { stock: 6, cap: 4 })
      const buyer = newBuyer()
      const ids = Array.from({ length: 5 }, () => randomUUID())
      const orders = new Map<number, Set<string>>()
      await Promise.all(mix.map(async ({ key, qty, node }) => {
        const input = attemptAt(product, { idempotency_key: ids[key] ?? '', qty })
        const answer = await (node ? shop : other).orders.place(input, buyer)
          .catch((error: Refusal) => error)
        if (answer instanceof Error) return
        orders.set(key, (orders.get(key) ?? new Set()).add(answer.order_no))
        expect(answer.items[0]?.qty).toBe(qty)
      }))
      for (const orderNos of orders.values()) expect(orderNos.size).toBe(1)
      const all = [...orders.values()].flatMap((one) => [...one])
      const stock = await stockOf(shop.ledger, product)
      expect(stock).toBeGreaterThanOrEqual(0)
      expect(stock + await held(product, all)).toBe(6)
    }), { numRuns: 25 })
  })
})
