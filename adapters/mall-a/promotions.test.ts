/** How mall A words its coupons, and how its estimated price comes about. */
import { expect, test } from 'vitest'
import { fenOf, inPresale, momentOf, pricesOf, readCoupon } from './promotions.ts'

const NOW = Date.parse('2026-01-02T03:04:05Z')

test.each([
  ['满99元减30元', 9900, 3000, 1], ['满99减30', 9900, 3000, 1],
  ['满98.53元减10.50元', 9853, 1050, 1], ['每满300减40', 30_000, 4000, 1],
  ['满７９９９减１３００', 799_900, 130_000, 1], ['满 99 元，立减 30 元', 9900, 3000, 1],
  ['立减20元', 0, 2000, 1], ['直降5.5元', 0, 550, 1], ['30元无门槛券', 0, 3000, 1],
  ['20元无条件券', 0, 2000, 1], ['满99元打9折', 9900, null, 1], ['1件7.92折', 0, null, 1],
  ['2件8折', 0, null, 2], ['满2件打8折', 0, null, 2], ['满12件减5元', 0, 500, 12],
  ['第2件半价', 0, null, 2], ['官方补贴', 0, null, 1], ['', 0, null, 1], [null, 0, null, 1],
])('%j is a coupon from %i on, of %j, for %i pieces', (text, threshold, amount, pieces) => {
  expect(readCoupon(text)).toEqual({ threshold, amount, pieces })
})

const STEP = { promotion_title: '商品券', promotion_desc: '满99元减30元', promotion_fee: '30.00' }
const prices = (estimate: number | null, ...steps: object[]) =>
  pricesOf({ list: 19_990, estimate, steps, freight: null }, NOW)

test('an estimate whose steps are open to all is what anybody pays', () => {
  expect(prices(16_990, STEP)).toMatchObject({
    price: {
      list_price: 19_990, coupon: { amount: 3000, threshold: 9900 }, conditions: [],
      payable: 16_990,
    },
    special: null,
  })
  const two = prices(14_990, STEP, { ...STEP, promotion_desc: '满150减20', promotion_fee: null })
  expect(two.price).toMatchObject({ payable: 14_990, coupon: { amount: 5000, threshold: 15_000 } })
})

test('an open step that tells no amount takes off what the estimate says', () => {
  const rate = { promotion_title: '单品直降', promotion_desc: '1件7.92折' }
  expect(prices(15_832, rate).price).toMatchObject({ payable: 15_832, coupon: { amount: 4158 } })
  expect(prices(null, rate).price.payable).toBe(19_990)
})

test('an estimate without steps is a lower sale price; one above the sale price is none', () => {
  expect(prices(15_000).price).toMatchObject({ list_price: 15_000, payable: 15_000, coupon: null })
  for (const estimate of [null, 0, 20_000]) expect(prices(estimate).price.payable).toBe(19_990)
})

test.each([
  ['not reached', { promotion_desc: '满7999减1300', promotion_fee: '1300.00' }],
  ['over', { promotion_end_time: String(NOW) }],
  ['over since a day', { promotion_end_time: '2026-01-01' }],
  ['not yet open', { promotion_start_time: '2026-01-02 11:04:06' }],
  ['for two pieces', { promotion_desc: '2件8折' }],
  ['of a live broadcast', { promotion_title: '直播间券' }],
])('a step that is %s is no part of the price', (_, wrong) => {
  expect(prices(16_990, { ...STEP, ...wrong })).toMatchObject({
    price: { payable: 19_990, coupon: null }, special: null,
  })
  expect(prices(14_990, STEP, { ...STEP, ...wrong }).price.payable).toBe(16_990)
})

test.each([
  ['88VIP专享', 'member'], ['会员价', 'member'], ['首单礼金', 'first_order'],
  ['新人红包', 'first_order'], ['拼团', 'group'], ['国家补贴', 'region'],
])('what %s lowers is a special price with its condition', (title, condition) => {
  expect(prices(15_990, STEP, { promotion_title: title, promotion_fee: '10.00' })).toMatchObject({
    price: { payable: 16_990, conditions: [] },
    special: { payable: 15_990, conditions: [condition] },
  })
})

test('no price is lower than the mall itself estimates', () => {
  expect(prices(18_000, { ...STEP, promotion_fee: '90.00' }, { ...STEP, promotion_desc: '2件8折' })
    .price.payable).toBe(18_000)
})

test('freight counts on top', () => {
  expect(pricesOf({ list: 1000, estimate: 900, steps: [], freight: 600 }, NOW).price)
    .toMatchObject({ list_price: 900, freight: 600, payable: 1500 })
})

test('times are milliseconds, times of China, or days that last until they are over', () => {
  expect(momentOf('1767323045000', 'end')).toBe(1_767_323_045_000)
  expect(momentOf(1_767_323_045_000, 'start')).toBe(1_767_323_045_000)
  expect(momentOf('2026-01-02 11:04:05', 'end')).toBe(NOW)
  expect(momentOf('2026-01-02', 'start')).toBe(Date.parse('2026-01-01T16:00:00Z'))
  expect(momentOf('2026-01-02', 'end')).toBe(Date.parse('2026-01-02T16:00:00Z'))
  for (const none of ['', '0', null, undefined, 'soon']) expect(momentOf(none, 'end')).toBeNull()
})

test('a presale lasts while deposits are taken', () => {
  const presale = { presale_deposit: '50.00', presale_end_time: NOW + 1 }
  expect(inPresale(presale, NOW)).toBe(true)
  expect(inPresale({ presale_deposit: '50' }, NOW)).toBe(true)
  expect(inPresale({ ...presale, presale_end_time: NOW }, NOW)).toBe(false)
  expect(inPresale({ ...presale, presale_start_time: NOW + 1 }, NOW)).toBe(false)
  for (const none of [null, undefined, {}, { presale_deposit: '0.00' }, { presale_deposit: '' }]) {
    expect(inPresale(none, NOW)).toBe(false)
  }
})

test('money is read digit by digit, from text and from numbers', () => {
  expect([fenOf('69.9'), fenOf(69.9), fenOf('19.99'), fenOf('0.00'), fenOf(''), fenOf(null)])
    .toEqual([6990, 6990, 1999, 0, null, null])
})
