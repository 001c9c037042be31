/** What every mall must do against its simulator; a mall is not done before this passes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Item, OrderLine, OrderWindow, MallSort, Source } from './contract.ts'
import type { Mall } from './index.ts'
import type { Simulate } from './sandbox.ts'
import { testFaults } from './testing/faults.ts'
import {
  ASSORTMENT, createFakeClock, failureOf, firstItem, HOSTILE_CLEAN, LIMITS, type Operations, Q,
  type Stage,
} from './testing/stage.ts'

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
    const clock = createFakeClock()
    const simulator = await simulate({ clock, assortment: ASSORTMENT, ratePerSecond: 1000 })
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
    testSearchArguments(() => stage)
  })
  describe(`${mall.name}: items`, () => {
    testItems(() => stage)
  })
  describe(`${mall.name}: conversion`, () => {
    testConversion(() => stage, operations)
  })
  describe(`${mall.name}: orders`, () => {
    testOrders(() => stage)
    testOrderReads(() => stage, operations)
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
      // Some malls write sales as "2.1万+".
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
    const query = { q: Q, page: 1, pageSize: 20 }
    const paid = ({ id }: Item): number => simulator.offer(id)?.advertised ?? NaN
    const rising = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b)
    const all = rising((await source.search(query)).items.map(paid))
    const [priceMin = 0, priceMax = 0] = [all[2], all[5]]
    const some = await source.search({ ...query, priceMin, priceMax })
    expect(rising(some.items.map(paid)))
      .toEqual(all.filter((fen) => fen >= priceMin && fen <= priceMax))
    const sorted = async (sort: MallSort): Promise<readonly Item[]> =>
      (source.capabilities.sorts.includes(sort)
        ? (await source.search({ ...query, sort })).items : [])
    const cheap = (await sorted('price_asc')).map(paid)
    expect(cheap).toEqual(rising(cheap))
    const dear = (await sorted('price_desc')).map(paid)
    expect(dear).toEqual(rising(dear).toReversed())
    const sold = (await sorted('sales')).map(({ sales }) => sales ?? 0)
    expect(sold).toEqual(rising(sold).toReversed())
  })
}

function testSearchArguments(at: () => Stage): void {
  test('a search without results is an empty page', async () => {
    expect(await at().source.search({ q: 'zzzyqx', page: 1, pageSize: 5 }))
      .toEqual({ items: [], total: 0, dropped: 0 })
  })

  test('arguments beyond the limits are refused without a call to the mall', async () => {
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

  test('hidden characters are removed from titles', async () => {
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

  test('an item link holds the id; a link that imitates the mall\'s is refused', async () => {
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
    for (const request of [{ item: item.id }, ...(item.url ? [{ url: item.url }] : [])]) {
      const link = await source.convert?.({ ...request, subId: subId(1) })
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

  test('foreign links and invalid sub-ids are refused without a call to the mall', async () => {
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
    for (const request of wrong) {
      expect(await failureOf(source.convert!(request))).toBe('invalid_arg')
    }
    expect(simulator.calls()).toBe(before)
  })
}

// Orders: complete, in increments, and harmless to read again.

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

interface Read {
  readonly lines: Map<string, OrderLine>
  readonly through: number
}

/** Reads as a reader of orders does: by line, the later change replaces the earlier. */
async function read(
  source: Source, window: OrderWindow, lines = new Map<string, OrderLine>(),
): Promise<Read> {
  let through = window.from
  for await (const page of source.orders!(window)) {
    expect(page.through).toBeGreaterThanOrEqual(through)
    through = page.through
    for (const line of page.lines) {
      const known = lines.get(line.line_id)
      if (!known || known.updated_at <= line.updated_at) lines.set(line.line_id, line)
    }
  }
  return { lines, through }
}

/** Buys the first item through links of so many agents, one a minute. */
async function buy(stage: Stage, times: number, everyMs = MINUTE_MS): Promise<number[]> {
  const { source, simulator, clock, subId } = stage
  const item = await firstItem(stage)
  const numbers: number[] = []
  for (let nth = 0; nth < times; nth += 1) {
    const link = await source.convert!({ item: item.id, subId: subId(nth) })
    clock.forward(everyMs)
    const order = simulator.purchase(link.url, 2)
    if (!order) throw new Error('The mall does not know its own link.')
    numbers.push(order.number)
  }
  return numbers
}

function testOrders(at: () => Stage): void {
  test('a purchase through a converted link is listed with its sub-id, in fen', async () => {
    const { source, simulator, clock, subId } = at()
    const item = await firstItem(at())
    const link = await source.convert!({ item: item.id, subId: subId(1) })
    const order = simulator.purchase(link.url, 2)
    clock.forward(MINUTE_MS)
    const { lines, through } = await read(source, {
      from: clock.now() - HOUR_MS, to: clock.now(),
    })
    expect(through).toBe(clock.now())
    expect([...lines.values()]).toMatchObject([{
      source: source.name, item_id: item.id, qty: 2, amount: item.price.payable * 2,
      status: 'paid', sub_id: subId(1), title: item.title,
      commission: { fen: order?.commission }, updated_at: clock.now() - MINUTE_MS,
    }])
  })

  test('an order follows its states, forwards and back to invalid', async () => {
    const { source, simulator, clock } = at()
    const [number = 0] = await buy(at(), 1)
    const start = clock.now() - HOUR_MS
    const moves = [
      ['received', 'received'], ['settled', 'settled'], ['refunded', 'invalid'],
      ['punished', 'invalid'],
    ] as const
    for (const [state, status] of moves) {
      clock.forward(MINUTE_MS)
      simulator.orders.move(number, state)
      clock.forward(MINUTE_MS)
      const { lines } = await read(source, { from: start, to: clock.now() })
      const [line] = lines.values()
      expect(line?.status).toBe(status)
      expect(line?.updated_at).toBe(clock.now() - MINUTE_MS)
      expect(status !== 'invalid' || line?.commission.fen === 0).toBe(true)
    }
  })

  test('increments with overlap give the same as one long read, over many windows', async () => {
    const { source, clock } = at()
    const start = clock.now()
    await buy(at(), 25, 20 * MINUTE_MS)
    clock.forward(MINUTE_MS)
    const whole = await read(source, { from: start, to: clock.now() })
    expect(whole.lines.size).toBe(25)
    const again = await read(source, { from: start, to: clock.now() }, new Map(whole.lines))
    expect(again.lines).toEqual(whole.lines)

    const { overlapMs } = source.capabilities.orders!
    const parts = new Map<string, OrderLine>()
    for (let from = start; from < clock.now();) {
      const to = Math.min(from + 37 * MINUTE_MS, clock.now())
      const { through } = await read(source, { from: from - overlapMs, to }, parts)
      expect(through).toBe(to)
      from = through
    }
    expect(parts).toEqual(whole.lines)
  })
}

function testOrderReads(at: () => Stage, operations: Operations): void {
  test('more orders than a page in one moment are all read, each once', async () => {
    const { source, simulator, clock, subId } = at()
    const item = await firstItem(at())
    const link = await source.convert!({ item: item.id, subId: subId(1) })
    for (let nth = 0; nth < 43; nth += 1) simulator.purchase(link.url)
    clock.forward(MINUTE_MS)
    const { lines } = await read(source, { from: clock.now() - HOUR_MS, to: clock.now() })
    expect(lines.size).toBe(43)
  })

  test('a read never reports a position before all older changes were read', async () => {
    const { source, simulator, clock } = at()
    const start = clock.now()
    await buy(at(), 6, 30 * MINUTE_MS)
    clock.forward(MINUTE_MS)
    const before = simulator.calls(operations.orders)
    const whole = await read(source, { from: start, to: clock.now() })
    const calls = simulator.calls(operations.orders) - before
    for (let nth = 0; nth < calls; nth += 1) {
      let through = start
      const lines = new Map<string, OrderLine>()
      let seen = 0
      const broken = (async () => {
        const base = simulator.calls(operations.orders)
        for await (const page of source.orders!({ from: start, to: clock.now() })) {
          for (const line of page.lines) lines.set(line.line_id, line)
          through = page.through
          seen = simulator.calls(operations.orders) - base
          if (seen > nth) break
        }
      })()
      expect(await failureOf(broken)).toBeNull()
      for (const line of whole.lines.values()) {
        expect(line.updated_at >= through || lines.has(line.line_id)).toBe(true)
      }
    }
  })

  test('an endless list is a bad answer, not an endless read', async () => {
    const { source, simulator, clock } = at()
    simulator.faults.add(operations.orders, 'lying_totals', 1000)
    const window = { from: clock.now() - HOUR_MS, to: clock.now() }
    expect(await failureOf(read(source, window))).toBe('bad_answer')
    expect(simulator.calls(operations.orders)).toBeLessThan(100)
  })
}
