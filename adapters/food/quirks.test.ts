/** What the food platform does as no other: seen from the adapter, over its simulator. */
import { expect, onTestFinished, test } from 'vitest'
import { malls } from '../index.ts'
import { simulate } from '../sandbox.ts'
import type { OrderLine } from '../contract.ts'
import { ASSORTMENT, createFakeClock, failureOf, startServer } from '../testing/stage.ts'
import { OPERATIONS, request, type Settings } from './signing.ts'

async function stage(change: Partial<Settings> = {}, skewMs = 0, ratePerSecond = 200) {
  const clock = createFakeClock()
  const simulator = await simulate.food({
    clock: { now: () => clock.now() + skewMs }, assortment: ASSORTMENT, ratePerSecond,
  })
  const settings = { ...simulator.settings, ...change }
  const source = malls.food.open(settings, { clock,
    budget: { take: () => Promise.resolve(0), limited: () => Promise.resolve() } })
  onTestFinished(async () => {
    await source.close()
    await simulator.close()
  })
  const search = (page = 1, pageSize = 20) => source.search({ q: '双肩包', page, pageSize })
  type Named = keyof typeof OPERATIONS
  const post = async (operation: Named, business: object, other: object = {}) => {
    const made = request(settings, OPERATIONS[operation], business, clock.now())
    const headers = { ...made.headers, ...other }
    const answer = await fetch(`${settings.baseUrl}${made.path}`, {
      method: 'POST', body: made.body ?? '', headers,
    })
    return await answer.json() as { code: number, data: unknown }
  }
  const read = async (from: number) => {
    const lines: OrderLine[] = []
    for await (const page of source.orders!({ from, to: clock.now() })) lines.push(...page.lines)
    return lines
  }
  return { clock, simulator, settings, source, search, post, read }
}

test('a wrong secret is an auth failure, an unknown application too', async () => {
  for (const change of [{ appSecret: 'another' }, { appKey: 'another' }]) {
    expect(await failureOf((await stage(change)).search())).toBe('auth')
  }
})

test('two minutes of clock are forgiven; more are a clock failure, for which the gateway has '
  + 'no word of its own', async () => {
  expect(await failureOf((await stage({}, 120_000)).search())).toBeNull()
  expect(await failureOf((await stage({}, 121_000)).search())).toBe('clock')
  expect(await failureOf((await stage({}, -180_000)).search())).toBe('clock')
})

test('a body that is not the signed one is refused', async () => {
  const { post } = await stage()
  const asked = { platform: 1, searchText: '双肩包' }
  expect((await post('coupons', asked)).code).toBe(0)
  for (const change of [
    { 'Content-MD5': 'AAAAAAAAAAAAAAAAAAAAAA==' }, { 'S-Ca-Signature-Headers': 'S-Ca-App' },
    { 'S-Ca-Timestamp': '1767323045001' }, { 'S-Ca-Signature': '' }, { 'S-Ca-App': '' },
  ]) expect((await post('coupons', asked, change)).code).toBe(400)
})

test('more calls than the platform allows are code 402', async () => {
  const { post, clock } = await stage({}, 0, 2)
  const ask = async () => (await post('coupons', { searchText: '双肩包' })).code
  expect([await ask(), await ask(), await ask()]).toEqual([0, 0, 402])
  clock.forward(1000)
  expect(await ask()).toBe(0)
})

test('later pages of a search carry its id; who starts there asks for it first', async () => {
  const { source, simulator, settings, clock, search } = await stage()
  const whole = (await search()).items.map(({ id }) => id)
  expect((await search(2, 3)).items.map(({ id }) => id)).toEqual(whole.slice(3, 6))
  // The first page was asked for its id; now it is known.
  expect(simulator.calls(OPERATIONS.coupons)).toBe(3)
  await search(3, 3)
  expect(simulator.calls(OPERATIONS.coupons)).toBe(4)
  const other = malls.food.open(settings, { clock })
  onTestFinished(() => other.close())
  await other.search({ q: '双肩包', page: 2, pageSize: 3 })
  expect(simulator.calls(OPERATIONS.coupons)).toBe(6)
  expect(source.capabilities.pageSizeMax).toBe(20)
})

test('when nothing is named the general coupon is converted, for every device', async () => {
  const { source, simulator, read, clock, post } = await stage()
  const link = await source.convert!({ subId: 'ag_1' })
  expect(link).toMatchObject({
    source: 'food', item_id: 'general', attributed: true, coupon_applied: false,
    share_code: null, expires_at: null,
  })
  expect(new URL(link.url).hostname).toBe('click.food.example')
  expect(link.app_url).toMatch(/^imfood:\/\/www\.food\.example\/web\?url=https%3A/)
  expect(link.mini_program?.path).toMatch(/^\/pages\/h5\?url=https%3A/)
  simulator.purchase(link.url)
  clock.forward(1000)
  const [line] = await read(clock.now() - 60_000)
  expect(line).toMatchObject({ item_id: 'general', sub_id: 'ag_1', status: 'paid', qty: 1 })
  // The public client takes nothing but a number.
  const seconds = Math.floor(clock.now() / 1000)
  expect(await post('orders', {
    platform: 1, searchType: 2, queryTimeType: 2, limit: 10, startTime: seconds - 60,
    endTime: seconds,
  })).toMatchObject({ data: { dataList: [{ actId: 33 }] } })
})

test('the general coupon is no item with a price, and nobody is asked for one', async () => {
  const { source, simulator } = await stage()
  expect(await source.items(['general'])).toEqual({ items: [], missing: ['general'], dropped: 0 })
  expect(simulator.calls()).toBe(0)
})

test('an item has links for every device too, and a mini-program of its own', async () => {
  const { source, search } = await stage()
  const { items: [item] } = await search()
  expect(await source.convert!({ item: item?.id ?? '' })).toMatchObject({
    app_url: expect.stringMatching(/^imfood:/) as string,
    mini_program: { app_id: 'wx-sandbox-food' },
  })
})

test('a page of the platform that is no item is converted as it stands, or not found', async () => {
  const { source, post } = await stage()
  const page = 'https://www.food.example/feast.html'
  expect(source.readLink(page)).toEqual({ id: null })
  expect(await failureOf(source.convert!({ url: page }))).toBe('not_found')
  expect((await post('convert', { actId: '33', skuViewId: 'x' })).code).toBe(1)
  expect((await post('convert', { actId: '33', sid: 'no-dash' })).code).toBe(1)
  expect((await post('convert', { actId: '33', linkType: 2 })).data)
    .toMatch(/^https:\/\/d\.food\.example\//)
})

test('an activity that ended is not found', async () => {
  const { source } = await stage({ actId: '34' })
  expect(await failureOf(source.convert!({}))).toBe('not_found')
})

test('without a template items have no page of their own', async () => {
  const { itemUrl: _, ...bare } = (await stage()).settings
  const { settings, clock } = await stage()
  const source = malls.food.open({ ...bare, baseUrl: settings.baseUrl }, { clock })
  onTestFinished(() => source.close())
  const { items: [item] } = await source.search({ q: '双肩包', page: 1, pageSize: 5 })
  expect(item?.url).toBeNull()
  expect(source.readLink('https://www.food.example/coupon/0_abc.html')).toEqual({ id: null })
})

test('the operator\'s kind of service and place go into every search', async () => {
  const asked: string[] = []
  const { url } = await startServer((request, response) => {
    request.on('data', (piece: Buffer) => asked.push(piece.toString()))
      .on('end', () => response.end('{"code":0,"data":[],"hasNext":false}'))
  })
  const { settings, clock } = await stage({
    platform: 2, bizLine: 1, cityId: 110_100, latitude: 39.9042, longitude: 116.4074,
  })
  const source = malls.food.open({ ...settings, baseUrl: url }, { clock })
  onTestFinished(() => source.close())
  await source.search({ q: '火锅', page: 1, pageSize: 5, sort: 'price_asc' })
  expect(JSON.parse(asked.join(''))).toEqual({
    platform: 2, bizLine: 1, cityId: 110_100, latitude: 39_904_200, longitude: 116_407_400,
    searchText: '火锅', sortField: 2, pageNo: 1, pageSize: 5,
  })
})

test('orders are scrolled in windows of a day at most, and never beyond now', async () => {
  const { source, clock, simulator } = await stage()
  let through = 0
  const window = { from: clock.now() - 3 * 86_400_000 - 1, to: clock.now() + 3_600_000 }
  for await (const page of source.orders!(window)) through = page.through
  expect(through).toBe(clock.now())
  expect(simulator.calls(OPERATIONS.orders)).toBe(4)
})

test('a scroll shows one moment, however much is sold while it is read', async () => {
  const { source, simulator, clock } = await stage({ orderPageSize: 3 })
  const link = await source.convert!({ subId: 'ag_1' })
  const numbers = Array.from({ length: 10 }, () => simulator.purchase(link.url)?.number ?? 0)
  clock.forward(1000)
  const window = { from: clock.now() - 60_000, to: clock.now() }
  const seen: string[] = []
  for await (const page of source.orders!(window)) {
    seen.push(...page.lines.map(({ line_id }) => line_id))
    for (const number of numbers) simulator.orders.move(number, 'received')
    expect(page.through).toBe(seen.length < 10 ? window.from : window.to)
  }
  expect(seen).toEqual(numbers.map(String))
})

test('a scroll that begins anew at its end is a bad answer', async () => {
  const { source, simulator, clock } = await stage({ orderPageSize: 3 })
  const link = await source.convert!({})
  for (let nth = 0; nth < 7; nth += 1) simulator.purchase(link.url)
  clock.forward(1000)
  simulator.faults.add(OPERATIONS.orders, 'lying_totals', 1000)
  const read = async () => {
    for await (const _ of source.orders!({ from: clock.now() - 60_000, to: clock.now() })) { /**/ }
  }
  expect(await failureOf(read())).toBe('bad_answer')
  expect(simulator.calls(OPERATIONS.orders)).toBe(4)
})
