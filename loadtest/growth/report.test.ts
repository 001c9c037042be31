import { describe, expect, test } from 'vitest'
import { chartSvg } from './chart.ts'
import type { OrdersGrowth } from './orders.ts'
import { between, chartsOf, tablesOf } from './report.ts'

const SIZES = [[0, 0], [1000, 0], [100_000, 0], [100_000, 100_000]] as const
const orders = SIZES.map(([count, archived]): OrdersGrowth => ({
  orders: count, archived, ledgerMb: 2 + count / 500, bytesPerOrder: 2000, rewriteSeconds: 0.5,
  kinds: count === 0 ? {} as Record<string, number> : { 'order': 1080, 'agent\'s list': 68 },
  rewriteCopiedMb: 1, diskMb: 3, startSeconds: count / 50_000,
}))
const results = { goods: [], orders, agents: [] }

describe('the report of a growth run', () => {
  test('has a row for each size and a column for each ledger in the table of kinds', () => {
    const text = tablesOf(results)
    expect(text)
      .toContain('| 100k | 100k | 202 MB | 2000 | 3.0 MB | 2.0 s | 0.5 s, 1.0 MB | – | – |')
    expect(text).toContain('| bytes an order, by kind of key | 1k | 100k | 100k, archived |')
    expect(text).toContain("| agent's list | 68 | 68 | 68 |")
  })

  test('draws what was measured and nothing else', () => {
    const charts = chartsOf(results)
    expect(Object.keys(charts)).toEqual(['orders-start', 'orders-memory'])
    expect(charts['orders-memory']?.series.map(({ points }) => points)).toEqual([
      [[1000, 4], [100_000, 202]], [[100_000, 202]],
    ])
  })

  test('replaces what stands between the marks', () => {
    const document = 'a\n<!-- growth: written by `npm run growth -- --write` -->\nold\n'
      + '<!-- growth end -->\nb\n'
    expect(between(document, 'new')).toBe(document.replace('old', 'new'))
    expect(() => between('a', 'new')).toThrow(/marks/)
  })
})

describe('a chart', () => {
  const chart = (title: string) => chartSvg({
    title, x: 'x', y: 'y', series: [{ name: 's', points: [[1, 1], [10, 2], [100, 20], [200, 40]] }],
  })

  test('draws what grows in proportion as a straight line from 0', () => {
    const line = /points="([^"]+)"/.exec(chart('growth'))?.[1] ?? ''
    const [, , hundred = [], twoHundred = []] = line.split(' ').map((one) =>
      one.split(',').map(Number))
    const [left = 0, bottom = 0] = [70, 290]
    expect((twoHundred[0] ?? 0) - left).toBeCloseTo(2 * ((hundred[0] ?? 0) - left), 0)
    expect(bottom - (twoHundred[1] ?? 0)).toBeCloseTo(2 * (bottom - (hundred[1] ?? 0)), 0)
  })

  test('names sizes that have room beside each other', () => {
    expect([...chart('growth').matchAll(/y="308.0" text-anchor="middle">(\d+)</g)]
      .map(([, size]) => size)).toEqual(['200', '100', '10'])
  })

  test('escapes what it names', () => {
    const svg = chart('a < b')
    expect(svg).toContain('a &lt; b')
    expect(svg).not.toContain('a < b')
  })
})
