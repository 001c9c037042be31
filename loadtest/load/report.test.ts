/** What is made of a run: of lines and a summary that k6 wrote, and of figures made by hand. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Histogram } from './histogram.ts'
import type { ScriptSummary } from './plan.ts'
import { reportPage } from './report.ts'
import { callsOf, Samples, together, type Bin } from './samples.ts'
import { breakingPoint, countsOf, judge, summaryLine, type RunRecord } from './verdict.ts'

const recorded = (name: string): string =>
  readFileSync(new URL(`testing/${name}`, import.meta.url), 'utf8')
const summary = JSON.parse(recorded('summary.json')) as ScriptSummary

function recordedSamples(): Samples {
  const samples = new Samples()
  for (const line of recorded('samples.csv').trim().split('\n')) samples.add(line)
  return samples
}

function recordedRun(changes: Partial<RunRecord> = {}): RunRecord {
  const series = recordedSamples().all()
  return {
    profile: 't2', about: 'two <b>phases</b>', startedAt: '2026-11-21T00:00:00.000Z',
    machine: 'a machine', baseUrls: ['http://127.0.0.1:8080'], rate: 2200, seconds: 20,
    ok: false, judgements: judge(summary), counts: countsOf(summary.metrics),
    total: callsOf(together(series), 10), calls: series.map((one) => callsOf(one, 10)),
    marks: [{ at: 1, text: 'kill' }], memory: [{ at: 0, mb: 200 }, { at: 2, mb: 210 }],
    ...changes,
  }
}

test('lines of k6 become calls by name and second, failed ones counted', () => {
  const samples = recordedSamples()
  const [detail, search, ...none] = samples.all()
  expect(none).toEqual([])
  expect([detail?.name, search?.name]).toEqual(['get_goods_detail t1', 'search_goods'])
  const calls = callsOf(together(samples.all()), 100)
  expect(calls).toMatchObject({ count: 26, failed: 13 })
  expect(calls.bins.map(({ at, rate }) => [at, rate])).toEqual([[0, 2], [1, 8], [2, 8], [3, 8]])
  expect(callsOf(together(samples.all()), 2).bins.map(({ rate }) => rate)).toEqual([5, 8])
})

test('lines in another format than the one that was asked for are not misread', () => {
  expect(() => new Samples().add('metric_name,timestamp,metric_value')).toThrow('no column')
})

test('a histogram is 3 % exact, alone and merged', () => {
  const [whole, half, otherHalf] = [new Histogram(), new Histogram(), new Histogram()]
  for (let ms = 1; ms <= 1000; ms += 1) {
    whole.add(ms)
    const part = ms % 2 ? half : otherHalf
    part.add(ms)
  }
  half.merge(otherHalf)
  for (const histogram of [whole, half]) {
    for (const share of [0.01, 0.5, 0.99]) {
      const ratio = histogram.quantile(share) / (1000 * share)
      expect(ratio).toBeGreaterThanOrEqual(1)
      expect(ratio).toBeLessThan(1.031)
    }
    expect(histogram.quantile(1)).toBe(1000)
  }
  expect(new Histogram().quantile(0.5)).toBeNaN()
})

test('thresholds are judged as k6 judged them, and relations by the run\'s own figures', () => {
  const judged = judge(summary)
  const p99 = (scenario: string): number =>
    summary.metrics[`http_req_duration{scenario:${scenario}}`]?.values['p(99)'] ?? NaN
  const ratio = p99('beside_t1') / p99('alone_t1')
  expect(judged.find(({ what }) => what.startsWith('p99 of t1'))).toMatchObject({
    measured: `${ratio.toFixed(2)} ×`, ok: true,
  })
  expect(judged.find(({ what }) => what.startsWith('dropped_iterations'))?.ok).toBe(false)
  const relations = summary.relations.map((one) => ({ ...one, atMost: 0.5 }))
  const strict = { ...summary, relations }
  expect(judge(strict).filter(({ what, ok }) => what.endsWith('×') && ok)).toEqual([])
  const unknown = [{ what: 'x', metric: 'none', against: 'none', stat: 'med', atMost: 2 } as const]
  expect(judge({ ...summary, metrics: {}, relations: unknown })[0]?.ok).toBe(false)
})

test('the line says what was measured and what was not kept', () => {
  const line = summaryLine(recordedRun(), {})
  expect(line).toMatch(/^t2 FAILED: 26 calls in 20 s, 13 failed, p50 /)
  expect(line).toContain('t2_granted 1635')
  expect(line).toContain('memory 200 → 210 MB')
  expect(line).toContain('NOT dropped_iterations count<=440 (19462)')
  expect(line).toMatch(/and 1 more$/)
  const passed = recordedRun({ ok: true, judgements: [] })
  expect(summaryLine(passed, { breaks: true })).toContain('did not break up to 2200/s')
})

test('a service breaks where it stays late or failing, not at a hiccup', () => {
  const bin = (at: number, p95: number, failed = 0): Bin => ({
    at, rate: at * 100, failed, latency: { p50: 1, p95, p99: p95, max: p95 },
  })
  const good = [bin(1, 5), bin(2, 5), bin(3, 900), bin(4, 5)]
  expect(breakingPoint(good)).toBeUndefined()
  expect(breakingPoint([...good, bin(5, 900), bin(6, 900), bin(7, 900)])).toBe(400)
  expect(breakingPoint([...good, bin(5, 5, 100), bin(6, 5, 100), bin(7, 5, 100)])).toBe(400)
})

test('the report is one page by itself: curves, tables, and nothing that is not escaped', () => {
  const run = recordedRun()
  const page = reportPage(run, summaryLine(run, {}))
  expect(page).toContain('two &lt;b&gt;phases&lt;/b&gt;')
  expect(page).not.toContain('<b>')
  expect(page).not.toMatch(/<script|<link|src=|href=|url\(|@import/)
  // All calls together: latency, rate, memory; then each of the two.
  expect(page.match(/<svg/g)).toHaveLength(5)
  expect(page.match(/class="p99" d="M[\d.]+ [\d.]+L/g)).toHaveLength(3)
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
  expect(page.match(/class="not">broken/g))
    .toHaveLength(run.judgements.filter(({ ok }) => !ok).length)
  expect(page).toContain('>kill</text>')
})
