/** The food platform's units and quirks, row by row. */
import { expect, test } from 'vitest'
import { fenOf, isCouponRow, salesOf, toItem, toLinks } from './mapping.ts'
import { isBody } from './signing.ts'

const coupon = (pack: object = {}, more: object = {}) => {
  const row: unknown = {
    couponPackDetail: {
      name: '双人套餐', skuViewId: 'Abc_1', headUrl: '//img.food.example/1.jpg',
      originalPrice: '59.90', sellPrice: '39.90', saleVolume: '热销1000+', categoryName: '快餐',
      ...pack,
    },
    brandInfo: { brandName: '木禾小馆' },
    commissionInfo: { commissionPercent: '400', commission: '1.59' },
    ...more,
  }
  return isCouponRow(row) ? toItem(row, 'https://www.food.example/coupon/{id}.html') : null
}

test('a row is an item in fen and basis points, at the price that is asked for it', () => {
  expect(coupon()).toEqual({
    source: 'food', id: 'Abc_1', title: '双人套餐', brand: '木禾小馆', category: '快餐',
    shop: '木禾小馆', images: ['https://img.food.example/1.jpg'],
    price: { list_price: 3990, coupon: null, conditions: [], freight: null, payable: 3990 },
    special: null, sales: 1000, rating: null, reviews: null,
    url: 'https://www.food.example/coupon/Abc_1.html', coupon_url: null,
    commission: { bps: 400, fen: 159 },
  })
})

test.each([
  ['热销120', 120], ['1000+', 1000], ['1万+', 10_000], ['2.3万+', 23_000], ['热销10w+', 100_000],
  [57, 57], ['0', 0], [null, null], ['', null], ['null', null], ['暂无', null],
])('sales of %s are %s', (text, sales) => {
  expect(salesOf(text)).toBe(sales)
})

test('amounts come as text or as numbers, and the word null is none', () => {
  expect(['19.9', 19.9, '0', 'null', null, '-1', '1,000'].map(fenOf))
    .toEqual([1990, 1990, 0, null, null, null, null])
})

test('absent and null blocks are unknown, not zero', () => {
  const bare = coupon({ headUrl: null, saleVolume: null, categoryName: 'null' },
    { brandInfo: null, commissionInfo: { commissionPercent: null, commission: '1.59' } })
  expect(bare).toMatchObject({
    brand: null, shop: null, images: [], sales: null, category: null, commission: null,
  })
  expect(coupon({}, { brandInfo: null, deliverablePoiInfo: { poiName: '木禾（文三路店）' } }))
    .toMatchObject({ brand: null, shop: '木禾（文三路店）' })
})

test.each([
  ['no price', { sellPrice: null }], ['a price of nothing', { sellPrice: '0.00' }],
  ['a price that is none', { sellPrice: 'free' }], ['a negative price', { sellPrice: -3 }],
  ['no id', { skuViewId: '' }], ['no name', { name: undefined }],
])('a row with %s is no item', (_, wrong) => {
  expect(coupon(wrong)).toBeNull()
})

const links = (body: object) => (isBody(body) ? toLinks(body) : undefined)
const H5 = 'https://click.food.example/t?p=1'
const MAP = { 1: H5, 3: 'imfood://www.food.example/web', 4: { appId: 'wx1', path: '/pages/h5' } }
const FOUND = {
  url: H5, app_url: 'imfood://www.food.example/web',
  mini_program: { app_id: 'wx1', path: '/pages/h5' },
}

test('the links stand under data, at the root, or are the data itself', () => {
  expect(links({ code: 0, data: { referralLinkMap: MAP } })).toEqual(FOUND)
  expect(links({ code: 0, data: null, referralLinkMap: MAP })).toEqual(FOUND)
  expect(links({ code: 0, data: H5 })).toEqual({ url: H5, app_url: null, mini_program: null })
})

test('a path alone is opened in the known mini-program; the short link may stand in', () => {
  expect(links({ referralLinkMap: { 2: H5, 4: '/pages/h5' } })).toEqual({
    url: H5, app_url: null, mini_program: { app_id: 'wxde8ac0a21135c07d', path: '/pages/h5' },
  })
})

test('a link beside the web link that is unfit costs only itself', () => {
  for (const unfit of ['javascript://x.example/%0aalert(1)', 'data:text/html,x', '', 'no link']) {
    expect(links({ referralLinkMap: { ...MAP, 3: unfit, 4: 7 } }))
      .toEqual({ url: H5, app_url: null, mini_program: null })
  }
})

test.each([
  '', '/pages/h5?x=\u202e', '/pages h5', '/pages\n', '/p<b>', 7, { appId: 'wx1' },
  { appId: 'wx 1', path: '/pages' }, { path: `/${'p'.repeat(2000)}` },
])('%j opens no mini-program', (given) => {
  expect(links({ referralLinkMap: { ...MAP, 4: given } })?.mini_program).toBeNull()
})

test('without a web link there are none', () => {
  for (const body of [
    {}, { data: null }, { data: '' }, { data: {} }, { referralLinkMap: { 3: 'imfood://x' } },
    { data: 'javascript:alert(1)' }, { referralLinkMap: { 1: 7 } }, { data: [H5] },
  ]) expect(links(body)).toBeNull()
})
