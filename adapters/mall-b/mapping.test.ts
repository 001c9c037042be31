/** Mall B's units and quirks, row by row. */
import { expect, test } from 'vitest'
import { isGoodsRow, isOrderRow, toItem, toOrderLine } from './mapping.ts'

const NOW = Date.parse('2026-01-02T03:04:05Z')

const goods = (more: object = {}, scene: 1 | 2 = 1) => {
  const row: unknown = {
    itemId: 'abc_1', skuId: 100012043978, skuName: '耳机', priceInfo: { price: 199.9 }, ...more,
  }
  return isGoodsRow(row) ? toItem(row, scene, NOW) : null
}
const priced = (priceInfo: object, ...couponList: object[]) =>
  goods({ priceInfo, couponInfo: { couponList } })
const COUPON = {
  link: 'https://coupon.mall-b.example/take?key=a%3D%2d', discount: 20, quota: 100, isBest: 1,
}

test('yuan numbers become fen and per cent basis points', () => {
  expect(goods({
    priceInfo: { price: 19.99, lowestPrice: 19.99, lowestPriceType: 1, lowestCouponPrice: 19.99 },
    commissionInfo: { commissionShare: 7.35, commission: 1.46, couponCommission: 1.29 },
  })).toMatchObject({
    price: { list_price: 1999, payable: 1999, freight: null },
    commission: { bps: 735, fen: 129 },
  })
})

test('in scene 1 the union id names an item, in scene 2 the sku; 0 names none', () => {
  expect(goods()?.id).toBe('abc_1')
  expect(goods({}, 2)?.id).toBe('100012043978')
  expect([goods({ itemId: null }), goods({ skuId: 0 }, 2), goods({ skuId: '0' }, 2)])
    .toEqual([null, null, null])
})

test('a link without a scheme gets one', () => {
  expect(goods({ materialUrl: 'item.mall-b.example/detail/abc_1.html' })?.url)
    .toBe('https://item.mall-b.example/detail/abc_1.html')
  expect(goods({ materialUrl: 'http://item.mall-b.example/1.html' })?.url)
    .toBe('http://item.mall-b.example/1.html')
})

test('the best coupon that the price reaches counts, and its link stays byte for byte', () => {
  const item = priced({ price: 199.9, lowestCouponPrice: 179.9 },
    { ...COUPON, discount: 90, quota: 300 }, COUPON, { ...COUPON, discount: 5 })
  expect(item?.price)
    .toMatchObject({ payable: 17_990, coupon: { amount: 2000, threshold: 10_000 } })
  expect(item?.coupon_url).toBe(COUPON.link)
})

test.each([
  ['over', { useEndTime: NOW }], ['not yet open', { useStartTime: NOW + 1 }],
  ['no longer given out', { getEndTime: NOW - 1 }], ['a rate', { couponStyle: 3 }],
  ['a gift', { couponStyle: 28 }], ['of an unknown form', { discount: '20' }],
])('a coupon that is %s is no part of the price', (_, wrong) => {
  expect(priced({ price: 199.9 }, { ...COUPON, ...wrong })).toMatchObject({
    price: { payable: 19_990, coupon: null }, coupon_url: null,
  })
})

test('no price is lower than the mall itself says', () => {
  expect(priced({ price: 199.9, lowestCouponPrice: 189.9 }, COUPON)?.price)
    .toMatchObject({ payable: 19_990, coupon: null })
})

test('a flash price is for all; a group price stands beside; a presale has its condition', () => {
  const at = (lowestPriceType: number) => priced({ price: 100, lowestPrice: 80, lowestPriceType })
  expect(at(3)).toMatchObject({ price: { payable: 8000, conditions: [] }, special: null })
  expect(at(2)).toMatchObject({
    price: { payable: 10_000, conditions: [] },
    special: { payable: 8000, conditions: ['group'] },
  })
  expect(at(4)).toMatchObject({ price: { payable: 8000, conditions: ['deposit'] }, special: null })
})

test('nested lists come plain or under a key of their own', () => {
  const url = { url: '//img.mall-b.example/1.jpg' }
  for (const imageList of [[url], { urlInfo: [url] }, { urlInfo: url }]) {
    expect(goods({ imageInfo: { imageList } })?.images)
      .toEqual(['https://img.mall-b.example/1.jpg'])
  }
  expect(goods({ priceInfo: { price: 199.9 }, couponInfo: { couponList: { coupon: [COUPON] } } })
    ?.price.payable).toBe(17_990)
})

test('the share of good reviews becomes stars; without reviews there are none', () => {
  expect(goods({
    comments: 6186, goodCommentsShare: 99, commentInfo: { commentList: [
      { content: '好' }, { content: '还行', score: 4, creationTime: '2026-01-02 03:04:05' },
      { content: '一般', score: 'five', creationTime: 'yesterday' },
    ] },
  })).toMatchObject({
    rating: 4.95, reviews: { count: 6186, positive_percent: 99, samples: [
      { text: '好', rating: null, at: null },
      { text: '还行', rating: 4, at: Date.parse('2026-01-01T19:04:05Z') },
      { text: '一般', rating: null, at: null },
    ] },
  })
  expect(goods({ comments: 0, goodCommentsShare: 0 }))
    .toMatchObject({ rating: null, reviews: null })
})

test('absent and null blocks are unknown, not zero', () => {
  const nothing = {
    brandName: null, shopInfo: null, commissionInfo: null, couponInfo: null, comments: null,
    inOrderCount30Days: null, imageInfo: null, categoryInfo: null, materialUrl: null,
  }
  expect(goods(nothing)).toMatchObject({
    brand: null, shop: null, sales: null, rating: null, commission: null, category: null,
    images: [], url: null,
  })
})

test.each([
  ['a price that is text', { priceInfo: { price: '199.9' } }], ['no price', { priceInfo: {} }],
  ['a price of nothing', { priceInfo: { price: 0 } }],
  ['a negative price', { priceInfo: { price: -5 } }], ['no title', { skuName: undefined }],
])('a row with %s is no item', (_, wrong) => {
  expect(goods(wrong)).toBeNull()
})

const order = (more: object = {}) => {
  const row: unknown = {
    id: '28000000000001', orderId: 280000000000, itemId: 'abc_1', skuName: '耳机', skuNum: 2,
    validCode: 16, orderTime: '2026-01-02 10:00:00', modifyTime: '2026-01-02 10:05:00',
    commissionRate: 5, estimateCosPrice: 199.9, estimateFee: 9.99, actualCosPrice: 0,
    actualFee: 0, payMonth: 0, subUnionId: 'ag_7f3k9q', ...more,
  }
  return isOrderRow(row) ? toOrderLine(row, 1, NOW) : null
}

test('a row is a line in fen and UTC', () => {
  expect(order()).toEqual({
    source: 'mall_b', line_id: '28000000000001', order_no: '280000000000', item_id: 'abc_1',
    title: '耳机', qty: 2, amount: 19_990, commission: { bps: 500, fen: 999 }, status: 'paid',
    mall_status: '16', sub_id: 'ag_7f3k9q', ordered_at: Date.parse('2026-01-02T02:00:00Z'),
    paid_at: Date.parse('2026-01-02T02:00:00Z'), updated_at: Date.parse('2026-01-02T02:05:00Z'),
  })
})

test('what was finished counts by its actual amounts, after returns', () => {
  expect(order({ validCode: 17, actualCosPrice: 99.95, actualFee: 4.99 })).toMatchObject({
    status: 'received', amount: 9995, commission: { fen: 499 },
  })
})

test('a finished order that came back whole is invalid, also when it was paid out', () => {
  const finished = { validCode: 17, actualCosPrice: 0, actualFee: 0 }
  for (const payMonth of [0, '20260101']) {
    expect(order({ ...finished, payMonth, skuReturnNum: 2 })).toMatchObject({
      status: 'invalid', mall_status: '17 returned', amount: 19_990, commission: { fen: 0 },
    })
  }
  expect(order({ ...finished, skuReturnNum: 1 })?.status).toBe('received')
  expect(order({ ...finished, skuNum: 0, skuReturnNum: 0 })?.status).toBe('received')
})

test.each([
  [{ payMonth: '20260101' }, 'settled'], [{ payMonth: 20260102 }, 'settled'],
  [{ payMonth: '20260215' }, 'received'], [{ payMonth: 0 }, 'received'],
  [{ payMonth: '0' }, 'received'], [{ payMonth: null }, 'received'],
])('finished with %j is %s', (more, status) => {
  expect(order({ validCode: 17, ...more })?.status).toBe(status)
})

test('every code of the mall has its neutral status', () => {
  const by = (codes: readonly number[]) => codes.map((validCode) => order({ validCode })?.status)
  expect(new Set(by([15, 24]))).toEqual(new Set(['pending']))
  expect(new Set(by([2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 19, 20, 21, 22, 23, 25, 26, 27, 28, 29,
    30]))).toEqual(new Set(['invalid']))
  expect(new Set(by([-1, 10, 12, 18, 99]))).toEqual(new Set(['unknown']))
  expect(order({ validCode: 3 })?.commission.fen).toBe(0)
})

test('a row without a time of change, or with one that is none, is no line', () => {
  expect([order({ modifyTime: undefined }), order({ modifyTime: 'soon' })]).toEqual([null, null])
})
