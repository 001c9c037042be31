/** How much of a product trial keys may hold unpaid. */
import { afterAll, describe, expect, test } from 'vitest'
import { ledger as keys } from '../redis/keys.ts'
import {
  attemptAt, newBuyer, openShop, refusalOf, stockOf, supplyProduct,
} from '../testing/products.ts'

const shop = await openShop({}, { caps: { stock_percent: 5 } })
const free = await openShop()
afterAll(() => [shop, free].forEach((one) => one.close()))

const newTrial = () => ({ ...newBuyer(), tier: 'trial' })
const heldOf = async ({ partition, productId }: { partition: number, productId: number }) =>
  Number(await shop.ledger.hget(keys.trialHeld(partition), String(productId)) ?? 0)

describe('trial keys together', () => {
  test('hold at most 5 % of a product\'s stock; others take the rest', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 100 })
    const buyers = [newTrial(), newTrial()] as const
    await shop.orders.place(attemptAt(product, { qty: 3 }), buyers[0])
    expect(await refusalOf(shop.orders.place(attemptAt(product, { qty: 3 }), buyers[1])))
      .toMatchObject({ error: 'order_limit', limit: 'stock_percent', left: 2 })
    await shop.orders.place(attemptAt(product, { qty: 2 }), buyers[1])
    expect(await refusalOf(shop.orders.place(attemptAt(product), newTrial())))
      .toMatchObject({ error: 'order_limit', left: 0 })
    await free.orders.place(attemptAt(product, { qty: 95 }), newBuyer())
    expect(await stockOf(shop.ledger, product)).toBe(0)
  })

  test('hold one unit of what there is little of', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 3 })
    await shop.orders.place(attemptAt(product), newTrial())
    expect(await refusalOf(shop.orders.place(attemptAt(product), newTrial())))
      .toMatchObject({ error: 'order_limit', left: 0 })
    expect(await stockOf(shop.ledger, product)).toBe(2)
  })

  test.each(['pay', 'cancel', 'expire'] as const)('may hold it again after a %s', async (move) => {
    const brief = await openShop({ paymentWindowMs: 1 }, { caps: { stock_percent: 5 } })
    const product = await supplyProduct(shop.ledger, { stock: 20 })
    const node = move === 'expire' ? brief : shop
    const { order_no } = await node.orders.place(attemptAt(product), newTrial())
    expect(await heldOf(product)).toBe(1)
    await expect.poll(async () => (await shop.orders.move(move, order_no)).code)
      .toMatch(/moved|done/)
    await shop.orders.move(move, order_no)
    expect(await heldOf(product)).toBe(0)
    await shop.orders.place(attemptAt(product), newTrial())
    expect(await heldOf(product)).toBe(1)
    brief.close()
  })

  test('are counted once for an attempt that is repeated', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 20 })
    const [attempt, buyer] = [attemptAt(product), newTrial()]
    const answers = await Promise.all([1, 2, 3].map(() => shop.orders.place(attempt, buyer)))
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
    expect(await heldOf(product)).toBe(1)
  })
})
