import type { MODES } from '../../contract/affiliate-fields.ts'

/**
 * What a person reads in a sentence. A field that is left out says that there is nothing of it:
 * a budget that was invented is as wrong as one that was missed.
 */
export interface Expected {
  readonly say: string
  /** Yuan. */
  readonly min?: number
  readonly max?: number
  readonly about?: true
  readonly per?: 'each' | 'total'
  readonly quantity?: number
  /** Folded, in the order of the sentence; `a|b` is one wish with two ways to fulfil it. */
  readonly must?: readonly string[]
  readonly must_not?: readonly string[]
  readonly prefer?: readonly string[]
  readonly keywords?: readonly string[]
  /** `any` where people would not agree. Its category is expected with it. */
  readonly kind?: string
  readonly category?: number | 'any'
  readonly mode?: (typeof MODES)[number]
  /** Why it is not understood yet; its test fails when it is. */
  readonly known?: string
  readonly food?: 'yes' | 'maybe'
}
