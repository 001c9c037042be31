import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { skuIdOf } from '../contract/ids.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { Durable } from '../redis/durable.ts'
import { createSecrets } from '../secrets/derive.ts'
import { openTwoNodes } from '../testing/own-shop.ts'
import {
  newBuyer, type Product, RECEIVER, refusalOf, SHOP_SECRET, stockOf, supplyProduct,
} from '../testing/products.ts'
import { createCheckoutPages } from './checkout-page.ts'
import { type Checkouts, createCheckouts } from './checkouts.ts'
import type { CheckoutLine } from './session-store.ts'
import type { Orders } from './orders.ts'

const [shop, other] = await openTwoNodes()
const secrets = createSecrets(SHOP_SECRET)
const placement = { receiver: RECEIVER }
const change = (key?: string, request: unknown = {}) => ({ key, request })

const lineOf = (product: Product, qty: number, id = `li_${product.productId}`): CheckoutLine => ({
  id, skuId: skuIdOf(product.productId), productId: product.productId,
  merchantId: product.merchantId, qty,
})

async function opened(stocks = [10, 10, 10], qty = 2) {
  const products = await Promise.all(stocks.map((stock) => supplyProduct(shop.ledger, { stock })))
  const buyer = newBuyer()
  const lines = products.map((product) => lineOf(product, qty))
  const checkout = await shop.checkouts.open(buyer.agent,
    { lines, details: { note: '文三路' } }, change())
  return { products, buyer, lines, checkout }
}
const stocks = (products: readonly Product[]) =>
  Promise.all(products.map((product) => stockOf(shop.ledger, product)))

describe('a checkout', () => {
  test('is kept sealed for hours, and read by its own agent alone', async () => {
    const { buyer, checkout } = await opened()
    expect(await other.checkouts.read(buyer.agent, checkout.id)).toEqual(checkout)
    expect(checkout.details).toEqual({ note: '文三路' })
    const key = keys.checkout(checkout.id)
    expect(await shop.ledger.hget(key, 'state')).not.toContain('文三路')
    expect(await shop.ledger.ttl(key)).toBeGreaterThan(6 * 3600 - 60)
    expect(await refusalOf(shop.checkouts.read('ag_other', checkout.id)))
      .toMatchObject({ error: 'not_found' })
    expect(await refusalOf(shop.checkouts.read(buyer.agent, 'CK0')))
      .toMatchObject({ error: 'not_found' })
  })

  test('that is opened twice with one key is one, and another request is refused', async () => {
    const { buyer, lines } = await opened()
    const key = randomUUID()
    const open = (node: typeof shop, request: unknown) =>
      node.checkouts.open(buyer.agent, { lines, details: {} }, change(key, request))
    const [one, two] = await Promise.all([open(shop, 'a'), open(other, 'a')])
    expect(two.id).toBe(one.id)
    expect(await refusalOf(open(shop, 'b'))).toEqual({ error: 'idempotency_mismatch' })
  })

  test('is replaced once for a key, whatever was changed since', async () => {
    const { buyer, lines, checkout: { id } } = await opened()
    const key = randomUUID()
    const replace = (count: number, using?: string) => shop.checkouts.replace(buyer.agent, id,
      { lines: lines.slice(0, count), details: {} }, change(using, count))
    expect((await replace(1, key)).lines).toHaveLength(1)
    expect((await replace(2)).lines).toHaveLength(2)
    expect((await replace(1, key)).lines).toHaveLength(2)
  })
})

describe('placing a checkout', () => {
  test('makes an order of each line, once, from any node', async () => {
    const { products, buyer, checkout: { id } } = await opened()
    const key = randomUUID()
    const place = (node: typeof shop) => node.checkouts.place(buyer, id, placement, change(key))
    const [one, two] = await Promise.all([place(shop), place(other)])
    const again = await place(shop)
    expect([one.status, two.orderNos, again.orderNos])
      .toEqual(['placed', one.orderNos, one.orderNos])
    expect(new Set(one.orderNos).size).toBe(3)
    expect(await stocks(products)).toEqual([8, 8, 8])
    const order = await shop.orders.read(buyer.agent, one.orderNos![1]!)
    expect(order).toMatchObject({
      status: 'pending_payment', items: [{ product_id: products[1]!.productId, qty: 2 }],
    })
    expect(await refusalOf(shop.checkouts.replace(buyer.agent, id,
      { lines: [], details: {} }, change()))).toMatchObject({ error: 'order_state' })
  })

  test('of which one line cannot be had places nothing, and names that line', async () => {
    const { products, buyer, lines, checkout: { id } } = await opened([10, 10, 1])
    const given = await shop.checkouts.place(buyer, id, placement, change())
    expect(given).toMatchObject({
      status: 'open', attempt: 1, shortage: {
        line: lines[2]!.id, error: 'out_of_stock', note: 'Only 1 are left.',
      },
    })
    expect(await stocks(products)).toEqual([10, 10, 1])
    await shop.ledger.hset(keys.stock(products[2]!.partition), products[2]!.productId, 5)
    const placed = await shop.checkouts.place(buyer, id, placement, change())
    expect([placed.status, placed.shortage]).toEqual(['placed', undefined])
    expect(await stocks(products)).toEqual([8, 8, 3])
  })

  test('at another price than was shown places nothing', async () => {
    const { products: [product], buyer, lines: [line] } = await opened([10])
    const { quote_token: quote } = await shop.orders.preview({
      product_id: product!.productId, merchant_id: product!.merchantId, qty: 2,
    })
    const { id } = await shop.checkouts.open(buyer.agent,
      { lines: [{ ...line!, quote }], details: {} }, change())
    await shop.ledger.hset(keys.sku(product!.productId), 'retail_price', 1)
    expect(await shop.checkouts.place(buyer, id, placement, change()))
      .toMatchObject({ status: 'open', shortage: { error: 'price_changed' } })
  })

  test('that was cancelled places nothing; one that is placed gives its units back', async () => {
    const { products, buyer, checkout: { id } } = await opened()
    await shop.checkouts.place(buyer, id, placement, change())
    await shop.checkouts.cancel(buyer.agent, id, change())
    expect(await stocks(products)).toEqual([10, 10, 10])
    const { buyer: another, checkout } = await opened()
    await shop.checkouts.cancel(another.agent, checkout.id, change())
    expect(await refusalOf(shop.checkouts.place(another, checkout.id, placement, change())))
      .toMatchObject({ error: 'order_state' })
  })
})

/** A node that dies before or after its nth step: a write of a checkout, or a move of an order. */
function dyingAt(step: number, when: 'before' | 'after'): Checkouts {
  let taken = 0
  const cut = async <T>(work: () => Promise<T>): Promise<T> => {
    taken += 1
    if (taken >= step && when === 'before') throw new Error('killed')
    const done = await work()
    if (taken >= step) throw new Error('killed')
    return done
  }
  const { durable, orders, ledger } = shop
  return createCheckouts({
    ledger, secrets, publicUrl: 'http://mall.test',
    durable: {
      ...durable,
      run: ((...call: Parameters<Durable['run']>) => cut(() => durable.run(...call))) as
        Durable['run'],
    },
    orders: {
      read: orders.read,
      place: (...call: Parameters<Orders['place']>) => cut(() => orders.place(...call)),
      cancel: (...call: Parameters<Orders['cancel']>) => cut(() => orders.cancel(...call)),
    },
  })
}

describe.each(['before', 'after'] as const)('a node that dies %s a step of placing', (when) => {
  test.each([
    ['all of which can be had', [10, 10, 10], [8, 8, 8], 'placed'],
    ['one of which cannot be had', [10, 1, 10], [10, 1, 10], 'open'],
  ] as const)('three lines, %s, leaves nothing half', async (_, stock, left, status) => {
    const cuts: number[] = []
    for (let step = 1; ; step += 1) {
      const { products, buyer, checkout: { id } } = await opened([...stock])
      const dying = dyingAt(step, when)
      const first = await dying.place(buyer, id, placement, change())
        .catch(() => undefined)
      if (first) break
      cuts.push(step)
      const ended = await other.checkouts.place(buyer, id, placement, change())
      expect([step, ended.status, await stocks(products)]).toEqual([step, status, left])
      const now = ended.status === 'placed' ? ended.orderNos!.length : 0
      expect(now).toBe(status === 'placed' ? 3 : 0)
    }
    expect(cuts.length).toBeGreaterThan(4)
  }, 60_000)
})

describe('the page of a checkout', () => {
  const pages = createCheckoutPages(shop.checkouts, shop.orders)
  const tokenOf = (id: string) => new URL(shop.checkouts.payUrl(id)).searchParams.get('t')!

  async function placed() {
    const { products, buyer, checkout: { id } } = await opened()
    const { orderNos = [] } = await shop.checkouts.place(buyer, id, placement, change())
    const statuses = () => Promise.all(orderNos.map(async (orderNo) =>
      (await shop.orders.read(buyer.agent, orderNo)).status))
    return { products, buyer, id, orderNos, statuses, token: tokenOf(id) }
  }

  test('shows every line and the sum, and one press pays them all', async () => {
    const { id, token, statuses, products } = await placed()
    const { status, html } = await pages.show(id, token, 'en')
    expect([status, html.match(/<button>/g)]).toEqual([200, ['<button>']])
    for (const { productId } of products) expect(html).toContain(String(productId))
    expect(html).toContain('¥137.40')
    const paid = await pages.pay(id, token, 'en')
    expect(paid.html).toContain('This order is paid')
    expect(await statuses()).toEqual(['paid', 'paid', 'paid'])
    expect((await pages.pay(id, token, 'en')).status).toBe(200)
  })

  test('pays the rest of what a node that died had begun to pay', async () => {
    const { id, token, statuses, orderNos } = await placed()
    await shop.orders.move('pay', orderNos[0]!)
    await pages.pay(id, token, 'en')
    expect(await statuses()).toEqual(['paid', 'paid', 'paid'])
  })

  test('gives everything back where a line cannot be paid any more', async () => {
    const { id, token, statuses, orderNos, buyer, products } = await placed()
    await shop.orders.move('pay', orderNos[0]!)
    await shop.orders.cancel(buyer.agent, orderNos[1]!)
    const { status, html } = await pages.pay(id, token, 'en')
    expect([status, html.includes('all of it was given back')]).toEqual([409, true])
    expect(await statuses()).toEqual(['closed', 'closed', 'closed'])
    expect(await stocks(products)).toEqual([10, 10, 10])
  })

  test('is shown to nobody without its token, and says when nothing is ordered yet', async () => {
    const { checkout: { id } } = await opened()
    expect((await pages.show(id, 'x', 'en')).status).toBe(404)
    expect((await pages.show(id, tokenOf(id), 'zh')).html).toContain('尚未完成下单')
  })
})
