import { describe, expect, test } from 'vitest'
import { startListener } from '../testing/listener.ts'
import { ask } from '../testing/raw.ts'
import { AccessSampler } from './access.ts'

/** What became of `count` answers within one second: lines, and what they say was left out. */
function sample(sampler: AccessSampler, status: number, count: number, nowMs = 0) {
  const lines = Array.from({ length: count }, () => sampler.take(status, nowMs))
    .filter((suppressed) => suppressed !== undefined)
  return { lines: lines.length, suppressed: lines.reduce((sum, one) => sum + one, 0) }
}

describe('the access log', () => {
  test('has every line below the rate, and above it one of 100 that counts the others', () => {
    const sampler = new AccessSampler(10)
    expect(sample(sampler, 200, 10)).toEqual({ lines: 10, suppressed: 0 })
    expect(sample(sampler, 200, 1000)).toEqual({ lines: 10, suppressed: 990 })
    expect(sample(sampler, 200, 50)).toEqual({ lines: 0, suppressed: 0 })
    // The next second begins with what the last one left out.
    expect(sample(sampler, 200, 1, 1000)).toEqual({ lines: 1, suppressed: 50 })
    expect(sample(sampler, 200, 9, 1000)).toEqual({ lines: 9, suppressed: 0 })
  })

  test('counts a flood of refusals by itself, and leaves out no failure of ours', () => {
    const sampler = new AccessSampler(10)
    expect(sample(sampler, 429, 1000).lines).toBeLessThan(20)
    expect(sample(sampler, 499, 1000).lines).toBeLessThan(20)
    expect(sample(sampler, 200, 10).lines).toBe(10)
    expect(sample(sampler, 503, 1000)).toEqual({ lines: 1000, suppressed: 0 })
  })

  test('foresees every line, and that most answers of a flood have none', () => {
    const sampler = new AccessSampler(10)
    let [foreseen, unforeseen] = [0, 0]
    for (let at = 0; at < 5000; at += 1) {
      const status = at % 7 === 0 ? 429 : 200
      const isForeseen = sampler.mayTake(status, at)
      const isWritten = sampler.take(status, at + 20) !== undefined
      if (isForeseen) foreseen += 1
      else if (isWritten) unforeseen += 1
    }
    expect(unforeseen).toBe(0)
    expect(foreseen).toBeLessThan(1000)
    expect(sampler.mayTake(503, 5000)).toBe(true)
  })

  test('says in a line how many were left out before it', async () => {
    const { port, entries } = await startListener(
      { 'GET /hello': () => ({ status: 200 }) }, { accessLogPerSecond: 0 })
    for (let n = 0; n < 200; n += 1) await ask(port, 'GET /hello')
    const lines = entries.filter(({ msg }) => msg === 'request')
    expect(lines.map((line) => line['suppressed'])).toEqual([99, 99])
  })
})
