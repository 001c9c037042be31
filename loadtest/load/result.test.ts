/** A run as the runner reads it: from a summary that k6 wrote, and from figures made by hand. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ScriptSummary } from '../k6/plan.ts'
import {
  breakingPoint, callsOf, countsOf, judge, stepsOf, summaryLine, totalOf, type RunRecord, type Step,
} from './result.ts'

const summary = JSON.parse(
  readFileSync(new URL('testing/summary.json', import.meta.url), 'utf8')) as ScriptSummary
const { metrics } = summary

const recordedRun = (changes: Partial<RunRecord> = {}): RunRecord => ({
  profile: 't2', about: 'two phases', startedAt: '2026-11-21T00:00:00.000Z',
  machine: 'a machine', baseUrls: ['http://127.0.0.1:8080'], rate: 2200, seconds: 20,
  ok: false, judgements: judge(summary), counts: countsOf(metrics), steps: [],
  total: totalOf(metrics), calls: callsOf(metrics),
  marks: [{ at: 1, text: 'kill' }], memory: [{ at: 0, mb: 200 }, { at: 2, mb: 210 }],
  ...changes,
})

/** A metric of k6 with the tags of a call or a step. */
const trend = (values: Record<string, number>) => ({ type: 'trend', values } as const)
const failures = (passes: number) => ({ type: 'rate', values: { passes } } as const)

test('calls are counted by name with their failures; names without a call are left out', () => {
  expect(callsOf(metrics).map(({ name, count }) => [name, count])).toEqual([
    ['get_goods_detail keyless', 785], ['get_goods_detail t1', 2113], ['get_goods_detail t2', 1635],
  ])
  expect(totalOf(metrics)).toMatchObject({ count: 4533, failed: 0, latency: { p50: 175.861835 } })
  expect(callsOf({
    'http_req_duration{name:search_goods}': trend({ count: 4, med: 2 }),
    'http_req_failed{name:search_goods}': failures(3),
    'http_req_duration{name:get_order}': trend({ count: 0 }),
  })).toMatchObject([{ name: 'search_goods', count: 4, failed: 3 }])
})

test('steps of a growing rate are in order, and end where the run ended', () => {
  expect(stepsOf({
    'http_req_duration{step:10}': trend({ count: 0 }),
    'http_req_duration{step:9}': trend({ count: 40, 'p(95)': 8 }),
    'http_req_failed{step:9}': failures(2),
    'http_req_duration{step:2}': trend({ count: 20, 'p(95)': 7 }),
  }, 6)).toEqual([{ rate: 10, failed: 0, p95: 7 }, { rate: 20, failed: 1, p95: 8 }])
  expect(stepsOf(metrics, 6)).toEqual([])
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
  expect(line).toMatch(/^t2 FAILED: 4,533 calls in 20 s, 0 failed, p50 176 ms/)
  expect(line).toContain('t2_granted 1635')
  expect(line).toContain('memory 200 → 210 MB')
  expect(line).toContain('NOT dropped_iterations count<=440 (19462)')
  expect(line).toMatch(/and 1 more$/)
  const passed = recordedRun({ ok: true, judgements: [] })
  expect(summaryLine(passed, { breaks: true })).toContain('did not break up to 2200/s')
})

test('a service breaks where it stays late or failing, not at a hiccup', () => {
  const step = (at: number, p95: number, failed = 0): Step => ({ rate: at * 100, failed, p95 })
  const good = [step(1, 5), step(2, 5), step(3, 900), step(4, 5)]
  expect(breakingPoint(good)).toBeUndefined()
  expect(breakingPoint([...good, step(5, 900), step(6, 900), step(7, 900)])).toBe(400)
  expect(breakingPoint([...good, step(5, 5, 100), step(6, 5, 100), step(7, 5, 100)])).toBe(400)
})
