/** What mall A does as no other: goods, ids and shops, seen over its simulator. */
import { expect, onTestFinished, test } from 'vitest'
import { fits } from '../wire.ts'
import { malls, type SourceError } from '../index.ts'
import { simulate } from '../sandbox.ts'
import { ASSORTMENT, createFakeClock, failureOf, startServer } from '../testing/stage.ts'
import { DAY_MS } from '../time.ts'
import { METHODS, Settings } from './signing.ts'

async function stage(change: Partial<Settings> = {}, skewMs = 0) {
  const clock = createFakeClock()
  const simulator = await simulate.mall_a({
    clock: { now: () => clock.now() + skewMs }, assortment: ASSORTMENT,
  })
  const source = malls.mall_a.open({ ...simulator.settings, ...change }, { clock,
    budget: { take: () => Promise.resolve(0), limited: () => Promise.resolve() } })
  onTestFinished(async () => {
    await source.close()
    await simulator.close()
  })
  const search = (q = '双肩包') => source.search({ q, page: 1, pageSize: 30 })
  return { clock, simulator, source, search }
}

test('the sandbox is configured as an operator would', async () => {
  const { simulator } = await stage()
  expect(fits(Settings)(simulator.settings)).toBe(true)
})

test.each(['md5', 'hmac', 'hmac-sha256'] as const)('%s is a way to sign', async (signMethod) => {
  expect(await failureOf((await stage({ signMethod })).search())).toBeNull()
  expect(await failureOf((await stage({ signMethod, appSecret: 'another' })).search())).toBe('auth')
})

test('ten minutes of clock are forgiven, more are a clock failure', async () => {
  expect(await failureOf((await stage({}, 10 * 60_000)).search())).toBeNull()
  expect(await failureOf((await stage({}, 10 * 60_000 + 1000)).search())).toBe('clock')
  expect(await failureOf((await stage({}, -11 * 60_000)).search())).toBe('clock')
})

test('the older methods give the same goods, prices and rates, simplified or not', async () => {
  const wanted = (await (await stage()).search()).items
  expect(wanted.some(({ price }) => price.coupon)).toBe(true)
  for (const answers of ['wrapped', 'simplified'] as const) {
    const { search, simulator } = await stage({ generation: 'legacy', answers })
    const { items } = await search()
    expect(simulator.calls(METHODS.searchLegacy)).toBe(1)
    // It tells neither brands nor commission amounts.
    expect(items).toEqual(wanted.map((item) => ({ ...item, brand: null })))
  }
})

test('the older details know forty items a call, but neither coupons nor commission', async () => {
  const { search, source, simulator } = await stage({ generation: 'legacy' })
  expect(source.capabilities.itemsMax).toBe(40)
  const { items } = await search()
  const found = await source.items(items.map(({ id }) => id))
  expect(simulator.calls(METHODS.itemsLegacy)).toBe(1)
  expect(found.items).toEqual(items.map((item) => ({
    ...item, commission: null,
    price: { ...item.price, coupon: null, payable: item.price.list_price },
  })))
})

test('the older search bounds prices before coupons, and nothing outside comes out', async () => {
  const { search, source } = await stage({ generation: 'legacy' })
  const { items } = await search()
  const priceMax = items.find(({ price }) => price.coupon)?.price.payable ?? 0
  const { items: cheap } = await source.search({ q: '双肩包', page: 1, pageSize: 30, priceMax })
  expect(cheap).toEqual(items.filter(({ price }) => price.list_price <= priceMax))
})

test('an id with yesterday\'s tail still finds its item, under the id that was asked', async () => {
  const { clock, search, source } = await stage()
  const old = (await search()).items
  clock.forward(DAY_MS)
  const fresh = (await search()).items
  expect(fresh.length).toBe(old.length)
  const heads = (ids: readonly { id: string }[]) => ids.map(({ id }) => id.split('-')[0])
  expect(heads(fresh)).toEqual(heads(old))
  expect(fresh.filter(({ id }, at) => id === old[at]?.id)).toEqual([])
  const ids = old.map(({ id }) => id)
  const found = await source.items(ids)
  expect(found.items.map(({ id }) => id)).toEqual(ids)
  expect(found.missing).toEqual([])
  const link = await source.convert!({ item: ids[0] ?? '' })
  expect(link.item_id).toBe(ids[0])
})

test('one item under two tails comes once, and without its tail it is found', async () => {
  const { search, source } = await stage()
  const [item] = (await search()).items
  const [head = ''] = item?.id.split('-') ?? []
  expect((await source.items([`${head}-aaa`, `${head}-bbb`])).items.length).toBe(1)
  expect((await source.items([head])).items.map(({ id }) => id)).toEqual([head])
})

test.each([['15', '50001'], [15, 'isv.item-not-exist']])(
  'details that end in %s %s are of no known item, and no failure', async (code, sub_code) => {
    const { url } = await startServer((_, response) => {
      response.end(JSON.stringify({ error_response: { code, sub_code, msg: '无结果' } }))
    })
    const { source } = await stage({ baseUrl: url })
    expect(await source.items(['a1-b2'])).toEqual({ items: [], missing: ['a1-b2'], dropped: 0 })
  })

test('a row whose id the mall holds back is left out, unless comparing was granted', async () => {
  const { search } = await stage()
  const title = (await search()).items[0]?.title ?? ''
  const known = async (found: ReturnType<typeof search>) => {
    const { items, dropped } = await found
    return [items.some((item) => item.title === title), dropped]
  }
  expect(await known(search(title))).toEqual([false, 1])
  expect(await known((await stage({ sceneId: 2 })).search(title))).toEqual([true, 0])
})

test('a pasted product link is no query, unless comparing was granted', async () => {
  const link = 'https://item.mall-a.example/item.htm?id=1'
  expect(await failureOf((await stage()).search(link))).toBe('invalid_arg')
  expect(await failureOf((await stage({ sceneId: 2 })).search(link))).toBeNull()
})

test('no link of a search is tracked', async () => {
  const { search } = await stage()
  for (const { url, coupon_url } of (await search()).items) {
    expect([new URL(url ?? '').host, coupon_url]).toEqual(['item.mall-a.example', null])
  }
})

test('an error with a sub-code in a good answer is read, with both codes', async () => {
  const { source } = await stage({ adzoneId: '999' })
  const failure = await source.convert!({ item: '1_zzzzzz' }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ kind: 'invalid_arg', code: '15:isv.invalid-parameter:adzone_id' })
  expect((failure as SourceError).message).not.toContain('请求')
})

test('shops are found by their goods and by their name, brand stores apart', async () => {
  const { source } = await stage()
  const query = { q: '双肩包', page: 1, pageSize: 100 }
  const all = await source.shops!(query)
  expect(all.total).toBe(all.shops.length)
  expect(all.shops.some(({ brand_store: brand }) => !brand)).toBe(true)
  expect((await source.shops!({ ...query, brandOnly: true })).shops)
    .toEqual(all.shops.filter(({ brand_store: brand }) => brand))
  const [first] = all.shops
  // A number beyond 2^53 on the wire.
  expect(first?.id).toMatch(/^22\d{17}$/)
  expect(first?.url).toBe(`https://shop${first?.id}.mall-a.example/`)
  expect((await source.shops!({ ...query, q: first?.title ?? '' })).shops).toEqual([first])
})

test('pages of shops add up, and end with the hundredth', async () => {
  const { source, simulator } = await stage()
  const query = { q: '双肩包', pageSize: 3 }
  const whole = await source.shops!({ ...query, page: 1, pageSize: 100 })
  const ids: string[] = []
  for (let page = 1, more = true; more; page += 1) {
    const { shops, total } = await source.shops!({ ...query, page })
    more = shops.length === 3
    expect(total).toBe(whole.shops.length)
    ids.push(...shops.map(({ id }) => id))
  }
  expect(ids).toEqual(whole.shops.map(({ id }) => id))
  const before = simulator.calls()
  expect(await failureOf(source.shops!({ ...query, page: 101 }))).toBe('invalid_arg')
  expect(simulator.calls()).toBe(before)
  expect(await source.shops!({ q: 'zzzyqx', page: 1, pageSize: 5 }))
    .toEqual({ shops: [], total: 0, dropped: 0 })
})

test.each([
  ['html', 'bad_answer'], ['wrong_types', 'bad_answer'], ['empty', 'bad_answer'],
  ['limited', 'rate_limited'],
] as const)('%s of the shop search is %s', async (fault, kind) => {
  const { source, simulator } = await stage()
  simulator.faults.add(METHODS.shops, fault)
  expect(await failureOf(source.shops!({ q: '双肩包', page: 1, pageSize: 5 }))).toBe(kind)
})
