import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { type Group, median, quantile, type Run } from './rounds.ts'
import { placementFor } from './processes.ts'
import { between, moduleVersion, rowsOf, tableText } from './report.ts'
import { selfTimes } from './profile.ts'
import { readRedisBenchmark, runOf } from './replay.ts'
import { encodeCall, readWrk, withKeys } from './http-load.ts'

const RESULT = 'RESULT {"requests":1000,"us":2000000,"bytes":9,"status":0,"socket":0,"wraps":0,'
  + '"p50":500,"p99":2500}'

test('a median lies in the middle, and a quantile between two values', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([1, 2, 3, 10])).toBe(2.5)
  expect(quantile([0, 10], 0.99)).toBeCloseTo(9.9)
  expect(median([])).toBeNaN()
})

test('the result of wrk becomes a rate and latencies in milliseconds', () => {
  expect(readWrk(`Running 2s test\n${RESULT}\n`, false))
    .toEqual({ rate: 500, p50Ms: 0.5, p99Ms: 2.5 })
})

test('a run with errors, without answers or with repeated requests has no number', () => {
  const changed = (from: string, to: string) => () =>
    readWrk(RESULT.replace(`"${from}`, `"${to}`), false)
  expect(changed('status":0', 'status":3')).toThrow('0.30 % errors (3 by status, 0 by socket)')
  expect(changed('socket":0', 'socket":1')).toThrow('1 by socket')
  expect(changed('requests":1000', 'requests":0')).toThrow('no answer')
  expect(changed('wraps":0', 'wraps":1')).toThrow('fresh requests')
  expect(() => readWrk('unable to connect', true)).toThrow('no result')
  expect(readWrk(RESULT.replace('"wraps":0', '"wraps":9'), true).rate).toBe(500)
})

test('the result of redis-benchmark is read behind a command with quotes and commas', () => {
  const head = '"test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms",'
    + '"p99_latency_ms","max_latency_ms"'
  const values = '"FT.SEARCH idx:own "a",b","25000.50","1","0.1","1.250","2","3.500","9"'
  expect(readRedisBenchmark(`${head}\n${values}\n`)).toEqual({
    rate: 25_000.5, p50Ms: 1.25, p99Ms: 3.5,
  })
  expect(() => readRedisBenchmark('Error: NOAUTH')).toThrow('no rate')
})

test('a replay with a wrong answer, or of much less than its time, has no number', () => {
  const result = { answers: 100, wrong: 0, elapsedMs: 1000, p50Ms: 1, p99Ms: 2 }
  expect(runOf(result, 1)).toEqual({ rate: 100, p50Ms: 1, p99Ms: 2 })
  expect(() => runOf({ ...result, wrong: 1 }, 1)).toThrow('1 of 100 answers')
  expect(() => runOf({ ...result, elapsedMs: 400 }, 1)).toThrow('ran out')
  expect(() => runOf({ ...result, answers: 0 }, 1)).toThrow('no answer')
})

const run = (rate: number, busy = 1, p99Ms = 1): Run => ({ rate, p50Ms: 1, p99Ms, busy })

function group(target: number, measure: 'rate' | 'p99Ms' = 'rate'): Group {
  return {
    name: 'g', title: 'Group', subject: 'server', contenders: [],
    comparisons: [{ label: 'it', of: 'a', against: 'b', measure, target }],
  }
}

test('a row holds the ratio of medians and between which the rounds lay', () => {
  const outcomes = new Map([
    ['a', { runs: [run(50), run(60), run(70)] }], ['b', { runs: [run(100), run(100), run(100)] }],
  ])
  const [row] = rowsOf(group(0.5), outcomes)
  expect(row).toMatchObject({ target: '≥ 0.5', verdict: 'met' })
  expect(row?.ratio).toBe('**0.60** (0.50–0.70); by CPU 0.60')
  expect(rowsOf(group(0.61), outcomes)[0]?.verdict).toBe('missed')
  expect(tableText('Group', [row!]))
    .toContain('| it | 16667 µs (limit 10000 µs) | 60/s, p50 1.0, p99 1.0 ms | 100/s')
})

test('a latency is met below its target', () => {
  const outcomes = new Map([['a', { runs: [run(1, 1, 3)] }], ['b', { runs: [run(1, 1, 2)] }]])
  expect(rowsOf(group(2, 'p99Ms'), outcomes)[0]).toMatchObject({ target: '≤ 2', verdict: 'met' })
  expect(rowsOf(group(1.4, 'p99Ms'), outcomes)[0]?.verdict).toBe('missed')
})

test('against a limit that was not worn out the CPU times decide', () => {
  const outcomes = new Map([['a', { runs: [run(90, 1)] }], ['b', { runs: [run(100, 0.5)] }]])
  expect(rowsOf(group(0.6), outcomes)[0]?.verdict).toBe('missed (limit had 0.50 of a core)')
})

test('a Redis that was not worn out is reported, and one that waits for its disk is not', () => {
  const outcomes = new Map([['a', { runs: [run(90, 1)] }], ['b', { runs: [run(100, 0.5)] }]])
  const verdict = (subject: Group['subject']) =>
    rowsOf({ ...group(0.6), subject }, outcomes)[0]?.verdict
  expect(verdict('shelf')).toBe('met (limit had 0.50 of a core)')
  expect(verdict('all')).toBe('met')
})

test('what failed is reported as failed and has no ratio', () => {
  const outcomes = new Map([
    ['a', { runs: [run(90)], failure: '2 % errors' }], ['b', { runs: [run(100)] }],
  ])
  expect(rowsOf(group(0.6), outcomes)[0]).toMatchObject({
    measured: '–', ratio: '–', verdict: 'failed: 2 % errors',
  })
})

test('the table stands between its markers, and writing it again changes nothing else', () => {
  const once = between('# Performance\n\nBefore.\n', 'one')
  const twice = between(`${once}\nAfter.\n`, 'two')
  expect(twice).toContain('Before.')
  expect(twice).toContain('After.')
  expect(twice).toContain('\ntwo\n')
  expect(twice).not.toContain('one')
  expect(between(twice, 'two')).toBe(twice)
})

test('half of a pair of markers is not written over', () => {
  const [first = ''] = between('', 'x').trim().split('\n')
  expect(() => between(`${first}\nprecious`, 'y')).toThrow('pairs')
})

test('with two cores the subject has one alone; with four, each its own', () => {
  expect(placementFor('shelf', 2)).toEqual({ server: '1', shelf: '0', ledger: '1', client: '1' })
  expect(new Set(Object.values(placementFor('server', 4))).size).toBe(4)
  expect(new Set(Object.values(placementFor('all', 2)))).toEqual(new Set(['0-1']))
})

test('self times leave out idle time and what came before the last seconds', () => {
  const frame = (functionName: string, url = '') => ({ callFrame: { functionName, url } })
  const profile = {
    nodes: [{ id: 1, ...frame('(idle)') }, { id: 2, ...frame('start', 'file:///x/src/a.ts') },
      { id: 3, ...frame('', 'file:///x/node_modules/@a/b/c.js') }],
    samples: [2, 1, 3, 2],
    timeDeltas: [5_000_000, 100_000, 600_000, 200_000],
  }
  expect(selfTimes(profile, 0.9)).toEqual([
    { name: '(anonymous) @a/b', share: 0.75 }, { name: 'start src/a.ts', share: 0.25 },
  ])
})

test('a profile of compiled code names its sources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentmall-maps-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'chunk.js')
  // The first place of the compiled file is the first of the source.
  writeFileSync(`${path}.map`, JSON.stringify({
    version: 3, sources: ['../src/goods/search.ts'], names: [], mappings: 'AAAA',
  }))
  const callFrame = { functionName: 'find', url: pathToFileURL(path).href, lineNumber: 0,
    columnNumber: 0 }
  const profile = { nodes: [{ id: 1, callFrame }], samples: [1], timeDeltas: [1000] }
  expect(selfTimes(profile, 1)).toEqual([{ name: 'find src/goods/search.ts', share: 1 }])
})

test('calls go round the keys, so that every key has every call', () => {
  const calls = withKeys([{ method: 'GET', path: '/healthz' }], ['k1', 'k2'])
  expect(calls.map(({ headers }) => headers)).toEqual([
    { Authorization: 'Bearer k1' }, { Authorization: 'Bearer k2' },
  ])
})

test('a body is announced in bytes, not characters', () => {
  expect(encodeCall({ method: 'POST', path: '/mcp', body: '"壶"' })).toBe(
    'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'
    + 'Content-Length: 5\r\n\r\n"壶"')
})

test('a module\'s version is read from its number', () => {
  expect(moduleVersion(21_005)).toBe('2.10.5')
})
