/** What a fault is to the run that inflicts it. */
import type { Chance } from './chance.ts'
import type { LedgerKind, Need, Stand } from './stand.ts'

export interface Fault {
  readonly name: string
  readonly on: readonly LedgerKind[]
  readonly needs?: Need
  /** How long it lasts, in milliseconds. */
  readonly lastsMs: readonly [min: number, max: number]
  /** Does it; what comes back undoes it and resolves when the stand is whole again. */
  inflict(stand: Stand, chance: Chance): Promise<() => Promise<void>>
}

export const BOTH: readonly LedgerKind[] = ['single', 'cluster']

/** What was broken is whole again by then, however busy the machine. */
export const WHOLE_MS_MAX = 240_000
