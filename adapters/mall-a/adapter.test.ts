/** Answers that the simulator does not give, and what exactly is asked for them. */
import { expect, onTestFinished, test } from 'vitest'
import { malls } from '../index.ts'
import { createFakeClock, failureOf, startServer } from '../testing/stage.ts'

/** A gateway that says the same whatever it is asked, and what it was asked. */
async function stage(answer: object) {
  const asked: Record<string, string>[] = []
  const server = await startServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      asked.push(Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())))
      response.end(JSON.stringify(answer))
    })
  })
  const clock = createFakeClock()
  const source = malls.mall_a.open({
    baseUrl: server.url, appKey: 'k', appSecret: 's', adzoneId: '300', hosts: ['mall-a.example'],
  }, { clock })
  onTestFinished(() => source.close())
  return { source, clock, asked }
}

const row = (id: string, more: object = {}) => ({
  item_id: id, item_basic_info: { title: '耳机' }, price_promotion_info: { zk_final_price: '9.9' },
  ...more,
})
const COMMON = new Set(['app_key', 'format', 'method', 'sign', 'sign_method', 'timestamp', 'v'])
const businessOf = (params: Record<string, string>) =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !COMMON.has(name)))

const QUERY = { q: '耳机', page: 2, pageSize: 20 }

test('one item under two tails is one entry of a search', async () => {
  const { source } = await stage({
    total_results: 60, result_list: [row('a1-b2'), row('c3-d4'), row('a1-e5')],
  })
  const { items, dropped } = await source.search(QUERY)
  expect(items.map(({ id }) => id)).toEqual(['a1-b2', 'c3-d4'])
  expect(dropped).toBe(1)
})

test('a detail whose tail has changed is known by its head', async () => {
  const { source } = await stage({ results: [row('a1-new'), row('c3-new')] })
  const found = await source.items(['c3-old', 'a1-old', 'f6-old'])
  expect(found.items.map(({ id }) => id).toSorted()).toEqual(['a1-old', 'c3-old'])
  expect(found.missing).toEqual(['f6-old'])
})

test('a search says its order, its whole yuan and its coupons, and nothing that is not asked',
  async () => {
    const { source, asked } = await stage({ total_results: 0 })
    expect(await source.search(QUERY)).toEqual({ items: [], total: 0, dropped: 0 })
    await source.search({
      ...QUERY, sort: 'price_asc', priceMin: 16_640, priceMax: 19_910, withCoupon: true,
    })
    expect(asked.map(businessOf)).toEqual([
      { adzone_id: '300', q: '耳机', page_no: '2', page_size: '20', sort: 'match_des' },
      {
        adzone_id: '300', q: '耳机', page_no: '2', page_size: '20', has_coupon: 'true',
        sort: 'final_promotion_price_asc', start_price: '166', end_price: '200',
      },
    ])
  })

test('orders are asked for by update, in whole seconds of China, outwards', async () => {
  const { source, clock, asked } = await stage({ data: { has_next: false, results: {} } })
  clock.forward(700)
  const window = { from: clock.now() - 60_400, to: clock.now() }
  const places: number[] = []
  for await (const { through } of source.orders!(window)) places.push(through)
  expect(places).toEqual([window.to])
  expect(asked).toMatchObject([{
    query_type: '4', start_time: '2026-01-02 11:03:05', end_time: '2026-01-02 11:04:06',
    page_size: '100',
  }])
  expect(asked[0]).not.toHaveProperty('position_index')
})

test.each([
  ['that stands still', { position_index: 'same' }], ['that is missing', {}],
])('more orders from a place %s have no end', async (_, place) => {
  const order = { trade_id: '1', tk_status: 12, modified_time: '2026-01-02 11:00:00' }
  const { source, clock, asked } = await stage({ data: {
    has_next: true, ...place, results: [order],
  } })
  const read = async () => {
    for await (const page of source.orders!({ from: clock.now() - 60_000, to: clock.now() })) {
      expect(page.through).toBe(clock.now() - 60_000)
    }
  }
  expect(await failureOf(read())).toBe('bad_answer')
  expect(asked.length).toBeLessThanOrEqual(2)
})

test.each([
  ['without links', { code: 1001 }, 'not_found'],
  ['with links elsewhere', { link_info_dto: { cps_long_url: 'https://evil.example/' } },
    'bad_answer'],
  ['of another form', { link_info_dto: 7 }, 'bad_answer'],
])('a conversion %s is %s', async (_, more, kind) => {
  const { source } = await stage({ data: { item_url_list: [more] } })
  expect(await failureOf(source.convert!({ item: 'a1-b2' }))).toBe(kind)
})

test('codes lose their control characters, and one that is too long is none', async () => {
  const link = { cps_short_url: 'https://s.mall-a.example/x' }
  const convert = async (codes: object) => {
    const { source } = await stage({ data: { item_url_list: [
      { link_info_dto: { ...link, ...codes } },
    ] } })
    const { share_code: code, share_text: text } = await source.convert!({ item: 'a1-b2' })
    return [code, text]
  }
  expect(await convert({ cps_short_tpwd: '￥a\u0000b￥', cps_full_tpwd: '5￥ab￥\r\n打开' }))
    .toEqual(['￥ab￥', '5￥ab￥\n打开'])
  expect(await convert({ cps_short_tpwd: '￥ab￥', cps_full_tpwd: '长'.repeat(501) }))
    .toEqual(['￥ab￥', null])
})
