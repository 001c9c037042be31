/** Every fact of a result stands in its text: read back, it is the data again. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readBack, type Fields } from '../testing/result-text.ts'
import { resultText } from './result-text.ts'

const textOf = (data: unknown): string => resultText(Buffer.from(JSON.stringify(data)))

const page = (count: number): Fields => ({
  items: Array.from({ length: count }, (_, at) => ({
    sku_id: 10_000_101 + 100 * at, product_id: 100_001 + at,
    title: `易禾Yihovo PX-0${at} 智能手机 8GB+256GB | 备用机`, retail_price: 1500 + at,
    coupon: at % 2 ? null : { amount: 5, threshold: 100 }, ...(at === 1 && { group_id: 'g1' }),
    freight: 800, images: [`http://localhost:8080/images/${10_000_101 + 100 * at}-1.svg`],
    inventory_snapshot_at: '2026-03-01T02:30:00.000Z',
  })),
  total: 77, page: 1, relaxed: { kind: 'typo', dropped: ['手机'] },
})

it('a page of goods is a line an item, and says what is the same of all once', () => {
  const text = textOf(page(20))
  expect(text.split('\n')).toHaveLength(23)
  expect(text.match(/inventory_snapshot_at|freight|\{sku_id\}-1\.svg/g)).toHaveLength(3)
  expect(readBack(text)).toEqual(page(20))
})

it.each([
  [{ order_no: 'AM1', events: [{ event: 'created' }] }], [{ items: [] }], [{ items: ['a', 'b'] }],
])('%j has no list of records: its text is its JSON', (data) => {
  expect(textOf(data)).toBe(JSON.stringify(data))
})

it('whatever records hold is read back from their lines', () => {
  const value = fc.oneof(
    fc.jsonValue({ stringUnit: 'binary', depthSize: 'small' }),
    fc.constantFrom('', ' ', '1', '-', 'null', 'a|b', '"', '{id}', '[', 'a\nb', '7', 7, 'x{id}y'),
    fc.string({ unit: 'grapheme' }))
  const maybe = fc.option(value, { nil: undefined })
  const record = fc.tuple(fc.integer({ min: 0, max: 99 }), value, maybe)
    .map(([id, title, more]) => ({ id, title, ...(more !== undefined && { more }) }))
  const data = fc.record({ items: fc.array(record, { minLength: 2, maxLength: 5 }), total: value })
  fc.assert(fc.property(data, (given) => {
    const asSent = JSON.parse(JSON.stringify(given)) as unknown
    expect(readBack(textOf(given))).toEqual(asSent)
  }))
})
