/** A wish as goods are judged by it: what it is worth, and whether they fulfil it. */
import type { State } from './constraints.ts'
import type { Facts } from './facts.ts'

export type SlotKind = 'model' | 'brand' | 'strict' | 'audience' | 'named' | 'age' | 'size'
  | 'feature' | 'variant' | 'detail' | 'amount' | 'colour' | 'word'

export interface Slot {
  readonly kind: SlotKind
  readonly name: string
  /** The value of goods that is meant, as their titles have it. */
  readonly value?: string
  /** What suits best of all that do: nothing is said where none does. */
  readonly isQuiet?: true
  /** Of a measure or colour: how near to it goods are that have another; 0 to 1. */
  readonly nearness?: (facts: Facts) => number
  state(facts: Facts, kind: string | undefined): State
}
