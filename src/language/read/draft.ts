/** An understanding in the making: what has been found so far, and which characters are free. */
import type { IgnoredReason, KeywordRole, Measure, Values } from '../understanding.ts'
import { createClaims, type Claims, type Place } from './claims.ts'
import type { BudgetClause } from './budget.ts'
import type { FoundFood } from './meals.ts'
import type { FoundMode } from './modes.ts'
import type { FoundPer } from './per-unit.ts'
import type { Name } from './names.ts'
import type { NumberWord } from './numbers.ts'
import type { FoundQuantity } from './quantity.ts'

export interface DraftWish extends Place {
  /** Ways to fulfil it. */
  readonly places: readonly Place[]
  readonly measure?: Measure
  readonly more?: readonly Measure[]
  /** In place of the words at the places. */
  readonly words?: readonly string[]
  /** Follows from what was said: counts where goods of the kind can have it. */
  readonly implied?: 'food' | 'any'
  /** What goods of the kinds that are meant call it. */
  readonly values?: Values
  /** Values that are compared: the question is of these. */
  readonly isStrict?: true
  /** Of words that no list has: what they mean is likely, and not known. */
  readonly isSupposed?: true
  /** What is less than it: goods that have it come before those with nothing of it. */
  readonly weaker?: Values
  /** It orders goods, and nothing is said of goods without it. */
  readonly isSoft?: true
}

export interface Draft {
  readonly text: string
  readonly claims: Claims
  /** Numbers that no earlier step explained. */
  numbers: readonly NumberWord[]
  /** Names of goods, the refused included. */
  names: readonly Name[]
  /** Names of the goods that are sought, without those that only describe them. */
  heads: readonly Name[]
  /** Names of further goods that are sought as well. */
  more: readonly Name[]
  modifiers: readonly Name[]
  /** The names rather say where or for what the goods are wanted. */
  isDoubtful: boolean
  /** Every name is of something they have, or says where or for what goods are wanted. */
  isMentioned: boolean
  /** Somebody cannot choose between two goods, and both are shown. */
  isCompared: boolean
  /** A word more makes other goods of a name: 咖啡机, where 咖啡 is known. */
  isCompound: boolean
  /** The name that is known only stands in that of other goods, which no need stands for. */
  isOther: boolean
  /** The whole name of goods that nobody knows, in which the head stands. */
  unsold: Place | null
  readonly clauses: BudgetClause[]
  readonly quantities: FoundQuantity[]
  readonly must: DraftWish[]
  readonly mustNot: DraftWish[]
  readonly prefer: DraftWish[]
  /** What goods for the people who are named have, whom others read as well. */
  readonly suited: DraftWish[]
  readonly keywords: (Place & {
    readonly role: KeywordRole
    readonly line?: string
  })[]
  readonly ignored: (Place & { readonly why: IgnoredReason })[]
  mode: FoundMode
  per: FoundPer | null
  food: FoundFood | undefined
}

export const createDraft = (text: string): Draft => ({
  text, claims: createClaims(text.length), numbers: [], names: [], heads: [], more: [],
  modifiers: [], isDoubtful: false, isMentioned: false, isCompared: false, isCompound: false,
  isOther: false, unsold: null, clauses: [],
  quantities: [], must: [], mustNot: [], prefer: [], suited: [], keywords: [], ignored: [],
  mode: { mode: null, spans: [], denied: [] }, per: null, food: undefined,
})

/** In place of characters that are taken; no pattern and no list has it. */
export const TAKEN = '\u0000'

/** The text with what is taken made unreadable, so that its places stay the same. */
export function free({ text, claims }: Draft): string {
  let seen = ''
  for (const { start, end } of claims.free()) {
    seen += TAKEN.repeat(start - seen.length) + text.slice(start, end)
  }
  return seen + TAKEN.repeat(text.length - seen.length)
}

export function ignore({ claims, ignored }: Draft, why: IgnoredReason, place: Place): void {
  if (claims.take(place)) ignored.push({ start: place.start, end: place.end, why })
}

/** `whole` holds the words that made it a wish: 不要塑料, where 塑料 is refused. */
export const one = (place: Place, whole: Place = place): DraftWish => {
  const { start, end } = place
  return { start: whole.start, end: whole.end, places: [{ start, end }] }
}

/** Several wishes of one clause; the first has the cue, the next what joins them. */
export const each = (places: readonly Place[], clause: Place): DraftWish[] =>
  places.map((place, index) =>
    one(place, { start: places[index - 1]?.end ?? clause.start, end: place.end }))

export const byStart = (left: Place, right: Place): number => left.start - right.start
