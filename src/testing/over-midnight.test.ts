import { expect, onTestFinished, test, vi } from 'vitest'
import { overMidnight } from './over-midnight.ts'

test.each([
  ['16:00 UTC, midnight in China', '15:59:59', 2], ['midnight in UTC', '23:59:59', 2],
  ['no midnight', '12:00:00', 1],
])('what fails over %s, from %s on, is done so often: %i', async (_, begins, times) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`2026-01-31T${begins}Z`) })
  onTestFinished(() => { vi.useRealTimers() })
  let runs = 0
  const work = overMidnight(async () => {
    runs += 1
    vi.setSystemTime(Date.now() + 2000)
    throw new Error('wrong')
  })
  await expect(work()).rejects.toThrow('wrong')
  expect(runs).toBe(times)
})
