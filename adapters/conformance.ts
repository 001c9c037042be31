/** What every mall must do against its simulator; a mall is not done before this passes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Item, Sort } from './contract.ts'
import type { Mall } from './index.ts'
import type { Simulate } from './sandbox.ts'
import { testFaults } from './testing/faults.ts'
import { testOrders } from './testing/orders.ts'
import {
  failureOf, firstItem, LIMITS, Q, type Operations, type Stage,
} from './testing/stage.ts'
import { handClock, HOSTILE_CLEAN, UNIVERSE } from './testing/world.ts'

export interface Conformance<S> {
  readonly mall: Mall<S>
  readonly simulate: Simulate<S>
  readonly operations: Operations
  /** The nth sub-id, where the mall takes only ids of its own pool. */
  readonly subId?: (nth: number) => string
  /** Changes to the settings, such as small pages that make paging visible. */
  readonly settings?: Partial<S>
  /** False where the platform tells only which page is the last. */
  readonly counts?: boolean
}

export function testMall<S>(
  {
    mall, simulate, operations, settings, subId = (nth) => `ag_7f3k9q_${nth}`, counts = true,
  }: Conformance<S>,
): void {
  let stage!: Stage
  let opened!: S
  beforeEach(async () => {
    const clock = handClock()
    const simulator = await simulate({ clock, universe: UNIVERSE, ratePerSecond: 1000 })
    opened = { ...simulator.settings, ...settings }
    const budget = { take: () => Promise.resolve(0), limited: () => Promise.resolve() }
    const source = mall.open(opened, { clock, limits: LIMITS, budget })
    stage = { source, simulator, clock, subId }
  })
  afterEach(async () => {
    await stage.source.close()
    await stage.simulator.close()
  })

  describe(`${mall.name}: search`, () => {
    testSearch(() => stage, counts)
  })
  describe(`${mall.name}: items`, () => {
    testItems(() => stage)
  })
  describe(`${mall.name}: conversion`, () => {
    testConversion(() => stage, operations)
  })
  describe(`${mall.name}: orders`, () => {
    testOrders(() => stage, operations)
  })
  describe(`${mall.name}: faults`, () => {
    testFaults(() => stage, operations, (clock, budget, limits) => mall.open(opened, {
      clock, limits: { ...LIMITS, ...limits }, ...(budget && { budget }),
    }))
  })
}

function testSearch(at: () => Stage, counts: boolean): void {
  test('prices, coupons and conditions come to what the mall offers, in fen', async () => {
    const { source, simulator } = at()
    const { items } = await source.search({ q: Q, page: 1, pageSize: 20 })
    expect(items.length).toBeGreaterThan(5)
    for (const item of items) {
      const offer = simulator.offer(item.id)
      expect(item.price).toEqual(offer?.expected)
      expect(item.special).toEqual(offer?.expectedSpecial)
      expect(item).toMatchObject({
        source: source.name, shop: offer?.shop, commission: { bps: offer?.commissionBps },
      })
      // Some malls tell sales as "2.1万+".
      expect(item.sales).toBeLessThanOrEqual(offer?.sales ?? 0)
      expect(item.sales).toBeGreaterThanOrEqual((offer?.sales ?? 0) / 2)
    }
  })

  test('pages do not overlap, agree on the total, and end', async () => {
    const { source } = at()
    const ids: string[] = []
    const totals = new Set<number | null>()
    for (let page = 1, more = true; more; page += 1) {
      const { items, total } = await source.search({ q: Q, page, pageSize: 5 })
      more = items.length > 0
      ids.push(...items.map(({ id }) => id))
      if (more) totals.add(total)
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect([...totals]).toEqual(counts ? [ids.length] : [null, ids.length])
  })

  test('prices are bounded and sorted by what is paid', async () => {
    const { source, simulator } = at()
    const asked = { q: Q, page: 1, pageSize: 20 }
    const paid = ({ id }: Item): number => simulator.offer(id)?.advertised ?? NaN
    const rising = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b)
    const all = rising((await source.search(asked)).items.map(paid))
    const [priceMin = 0, priceMax = 0] = [all[2], all[5]]
    const some = await source.search({ ...asked, priceMin, priceMax })
    expect(rising(some.items.map(paid)))
      .toEqual(all.filter((fen) => fen >= priceMin && fen <= priceMax))
    const sorted = async (sort: Sort): Promise<readonly Item[]> =>
      (source.capabilities.sorts.includes(sort)
        ? (await source.search({ ...asked, sort })).items : [])
    const cheap = (await sorted('price_asc')).map(paid)
    expect(cheap).toEqual(rising(cheap))
    const dear = (await sorted('price_desc')).map(paid)
    expect(dear).toEqual(rising(dear).toReversed())
    const sold = (await sorted('sales')).map(({ sales }) => sales ?? 0)
    expect(sold).toEqual(rising(sold).toReversed())
  })

  test('nothing found is an empty page', async () => {
    expect(await at().source.search({ q: 'zzzyqx', page: 1, pageSize: 5 }))
      .toEqual({ items: [], total: 0, dropped: 0 })
  })

  test('arguments beyond the limits are refused before the mall is asked', async () => {
    const { source, simulator } = at()
    const { pageSizeMax, depthMax } = source.capabilities
    const wrong = [
      { q: Q, page: 1, pageSize: pageSizeMax + 1 }, { q: Q, page: depthMax, pageSize: 2 },
      { q: ' ', page: 1, pageSize: 5 }, { q: Q, page: 0, pageSize: 5 },
      { q: Q, page: 1, pageSize: 5, priceMin: 2, priceMax: 1 },
    ]
    for (const query of wrong) expect(await failureOf(source.search(query))).toBe('invalid_arg')
    expect(simulator.calls()).toBe(0)
    expect(await failureOf(source.search({ q: Q, page: 1, pageSize: pageSizeMax }))).toBeNull()
  })

  test('text that hides something comes out clean', async () => {
    const { items } = await at().source.search({ q: '藏锋 999', page: 1, pageSize: 5 })
    expect(items.map(({ title }) => title)).toEqual([HOSTILE_CLEAN])
  })
}

function testItems(at: () => Stage): void {
  test('several ids come back as the search gave them, unknown ones as missing', async () => {
    const { source } = at()
    const { items } = await source.search({ q: Q, page: 1, pageSize: 5 })
    const ids = items.map(({ id }) => id)
    const unknown = 'zzzz_000000'
    const found = await source.items([...ids, unknown, 'not an id'])
    expect(found.missing).toEqual([unknown, 'not an id'])
    expect(found.items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(found.items.find(({ id }) => id === ids[0])?.price).toEqual(items[0]?.price)
  })

  test('an item link tells the id; a link that only looks like the mall\'s does not', async () => {
    const { source } = at()
    const item = await firstItem(at())
    expect(item.url).toMatch(/^https:\/\//)
    expect(source.readLink(item.url ?? '')).toEqual({ id: item.id })
    const url = new URL(item.url ?? '')
    const { host, pathname } = url
    const foreign = [
      `https://evil.example${pathname}`, `https://${host}@evil.example${pathname}`,
      `https://${host}.evil.example${pathname}`, `https://evil${host.replace(/^[^.]*\./, '')}/`,
      `https://${host}:8443${pathname}`, `https://${host}\\@evil.example/`, `//${host}${pathname}`,
      `javascript://${host}${pathname}`, ` ${item.url}`,
    ]
    for (const link of foreign) expect(source.readLink(link), link).toBeNull()
  })
}

function testConversion(at: () => Stage, operations: Operations): void {
  test('an id and its link give an attributed link of the mall', async () => {
    const { source, simulator, subId } = at()
    const item = await firstItem(at())
    for (const asked of [{ item: item.id }, ...(item.url ? [{ url: item.url }] : [])]) {
      const link = await source.convert?.({ ...asked, subId: subId(1) })
      expect(link).toMatchObject({ source: source.name, item_id: item.id, attributed: true })
      expect(source.readLink(link?.url ?? '')).not.toBeNull()
      expect(simulator.purchase(link?.url ?? '')).toMatchObject({ subId: subId(1) })
    }
    const plain = await source.convert?.({ item: item.id })
    expect(plain?.attributed).toBe(false)
  })

  test('an unknown item is not found, and conversions are never repeated', async () => {
    const { source, simulator } = at()
    expect(await failureOf(source.convert!({ item: 'zzzz_000000' }))).toBe('not_found')
    simulator.faults.add(operations.convert, 'error_500', 5)
    const before = simulator.calls(operations.convert)
    const item = await firstItem(at())
    expect(await failureOf(source.convert!({ item: item.id }))).toBe('retryable')
    expect(simulator.calls(operations.convert)).toBe(before + 1)
  })

  test('foreign links and unfit sub-ids are refused before the mall is asked', async () => {
    const { source, simulator } = at()
    const item = await firstItem(at())
    const before = simulator.calls()
    const wrong = [
      ...(source.capabilities.defaultItem === null ? [{}] : []),
      { item: item.id, url: item.url ?? '' }, { url: 'https://evil.example/detail/1.html' },
      { item: '../1' }, { item: item.id, subId: '' },
      ...(source.capabilities.attribution === 'token'
        ? [{ item: item.id, subId: 'no-dash' }, { item: item.id, subId: 'a'.repeat(25) }] : []),
    ]
    for (const asked of wrong) expect(await failureOf(source.convert!(asked))).toBe('invalid_arg')
    expect(simulator.calls()).toBe(before)
  })
}
