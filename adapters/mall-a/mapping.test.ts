/** Mall A's units and fields, row by row, in both generations. */
import { expect, test } from 'vitest'
import { isFlatRow, isNestedRow, isShopRow, toItem, toItemLegacy, toShop } from './mapping.ts'

const CONTEXT = {
  now: Date.parse('2026-01-02T03:04:05Z'), itemUrl: 'https://item.mall-a.example/item.htm?id={id}',
}
interface Blocks { basic?: object, prices?: object, more?: object }

const nested = ({ basic, prices, more }: Blocks = {}, context: object = CONTEXT) => {
  const row: unknown = {
    item_id: 'qeqscd1231-uqwenqe', item_basic_info: { title: '耳机', ...basic },
    price_promotion_info: { reserve_price: '299.00', zk_final_price: '199.9', ...prices }, ...more,
  }
  return isNestedRow(row) ? toItem(row, context as typeof CONTEXT) : null
}
const flat = (more: object = {}) => {
  const row: unknown = { item_id: 'a1-b2', title: '耳机', zk_final_price: '199.9', ...more }
  return isFlatRow(row) ? toItemLegacy(row, CONTEXT) : null
}

test('yuan become fen; the struck-through price is no price', () => {
  expect(nested()?.price).toEqual({
    list_price: 19_990, coupon: null, conditions: [], freight: null, payable: 19_990,
  })
  expect(nested({ prices: { zk_final_price: null } })?.price.payable).toBe(29_900)
})

test('rates are per cent in the newer generation, hundredths of one in the older', () => {
  const published = { publish_info: { income_rate: '15.5' } }
  expect(nested({ more: published })?.commission).toEqual({ bps: 1550, fen: 3098 })
  expect(nested({ more: { publish_info: {
    income_rate: '5.50', income_info: { commission_amount: '10.05', subsidy_amount: '0.99' },
  } } })?.commission).toEqual({ bps: 550, fen: 1104 })
  expect(flat({ commission_rate: '1550' })?.commission).toEqual({ bps: 1550, fen: 3098 })
  expect(flat()?.commission).toBeNull()
  for (const rate of ['', 'much', '101', null]) {
    expect(nested({ more: { publish_info: { income_rate: rate } } })?.commission).toBeNull()
  }
})

test('the asked id names a detail, whatever its own id is; numbers and text are ids', () => {
  expect(nested({ more: { input_item_iid: 'asked-1', item_id: '4112264076123' } })?.id)
    .toBe('asked-1')
  expect(flat({ item_id: undefined, num_iid: 600000000001, input_num_iid: 'asked-1' })?.id)
    .toBe('asked-1')
  expect(flat({ item_id: undefined, num_iid: 600000000001 })?.id).toBe('600000000001')
  expect(nested({ more: { input_item_iid: '' } })?.id).toBe('qeqscd1231-uqwenqe')
  expect([nested({ more: { item_id: undefined } }), flat({ item_id: '' })]).toEqual([null, null])
})

test('links are plain: tracked ones of the neutral position never come out', () => {
  const tracked = { publish_info: {
    click_url: '//s.click.mall-a.example/t?e=1', coupon_share_url: '//s.click.mall-a.example/c',
  } }
  expect(nested({ more: tracked })).toMatchObject({
    url: 'https://item.mall-a.example/item.htm?id=qeqscd1231-uqwenqe', coupon_url: null,
  })
  const basic = { item_url: '//item.mall-a.example/item.htm?id=1' }
  expect(nested({ basic, more: tracked }, { now: CONTEXT.now })?.url)
    .toBe('https://item.mall-a.example/item.htm?id=1')
  expect(nested({ more: tracked }, { now: CONTEXT.now })?.url).toBeNull()
})

test('images get their scheme, wrapped or plain, the main one first', () => {
  for (const small_images of [{ string: ['//i.example/2.jpg'] }, ['//i.example/2.jpg']]) {
    expect(nested({ basic: { pict_url: '//i.example/1.jpg', small_images } })?.images)
      .toEqual(['https://i.example/1.jpg', 'https://i.example/2.jpg'])
  }
  expect(nested({ basic: { pict_url: null, small_images: { string: null } } })?.images).toEqual([])
})

test('steps of the estimate are read wrapped or plain', () => {
  const step = { promotion_title: '商品券', promotion_desc: '满99元减30元', promotion_fee: '30.00' }
  const lists = [{ final_promotion_path_map_data: [step] }, [step]]
  for (const final_promotion_path_list of lists) {
    expect(nested({ prices: { final_promotion_price: '169.9', final_promotion_path_list } })?.price)
      .toMatchObject({ payable: 16_990, coupon: { amount: 3000, threshold: 9900 } })
  }
})

test('the price of a live broadcast is not what anybody pays', () => {
  expect(nested({ prices: { final_promotion_price: '99', final_promotion_target_type: '10' } })
    ?.price.payable).toBe(19_990)
})

test('a presale carries its condition, in both generations', () => {
  const presale = { presale_deposit: '50.00', presale_end_time: CONTEXT.now + 1 }
  expect(nested({ prices: { final_promotion_price: '169' }, more: { presale_info: presale } }))
    .toMatchObject({ price: { payable: 16_900, conditions: ['deposit'] }, special: null })
  for (const row of [{ presale_info: presale }, presale]) {
    expect(flat(row)?.price).toMatchObject({ payable: 19_990, conditions: ['deposit'] })
  }
})

test('freight is known where the mall states it, and free where it says so', () => {
  expect(nested({ basic: { real_post_fee: '0.00' } })?.price.freight).toBe(0)
  expect(nested({ basic: { free_shipment: true } })?.price.freight).toBe(0)
  expect(nested({ basic: { free_shipment: false } })?.price.freight).toBeNull()
  expect(nested({ basic: { real_post_fee: '6.00' } })?.price)
    .toMatchObject({ freight: 600, payable: 20_590 })
})

const COUPON = {
  coupon_amount: '30.00', coupon_start_fee: '99.00', coupon_info: '满99元减30元',
  coupon_start_time: '2026-01-01', coupon_end_time: '2026-01-02', coupon_remain_count: 5,
}

test('the older coupon lowers the price, by its fields or by its words', () => {
  const wanted = { payable: 16_990, coupon: { amount: 3000, threshold: 9900 } }
  expect(flat(COUPON)?.price).toMatchObject(wanted)
  expect(flat({ coupon_info: '满99元减30元' })?.price).toMatchObject(wanted)
})

test.each([
  ['used up', { coupon_remain_count: 0 }], ['over', { coupon_end_time: '2026-01-01' }],
  ['not yet open', { coupon_start_time: '2026-01-03' }],
  ['not reached', { coupon_start_fee: '200.00' }], ['worth nothing', { coupon_amount: '0.00' }],
])('an older coupon that is %s is no part of the price', (_, wrong) => {
  expect(flat({ ...COUPON, ...wrong })?.price).toMatchObject({ payable: 19_990, coupon: null })
})

test('the older details name shop and category otherwise', () => {
  expect(flat({ nick: '店', cat_leaf_name: '叶', cat_name: '根' }))
    .toMatchObject({ shop: '店', category: '叶' })
  expect(flat({ shop_title: '店', level_one_category_name: '根' }))
    .toMatchObject({ shop: '店', category: '根' })
})

test('fields that are used are of their types in both generations', () => {
  expect(flat({ brand_name: '澄器' })?.brand).toBe('澄器')
  expect([flat({ brand_name: 7 }), flat({ title: 7 }), flat({ volume: '7' })])
    .toEqual([null, null, null])
})

test('absent and null blocks are unknown, not zero', () => {
  const basic = { brand_name: null, shop_title: null, volume: null, category_name: null }
  expect(nested({ basic, more: { publish_info: null, presale_info: null } })).toMatchObject({
    brand: null, shop: null, sales: null, category: null, commission: null, rating: null,
    reviews: null, images: [],
  })
})

test.each([
  ['no price', { prices: { reserve_price: null, zk_final_price: null } }],
  ['a price of nothing', { prices: { reserve_price: '0', zk_final_price: '0.00' } }],
  ['a negative price', { prices: { reserve_price: null, zk_final_price: '-5' } }],
  ['a price that is none', { prices: { reserve_price: null, zk_final_price: '面议' } }],
  ['no title', { basic: { title: undefined } }], ['no basics', { more: { item_basic_info: 7 } }],
  ['a brand that is a number', { basic: { brand_name: 7 } }],
])('a row with %s is no item', (_, wrong) => {
  expect(nested(wrong)).toBeNull()
})

test('only shops of the brand mall are brand stores', () => {
  const shop = (shop_type: unknown) => {
    const row: unknown = {
      user_id: '2214567890123456789', shop_title: '店', shop_type, pict_url: '//i.example/s.jpg',
      shop_url: 'http://shop1.mall-a.example/',
    }
    return isShopRow(row) ? toShop(row) : null
  }
  expect(shop('B')).toEqual({
    source: 'mall_a', id: '2214567890123456789', title: '店', brand_store: true,
    image: 'https://i.example/s.jpg', url: 'http://shop1.mall-a.example/',
  })
  expect([shop('C')?.brand_store, shop(null)?.brand_store]).toEqual([false, false])
})
