import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ledger as keys } from '../redis/keys.ts'
import {
  attemptAt, newBuyer, openShop, stockOf, supplyProduct, type Product, type Shop,
} from '../testing/products.ts'
import { readOrder } from './record.ts'
import {
  EVENTS, MOVES, STATUSES, isFinal, type Move, type MoveName, type Status,
} from './states.ts'

let shop: Shop
beforeAll(async () => { shop = await openShop() })
afterAll(() => shop.close())

const moves = Object.entries(MOVES) as [MoveName, Move][]

/** An order put into a status by hand, its window over or open as the move needs it. */
async function orderIn(status: Status, window: Move['window']): Promise<[string, Product]> {
  const product = await supplyProduct(shop.ledger)
  const { order_no } = await shop.orders.place(attemptAt(product, { qty: 4 }), newBuyer())
  const fields = { status, ...(window === 'over' && { expires_at: '1' }) }
  await shop.ledger.hset(keys.order(product.partition, order_no), fields)
  return [order_no, product]
}

describe('the table', () => {
  test('leads from pending_payment to every status', () => {
    const reached = new Set<Status>(['pending_payment'])
    for (let size = 0; size !== reached.size;) {
      size = reached.size
      for (const [, { from, to }] of moves) {
        if (to && from.some((status) => reached.has(status))) reached.add(to)
      }
    }
    expect(reached).toEqual(new Set(STATUSES))
  })

  test('ends in completed, closed and refunded', () => {
    expect(STATUSES.filter(isFinal)).toEqual(['completed', 'closed', 'refunded'])
  })

  test('uses every event but created, which placing writes', () => {
    const used = new Set(moves.map(([, { event }]) => event))
    expect(EVENTS.filter((event) => !used.has(event))).toEqual(['created'])
  })

  test('gives units back only where an order ends', () => {
    const returning = moves.map(([, row]) => row).filter(({ stock }) => stock === 'return')
    expect(returning.map(({ to }) => to && isFinal(to))).toEqual(returning.map(() => true))
  })
})

describe.each(moves)('%s', (name, row) => {
  test.each(STATUSES.filter((status) => !row.from.includes(status)))(
    'from %s: refused, and nothing changes', async (status) => {
      const [orderNo, product] = await orderIn(status, row.window)
      const before = await readOrder(shop.ledger, orderNo)
      expect(await shop.orders.move(name, orderNo)).toEqual({ code: 'state', status })
      expect(await readOrder(shop.ledger, orderNo)).toEqual(before)
      expect(await stockOf(shop.ledger, product)).toBe(6)
    })

  test.each(row.from)('from %s: as the table says', async (status) => {
    const [orderNo, product] = await orderIn(status, row.window)
    const detail = { reason: 'test' }
    const result = await shop.orders.move(name, orderNo, { detail })
    expect(result).toEqual({ code: 'moved', status: row.to ?? status, at: expect.any(Number) })
    const order = await readOrder(shop.ledger, orderNo)
    expect(order?.status).toBe(row.to ?? status)
    expect(order?.events.slice(1))
      .toEqual(row.event ? [{ event: row.event, at: result.at, detail }] : [])
    const stock = await stockOf(shop.ledger, product)
    expect(stock).toBe(row.stock === 'return' ? 10 : 6)
    const held = await shop.ledger.hget(keys.order(product.partition, orderNo), 'held')
    expect(Number(held) + stock, 'supplied = stock + held').toBe(10)
    expect(await shop.ledger.zscore(keys.unpaid(product.partition), orderNo)).toBeNull()
    const next = row.to ? shop.orders.driver.next(row.to) : undefined
    const due = await shop.ledger.zscore(keys.due(product.partition), orderNo)
    expect(due).toBe(next ? String((result.at ?? 0) + next.afterMs) : null)
  })

  test('made again it says done and changes nothing', async () => {
    const [orderNo, product] = await orderIn(row.from[0] ?? 'paid', row.window)
    const first = await shop.orders.move(name, orderNo)
    const between = await readOrder(shop.ledger, orderNo)
    const outbox = await shop.ledger.xlen(keys.outbox(product.partition))
    expect(await shop.orders.move(name, orderNo)).toEqual({ ...first, code: 'done' })
    expect(await readOrder(shop.ledger, orderNo)).toEqual(between)
    expect(await shop.ledger.xlen(keys.outbox(product.partition))).toBe(outbox)
    expect(await stockOf(shop.ledger, product)).toBe(row.stock === 'return' ? 10 : 6)
  })

  test('many at once make it once', async () => {
    const [orderNo, product] = await orderIn(row.from[0] ?? 'paid', row.window)
    const results = await Promise.all(Array.from({ length: 20 }, () =>
      shop.orders.move(name, orderNo)))
    expect(results.filter(({ code }) => code === 'moved')).toHaveLength(1)
    expect(results.filter(({ code }) => code === 'done')).toHaveLength(19)
    expect(await stockOf(shop.ledger, product)).toBe(row.stock === 'return' ? 10 : 6)
  })
})

describe('the payment window', () => {
  test('paying after it is refused although no sweep has closed the order', async () => {
    const [orderNo] = await orderIn('pending_payment', 'over')
    expect(await shop.orders.move('pay', orderNo)).toEqual({
      code: 'expired', status: 'pending_payment',
    })
  })

  test('nothing expires before its end', async () => {
    const [orderNo] = await orderIn('pending_payment', 'open')
    expect(await shop.orders.move('expire', orderNo)).toEqual({
      code: 'early', status: 'pending_payment',
    })
  })

  test('a move with its own id can be made again under another', async () => {
    const [orderNo] = await orderIn('delivered', null)
    const codes = []
    for (const id of ['a', 'a', 'b']) {
      codes.push((await shop.orders.move('request_aftersale', orderNo, { id })).code)
    }
    expect(codes).toEqual(['moved', 'done', 'moved'])
  })

  test('an order that does not exist is missing, whatever its number', async () => {
    const orderNo = `AM${'0'.repeat(18)}`
    expect(await shop.orders.move('pay', orderNo)).toEqual({ code: 'missing' })
    expect(await shop.orders.move('pay', 'nonsense')).toEqual({ code: 'missing' })
  })
})
