/** The monotonic clock of the node under test, in the test's hands. */
import { onTestFinished, vi } from 'vitest'

export interface HeldClock {
  forward(ms: number): void
  /** From now on it goes by itself. */
  letGo(): void
}

/** Stands still until it is moved or let go, at the end of the test at the latest. */
export function holdClock(): HeldClock {
  let now = performance.now()
  const held = vi.spyOn(performance, 'now').mockImplementation(() => now)
  const letGo = (): void => { held.mockRestore() }
  onTestFinished(letGo)
  return { forward(ms) { now += ms }, letGo }
}
