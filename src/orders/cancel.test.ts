import { describe, expect, test } from 'vitest'
import { ledger as keys } from '../redis/keys.ts'
import { openTwoNodes } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, refusalOf, stockOf, supplyProduct } from '../testing/products.ts'

const [shop, other] = await openTwoNodes()

async function placed(qty = 4) {
  const product = await supplyProduct(shop.ledger)
  const buyer = newBuyer()
  const input = attemptAt(product, { qty })
  const { order_no: orderNo } = await shop.orders.place(input, buyer)
  return { product, buyer, orderNo, input }
}

describe('cancelling', () => {
  test('before payment closes the order with the reason and gives its units back', async () => {
    const { product, buyer, orderNo } = await placed()
    const order = await shop.orders.cancel(buyer.agent, orderNo, '拍错了')
    expect(order).toMatchObject({
      status: 'closed',
      events: [{ event: 'created' }, { event: 'closed', detail: { reason: '拍错了' } }],
      next_actions: [{ tool: 'get_goods_detail' }],
    })
    expect(order).not.toHaveProperty('poll_after_s')
    expect(await stockOf(shop.ledger, product)).toBe(10)
  })

  test('after payment gives the money back, and says so', async () => {
    const { product, buyer, orderNo } = await placed()
    await shop.orders.move('pay', orderNo)
    await shop.orders.move('accept', orderNo)
    const { status, events } = await shop.orders.cancel(buyer.agent, orderNo)
    expect(status).toBe('closed')
    expect(events.map(({ event }) => event))
      .toEqual(['created', 'paid', 'merchant_accepted', 'closed', 'refunded'])
    expect(await stockOf(shop.ledger, product)).toBe(10)
  })

  test('again and again, from any node, is done once', async () => {
    const { product, buyer, orderNo } = await placed()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? shop : other).orders.cancel(buyer.agent, orderNo)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await stockOf(shop.ledger, product)).toBe(10)
  })

  test('while it is being paid: one wins, and stock and money agree', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { product, buyer, orderNo } = await placed()
      const [paid] = await Promise.all([
        shop.orders.move('pay', orderNo), other.orders.cancel(buyer.agent, orderNo),
      ])
      const { events } = await shop.orders.read(buyer.agent, orderNo)
      const names = events.map(({ event }) => event)
      expect(names.includes('refunded')).toBe(paid.code === 'moved')
      expect(await stockOf(shop.ledger, product)).toBe(10)
    }
  })

  test('what has shipped is refused, and the answer says what is possible instead', async () => {
    const { product, buyer, orderNo } = await placed()
    for (const name of ['pay', 'accept', 'ship'] as const) await shop.orders.move(name, orderNo)
    expect(await refusalOf(shop.orders.cancel(buyer.agent, orderNo))).toEqual({
      error: 'order_state', status: 'shipped', allowed: ['request_aftersale'],
    })
    expect(await stockOf(shop.ledger, product)).toBe(6)
  })

  test('a replay of the order shows it closed', async () => {
    const { buyer, orderNo, input } = await placed()
    await shop.orders.cancel(buyer.agent, orderNo)
    expect(await other.orders.place(input, buyer))
      .toMatchObject({ order_no: orderNo, status: 'closed', duplicate: true })
  })
})

describe('a preview', () => {
  test('has the amounts that the order then has', async () => {
    const product = await supplyProduct(shop.ledger)
    const input = attemptAt(product, { qty: 2 })
    const preview = await shop.orders.preview(input)
    expect(preview).toMatchObject({
      unit_price: 1990, qty: 2, freight: 600, amount: 4580, grand_total: 4580, qty_cap: 99,
      available_qty: 10, orderable: true, free_ship_threshold: 5000,
    })
    const { quote_token } = preview
    const order = await shop.orders.place({ ...input, quote_token }, newBuyer())
    expect(order).toMatchObject({ amount: preview.amount, freight: preview.freight })
  })

  test.each([[4999, 600], [5000, 0]])('of goods for %i fen, free of freight from 5000 on, has a '
    + 'freight of %i as its order has', async (price, freight) => {
    const product = await supplyProduct(shop.ledger, { price, freeShipThreshold: 5000 })
    const input = attemptAt(product)
    const expected = { freight, amount: price + freight }
    expect(await shop.orders.preview(input)).toMatchObject(expected)
    expect(await shop.orders.place(input, newBuyer())).toMatchObject(expected)
  })

  test('reserves nothing, and says what cannot be ordered', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 3, cap: 5 })
    for (const [qty, why] of [[4, /Only 3/], [6, /at most 5/]] as const) {
      expect(await shop.orders.preview(attemptAt(product, { qty })))
        .toMatchObject({ orderable: false, why: expect.stringMatching(why) })
    }
    expect(await stockOf(shop.ledger, product)).toBe(3)
  })

  test('of another merchant\'s or no product is refused as the order would be', async () => {
    const product = await supplyProduct(shop.ledger)
    const input = attemptAt(product)
    expect(await refusalOf(shop.orders.preview({ ...input, merchant_id: 9 })))
      .toMatchObject({ error: 'merchant_mismatch' })
    expect(await refusalOf(shop.orders.preview({ ...input, product_id: 7 })))
      .toMatchObject({ error: 'not_found' })
  })
})

describe('a quote', () => {
  test.each([
    ['a higher', 2190, 4980], ['a lower', 1790, 4180],
  ])('holds the order to its price: %s price is told, and nothing is ordered', async (
    _, price, amount,
  ) => {
    const product = await supplyProduct(shop.ledger)
    const [input, buyer] = [attemptAt(product, { qty: 2 }), newBuyer()]
    const { quote_token } = await shop.orders.preview(input)
    await shop.ledger.hset(keys.sku(product.productId), 'retail_price', price)
    expect(await refusalOf(shop.orders.place({ ...input, quote_token }, buyer))).toEqual({
      error: 'price_changed',
      old: { unit_price: 1990, freight: 600, amount: 4580 },
      new: { unit_price: price, freight: 600, amount },
    })
    expect(await stockOf(shop.ledger, product)).toBe(10)
    const fresh = await shop.orders.preview(input)
    expect(await shop.orders.place({ ...input, quote_token: fresh.quote_token }, buyer))
      .toMatchObject({ amount, duplicate: false })
  })

  test('whose order stands already changes nothing about it', async () => {
    const product = await supplyProduct(shop.ledger)
    const [input, buyer] = [attemptAt(product), newBuyer()]
    const { quote_token } = await shop.orders.preview(input)
    const first = await shop.orders.place(input, buyer)
    await shop.ledger.hset(keys.sku(product.productId), 'retail_price', 5)
    expect(await shop.orders.place({ ...input, quote_token }, buyer))
      .toMatchObject({ order_no: first.order_no, amount: first.amount, duplicate: true })
  })

  test.each([
    ['another quantity', (token: string) => token, { qty: 3 }],
    ['a changed price', (token: string) => token.replace('1990', '1'), {}],
    ['nonsense', () => 'a.b.c', {}],
  ])('with %s is refused by name and binds nothing', async (_, change, given) => {
    const product = await supplyProduct(shop.ledger)
    const [input, buyer] = [attemptAt(product, { qty: 2 }), newBuyer()]
    const { quote_token } = await shop.orders.preview(input)
    const wrong = { ...input, ...given, quote_token: change(quote_token) }
    expect(await refusalOf(shop.orders.place(wrong, buyer)))
      .toMatchObject({ error: 'invalid_request', fields: [{ path: 'quote_token' }] })
    expect(await shop.orders.place({ ...input, quote_token }, buyer))
      .toMatchObject({ duplicate: false })
  })
})
