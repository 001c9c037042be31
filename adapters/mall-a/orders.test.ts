/** Mall A's orders: windows, big sales, and pages that follow a place. */
import { expect, onTestFinished, test } from 'vitest'
import { malls } from '../index.ts'
import { simulate } from '../sandbox.ts'
import { ASSORTMENT, createFakeClock, failureOf } from '../testing/stage.ts'
import { METHODS, type Settings } from './signing.ts'

const HOUR_MS = 3_600_000

async function stage(change: Partial<Settings> = {}, start?: number) {
  const clock = createFakeClock(start)
  const simulator = await simulate.mall_a({ clock, assortment: ASSORTMENT, ratePerSecond: 1000 })
  const source = malls.mall_a.open({ ...simulator.settings, ...change }, { clock,
    budget: { take: () => Promise.resolve(0), limited: () => Promise.resolve() } })
  onTestFinished(async () => {
    await source.close()
    await simulator.close()
  })
  const { items: [item] } = await source.search({ q: '双肩包', page: 1, pageSize: 5 })
  const link = await source.convert!({ item: item?.id ?? '' })
  const buy = (times: number, everyMs: number): void => {
    for (let nth = 0; nth < times; nth += 1) {
      simulator.purchase(link.url)
      clock.forward(everyMs)
    }
  }
  const read = async (from: number, to = clock.now()) => {
    const ids: string[] = []
    const places: number[] = []
    for await (const { lines, through } of source.orders!({ from, to })) {
      ids.push(...lines.map(({ line_id: id }) => id))
      places.push(through)
    }
    return { ids, places }
  }
  return { clock, simulator, source, buy, read, calls: () => simulator.calls(METHODS.orders) }
}

test('windows are three hours long at most, and never beyond now', async () => {
  const { clock, read, calls } = await stage()
  const { places } = await read(clock.now() - 7 * HOUR_MS, clock.now() + HOUR_MS)
  expect(calls()).toBe(3)
  expect(places).toEqual([-4, -1, 0].map((hours) => clock.now() + hours * HOUR_MS))
})

test('during a big sale, windows are twenty minutes long after one refusal', async () => {
  const { clock, buy, read, calls } = await stage({}, Date.parse('2026-11-11T02:00:00Z'))
  const from = clock.now()
  buy(20, 10 * 60_000)
  const { ids, places } = await read(from)
  expect(new Set(ids).size).toBe(20)
  expect(places).toEqual(Array.from({ length: 10 }, (_, nth) => from + (nth + 1) * HOUR_MS / 3))
  expect(calls()).toBe(11)
})

test('a refusal that shorter windows do not cure is thrown', async () => {
  const { clock, read, calls } = await stage({ orderPageSize: 1000 })
  expect(await failureOf(read(clock.now() - 3 * HOUR_MS))).toBe('invalid_arg')
  expect(calls()).toBe(2)
})

test('a page follows the place of the one before, whatever moves meanwhile', async () => {
  const { clock, simulator, source, buy } = await stage({ orderPageSize: 10 })
  const from = clock.now()
  buy(30, 1000)
  const to = clock.now()
  const seen: string[] = []
  for await (const { lines, through } of source.orders!({ from, to })) {
    seen.push(...lines.map(({ line_id: id }) => id))
    // The whole first page changes, and with it leaves the window.
    if (seen.length === 10) {
      clock.forward(1000)
      for (const { order_no: number } of lines) simulator.orders.move(Number(number), 'received')
    }
    expect(through).toBe(seen.length === 30 ? to : from)
  }
  expect(new Set(seen).size).toBe(30)
})

test('more pages than the mall turns are read in shorter windows', async () => {
  const { clock, buy, read } = await stage({ orderPageSize: 1 })
  const from = clock.now()
  buy(120, 60_000)
  const { ids, places } = await read(from)
  expect(new Set(ids).size).toBe(120)
  expect(places.at(-1)).toBe(clock.now())
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('a place that leads nowhere is a bad answer, not an endless read', async () => {
  const { clock, simulator, buy, read, calls } = await stage({ orderPageSize: 10 })
  const from = clock.now()
  buy(5, 1000)
  simulator.faults.add(METHODS.orders, 'lying_totals', 1000)
  expect(await failureOf(read(from))).toBe('bad_answer')
  expect(calls()).toBe(2)
})
