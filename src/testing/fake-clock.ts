/** The monotonic clock of this process, set by a test. */
import { onTestFinished, vi } from 'vitest'

export interface FakeMonotonicClock {
  forward(ms: number): void
  /** The real time again. */
  restore(): void
}

/** Stands still until it is moved or restored, at the end of the test at the latest. */
export function fakeMonotonicClock(): FakeMonotonicClock {
  let now = performance.now()
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now)
  const restore = (): void => { spy.mockRestore() }
  onTestFinished(restore)
  return { forward(ms) { now += ms }, restore }
}
