import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OwnerLimits } from '../contract/caller.ts'
import { Refusal } from '../contract/errors.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { overMidnight, testOfDay } from '../testing/over-midnight.ts'
import {
  attemptAt, newBuyer, openShop, refusalOf, stockOf, supplyProduct, type Product, type Shop,
} from '../testing/products.ts'
import type { PlaceInput } from './place-order.ts'
import type { PlacedOrder } from './view.ts'

const today = () => Math.floor(Date.now() / 86_400_000)
const limited = (limits: OwnerLimits) => ({ ...newBuyer(), limits })
const sumOf = async (agent: string): Promise<number> =>
  Number(await shop.ledger.hget(keys.spent(agent, today()), 'sum') ?? 0)

let shop: Shop
let other: Shop
beforeAll(async () => {
  [shop, other] = await Promise.all([openShop(), openShop()])
})
afterAll(() => {
  shop.close()
  other.close()
})

const place = async (node: Shop, input: PlaceInput, buyer: ReturnType<typeof limited>) =>
  await node.orders.place(input, buyer).catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })
const placedOf = (answers: (PlacedOrder | Refusal)[]): PlacedOrder[] =>
  answers.filter((answer): answer is PlacedOrder => !(answer instanceof Refusal))

/** 1,000 fen a piece, and no freight. */
const plain = (given: Partial<Product> = {}, facts = {}) =>
  supplyProduct(shop.ledger, { price: 1000, freight: 0, stock: 500, ...given }, facts)

describe('what one order may be', () => {
  testOfDay('an order above the owner\'s amount is refused and costs nothing', async () => {
    const product = await plain()
    const buyer = limited({ order_amount_max: 2000 })
    const input = attemptAt(product, { qty: 3 })
    expect(await refusalOf(shop.orders.place(input, buyer))).toEqual({
      error: 'owner_limit', limit: 'order_amount_max', value: 2000, left: 2000, amount: 3000,
    })
    expect(await stockOf(shop.ledger, product)).toBe(500)
    expect(await place(shop, attemptAt(product, { qty: 2 }), buyer)).toMatchObject({ amount: 2000 })
  })

  testOfDay('freight counts', async () => {
    const product = await plain({ freight: 1 })
    const buyer = limited({ order_amount_max: 1000 })
    expect(await place(shop, attemptAt(product), buyer)).toMatchObject({ error: 'owner_limit' })
  })

  testOfDay('a category that the owner does not name is refused, of 1 and 12 alike', async () => {
    const [one, twelve] = [await plain(), await plain({}, { category_id: 12 })]
    const buyer = limited({ categories: [12, 2] })
    expect(await refusalOf(shop.orders.place(attemptAt(one), buyer))).toEqual({
      error: 'owner_limit', limit: 'categories', value: [12, 2], category_id: 1,
    })
    expect(await place(shop, attemptAt(twelve), buyer)).toMatchObject({ duplicate: false })
    expect(await place(shop, attemptAt(twelve), limited({ categories: [1, 2] })))
      .toMatchObject({ error: 'owner_limit' })
  })

  testOfDay('a refused attempt may be made again when the owner allows it', async () => {
    const product = await plain()
    const input = attemptAt(product)
    const buyer = limited({ order_amount_max: 1, day_amount_max: 10_000 })
    expect(await place(shop, input, buyer)).toMatchObject({ error: 'owner_limit' })
    expect(await sumOf(buyer.agent)).toBe(0)
    expect(await place(other, input, { ...buyer, limits: {} })).toMatchObject({ duplicate: false })
  })
})

describe('what a day may be', () => {
  testOfDay('a herd over two nodes gets to the limit and not a fen above it', async () => {
    const products = await Promise.all([700, 1100, 1300].map((price) => plain({ price })))
    const buyer = limited({ day_amount_max: 30_000 })
    const answers = await Promise.all(Array.from({ length: 90 }, (_, index) =>
      place(index % 2 ? shop : other, attemptAt(products[index % 3] as Product), buyer)))
    const sum = placedOf(answers).reduce((total, { amount }) => total + amount, 0)
    expect(sum).toBeLessThanOrEqual(30_000)
    // Nothing that would still fit was refused for good.
    expect(sum).toBeGreaterThan(30_000 - 1300)
    expect(await sumOf(buyer.agent)).toBe(sum)
    expect(answers.filter((answer) => answer instanceof Refusal && answer.error !== 'owner_limit'))
      .toEqual([])
    const last = await refusalOf(shop.orders.place(attemptAt(products[2] as Product), buyer))
    expect(last).toMatchObject({
      error: 'owner_limit', limit: 'day_amount_max', value: 30_000, left: 30_000 - sum,
      amount: 1300, resets_at: expect.stringMatching(/T00:00:0\d/),
    })
  })

  testOfDay('each user has a day of their own, and orders without a user_ref are one user\'s',
    async () => {
      const product = await plain()
      const buyer = limited({ user_ref_day_amount_max: 2000 })
      const users = ['a', 'b', undefined]
      const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => {
        const user_ref = users[index % 3]
        return place(index % 2 ? shop : other,
          attemptAt(product, user_ref === undefined ? {} : { user_ref }), buyer)
      }))
      expect(placedOf(answers)).toHaveLength(6)
      expect(await refusalOf(shop.orders.place(attemptAt(product, { user_ref: 'a' }), buyer)))
        .toMatchObject({ limit: 'user_ref_day_amount_max', left: 0 })
      expect(await place(shop, attemptAt(product, { user_ref: 'c' }), buyer))
        .toMatchObject({ duplicate: false })
    })

  testOfDay('a replay counts once and is never refused, whatever the limit is by then',
    async () => {
      const product = await plain()
      const buyer = limited({ day_amount_max: 1000, user_ref_day_amount_max: 1000 })
      const input = attemptAt(product)
      const herd = await Promise.all(Array.from({ length: 20 }, (_, index) =>
        place(index % 2 ? shop : other, input, buyer)))
      expect(new Set(placedOf(herd).map(({ order_no }) => order_no)).size).toBe(1)
      expect(placedOf(herd)).toHaveLength(20)
      expect(await sumOf(buyer.agent)).toBe(1000)
      const strict = { ...buyer, limits: {
        day_amount_max: 1, user_ref_day_amount_max: 1, order_amount_max: 1, categories: [24],
      } }
      expect(await place(shop, input, strict)).toMatchObject({ duplicate: true })
      expect(await sumOf(buyer.agent)).toBe(1000)
      const window = keys.spent(buyer.agent, today())
      expect(await shop.ledger.hgetall(window)).toMatchObject({ sum: '1000' })
      // One call of the twenty holds the place, the agent's and its user's.
      const [{ order_no } = { order_no: '' }] = placedOf(herd)
      expect(await shop.ledger.hget(window, `${order_no}:calls`)).toBe('1')
      expect(await shop.ledger.ttl(window)).toBeGreaterThan(86_400)
      expect(await place(shop, attemptAt(product),
        { ...buyer, limits: { user_ref_day_amount_max: 1000 } })).toMatchObject({
        error: 'owner_limit', detail: { limit: 'user_ref_day_amount_max', left: 0 },
      })
    })

  testOfDay('an order of an earlier day is not counted again today', async () => {
    const product = await plain()
    const buyer = limited({ day_amount_max: 1000 })
    const input = attemptAt(product)
    await place(shop, input, buyer)
    await shop.ledger.rename(keys.spent(buyer.agent, today()), keys.spent(buyer.agent, 1))
    expect(await place(other, input, buyer)).toMatchObject({ duplicate: true })
    expect(await sumOf(buyer.agent)).toBe(0)
  })

  test.each([
    ['out_of_stock', { stock: 0 }, {}],
    ['qty_over_cap', { cap: 1 }, { qty: 2 }],
    ['merchant_mismatch', {}, { merchant_id: 7 }],
    ['not_found', {}, { product_id: 123_456_789_0 }],
  ])('an order refused with %s leaves the whole day', overMidnight(async (error, facts, change) => {
    const product = await plain(facts)
    const buyer = limited({ day_amount_max: 5000, user_ref_day_amount_max: 5000 })
    expect(await place(shop, attemptAt(product, change), buyer)).toMatchObject({ error })
    expect(await sumOf(buyer.agent)).toBe(0)
    const left = await shop.ledger.hkeys(keys.spent(buyer.agent, today()))
    expect(left.filter((field) => field !== 'sum')).toEqual([])
    expect(await place(shop, attemptAt(await plain(), { qty: 5 }), buyer))
      .toMatchObject({ amount: 5000 })
  }))

  testOfDay('is the ledger\'s day: a node whose clock is behind counts today', async () => {
    const product = await plain()
    const buyer = limited({ day_amount_max: 1000 })
    const window = keys.spent(buyer.agent, today())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 })
    try {
      expect(await place(shop, attemptAt(product), buyer)).toMatchObject({ amount: 1000 })
    } finally {
      vi.useRealTimers()
    }
    expect(await shop.ledger.hget(window, 'sum')).toBe('1000')
    expect(await place(other, attemptAt(product), buyer)).toMatchObject({ error: 'owner_limit' })
  })
})

/** A node on which something happens just before an order is placed. */
const meanwhile = (event: (call: number) => Promise<unknown>) => (durable: Durable): Durable => {
  let calls = 0
  return {
    ...durable,
    async run(script, ...rest) {
      if (script.name === 'order-place') await event(calls += 1)
      return await durable.run(script, ...rest)
    },
  }
}

describe('a price that moves under the order', () => {
  const priced = (product: Product, price: number) =>
    shop.ledger.hset(keys.sku(product.productId), { retail_price: price })

  testOfDay('once: it is placed at the new price, which is what counts', async () => {
    const product = await plain()
    const node = await openShop({}, { wrap: meanwhile(async (call) =>
      (call === 1 ? priced(product, 1500) : undefined)) })
    const buyer = limited({ day_amount_max: 1500 })
    expect(await place(node, attemptAt(product), buyer)).toMatchObject({ amount: 1500 })
    expect(await sumOf(buyer.agent)).toBe(1500)
    node.close()
  })

  testOfDay('above the limit: it is refused, and nothing counts', async () => {
    const product = await plain()
    const node = await openShop({}, { wrap: meanwhile(async (call) =>
      (call === 1 ? priced(product, 1501) : undefined)) })
    const buyer = limited({ day_amount_max: 1500 })
    expect(await place(node, attemptAt(product), buyer)).toMatchObject({ error: 'owner_limit' })
    expect(await sumOf(buyer.agent)).toBe(0)
    node.close()
  })

  testOfDay('all the time: it is refused with price_changed, and nothing counts', async () => {
    const product = await plain()
    const node = await openShop({}, { wrap: meanwhile((call) => priced(product, 1000 + call)) })
    const buyer = limited({ day_amount_max: 9000 })
    expect(await place(node, attemptAt(product), buyer)).toMatchObject({ error: 'price_changed' })
    expect(await sumOf(buyer.agent)).toBe(0)
    expect(await stockOf(shop.ledger, product)).toBe(500)
    node.close()
  })

  testOfDay('between two calls of one attempt: the higher one counts', async () => {
    const product = await plain()
    const cutOff = await openShop({}, { wrap: meanwhile(async () => {
      throw new Refusal('unavailable')
    }) })
    const buyer = limited({ day_amount_max: 1500, user_ref_day_amount_max: 1500 })
    const input = attemptAt(product)
    expect(await place(cutOff, input, buyer)).toMatchObject({ error: 'unavailable' })
    expect(await sumOf(buyer.agent)).toBe(1000)
    await priced(product, 1500)
    expect(await place(other, input, buyer)).toMatchObject({ amount: 1500 })
    expect(await sumOf(buyer.agent)).toBe(1500)
    cutOff.close()
  })

  testOfDay('a quote holds its own price', async () => {
    const product = await plain()
    const buyer = limited({ day_amount_max: 9000 })
    const input = attemptAt(product)
    const { quote_token } = await shop.orders.preview(input)
    await priced(product, 1200)
    expect(await place(shop, { ...input, quote_token }, buyer))
      .toMatchObject({ error: 'price_changed' })
    expect(await sumOf(buyer.agent)).toBe(0)
  })
})

testOfDay('an order whose answer was lost counts once, and its retry is no new one', async () => {
  const product = await plain()
  const node = await openShop({}, { wrap: (durable): Durable => ({
    ...durable,
    async run(script, ...rest) {
      const reply = await durable.run(script, ...rest)
      if (script.name === 'order-place') throw new Refusal('unavailable')
      return reply
    },
  }) })
  const buyer = limited({ day_amount_max: 1000 })
  const input = attemptAt(product)
  expect(await place(node, input, buyer)).toMatchObject({ error: 'unavailable' })
  expect(await place(other, input, buyer)).toMatchObject({ duplicate: true })
  expect(await sumOf(buyer.agent)).toBe(1000)
  expect(await place(other, attemptAt(product), buyer)).toMatchObject({ error: 'owner_limit' })
  node.close()
})

testOfDay('a preview says which limit the order would pass', async () => {
  const product = await plain()
  const why = async (limits: OwnerLimits, agent = `ag_${randomUUID()}`) =>
    (await shop.orders.preview(attemptAt(product), { agent, limits })).why
  expect(await why({})).toBeUndefined()
  expect(await why({ categories: [2] })).toMatch(/category/)
  expect(await why({ order_amount_max: 999 })).toMatch(/¥9\.99 an order/)
  const buyer = limited({ day_amount_max: 1500 })
  expect(await why(buyer.limits, buyer.agent)).toBeUndefined()
  await place(shop, attemptAt(product), buyer)
  expect(await why(buyer.limits, buyer.agent)).toMatch(/today ¥5\.00 are left/)
})
