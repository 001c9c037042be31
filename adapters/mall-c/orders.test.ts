/** Mall C's orders: its windows, its counts, and its pages from the last to the first. */
import { expect, test } from 'vitest'
import type { OrderPage, OrderWindow, Source } from '../contract.ts'
import { failureOf } from '../testing/stage.ts'
import { TYPES } from './signing.ts'
import { scripted, stage } from './testing/stage.ts'

const DAY_MS = 86_400_000

async function read(source: Source, window: OrderWindow): Promise<OrderPage[]> {
  const pages: OrderPage[] = []
  for await (const page of source.orders!(window)) pages.push(page)
  return pages
}

async function shop(change = {}) {
  const staged = await stage({ orderPageSize: 10, ...change })
  const item = (await staged.search()).items[0]?.id ?? ''
  const { url } = await staged.source.convert!({ item, subId: 'ag_1' })
  const buy = (): number => staged.simulator.purchase(url)?.number ?? NaN
  return { ...staged, buy }
}

test('windows are at most a day, in whole seconds, and end now', async () => {
  const { source, clock, simulator } = await stage()
  const from = clock.now() - 3 * DAY_MS
  const pages = await read(source, { from, to: clock.now() + DAY_MS })
  expect(pages.map(({ through }) => through))
    .toEqual([from + DAY_MS, from + 2 * DAY_MS, clock.now()])
  expect(simulator.calls(TYPES.orders)).toBe(3)
  clock.forward(123)
  expect(await failureOf(read(source, { from: from + 1, to: clock.now() }))).toBeNull()
  expect((await read(source, { from, to: clock.now() })).at(-1)?.through).toBe(clock.now())
})

test('the whole time that the capabilities promise can be read', async () => {
  const { source, clock } = await stage()
  const from = clock.now() - source.capabilities.orders!.lookbackMs
  expect(await failureOf(read(source, { from, to: clock.now() }))).toBeNull()
})

const row = (nth: number) => ({
  order_sn: `260102-${nth}`, order_status: 1, order_modify_at: 1_767_323_000,
})

test('a window is counted once, then paged from its end, uncounted', async () => {
  const { source, asked } = await scripted(({ page, return_count: counted }) => ({
    order_list_get_response: {
      order_list: Array.from({ length: Number(page) === 3 ? 5 : 10 },
        (_, nth) => row(Number(page) * 10 + nth)),
      ...(counted === 'true' && { total_count: 25 }),
    },
  }), { orderPageSize: 10 })
  const to = Date.UTC(2026, 0, 2, 3)
  const pages = await read(source, { from: to - 3_600_000, to })
  expect(asked.map(({ page, return_count: counted }) => [page, counted])).toEqual([
    ['1', 'true'], ['3', 'false'], ['2', 'false'], ['1', 'false'],
  ])
  expect(asked[0]).toMatchObject({
    page_size: '10', start_update_time: String(to / 1000 - 3600),
    end_update_time: String(to / 1000),
  })
  expect(pages.flatMap(({ lines }) => lines.map(({ line_id }) => line_id)).length).toBe(25)
  expect(pages.map(({ through }) => through)).toEqual([to - 3_600_000, to - 3_600_000, to])
})

test('a window of one page takes one call', async () => {
  const { source, clock, simulator, buy } = await shop()
  for (let nth = 0; nth < 10; nth += 1) buy()
  clock.forward(1000)
  const pages = await read(source, { from: clock.now() - 60_000, to: clock.now() })
  expect(pages.map(({ lines }) => lines.length)).toEqual([10])
  expect(simulator.calls(TYPES.orders)).toBe(1)
})

test('a row that changes while its window is read hides none of those behind it', async () => {
  const { source, clock, simulator, buy } = await shop()
  const numbers = Array.from({ length: 30 }, buy)
  clock.forward(60_000)
  const window = { from: clock.now() - 120_000, to: clock.now() }
  const seen = new Set<string>()
  let moved = 0
  for await (const { lines } of source.orders!(window)) {
    for (const { order_no: number } of lines) seen.add(number.split('-')[1] ?? '')
    if (moved < 2) {
      clock.forward(5000)
      simulator.orders.move(numbers[moved] ?? NaN, 'received')
      moved += 1
    }
  }
  expect(moved).toBe(2)
  const unmoved = numbers.slice(2).map(String)
  expect(unmoved.filter((number) => !seen.has(number))).toEqual([])
  const later = await read(source, { from: window.to, to: clock.now() })
  expect(later.flatMap(({ lines }) => lines).map(({ status }) => status))
    .toEqual(['received', 'received'])
})

test('a window of very many pages is halved first, so that less is read twice', async () => {
  const { source, clock, simulator, buy } = await shop()
  const from = clock.now()
  for (let nth = 0; nth < 130; nth += 1) {
    buy()
    clock.forward(30_000)
  }
  const pages = await read(source, { from, to: clock.now() })
  const lines = pages.flatMap(({ lines: some }) => some.map(({ line_id }) => line_id))
  expect(new Set(lines).size).toBe(130)
  const places = new Set(pages.map(({ through }) => through))
  expect(places.size).toBeGreaterThan(2)
  expect(simulator.calls(TYPES.orders)).toBeLessThan(25)
})

test.each([
  ['no count where one was asked for', {}],
  ['fewer counted than given', { total_count: 0 }],
  ['more counted than anybody could page', { total_count: 500_000_000 }],
])('%s is a bad answer', async (_, counted) => {
  const { source, asked } = await scripted(
    () => ({ order_list_get_response: { order_list: [row(1)], ...counted } }))
  const to = Date.UTC(2026, 0, 2, 3)
  expect(await failureOf(read(source, { from: to - 3_600_000, to }))).toBe('bad_answer')
  expect(asked.length).toBeLessThan(20)
})
