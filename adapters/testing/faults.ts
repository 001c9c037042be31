/** What a mall's faults look like to a caller: the right kind of failure, within the deadline. */
import { expect, onTestFinished, test } from 'vitest'
import { type Budget, createLocalBudget, type PlatformLimits } from '../limits.ts'
import type { FailureKind, SearchResult, Source } from '../contract.ts'
import type { FaultKind } from '../simulator/faults.ts'
import {
  failureOf, type FakeClock, firstItem, LIMITS, type Operations, Q, type Stage, until,
} from './stage.ts'

const DEADLINE_MS = LIMITS.totalMs ?? 0
/** For a machine that is busy with other tests; what is measured elsewhere is far less. */
const SLACK_MS = 1000

const EXPECTED: Readonly<Partial<Record<FaultKind, FailureKind>>> = {
  hang: 'timeout', drip: 'timeout', reset: 'network', error_500: 'retryable', html: 'bad_answer',
  truncated: 'bad_answer', huge: 'too_large', bomb: 'too_large', redirect: 'bad_answer',
  wrong_types: 'bad_answer', empty: 'bad_answer', limited: 'rate_limited',
}

/** Opens the mall once more, with a budget and limits of the test's own. */
export type Open = (clock: FakeClock, budget?: Budget, limits?: Partial<PlatformLimits>) => Source

const search = (source: Source): Promise<SearchResult> =>
  source.search({ q: Q, page: 1, pageSize: 5 })

export function testFaults(at: () => Stage, operations: Operations, open: Open): void {
  testKinds(at, operations)
  testBadAnswers(at, operations)
  testLimits(at, operations, open)
}

function testKinds(at: () => Stage, operations: Operations): void {
  test.each(Object.entries(EXPECTED) as [FaultKind, FailureKind][])(
    '%s is %s for each operation, within the deadline, once', async (fault, kind) => {
      const { source, simulator, clock } = at()
      const item = await firstItem(at())
      const window = { from: clock.now() - 600_000, to: clock.now() }
      const calls: [string, () => Promise<unknown>][] = [
        [operations.search, () => search(source)],
        [operations.items, () => source.items([item.id])],
        [operations.convert, () => source.convert!({ item: item.id })],
        [operations.orders, () =>
          source.orders!(window, { deadlineMs: DEADLINE_MS })[Symbol.asyncIterator]().next()],
      ]
      for (const [operation, send] of calls) {
        simulator.faults.add(operation, fault, 2)
        const began = process.hrtime.bigint()
        expect(await failureOf(send()), operation).toBe(kind)
        expect(Number(process.hrtime.bigint() - began) / 1e6).toBeLessThan(DEADLINE_MS + SLACK_MS)
        simulator.faults.clear()
        expect(await failureOf(send()), operation).toBeNull()
      }
    })

  test.each(['reset', 'error_500'] as const)('a read that met %s is repeated', async (fault) => {
    const { source, simulator } = at()
    simulator.faults.add(operations.search, fault)
    expect((await search(source)).items.length).toBeGreaterThan(0)
    expect(simulator.calls(operations.search)).toBe(2)
  })
}

function testBadAnswers(at: () => Stage, operations: Operations): void {
  test('a compressed answer without a header is read', async () => {
    const { source, simulator } = at()
    simulator.faults.add(operations.search, 'packed')
    expect((await search(source)).items.length).toBeGreaterThan(0)
  })

  test('one bad entry is dropped and counted, the others stay', async () => {
    const { source, simulator } = at()
    const whole = await search(source)
    simulator.faults.add(operations.search, 'bad_row')
    const found = await search(source)
    expect(found.dropped).toBe(1)
    expect(found.items).toEqual(whole.items.slice(1))
  })

  test('an impossible total is not passed on', async () => {
    const { source, simulator } = at()
    const whole = await source.search({ q: Q, page: 1, pageSize: 20 })
    simulator.faults.add(operations.search, 'lying_totals')
    const found = await source.search({ q: Q, page: 1, pageSize: 20 })
    expect(found).toEqual(whole)
  })
}

function testLimits(at: () => Stage, operations: Operations, open: Open): void {
  test('after "limited" no call goes out before the end of the mall\'s ban', async () => {
    const { simulator, clock } = at()
    const source = open(clock, createLocalBudget({ clock, ratePerSecond: 1000, burst: 1000 }))
    onTestFinished(() => source.close())
    simulator.faults.add(operations.search, 'limited')
    expect(await failureOf(search(source))).toBe('rate_limited')
    const before = simulator.calls()
    expect(await failureOf(search(source))).toBe('rate_limited')
    expect(await failureOf(source.items(['a_b']))).toBe('rate_limited')
    expect(simulator.calls()).toBe(before)
    clock.forward(10_000)
    expect(await failureOf(search(source))).toBeNull()
  })

  test('what the budget refuses is never sent', async () => {
    const { simulator, clock } = at()
    const source = open(clock, {
      take: () => Promise.resolve(60_000), limited: () => Promise.resolve(),
    })
    onTestFinished(() => source.close())
    expect(await failureOf(search(source))).toBe('rate_limited')
    expect(simulator.calls()).toBe(0)
  })

  test('a source that keeps failing opens its circuit', async () => {
    const { simulator, clock } = at()
    const source = open(clock, undefined, { breakAfter: 3, breakWindow: 4, retries: 0 })
    onTestFinished(() => source.close())
    simulator.faults.add('*', 'html', 3)
    for (let nth = 0; nth < 3; nth += 1) expect(await failureOf(search(source))).toBe('bad_answer')
    const before = simulator.calls()
    expect(await failureOf(search(source))).toBe('open')
    expect(simulator.calls()).toBe(before)
    expect(source.health().circuit).toBe('open')
  })

  test('a caller that aborts ends its call at once, and no other', async () => {
    const { source, simulator } = at()
    simulator.faults.add(operations.search, 'hang')
    const leaving = new AbortController()
    const left = failureOf(source.search({ q: Q, page: 1, pageSize: 5 },
      { signal: leaving.signal, deadlineMs: 60_000 }))
    await until(() => simulator.calls(operations.search) === 1)
    const other = search(source)
    leaving.abort()
    expect(await left).toBe('aborted')
    expect((await other).items.length).toBeGreaterThan(0)
  })
}
