/** What is asked for and is no goods of any kind here: services, and parts that nobody sells. */
import { kindChances } from './kind-encoder.ts'
import type { Place } from './read/claims.ts'
import type { Draft } from './read/draft.ts'
import type { Guessed } from './read/guess.ts'
import { withoutPoliteness } from './read/phrasing.ts'
import { refersToShown } from './read/earlier.ts'
import { asksForService } from './read/services.ts'
import { type SparePart, sparePartIn } from './read/spare-parts.ts'
import type { Understanding } from './understanding.ts'

type Kinds = Understanding['kinds']

export interface Chosen {
  readonly guessed: Guessed
  readonly kinds: Kinds
  /** Those of further goods, in the order of their names. */
  readonly more: readonly Kinds[]
  /** No goods are named, and several kinds may do. */
  readonly isOpen: boolean
  /** One word that several kinds are called is all that is said: 灯. */
  readonly isWide: boolean
  /** A service, a ticket or the like is asked for, and no goods. */
  readonly isService: boolean
  /** Where goods are named that nobody here knows. */
  readonly unsold: Place | null
}

const NOTHING: Chosen = {
  guessed: { kind: null, kinds: [], category: null }, kinds: [], more: [],
  isOpen: false, isWide: false, isService: false, unsold: null,
}

/** Null where goods are asked for. */
export function notSold(found: Draft): Chosen | null {
  if (asksForService(found.text)) return { ...NOTHING, isService: true }
  if (refersToShown(found)) return NOTHING
  const part = sparePartIn(found, () => surelyMeant(found.text))
  return part && wholeOf(part)
}

const SURE = Math.log(0.8)

/** The kind of which the text speaks in all likelihood. */
function surelyMeant(text: string): string | undefined {
  const { best: [first = ''], of } = kindChances(withoutPoliteness(text))
  return of(first) >= SURE ? first : undefined
}

const NEAREST = 0.5

/** 净水器的滤芯 is not sold; what has it comes nearest. */
function wholeOf({ whole, ...place }: SparePart): Chosen {
  const most = Math.max(...whole.senses.map(({ weight }) => weight))
  const kinds = whole.senses.filter(({ weight }) => weight === most)
    .map(({ kind }) => ({ value: kind, confidence: NEAREST }))
  return { ...NOTHING, guessed: { ...NOTHING.guessed, kinds }, kinds, unsold: place }
}
