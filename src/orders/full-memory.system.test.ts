/** A ledger whose memory is full takes no new orders; those that there are can be ended. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLedger, type OwnLedger } from '../testing/ledger.ts'
import {
  attemptAt, newBuyer, openShop, refusalOf, stockOf, supplyProduct, type Shop,
} from '../testing/products.ts'

let own: OwnLedger
let shop: Shop
let brief: Shop
beforeAll(async () => {
  own = await startLedger()
  shop = await openShop({}, { url: own.url })
  brief = await openShop({ paymentWindowMs: 1 }, { url: own.url })
})
afterAll(async () => {
  shop.close()
  brief.close()
  await own.stop()
})

async function placed(node: Shop) {
  const [product, buyer] = [await supplyProduct(shop.ledger), newBuyer()]
  const { order_no } = await node.orders.place(attemptAt(product, { qty: 4 }), buyer)
  return { product, buyer, orderNo: order_no }
}

/** Does the work while Redis has less memory than it uses. */
async function whileFull<T>(work: () => Promise<T>): Promise<T> {
  const [, before = ''] = await shop.ledger.call('CONFIG', 'GET', 'maxmemory') as string[]
  await shop.ledger.call('CONFIG', 'SET', 'maxmemory', '1mb')
  try {
    return await work()
  } finally {
    await shop.ledger.call('CONFIG', 'SET', 'maxmemory', before)
  }
}

describe('while the memory of the ledger is full', () => {
  test('no order is placed; it is afterwards, with the same key', async () => {
    const [product, buyer] = [await supplyProduct(shop.ledger), newBuyer()]
    const attempt = attemptAt(product)
    await whileFull(async () => {
      expect(await refusalOf(shop.orders.place(attempt, buyer)))
        .toMatchObject({ error: 'unavailable' })
    })
    expect(await stockOf(shop.ledger, product)).toBe(10)
    expect(await shop.orders.place(attempt, buyer)).toMatchObject({ duplicate: false })
  })

  test('an unpaid order can be cancelled, and its units are there for others', async () => {
    const { product, buyer, orderNo } = await placed(shop)
    const { status } = await whileFull(() => shop.orders.cancel(buyer.agent, orderNo))
    expect(status).toBe('closed')
    expect(await stockOf(shop.ledger, product)).toBe(10)
  })

  test('an order expires', async () => {
    const { product, orderNo } = await placed(brief)
    await whileFull(async () => {
      await expect.poll(async () => (await shop.orders.move('expire', orderNo)).code)
        .toMatch(/moved|done/)
    })
    expect(await stockOf(shop.ledger, product)).toBe(10)
  })

  test('what is paid can be cancelled', async () => {
    const { product, buyer, orderNo } = await placed(shop)
    await whileFull(async () => {
      expect(await shop.orders.move('pay', orderNo)).toMatchObject({ code: 'moved' })
      expect(await shop.orders.cancel(buyer.agent, orderNo)).toMatchObject({ status: 'closed' })
    })
    expect(await stockOf(shop.ledger, product)).toBe(10)
  })
})
