/** What mall B does as no other: seen from the adapter, over its simulator. */
import { expect, onTestFinished, test } from 'vitest'
import { malls } from '../index.ts'
import { simulate, type Simulator } from '../sandbox.ts'
import { ASSORTMENT, createFakeClock, failureOf } from '../testing/stage.ts'
import { METHODS, request, type Settings } from './signing.ts'

async function stage(change: Partial<Settings> = {}, skewMs = 0) {
  const clock = createFakeClock()
  const simulator = await simulate.mall_b({
    clock: { now: () => clock.now() + skewMs }, assortment: ASSORTMENT,
  })
  const settings = { ...simulator.settings, ...change }
  const source = malls.mall_b.open(settings, { clock,
    budget: { take: () => Promise.resolve(0), limited: () => Promise.resolve() } })
  onTestFinished(async () => {
    await source.close()
    await simulator.close()
  })
  const search = () => source.search({ q: '双肩包', page: 1, pageSize: 30 })
  return { clock, simulator, settings, source, search }
}

test('a wrong secret is an auth failure, an unknown application too', async () => {
  for (const change of [{ appSecret: 'another' }, { appKey: 'another' }]) {
    expect(await failureOf((await stage(change)).search())).toBe('auth')
  }
})

test('six minutes of clock are forgiven, more are a clock failure', async () => {
  expect(await failureOf((await stage({}, 6 * 60_000)).search())).toBeNull()
  expect(await failureOf((await stage({}, 6 * 60_000 + 1000)).search())).toBe('clock')
  expect(await failureOf((await stage({}, -7 * 60_000)).search())).toBe('clock')
})

test('scene 2 without its permission is a permission failure', async () => {
  expect(await failureOf((await stage({ sceneId: 2 })).search())).toBe('permission')
})

test('a client that knows no scenes is answered in the first', async () => {
  const clock = createFakeClock()
  const simulator = await simulate.mall_b({ clock, assortment: ASSORTMENT })
  onTestFinished(() => simulator.close())
  expect(await innerCode(simulator, { keyword: '双肩包' })).toBe(200)
})

test('more calls than the mall allows are rate_limited', async () => {
  const clock = createFakeClock()
  const simulator = await simulate.mall_b({ clock, assortment: ASSORTMENT, ratePerSecond: 2 })
  onTestFinished(() => simulator.close())
  const codes = []
  for (let nth = 0; nth < 3; nth += 1) codes.push(await innerCode(simulator))
  expect(codes).toEqual([200, 200, 429])
  clock.forward(1000)
  expect(await innerCode(simulator)).toBe(200)
})

async function innerCode(
  simulator: Simulator & { settings: Settings },
  goodsReqDTO: object = { sceneId: 1, keyword: '双肩包' },
): Promise<number> {
  const { body = '', headers } = request(simulator.settings, METHODS.goods,
    { goodsReqDTO }, createFakeClock().now())
  const answer = await fetch(simulator.settings.baseUrl, { method: 'POST', body, headers })
  const outer = await answer.json() as Record<string, { queryResult: string }>
  const text = outer['jd_union_open_goods_query_responce']?.queryResult ?? '{}'
  return (JSON.parse(text) as { code: number }).code
}

test('a coupon is combined by its bytes, and one that ended does not cost the link', async () => {
  const { source, simulator, search } = await stage()
  const item = (await search()).items.find((one) => one.price.coupon)
  const couponUrl = item?.coupon_url ?? ''
  expect(couponUrl).toContain('%3D%2d')
  const ask = (url: string) => source.convert!({
    item: item?.id ?? '', subId: 'ag_1', couponUrl: url,
  })
  expect(await ask(couponUrl)).toMatchObject({ coupon_applied: true, attributed: true })
  expect(simulator.calls(METHODS.convertSubUnion)).toBe(1)
  const without = await ask(decodeURIComponent(couponUrl))
  expect(without).toMatchObject({ coupon_applied: false, attributed: true })
  expect(simulator.calls(METHODS.convertSubUnion)).toBe(3)
})

test('the long link lasts, and the common conversion echoes no sub-id', async () => {
  for (const [conversion, attributed] of [['sub_union', true], ['common', false]] as const) {
    const { source, search } = await stage({ conversion })
    const { items: [item] } = await search()
    expect(await source.convert!({ item: item?.id ?? '', subId: 'ag_1' })).toMatchObject({
      attributed, expires_at: null, coupon_applied: false,
    })
  }
})

test('a link of the mall that is no item is refused by the mall, not guessed', async () => {
  const { source } = await stage()
  expect(source.readLink('https://www.mall-b.example/')).toEqual({ id: null })
  expect(await failureOf(source.convert!({ url: 'https://www.mall-b.example/' }))).toBe('not_found')
})

test('busy windows are halved before they are paged, and no order is read late', async () => {
  const { source, simulator, clock, search } = await stage({ orderPageSize: 4 })
  const { items: [item] } = await search()
  const link = await source.convert!({ item: item?.id ?? '', subId: 'ag_1' })
  const from = clock.now()
  for (let nth = 0; nth < 40; nth += 1) {
    simulator.purchase(link.url)
    clock.forward(60_000)
  }
  const seen: string[] = []
  let places = 0
  for await (const page of source.orders!({ from, to: clock.now() })) {
    seen.push(...page.lines.map(({ line_id }) => line_id))
    if (page.lines.length > 0) places += 1
  }
  expect(new Set(seen).size).toBe(40)
  // Neighbouring windows share an edge, so a few come twice; nothing was paged.
  expect(places).toBeGreaterThanOrEqual(10)
  expect(simulator.calls(METHODS.orders)).toBeLessThan(40)
})

test('orders are asked for in windows of at most an hour and never beyond now', async () => {
  const { source, clock, simulator } = await stage()
  const window = { from: clock.now() - 5 * 3_600_000 - 1, to: clock.now() + 3_600_000 }
  let through = 0
  for await (const page of source.orders!(window)) through = page.through
  expect(through).toBe(clock.now())
  expect(simulator.calls(METHODS.orders)).toBe(6)
})
