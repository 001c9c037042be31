/** Mall C's links: which items they lead to, and whom they credit. */
import { expect, test } from 'vitest'
import { failureOf } from '../testing/stage.ts'
import { TYPES } from './signing.ts'
import { scripted, stage } from './testing/stage.ts'

const GOODS = { goods_sign: 'abc', goods_name: '包', min_group_price: 100 }
const URLS = { mobile_short_url: 'https://p.mall-c.example/1' }
const answers = (goods: readonly object[], ...links: readonly object[]) =>
  ({ type }: Readonly<Record<string, string>>): object => (type === TYPES.search
    ? { goods_search_response: { goods_list: goods, total_count: goods.length } }
    : { goods_promotion_url_generate_response: { goods_promotion_url_list: links } })

test('a link opens in browsers, in the app and as a mini program', async () => {
  const { source, search } = await stage()
  const item = (await search()).items[0]?.id ?? ''
  const link = await source.convert!({ item, subId: 'ag_1' })
  expect(link).toMatchObject({
    item_id: item, mini_program: { app_id: 'wxsandboxmallc' }, share_code: null, expires_at: null,
  })
  expect(new URL(link.url).host).toBe('p.mall-c.example')
  expect(link.app_url).toMatch(/^mallc:\/\//)
})

test('links that do not tell the item are resolved by the mall, and none is fetched', async () => {
  const { source, simulator, search } = await stage()
  const item = (await search()).items[0]?.id ?? ''
  const index = simulator.offer(item)?.product.index ?? NaN
  const old = `https://mobile.mall-c.example/goods.html?goods_id=${600_000_000_000 + index}`
  expect(source.readLink(old)).toEqual({ id: null })
  expect(await source.convert!({ url: old, subId: 'ag_1' })).toMatchObject({ item_id: item })
  for (const url of ['https://mobile.mall-c.example/', `${old}0000`]) {
    expect(await failureOf(source.convert!({ url }))).toBe('not_found')
  }
})

test('a link that finds several items leads to none of them', async () => {
  const url = 'https://p.mall-c.example/short'
  const one = await scripted(answers([GOODS], URLS))
  expect(await one.source.convert!({ url })).toMatchObject({ item_id: 'abc' })
  expect(one.asked.map(({ keyword, goods_sign_list: signs }) => keyword ?? signs))
    .toEqual([url, '["abc"]'])
  const two = await scripted(answers([GOODS, { ...GOODS, goods_sign: 'def' }], URLS))
  expect(await failureOf(two.source.convert!({ url }))).toBe('not_found')
  expect(two.asked.length).toBe(1)
})

test('the sub-id is signed as JSON text; nobody\'s purchase is the neutral user\'s', async () => {
  const { source, asked } = await scripted(answers([], URLS), { neutralUid: 'search' })
  await source.convert!({ item: 'abc', subId: 'ag_1' })
  await source.convert!({ item: 'abc' })
  expect(asked.map(({ p_id, custom_parameters: custom }) => [p_id, custom]))
    .toEqual([['1_2', '{"uid":"ag_1"}'], ['1_2', '{"uid":"search"}']])
})

test('a purchase through an uncredited link is nobody\'s', async () => {
  const { source, simulator, clock, search } = await stage()
  const item = (await search()).items[0]?.id ?? ''
  simulator.purchase((await source.convert!({ item })).url)
  const orders = source.orders!({ from: clock.now() - 60_000, to: clock.now() + 1000 })
  const lines = []
  clock.forward(2000)
  for await (const page of orders) lines.push(...page.lines)
  expect(lines.map(({ sub_id, item_id }) => [sub_id, item_id])).toEqual([[null, item]])
})

test.each([
  ['no link', {}], ['a link elsewhere', { mobile_short_url: 'https://evil.example/' }],
  ['links that are no text', { url: 7 }],
  ['an app link that runs something', { ...URLS, schema_url: 'javascript://%0aalert(1)' }],
])('an answer with %s is a bad one', async (_, row) => {
  const { source } = await scripted(answers([], row))
  expect(await failureOf(source.convert!({ item: 'abc' }))).toBe('bad_answer')
})

test('the first link that is the mall\'s own is taken, and what is unfit is left out', async () => {
  const { source } = await scripted(answers([], {
    mobile_short_url: null, short_url: 'https://evil.example/', mobile_url: '',
    url: 'https://mobile.mall-c.example/long', schema_url: 'no link',
    we_app_info: { app_id: 'wx1', page_path: null },
  }))
  expect(await source.convert!({ item: 'abc' })).toMatchObject({
    url: 'https://mobile.mall-c.example/long', app_url: null, mini_program: null,
    coupon_applied: false, attributed: false,
  })
})
