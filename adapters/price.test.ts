import { expect, test } from 'vitest'
import { fc, test as property } from '@fast-check/vitest'
import { addsUp, bpsOfPercent, breakdown, fenOfNumber, fenOfText } from './price.ts'

property.prop([fc.integer({ min: 0, max: 99_999_999_999 })])(
  'every number of fen survives its yuan text', (fen) => {
    const text = `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`
    expect(fenOfText(text)).toBe(fen)
  })

property.prop([fc.integer({ min: 0, max: 99_999_999 })])(
  'every number of fen survives its yuan number', (fen) => {
    expect(fenOfNumber(fen / 100)).toBe(fen)
  })

test('texts that are no price are none', () => {
  for (const text of ['', '-1', '1e5', '1.', '.5', '1,000', '99.9元', 'NaN', '1'.repeat(10)]) {
    expect(fenOfText(text), text).toBeNull()
  }
  expect([fenOfText('59.9'), fenOfText('59.905'), fenOfText('59')]).toEqual([5990, 5991, 5900])
  expect([fenOfNumber(-1), fenOfNumber(NaN), fenOfNumber(1e12), fenOfNumber(null)])
    .toEqual([null, null, null, null])
})

test('per cent become basis points', () => {
  expect([15.5, 0.3, 7.35].map(bpsOfPercent)).toEqual([1550, 30, 735])
})

test('a coupon counts where the price reaches it and something is left to pay', () => {
  expect(breakdown({ list: 10_000, coupon: { amount: 2000, threshold: 9900 } }))
    .toMatchObject({ payable: 8000, coupon: { amount: 2000, threshold: 9900 } })
  expect(breakdown({ list: 9800, coupon: { amount: 2000, threshold: 9900 } }))
    .toMatchObject({ payable: 9800, coupon: null })
  expect(breakdown({ list: 2000, coupon: { amount: 2000, threshold: 0 } }))
    .toMatchObject({ payable: 2000, coupon: null })
})

const amount = fc.integer({ min: 0, max: 1_000_000 })

property.prop([fc.integer({ min: 1, max: 1_000_000 }), amount, amount, fc.option(amount)])(
  'a breakdown adds up and leaves something to pay', (list, off, threshold, freight) => {
    const price = breakdown({ list, coupon: { amount: off, threshold }, freight })
    expect(addsUp(price)).toBe(true)
    expect(price.payable).toBeGreaterThan(0)
  })
