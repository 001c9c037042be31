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
  test('places sizes by their logarithm, and escapes what it names', () => {
    const svg = chartSvg({
      title: 'a < b', x: 'x', y: 'y',
      series: [{ name: 's', points: [[10, 1], [100, 2], [1000, 5]] }],
    })
    const line = /points="([^"]+)"/.exec(svg)?.[1] ?? ''
    const [first = 0, middle = 0, last = 0] = line.split(' ').map((one) => Number.parseFloat(one))
    expect(middle - first).toBeCloseTo(last - middle, 1)
    expect(svg).toContain('a &lt; b')
    expect(svg).not.toContain('a < b')
  })
})
