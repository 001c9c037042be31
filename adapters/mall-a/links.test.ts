/** Mall A's links: the agents that they credit, their coupons and codes. */
import { expect, onTestFinished, test } from 'vitest'
import { malls } from '../index.ts'
import { simulate } from '../sandbox.ts'
import { ASSORTMENT, createFakeClock, failureOf } from '../testing/stage.ts'
import { METHODS, type Settings } from './signing.ts'
import { ADZONE, POOL } from './simulator/answers.ts'

async function stage(change: Partial<Settings> = {}) {
  const clock = createFakeClock()
  const simulator = await simulate.mall_a({ clock, assortment: ASSORTMENT })
  const source = malls.mall_a.open({ ...simulator.settings, ...change }, { clock,
    limits: { totalMs: 500, retries: 0 },
    budget: { take: () => Promise.resolve(0), limited: () => Promise.resolve() } })
  onTestFinished(async () => {
    await source.close()
    await simulator.close()
  })
  const { items } = await source.search({ q: '双肩包', page: 1, pageSize: 30 })
  const indexOf = (id: string) => simulator.offer(id)?.product.index ?? 0
  /** Of every third product the conversion tells no code. */
  const withCode = items.find(({ id }) => indexOf(id) % 3 !== 0)?.id ?? ''
  const withoutCode = items.find(({ id }) => indexOf(id) % 3 === 0)?.id ?? ''
  return { clock, simulator, source, items, withCode, withoutCode }
}

test.each(['adzone', 'relation', 'special'] as const)(
  'an id of the pool as %s comes back in the orders, and only that one', async (poolKind) => {
    const { source, simulator, clock, withCode: item } = await stage({ poolKind })
    expect(source.capabilities).toMatchObject({ attribution: 'pool', pool: POOL })
    const from = clock.now()
    for (const subId of [POOL[3], undefined]) {
      const link = await source.convert!({ item, ...(subId !== undefined && { subId }) })
      expect(link.attributed).toBe(subId !== undefined)
      simulator.purchase(link.url)
      clock.forward(1000)
    }
    const ids: (string | null)[] = []
    for await (const { lines } of source.orders!({ from, to: clock.now() })) {
      ids.push(...lines.map(({ sub_id: id }) => id))
    }
    expect(ids).toEqual([POOL[3], null])
  })

test('an id that is not of the pool is refused before the mall is asked', async () => {
  const { source, simulator, withCode: item } = await stage()
  const before = simulator.calls()
  for (const subId of ['ag_7f3k9q', '12345', '', ADZONE, `${POOL[0]}0`]) {
    expect(await failureOf(source.convert!({ item, subId }))).toBe('invalid_arg')
  }
  expect(simulator.calls()).toBe(before)
})

test('the neutral position is no part of the pool, even where it is listed', async () => {
  const { source, withCode: item } = await stage({ poolIds: [ADZONE, POOL[0] ?? ''] })
  expect(source.capabilities.pool).toEqual([POOL[0]])
  expect(await failureOf(source.convert!({ item, subId: ADZONE }))).toBe('invalid_arg')
})

test('without a pool links work and nothing is attributed', async () => {
  const { source, simulator, withCode: item } = await stage({ poolIds: [] })
  expect(source.capabilities.attribution).toBe('none')
  const link = await source.convert!({ item, subId: 'ag_7f3k9q' })
  expect(link.attributed).toBe(false)
  expect(simulator.purchase(link.url)).toMatchObject({ subId: '', echo: { adzone: ADZONE } })
})

test('a conversion comes with its share code, marks and all, in one call', async () => {
  const { source, simulator, withCode: item } = await stage()
  const link = await source.convert!({ item })
  expect(link.share_code).toMatch(/^￥.{11}￥$/)
  expect(link.share_text).toContain(`${link.share_code} https://`)
  expect(link.share_text).toContain('\n')
  expect(simulator.calls(METHODS.shareCode)).toBe(0)
})

test('a code that is missing is made from the link, byte for byte', async () => {
  const { source, simulator, withoutCode: item } = await stage()
  const link = await source.convert!({ item, subId: POOL[1] ?? '' })
  expect(link.url).toMatch(/%3A1%2d2$/)
  expect(link.share_code).toMatch(/^￥.{11}￥$/)
  expect(link.share_text).toContain(link.share_code)
  expect(simulator.calls(METHODS.shareCode)).toBe(1)
})

test.each(['error_500', 'html', 'hang', 'wrong_types', 'empty', 'limited'] as const)(
  'a share code that ends in %s does not cost the link', async (fault) => {
    const { source, simulator, withoutCode: item } = await stage()
    simulator.faults.add(METHODS.shareCode, fault)
    expect(await source.convert!({ item, subId: POOL[1] ?? '' })).toMatchObject({
      item_id: item, attributed: true, share_code: null, share_text: null,
    })
    expect(simulator.calls(METHODS.shareCode)).toBe(1)
  })

test('the link with the coupon is taken where there is one', async () => {
  const { source, simulator, items } = await stage()
  const kinds = await Promise.all(items.map(async ({ id }) => {
    const link = await source.convert!({ item: id })
    const kind = new URL(link.url).searchParams.get('kind')
    expect([link.coupon_applied, kind]).toEqual(
      simulator.offer(id)?.coupon ? [true, 'coupon'] : [false, 'cps'])
    return kind
  }))
  expect(new Set(kinds)).toEqual(new Set(['coupon', 'cps']))
})

test('a link is converted as it stands; a comma in it does not part it', async () => {
  const { source, simulator, withCode: item } = await stage()
  const url = `https://item.mall-a.example/item.htm?spm=a,b&id=${item}`
  const link = await source.convert!({ url, subId: POOL[2] ?? '' })
  expect(link).toMatchObject({ item_id: item, attributed: true })
  expect(simulator.purchase(link.url)).toMatchObject({ subId: POOL[2] })
})

test('a link of the mall that is no item is refused by the mall, with its code', async () => {
  const { source } = await stage()
  const url = 'https://www.mall-a.example/sale?id=1'
  expect(source.readLink(url)).toEqual({ id: null })
  const failure = await source.convert!({ url }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ kind: 'not_found', code: '1001' })
})

test.each([
  ['https://item.mall-a.example/item.htm?id=qeqscd1231-uqwenqe', 'qeqscd1231-uqwenqe'],
  ['https://detail.mall-a.example/detail.htm?spm=1&id=600000000001', '600000000001'],
  ['https://u.mall-a.example/item/edetail?itemId=abc', 'abc'],
  ['https://s.click.mall-a.example/t?e=abc&id=1', null],
  ['https://item.mall-a.example/item.htm?id=../1', null],
  ['https://item.mall-a.example/item.htm', null],
])('%s is item %j', async (url, id) => {
  expect((await stage()).source.readLink(url)).toEqual({ id })
})
