/**
 * Every order in which calls with one idempotency key can meet: in one round and in two, with the
 * same request and with others, cut off between rounds, before and after there is stock.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { Refusal } from '../contract/errors.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import { createSecrets } from '../secrets/derive.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { outboxEvent } from '../redis/streams.ts'
import {
  attemptAt, newBuyer, openShop, SHOP_SECRET, stockOf, supplyProduct, type Product, type Shop,
} from '../testing/products.ts'
import { NO_CAPS } from './open-orders.ts'
import { createPayLinks } from './payment-provider.ts'
import {
  claimKey, createPlacing, keepOrderClaim, type PlaceInput,
} from './place-order.ts'
import { createQuotes } from './quotes.ts'
import { DailySpending } from './spending.ts'
import type { PlacedOrder } from './view.ts'

const SUPPLIED = 5

let shop: Shop

beforeAll(async () => { shop = await openShop() })
afterAll(() => shop.close())

/** A node without its workers, whose writes go this way. */
function placingOver(durable: Durable) {
  const secrets = createSecrets(SHOP_SECRET)
  return createPlacing({
    durable, secrets, openOrders: NO_CAPS, isPlaced: async () => false, factsOf: async () => [],
    payments: createPayLinks({ publicUrl: 'http://mall.test' }, secrets),
    quotes: createQuotes(secrets), config: { paymentWindowMs: 1_800_000, sandbox: true },
    spending: new DailySpending({
      ledger: shop.ledger, durable, secrets, log: createLogger('silent'),
    }),
  })
}

/** Does one thing at each step. One that is asked for fewer steps than it has was killed. */
interface Actor {
  step(): Promise<void>
  /** Of a call: what it ended with; undefined while it has not. */
  answer?(): PlacedOrder | Refusal | undefined
  readonly input?: PlaceInput
}

/** A call that waits before each of its scripts until it may go on. */
function call(input: PlaceInput, buyer: ReturnType<typeof newBuyer>, rounds: 1 | 2): Actor {
  let goOn = (): void => {}
  let pause = (): void => {}
  let isPaused = new Promise<void>((resolve) => { pause = resolve })
  const place = placingOver({
    ...shop.durable,
    isOneServer: rounds === 1,
    async run(...given) {
      await new Promise<void>((resolve) => {
        goOn = resolve
        pause()
      })
      return await shop.durable.run(...given)
    },
  })
  let answer: PlacedOrder | Refusal | undefined
  const ended = place(input, buyer).catch((error: Refusal) => error)
    .then((value) => { answer = value })
  return {
    input,
    answer: () => answer,
    async step() {
      await Promise.race([isPaused, ended])
      isPaused = new Promise<void>((resolve) => { pause = resolve })
      goOn()
      await Promise.race([isPaused, ended])
    },
  }
}

/** Each way to deal as many turns as each has, as indices. */
function* interleavings(turns: readonly number[]): Generator<number[]> {
  if (turns.every((left) => left === 0)) yield []
  for (const [index, left] of turns.entries()) {
    if (left === 0) continue
    const rest = turns.map((one, at) => (at === index ? one - 1 : one))
    for (const order of interleavings(rest)) yield [index, ...order]
  }
}

interface Scene {
  readonly products: readonly [Product, Product]
  readonly buyer: ReturnType<typeof newBuyer>
  readonly input: PlaceInput
}

async function scene(stock: number): Promise<Scene> {
  const products = [
    await supplyProduct(shop.ledger, { stock }), await supplyProduct(shop.ledger, { stock }),
  ] as const
  return { products, buyer: newBuyer(), input: attemptAt(products[0], { qty: 2 }) }
}

const otherQuantity = ({ input }: Scene): PlaceInput => ({ ...input, qty: 1 })
const otherProduct = ({ input, products: [, { productId, merchantId }] }: Scene): PlaceInput =>
  ({ ...input, product_id: productId, merchant_id: merchantId })

/** What the outboxes tell of the scene's orders, as the worker reads them. */
async function createdEvents({ products, buyer }: Scene) {
  const partitions = new Set(products.map(({ partition }) => partition))
  const read = await Promise.all([...partitions].map(async (partition) =>
    (await shop.ledger.xrange(keys.outbox(partition), '-', '+'))
      .map((entry) => outboxEvent(partition, entry))))
  return read.flat().filter(({ agent }) => agent === buyer.agent)
}

/** Holds whatever the turns were. */
async function check(met: Scene, actors: readonly Actor[], stock: number): Promise<void> {
  const { buyer, input: { idempotency_key: key } } = met
  const created = await createdEvents(met)
  const answers = actors.flatMap(({ answer, input }) => {
    const given = answer?.()
    return given && input ? [{ given, input }] : []
  })
  const placed = answers.flatMap(({ given, input }) =>
    (given instanceof Refusal ? [] : [{ given, input }]))
  const refused = answers.flatMap(({ given }) => (given instanceof Refusal ? [given.error] : []))
  expect(created.length, 'one order for a key').toBeLessThanOrEqual(1)
  const [order] = created
  expect(new Set(placed.map(({ given }) => given.order_no)).size).toBeLessThanOrEqual(1)
  for (const { given, input } of placed) {
    expect(given.order_no).toBe(order?.orderNo)
    expect(given.items[0]).toMatchObject({ qty: input.qty, product_id: input.product_id })
  }
  expect(placed.filter(({ given }) => !given.duplicate).length).toBeLessThanOrEqual(1)
  for (const error of refused) {
    expect(['idempotency_mismatch', ...stock === 0 ? ['out_of_stock'] : []]).toContain(error)
  }
  await checkUnits(met, order?.orderNo)
  // What the worker does.
  for (const { attempt, at } of created) {
    if (attempt !== undefined) await keepOrderClaim(shop.durable, buyer.agent, attempt, at)
  }
  const claim = claimKey(buyer.agent, key)
  const [bound, ttl] = [await shop.ledger.get(claim), await shop.ledger.ttl(claim)]
  const left = await shop.ledger.exists(
    keys.order(order?.partition ?? 0, order?.orderNo ?? 'none'))
  // An order keeps its key; a claim without one ends.
  expect({ left, isEndless: ttl === -1, names: ttl === -1 ? bound?.split(' ')[1] : undefined })
    .toEqual({ left: created.length, isEndless: order !== undefined, names: order?.orderNo })
}

async function checkUnits({ products }: Scene, orderNo: string | undefined): Promise<void> {
  const left = await Promise.all(products.map((product) => stockOf(shop.ledger, product)))
  const held = orderNo === undefined ? 0
    : Number(await shop.ledger.hget(keys.order(partitionOfOrder(orderNo) ?? 0, orderNo), 'held'))
  const supplied = await Promise.all(products.map(async ({ partition, productId }) =>
    Number(await shop.ledger.hget(keys.supplied(partition), String(productId)))))
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
  expect(sum(left) + held).toBe(sum(supplied))
}

/** Afterwards: the winner's request has its order in either form, every other is refused. */
async function checkRetries(met: Scene, requests: readonly PlaceInput[]): Promise<void> {
  const [order] = await createdEvents(met)
  const found = await Promise.all(requests.flatMap((input) => ([1, 2] as const).map(
    async (rounds) => {
      const retry = call(input, met.buyer, rounds)
      for (let turn = 0; turn < rounds; turn += 1) await retry.step()
      return retry.answer?.()
    })))
  const placed = found.filter((answer): answer is PlacedOrder => !(answer instanceof Refusal))
  if (!order) return
  expect(new Set(placed.map(({ order_no }) => order_no))).toEqual(new Set([order.orderNo]))
  expect(placed.every(({ duplicate }) => duplicate)).toBe(true)
  expect(placed).toHaveLength(2)
}

async function play(order: readonly number[], actors: readonly Actor[]): Promise<void> {
  for (const index of order) await actors[index]?.step()
}

describe('calls with one key', () => {
  // Fewer turns than rounds: the call was cut off after its claim.
  const TURNS = [
    [1, 2, 2, 1], [1, 1, 2, 1], [1, 2, 1, 1], [1, 1, 1, 1], [0, 1, 1, 1], [0, 2, 1, 0],
  ]
  test.each(TURNS)('in one round %i, in two %i, with another quantity %i, another product %i',
    async (...turns) => {
      let meetings = 0
      for (const order of interleavings(turns)) {
        meetings += 1
        const met = await scene(SUPPLIED)
        const requests = [met.input, met.input, otherQuantity(met), otherProduct(met)]
        const actors = ([1, 2, 2, 1] as const).map((rounds, index) =>
          call(requests[index] as PlaceInput, met.buyer, rounds))
        await play(order, actors)
        await check(met, actors, SUPPLIED)
        await checkRetries(met, requests.slice(1))
      }
      expect(meetings).toBeGreaterThan(2)
    })

  test('before and after there is stock: refused calls leave a key that ends', async () => {
    let meetings = 0
    for (const order of interleavings([1, 1, 2, 1])) {
      meetings += 1
      const met = await scene(0)
      const restock: Actor = {
        async step() {
          const [{ partition, productId }] = met.products
          await shop.ledger.hincrby(keys.supplied(partition), String(productId), SUPPLIED)
          await shop.ledger.hincrby(keys.stock(partition), String(productId), SUPPLIED)
        },
      }
      const actors = [
        call(met.input, met.buyer, 1), restock, call(met.input, met.buyer, 2),
        call(otherQuantity(met), met.buyer, 1),
      ]
      await play(order, actors)
      await check(met, actors, 0)
      await checkRetries(met, [met.input, otherQuantity(met)])
    }
    expect(meetings).toBe(60)
  })
})

describe('a claim without an order', () => {
  test.each([1, 2] as const)('is another\'s once it has ended, in %i rounds', async (rounds) => {
    const met = await scene(SUPPLIED)
    const cut = call(met.input, met.buyer, 2)
    await cut.step()
    const claim = claimKey(met.buyer.agent, met.input.idempotency_key)
    expect(await shop.ledger.ttl(claim)).toBeGreaterThan(86_000)
    const early = call(otherProduct(met), met.buyer, rounds)
    await play([0, 0], [early])
    expect(early.answer?.()).toMatchObject({ error: 'idempotency_mismatch' })
    await shop.ledger.pexpire(claim, 1)
    await expect.poll(() => shop.ledger.exists(claim)).toBe(0)
    const late = call(otherProduct(met), met.buyer, rounds)
    await play([0, 0], [late])
    expect(late.answer?.()).toMatchObject({ duplicate: false })
    await check(met, [early, late], SUPPLIED)
  })

  test('whose order was dropped is bound for good by the next order', async () => {
    const met = await scene(SUPPLIED)
    const first = call(met.input, met.buyer, 1)
    await first.step()
    const claim = claimKey(met.buyer.agent, met.input.idempotency_key)
    const [{ orderNo = '' } = {}] = await createdEvents(met)
    const { partition, productId } = met.products[0]
    // As its end leaves it when the order goes a moment before its claim.
    await shop.ledger.set(claim, `${await shop.ledger.get(claim)} 9000000000000`, 'EX', 5)
    await shop.ledger.del(keys.order(partition, orderNo), keys.events(partition, orderNo))
    await shop.ledger.hincrby(keys.stock(partition), String(productId), met.input.qty)
    const again = call(met.input, met.buyer, 1)
    await again.step()
    expect(again.answer?.()).toMatchObject({ order_no: orderNo, duplicate: false })
    expect(await shop.ledger.ttl(claim)).toBe(-1)
    expect((await shop.ledger.get(claim))?.split(' ')).toHaveLength(2)
  })

  test('of the same request under another number is where the order goes', async () => {
    const met = await scene(SUPPLIED)
    const cut = call(met.input, met.buyer, 2)
    await cut.step()
    const claim = claimKey(met.buyer.agent, met.input.idempotency_key)
    const [fingerprint, number = ''] = (await shop.ledger.get(claim) ?? '').split(' ')
    const other = `${number.slice(0, -2)}${number.endsWith('ZZ') ? 'YY' : 'ZZ'}`
    await shop.ledger.set(claim, `${fingerprint} ${other}`, 'KEEPTTL')
    const retry = call(met.input, met.buyer, 1)
    await play([0, 0, 0], [retry])
    expect(retry.answer?.()).toMatchObject({ order_no: other, duplicate: false })
    await check(met, [retry], SUPPLIED)
  })
})
