import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ledger as keys } from '../redis/keys.ts'
import {
  attemptAt, newBuyer, openShop, stockOf, supplyProduct, type Product, type Shop,
} from '../testing/products.ts'
import { outboxEvent } from '../redis/streams.ts'
import { readOrder } from './record.ts'
import {
  AFTERSALE_STATUSES, ENDED, EVENTS, isFinal, MOVES, openOf, STATUSES, type MoveName, type MoveRow,
  type Status,
} from './states.ts'

let shop: Shop
beforeAll(async () => { shop = await openShop() })
afterAll(() => shop.close())

const moves = Object.entries(MOVES) as [MoveName, MoveRow][]

const ID = 'AS0000000000000001'
const GIVEN = JSON.stringify({
  type: 'return_refund', pickup: true, refund_amount: 100, return_freight_payer: 'us',
  fingerprint: 'x',
})

/** An order put into a status by hand, its window and its after-sale as the move needs them. */
async function orderIn(
  status: Status, row: MoveRow, aftersale = row.aftersale?.from[0] ?? 'none',
): Promise<[string, Product]> {
  const product = await supplyProduct(shop.ledger)
  const { order_no } = await shop.orders.place(attemptAt(product, { qty: 4 }), newBuyer())
  const order = keys.order(product.partition, order_no)
  await shop.ledger.hset(order, {
    status, ...(row.window === 'over' && { expires_at: '1' }),
    ...(aftersale !== 'none' && {
      after_id: ID, after_status: aftersale, after_type: row.aftersale?.type ?? 'return_refund',
    }),
  })
  if (aftersale !== 'none') {
    await shop.ledger.hset(keys.after(product.partition, order_no), {
      [`${ID}.status`]: aftersale, [`${ID}.given`]: GIVEN, [`${ID}.at.requested`]: 1,
    })
  }
  return [order_no, product]
}

/** What the caller of a row says about the after-sale. */
const optionsOf = ({ aftersale }: MoveRow) => (aftersale?.to ? {
  aftersale: {
    id: ID, type: aftersale.type ?? 'return_refund', hasPickup: true,
    ...(aftersale.from.includes('none') && { given: GIVEN }),
  },
} as const : {})

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

  test('leads from no after-sale to every status of one, and on to an end', () => {
    const rows = moves.flatMap(([, { aftersale }]) => aftersale?.to ? [aftersale] : [])
    expect(new Set(rows.map(({ to }) => to))).toEqual(new Set(AFTERSALE_STATUSES))
    const left = new Set(rows.flatMap(({ from }) => from))
    expect(AFTERSALE_STATUSES.filter((status) => !left.has(status)).toSorted())
      .toEqual([...ENDED].toSorted())
  })

  test('ends in completed, closed and refunded', () => {
    expect(STATUSES.filter(isFinal)).toEqual(['completed', 'closed', 'refunded'])
  })

  test('uses every event but created, which placing writes', () => {
    const used = new Set(moves.flatMap(([, { events }]) => events))
    expect(EVENTS.filter((event) => !used.has(event))).toEqual(['created'])
  })

  test('gives units back only where an order ends', () => {
    const returning = moves.map(([, row]) => row).filter(({ stock }) => stock === 'return')
    expect(returning.map(({ to }) => to && isFinal(to))).toEqual(returning.map(() => true))
  })

  test('gives money back, and says so, whenever a paid order ends before it is completed', () => {
    const ending = moves.filter(([, { from, to }]) =>
      to && isFinal(to) && to !== 'completed' && !from.includes('pending_payment'))
    expect(ending.filter(([, { events }]) => !events.includes('refunded'))).toEqual([])
  })
})

describe.each(moves)('%s', (name, row) => {
  test.each(STATUSES.filter((status) => !row.from.includes(status)))(
    'from %s: refused, and nothing changes', async (status) => {
      const [orderNo, product] = await orderIn(status, row)
      const before = await readOrder(shop.ledger, orderNo)
      expect(await shop.orders.move(name, orderNo, optionsOf(row)))
        .toEqual({ code: 'state', status })
      expect(await readOrder(shop.ledger, orderNo)).toEqual(before)
      expect(await stockOf(shop.ledger, product)).toBe(6)
    })

  const standings = row.aftersale ? [...AFTERSALE_STATUSES, 'none' as const] : []
  test.each(standings.filter((standing) =>
    !row.aftersale?.from.includes(openOf(standing === 'none' ? undefined : standing))))(
    'with its after-sale at %s: refused, and nothing changes', async (standing) => {
      const status = row.from[0] ?? 'paid'
      const [orderNo, product] = await orderIn(status, row, standing)
      const before = await readOrder(shop.ledger, orderNo)
      expect(await shop.orders.move(name, orderNo, optionsOf(row)))
        .toEqual({ code: 'aftersale', status })
      expect(await readOrder(shop.ledger, orderNo)).toEqual(before)
      expect(await stockOf(shop.ledger, product)).toBe(6)
    })

  test.each(row.from)('from %s: as the table says', async (status) => {
    const [orderNo, product] = await orderIn(status, row)
    const { partition } = product
    const detail = { reason: 'test' }
    const result = await shop.orders.move(name, orderNo, { ...optionsOf(row), detail })
    expect(result).toEqual({ code: 'moved', status: row.to ?? status, at: expect.any(Number) })
    const order = await readOrder(shop.ledger, orderNo)
    expect(order?.status).toBe(row.to ?? status)
    expect(order?.events.slice(1)).toEqual(row.events.map((event, index) =>
      ({ event, at: result.at, ...(index === 0 && { detail }) })))
    expect(order?.aftersales.at(-1)?.status)
      .toBe(row.aftersale?.to ?? (row.aftersale?.from.includes('none') ? undefined
        : row.aftersale?.from[0]))
    const stock = await stockOf(shop.ledger, product)
    expect(stock).toBe(row.stock === 'return' ? 10 : 6)
    const held = await shop.ledger.hget(keys.order(partition, orderNo), 'held')
    expect(Number(held) + stock, 'supplied = stock + held').toBe(10)
    const isListed = await shop.ledger.zscore(keys.unpaid(partition), orderNo) !== null
    expect(isListed).toBe(!row.to)
    const next = row.to && !row.aftersale?.to ? shop.orders.driver.next(row.to) : undefined
    expect(await shop.ledger.zscore(keys.due(partition), orderNo))
      .toBe(next ? String((result.at ?? 0) + next.afterMs) : null)
    const nextAftersale = row.aftersale?.to ? shop.orders.driver.nextAftersale(row.aftersale.to,
      { type: row.aftersale.type ?? 'return_refund', hasPickup: true }) : undefined
    expect(await shop.ledger.zscore(keys.afterDue(partition), orderNo))
      .toBe(nextAftersale ? String((result.at ?? 0) + nextAftersale.afterMs) : null)
  })

  test('tells the followers of it, and of the stock only once', async () => {
    const [orderNo, product] = await orderIn(row.from[0] ?? 'paid', row)
    await shop.orders.move(name, orderNo, optionsOf(row))
    const entries = await shop.ledger.xrange(keys.outbox(product.partition), '-', '+')
    const told = entries.map(([id, fields]) => outboxEvent(product.partition, [id, fields]))
      .filter((entry) => entry.orderNo === orderNo).slice(1)
    const expected = [...row.events, ...(row.aftersale?.to ? ['aftersale'] : [])]
    expect(told.map(({ type }) => type)).toEqual(expected.length > 0 ? expected : [row.to])
    expect(told.map(({ stock }) => stock).filter((left) => left !== undefined))
      .toEqual(row.stock === 'return' ? [10] : [])
  })

  test('made again it says done and changes nothing', async () => {
    const [orderNo, product] = await orderIn(row.from[0] ?? 'paid', row)
    const first = await shop.orders.move(name, orderNo, optionsOf(row))
    const between = await readOrder(shop.ledger, orderNo)
    const outbox = await shop.ledger.xlen(keys.outbox(product.partition))
    expect(await shop.orders.move(name, orderNo, optionsOf(row)))
      .toEqual({ ...first, code: 'done' })
    expect(await readOrder(shop.ledger, orderNo)).toEqual(between)
    expect(await shop.ledger.xlen(keys.outbox(product.partition))).toBe(outbox)
    expect(await stockOf(shop.ledger, product)).toBe(row.stock === 'return' ? 10 : 6)
  })

  test('many at once make it once', async () => {
    const [orderNo, product] = await orderIn(row.from[0] ?? 'paid', row)
    const results = await Promise.all(Array.from({ length: 20 }, () =>
      shop.orders.move(name, orderNo, optionsOf(row))))
    expect(results.filter(({ code }) => code === 'moved')).toHaveLength(1)
    expect(results.filter(({ code }) => code === 'done')).toHaveLength(19)
    expect(await stockOf(shop.ledger, product)).toBe(row.stock === 'return' ? 10 : 6)
  })
})

test.each([[{}], [{ reason: undefined }]])('a detail of %j is none', async (detail) => {
  const [orderNo] = await orderIn('pending_payment', MOVES.pay)
  expect((await shop.orders.move('pay', orderNo, { detail: detail as object })).code).toBe('moved')
  const events = (await readOrder(shop.ledger, orderNo))?.events ?? []
  expect(events.map(({ event }) => event)).toEqual(['created', 'paid'])
  expect(events[1]).not.toHaveProperty('detail')
})

describe('the payment window', () => {
  test('paying after it is refused although no sweep has closed the order', async () => {
    const [orderNo] = await orderIn('pending_payment', MOVES.expire)
    expect(await shop.orders.move('pay', orderNo)).toEqual({
      code: 'expired', status: 'pending_payment',
    })
  })

  test('nothing expires before its end', async () => {
    const [orderNo] = await orderIn('pending_payment', MOVES.pay)
    expect(await shop.orders.move('expire', orderNo)).toEqual({
      code: 'early', status: 'pending_payment',
    })
  })

  test('an after-sale that ended may be followed by another, and by no third while open',
    async () => {
      const [orderNo] = await orderIn('delivered', MOVES.request_aftersale)
      const aftersale = { type: 'return_refund', hasPickup: true } as const
      const codes = []
      for (const [name, id] of [['request_aftersale', 'a'], ['request_aftersale', 'a'],
        ['request_aftersale', 'b'], ['reject', 'a'], ['request_aftersale', 'b'],
        ['reject', 'a'], ['withdraw', 'a'], ['withdraw', 'b']] as const) {
        const given = name === 'request_aftersale' ? { given: GIVEN } : {}
        const options = { aftersale: { ...aftersale, id, ...given } }
        codes.push((await shop.orders.move(name, orderNo, options)).code)
      }
      expect(codes).toEqual(['moved', 'done', 'aftersale', 'moved', 'moved', 'done', 'aftersale',
        'moved'])
    })

  test('an order that does not exist is missing, whatever its number', async () => {
    const orderNo = `AM${'0'.repeat(18)}`
    expect(await shop.orders.move('pay', orderNo)).toEqual({ code: 'missing' })
    expect(await shop.orders.move('pay', 'nonsense')).toEqual({ code: 'missing' })
  })
})
