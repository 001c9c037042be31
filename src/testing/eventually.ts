/** Waiting for what other parts do in their own time. */
import { vi } from 'vitest'
import { PATIENCE_MS, POLL_MS } from './patience.ts'

/** Repeats it until it throws no more, and gives what it gives then. */
export const eventually = <T>(work: () => T | Promise<T>, interval = POLL_MS): Promise<T> =>
  vi.waitFor(work, { timeout: PATIENCE_MS, interval })
