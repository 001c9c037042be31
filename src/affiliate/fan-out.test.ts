import { describe, expect, test } from 'vitest'
import { SourceError, type FailureKind, type SearchResult } from '../../adapters/index.ts'
import { askAll, type Question } from './fan-out.ts'

const FOUND: SearchResult = { items: [], total: 0, dropped: 0 }
const never = (): Promise<never> => new Promise(() => { /* Hangs. */ })
const ok = (source: Question['source']): Question => ({ source, ask: () => Promise.resolve(FOUND) })

test('sources are named in the order of the questions, whoever answers first', async () => {
  let release!: () => void
  const late: Question = {
    source: 'mall_a', ask: () => new Promise((resolve) => { release = () => resolve(FOUND) }),
  }
  const asked = askAll([late, ok('shelf'), ok('mall_c')], 5000)
  release()
  expect((await asked).map(({ source, status }) => [source, status]))
    .toEqual([['mall_a', 'ok'], ['shelf', 'ok'], ['mall_c', 'ok']])
})

test('one that hangs is left out at the deadline, and costs the others nothing', async () => {
  const outcomes = await askAll([{ source: 'mall_b', ask: never }, ok('shelf')], 40)
  expect(outcomes).toMatchObject([
    { source: 'mall_b', status: 'timeout', found: null }, { source: 'shelf', status: 'ok' },
  ])
  expect(outcomes[0]?.ms).toBeGreaterThanOrEqual(39)
})

describe('a failure is that source\'s alone', () => {
  const cases: [FailureKind, string][] = [
    ['timeout', 'timeout'], ['open', 'open'], ['bad_answer', 'error'], ['rate_limited', 'error'],
  ]
  test.each(cases)('%s is %s', async (kind, status) => {
    const ask = () => Promise.reject(new SourceError('mall_b', kind))
    const [failed, shelf] = await askAll([{ source: 'mall_b', ask }, ok('shelf')], 1000)
    expect(failed).toMatchObject({ status, found: null, note: expect.stringMatching(/^\w/) })
    expect(failed?.note).not.toContain('mall_b')
    expect(shelf?.status).toBe('ok')
  })

  test('also one that nobody foresaw, and one before the first wait', async () => {
    const throwing = (): never => { throw new TypeError('secret words of a platform') }
    const [failed, shelf] = await askAll([{ source: 'food', ask: throwing }, ok('shelf')], 1000)
    expect(failed).toMatchObject({ status: 'error', note: 'could not be asked' })
    expect(shelf?.status).toBe('ok')
  })
})
