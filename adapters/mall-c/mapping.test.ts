/** Mall C's units and quirks, row by row. */
import { expect, test } from 'vitest'
import { isGoodsRow, isOrderRow, toItem, toOrderLine } from './mapping.ts'

const NOW = Date.parse('2026-01-02T03:04:05Z')
const ITEM_URL = 'https://mobile.mall-c.example/goods.html?goods_sign={id}'

const goods = (more: object = {}) => {
  const row: unknown = {
    goods_sign: 'c9r2sandboxSign0001', goods_name: '耳机', min_group_price: 8990,
    min_normal_price: 10_990, ...more,
  }
  return isGoodsRow(row) ? toItem(row, { itemUrl: ITEM_URL }, NOW) : null
}
const COUPON = {
  has_coupon: true, coupon_discount: 1000, coupon_min_order_amount: 5000,
  coupon_remain_quantity: 10, coupon_start_time: NOW / 1000 - 60, coupon_end_time: NOW / 1000 + 60,
}

test('fen stay fen and per mille become basis points', () => {
  expect(goods({ promotion_rate: 125 })).toMatchObject({
    price: { list_price: 8990, payable: 8990, freight: null },
    commission: { bps: 1250, fen: 1123 },
  })
  expect(goods({ ...COUPON, promotion_rate: 10 })?.commission).toEqual({ bps: 100, fen: 79 })
})

test('the group price is the price; that for buying alone counts only where it is the only', () => {
  expect(goods()).toMatchObject({ price: { list_price: 8990, conditions: [] }, special: null })
  for (const min_group_price of [0, null, undefined]) {
    expect(goods({ min_group_price })?.price.list_price).toBe(10_990)
  }
  expect(goods({ min_group_price: 0, min_normal_price: 0 })).toBeNull()
  expect(goods({ min_group_price: null, min_normal_price: null })).toBeNull()
})

test('goods_sign is the id and makes the link; goods_id is neither', () => {
  expect(goods({ goods_id: 123 })).toMatchObject({
    id: 'c9r2sandboxSign0001',
    url: 'https://mobile.mall-c.example/goods.html?goods_sign=c9r2sandboxSign0001',
  })
  expect(goods({ goods_sign: undefined, goods_id: 123 })).toBeNull()
})

test('the coupon lowers the group price, and travels in no link of its own', () => {
  expect(goods(COUPON)).toMatchObject({
    price: { list_price: 8990, coupon: { amount: 1000, threshold: 5000 }, payable: 7990 },
    coupon_url: null,
  })
})

test.each([
  ['said to be none', { has_coupon: false }], ['not reached', { coupon_min_order_amount: 8991 }],
  ['used up', { coupon_remain_quantity: 0 }], ['over', { coupon_end_time: NOW / 1000 }],
  ['not yet open', { coupon_start_time: NOW / 1000 + 1 }], ['of nothing', { coupon_discount: 0 }],
  ['of all there is to pay', { coupon_discount: 8990 }],
])('a coupon that is %s is no part of the price', (_, wrong) => {
  expect(goods({ ...COUPON, ...wrong })?.price).toMatchObject({ coupon: null, payable: 8990 })
})

test('a coupon of unknown times, number and threshold counts', () => {
  const { has_coupon, coupon_discount } = COUPON
  expect(goods({ has_coupon, coupon_discount, coupon_start_time: 0, coupon_end_time: 0 })?.price)
    .toMatchObject({ coupon: { amount: 1000, threshold: 0 }, payable: 7990 })
})

test.each([
  ['8342', 8342], ['2.1万+', 21_000], ['10万+', 100_000], ['已拼1.2亿件', 120_000_000],
  ['1000+', 1000], ['0', 0], ['全店已售10万+', null], ['热卖', null], ['', null], [null, null],
])('sales of "%s" are at least %j', (sales_tip, sales) => {
  expect(goods({ sales_tip })?.sales).toBe(sales)
})

test('pictures come from the gallery too; absent and null fields are unknown, not zero', () => {
  expect(goods({
    goods_image_url: '//img.mall-c.example/1.jpg',
    goods_gallery_urls: ['https://img.mall-c.example/2.jpg', 7],
  })?.images).toEqual(['https://img.mall-c.example/1.jpg', 'https://img.mall-c.example/2.jpg'])
  expect(goods({ mall_name: null, opt_name: null, brand_name: null, promotion_rate: null }))
    .toMatchObject({
      shop: null, category: null, brand: null, commission: null, sales: null, images: [],
      rating: null, reviews: null,
    })
})

test.each([
  ['a price that is text', { min_group_price: '8990' }],
  ['a price in yuan', { min_group_price: 89.9 }], ['a negative price', { min_group_price: -1 }],
  ['no title', { goods_name: undefined }], ['a rate over all', { promotion_rate: 1001 }],
])('a row with %s is no item', (_, wrong) => {
  expect(goods(wrong)).toBeNull()
})

const order = (more: object = {}) => {
  const row: unknown = {
    order_sn: '260102-280000000000001', order_id: '1', order_status: 1, goods_id: 600_000_000_001,
    goods_sign: 'c9r2sandboxSign0001', goods_name: '耳机', goods_quantity: 2, order_amount: 17_980,
    promotion_rate: 125, promotion_amount: 2247, duo_id_service_fee: 224,
    order_create_time: NOW / 1000 - 60, order_pay_time: NOW / 1000 - 50, order_settle_time: null,
    order_modify_at: NOW / 1000, custom_parameters: '{"uid":"ag_7f3k9q"}', p_id: '1_2', ...more,
  }
  return isOrderRow(row) ? toOrderLine(row, { neutralUid: 'search' }) : null
}

test('a row is a line in fen and milliseconds, with the commission without the mall\'s fee', () => {
  expect(order()).toEqual({
    source: 'mall_c', line_id: '260102-280000000000001', order_no: '260102-280000000000001',
    item_id: 'c9r2sandboxSign0001', title: '耳机', qty: 2, amount: 17_980,
    commission: { bps: 1250, fen: 2023 }, status: 'paid', mall_status: '1', sub_id: 'ag_7f3k9q',
    ordered_at: NOW - 60_000, paid_at: NOW - 50_000, updated_at: NOW,
  })
  expect(order({ duo_id_service_fee: null })?.commission.fen).toBe(2247)
  expect(order({ duo_id_service_fee: 9999 })?.commission.fen).toBe(0)
})

test.each([
  [-1, 'pending'], [0, 'paid'], [1, 'paid'], [2, 'received'], [3, 'received'], [4, 'invalid'],
  [5, 'settled'], [8, 'invalid'], [10, 'invalid'], [6, 'unknown'], [99, 'unknown'],
])('status %i is %s', (order_status, status) => {
  const line = order({ order_status })
  expect(line).toMatchObject({ status, mall_status: String(order_status) })
  expect(line?.commission.fen).toBe(status === 'invalid' ? 0 : 2023)
})

test.each([
  ['{"uid":"ag_1","sid":"x"}', 'ag_1'], ['{"uid":"search"}', null], ['{"uid":""}', null],
  ['{"uid":7}', null], ['{"sid":"x"}', null], ['ag_1', null], ['null', null], ['', null],
  [null, null], [`{"uid":"${'a'.repeat(129)}"}`, null],
])('the echo %j credits %j', (custom_parameters, sub_id) => {
  expect(order({ custom_parameters })?.sub_id).toBe(sub_id)
})

test('times that were not reached come as null or 0', () => {
  expect(order({ order_pay_time: null, order_create_time: 0 }))
    .toMatchObject({ paid_at: null, ordered_at: null })
})

test('a line of an older item has no id that this mall would know', () => {
  expect([order({ goods_sign: null }), order({ goods_sign: 'a b' })].map((one) => one?.item_id))
    .toEqual([null, null])
})

test('a row without a time of change is no line', () => {
  expect([undefined, null, 0, 'soon'].map((order_modify_at) => order({ order_modify_at })))
    .toEqual([null, null, null, null])
})
