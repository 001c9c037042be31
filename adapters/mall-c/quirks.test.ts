/** What mall C does as no other: its registrations, its pages, its links and its limits. */
import { expect, test } from 'vitest'
import { SourceError } from '../contract.ts'
import { failureOf } from '../testing/stage.ts'
import { sliceOf } from './adapter.ts'
import { TYPES } from './signing.ts'
import { STRICT_PID } from './simulator.ts'
import { refusal, scripted, stage } from './testing/stage.ts'

const errorOf = async (work: Promise<unknown>): Promise<SourceError> => {
  const error: unknown = await work.catch((reason: unknown) => reason)
  if (!(error instanceof SourceError)) throw new Error('It did not fail as a source does.')
  return error
}

test('a wrong secret is an auth failure, an unknown application too', async () => {
  for (const change of [{ clientSecret: 'another' }, { clientId: 'another' }]) {
    expect(await failureOf((await stage(change)).search())).toBe('auth')
  }
})

test('ten minutes of clock are forgiven, more are no wrong signature', async () => {
  expect(await failureOf((await stage({}, { skewMs: 600_000 })).search())).toBeNull()
  const { source, search } = await stage({}, { skewMs: 605_000 })
  expect(await errorOf(search())).toMatchObject({ kind: 'clock', code: '20004' })
  expect(source.health().skewMs).toBe(605_000)
  expect(await failureOf((await stage({}, { skewMs: -700_000 })).search())).toBe('clock')
})

test('a search for want of registration says where, and works after it', async () => {
  const { source, simulator, search } = await stage({ pid: STRICT_PID })
  const refused = await errorOf(search())
  expect(refused).toMatchObject({ kind: 'registration', code: '50001:60001' })
  expect(source.readLink(refused.link ?? '')).not.toBeNull()
  expect(await errorOf(source.items(['1_a', '2_b']))).toMatchObject({ link: refused.link })
  // Asked once, remembered then.
  expect(simulator.calls(TYPES.register)).toBe(1)
  expect(simulator.register(refused.link ?? '')).toBe(true)
  expect((await search()).items.length).toBeGreaterThan(0)
})

test('a conversion needs position and user registered as a pair, each with its link', async () => {
  const { source, simulator, search } = await stage({ pid: STRICT_PID })
  simulator.register((await errorOf(search())).link ?? '')
  const item = (await search()).items[0]?.id ?? ''
  const first = await errorOf(source.convert!({ item, subId: 'ag_1' }))
  const second = await errorOf(source.convert!({ item, subId: 'ag_2' }))
  expect([first.kind, second.kind]).toEqual(['registration', 'registration'])
  expect(first.link).not.toBe(second.link)
  simulator.register(first.link ?? '')
  expect(await source.convert!({ item, subId: 'ag_1' })).toMatchObject({ attributed: true })
  expect(await failureOf(source.convert!({ item, subId: 'ag_2' }))).toBe('registration')
  expect(await source.convert!({ item })).toMatchObject({ attributed: false })
})

test('without the page to register on, the refusal is still what it is', async () => {
  const { simulator, search } = await stage({ pid: STRICT_PID })
  simulator.faults.add(TYPES.register, 'html')
  expect(await errorOf(search())).toMatchObject({ kind: 'registration', link: undefined })
  expect((await errorOf(search())).link).toMatch(/^https:/)
})

test('a registration page that is not the mall\'s is not handed on', async () => {
  const { source } = await scripted(({ type }) => (type === TYPES.register
    ? { rp_promotion_url_generate_response: { url_list: [{ url: 'https://evil.example/' }] } }
    : refusal(50001, { sub_code: '60001' })))
  expect(await errorOf(source.search({ q: 'x', page: 1, pageSize: 10 })))
    .toMatchObject({ kind: 'registration', link: undefined })
})

test('small pages are cut from pages of the size that the mall gives out', () => {
  for (let pageSize = 1; pageSize <= 100; pageSize += 1) {
    for (let page = 1; page <= 12; page += 1) {
      const { page: far, size, from, to } = sliceOf(page, pageSize)
      expect(size).toBeGreaterThanOrEqual(10)
      expect(size).toBeLessThanOrEqual(100)
      expect([(far - 1) * size + from, (far - 1) * size + to])
        .toEqual([(page - 1) * pageSize, page * pageSize])
      expect(to).toBeLessThanOrEqual(size)
    }
  }
})

test.each([1, 3, 7, 10, 100])('pages of %i make up the whole, and agree on it', async (size) => {
  const { search } = await stage()
  const whole = await search(1, 50)
  const ids: string[] = []
  for (let page = 1; ids.length < whole.items.length; page += 1) {
    const { items, total } = await search(page, size)
    expect(items.length).toBeGreaterThan(0)
    expect(total).toBe(whole.total)
    ids.push(...items.map(({ id }) => id))
  }
  expect(ids).toEqual(whole.items.map(({ id }) => id))
})

test('a later page is asked of the list that the first was cut from', async () => {
  const { source, asked } = await scripted((_, nth) => ({ goods_search_response: {
    goods_list: [], total_count: 0, list_id: `list_${nth}`,
  } }))
  const search = (q: string, page: number) => source.search({ q, page, pageSize: 10 })
  for (const [q, page] of [['a', 1], ['b', 1], ['a', 2], ['c', 2], ['a', 1]] as const) {
    await search(q, page)
  }
  expect(asked.map(({ list_id }) => list_id))
    .toEqual([undefined, undefined, 'list_1', undefined, undefined])
})

test('searches go out as the neutral user, and without one as the position alone', async () => {
  for (const [change, custom] of [
    [{ neutralUid: 'search' }, '{"uid":"search"}'], [{}, undefined],
  ] as const) {
    const { source, asked } = await scripted(
      () => ({ goods_search_response: { goods_list: null, total_count: 0 } }), change)
    expect(await source.search({ q: 'x', page: 1, pageSize: 10, priceMax: 5000 }))
      .toEqual({ items: [], total: 0, dropped: 0 })
    expect(asked[0]).toMatchObject({
      pid: '1_2', with_coupon: 'false', sort_type: '0',
      range_list: '[{"range_id":1,"range_from":0,"range_to":5000}]',
    })
    expect(asked[0]?.['custom_parameters']).toBe(custom)
  }
})

test('too many calls are refused with the time to wait, of the mall if it says one', async () => {
  const { simulator, search } = await stage({}, { ratePerSecond: 2 })
  await search()
  await search()
  expect(await errorOf(search()))
    .toMatchObject({ kind: 'rate_limited', code: '70031', retryAfterMs: 1000 })
  simulator.faults.add(TYPES.search, 'limited', 1, 42)
  expect(await errorOf(search())).toMatchObject({ kind: 'rate_limited', retryAfterMs: 42_000 })
  const { source } = await scripted(() => refusal(52101))
  const { retryAfterMs } = await errorOf(source.search({ q: 'x', page: 1, pageSize: 10 }))
  expect(retryAfterMs).toBeGreaterThanOrEqual(1000)
})

test('an allowance that is used up rests until midnight in China', async () => {
  const { source } = await scripted(() => refusal(70036))
  const { kind, retryAfterMs } = await errorOf(source.search({ q: 'x', page: 1, pageSize: 10 }))
  // The test's clock stands at 11:04:05 there.
  expect([kind, retryAfterMs]).toEqual(['quota', (12 * 3600 + 55 * 60 + 55) * 1000])
})
