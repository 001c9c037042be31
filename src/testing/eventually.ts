/** Waiting for what other parts do in their own time. */
import { vi } from 'vitest'
import { withDeadline } from '../contract/time.ts'
import { PATIENCE_MS, POLL_MS } from './patience.ts'

/** Repeats it until it throws no more, and gives what it gives then. */
export const eventually = <T>(work: () => T | Promise<T>, interval = POLL_MS): Promise<T> =>
  vi.waitFor(work, { timeout: PATIENCE_MS, interval })

/** For what has no deadline of its own: says what was waited for in vain. */
export const inTime = <T>(what: string, work: Promise<T>): Promise<T> =>
  withDeadline(work, PATIENCE_MS, () =>
    new Error(`Waited ${PATIENCE_MS / 1000} s for ${what}: it neither came nor failed.`))
