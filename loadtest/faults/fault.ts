/** What a fault is to the run that inflicts it. */
import { monotonicMs, sleep } from '../../src/contract/time.ts'
import type { Random } from './random.ts'
import type { LedgerKind, Need, Testbed } from './testbed.ts'

export interface Fault {
  readonly name: string
  readonly on: readonly LedgerKind[]
  readonly needs?: Need
  /** It takes minutes: inflicted only where it is named. */
  readonly isLong?: boolean
  /** How long it lasts, in milliseconds. */
  readonly lastsMs: readonly [min: number, max: number]
  /** Does it; what comes back undoes it and resolves when the testbed is whole again. */
  inflict(testbed: Testbed, random: Random): Promise<() => Promise<void>>
}

export const ALL_LEDGERS: readonly LedgerKind[] = ['single', 'cluster']

/** What was broken is whole again by then, however busy the machine. */
export const WHOLE_MS_MAX = 240_000
const POLL_MS = 100

/** Repeats what a busy machine may fail at, and gives its first result. */
export async function untilSuccess<T>(work: () => Promise<T>): Promise<T> {
  const end = monotonicMs() + WHOLE_MS_MAX
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (monotonicMs() > end) throw error
    }
    await sleep(POLL_MS)
  }
}
