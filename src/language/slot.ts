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
  /** What suits best of all that do: goods without it lack nothing, and none is told so. */
  readonly isSoft?: true
  /** Of a measure or colour: how near to it goods are that have another; 0 to 1. */
  readonly nearness?: (facts: Facts) => number
  /** Where goods with less than it come beside those with it: whether they have all of it. */
  readonly wholly?: (facts: Facts) => State
  state(facts: Facts, kind: string | undefined): State
}
