/** What a shopper's sentence means. Every part says which part of the sentence it comes from. */
import type { Language } from './answer-language.ts'

export interface Value {
  /** Folded. */
  readonly text: string
  /** The Chinese name of its attribute; null for a feature, of which goods have several. */
  readonly attribute: string | null
}

/** Kind → the values of its goods that satisfy a wish. */
export type Values = ReadonlyMap<string, readonly Value[]>

/** By what a shopper wants offers ranked. */
export const RANKING_MODES = ['value', 'cheapest', 'quality'] as const
export type Mode = (typeof RANKING_MODES)[number]

/** A piece of the sentence: offsets into it as it was given, and its text as it was written. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly text: string
}

export type KeywordRole = 'kind' | 'brand' | 'model' | 'word'

export interface Keyword extends Span {
  /** In the one spelling under which goods are searched. */
  readonly folded: string
  readonly role: KeywordRole
  /** Whether it names what is wanted, and does not only describe it. */
  readonly isHead?: true
  /** No other brand does: 只要耐克的. */
  readonly isStrict?: true
  /** The brand that a product line such as ipad stands for. */
  readonly line?: string
}

export interface Wish extends Span {
  /** Folded; one is enough where there are several. */
  readonly anyOf: readonly string[]
  /** A number with its unit, in one unit for each dimension: 1.7升 and 1700ml are the same. */
  readonly measure?: Measure
  /** What holds besides: the storage of 12+256, the length of 1.8x2米. */
  readonly more?: readonly Measure[]
  /** What goods of the kinds that are meant call it. */
  readonly values?: Values
  /** Nothing else does: 只要高帮的. */
  readonly isStrict?: true
  /** Which values are meant is likely, and not known. */
  readonly isSupposed?: true
  /** What is less than it: goods that have it come before those with nothing of it. */
  readonly weaker?: Values
  /** It orders goods, and no note says that it is missing. */
  readonly isSoft?: true
}

export interface Measure {
  readonly low: number | null
  readonly high: number | null
  readonly unit: string
  /** More or less than it: the bound itself does not do. */
  readonly isBeyond?: true
}

export interface Budget {
  /** Fen. */
  readonly min: number | null
  readonly max: number | null
  /** `about` is a wish that an item near it may miss; `hard` is a limit. */
  readonly kind: 'hard' | 'about'
  readonly per: 'each' | 'total' | null
  readonly from: 'sentence' | 'parameters' | 'both'
  readonly spans: readonly Span[]
}

/** What prices are compared by: 500 g of 按斤算, a sheet, a pack. */
export interface PerUnit {
  readonly unit: 'ml' | 'g' | 'piece' | 'pack'
  readonly amount: number
  /** What the asker calls it. */
  readonly zh: string
  readonly en: string
  /** Fen that one may cost; nothing where prices are only compared. */
  readonly max?: number
}

export interface Quantity extends Span {
  readonly count: number
  readonly unit: string | null
}

export interface Guess<T> {
  readonly value: T
  /** 0..1 */
  readonly confidence: number
}

export interface ModeWish {
  readonly value: Mode
  readonly from: 'sentence' | 'parameters'
  readonly spans: readonly Span[]
}

export interface Food extends Span {
  /** `maybe`: the words also name goods from a shop, as 奶茶 does. */
  readonly meant: 'yes' | 'maybe'
  /** What to ask the source for; popular dishes where none is named. */
  readonly dishes: readonly string[]
  readonly isNamed: boolean
  /** Whether a meal or the goods for it are meant is worth a question. */
  readonly isOpen: boolean
  readonly people: number | null
}

export type IgnoredReason =
  'filler' | 'recipient' | 'occasion' | 'promotion' | 'currency' | 'mode' | 'delivery'
  | 'correction' | 'mentioned'

export interface Ignored extends Span {
  readonly why: IgnoredReason
}

/** As it was written, and as it was read. */
export interface Correction extends Span {
  readonly to: string
}

export interface Understanding {
  readonly sentence: string
  /** Of answers to it; of a part that of the whole sentence. */
  readonly language: Language
  readonly keywords: readonly Keyword[]
  readonly budget: Budget | null
  readonly quantity: Quantity | null
  readonly must: readonly Wish[]
  readonly must_not: readonly Wish[]
  /** Scenes and people it should suit; an item that does not say so may still do. */
  readonly prefer: readonly Wish[]
  /** What goods for those have for whom they are bought: 老人 of a radio for a grandfather. */
  readonly suited: readonly Wish[]
  /** What the name of the goods says of them: 真皮 of 真皮皮带. */
  readonly named: readonly Wish[]
  readonly kind: Guess<string> | null
  /** Every kind that may be meant, the likeliest first. */
  readonly kinds: readonly Guess<string>[]
  /** Kinds of further goods that are wanted as well: 米、面、油. */
  readonly more: readonly (readonly Guess<string>[])[]
  /** Of several goods each by itself, as a sentence of its own; none of one. */
  readonly parts: readonly Understanding[]
  /** No goods were named; the kinds are what may suit the wish. */
  readonly isOpen: boolean
  /** One word that several kinds are called is all that is said: 灯. */
  readonly isWide: boolean
  /** Goods that nobody here knows: the kinds only come near to them. */
  readonly unsold: Span | null
  readonly category: Guess<number> | null
  readonly mode: ModeWish | null
  /** What prices are to be compared for, where not for a piece of goods. */
  readonly per: PerUnit | null
  /** Whether the food-coupon source should be asked. */
  readonly food: Food | null
  readonly ignored: readonly Ignored[]
  /** Words that say nothing to anybody here. */
  readonly unclear: readonly Span[]
  /** What was said of something bought or shown before, which nobody here knows. */
  readonly earlier: Span | null
  /** Words that were read otherwise than they were written. */
  readonly corrections: readonly Correction[]
  /** What the caller should be told: conflicts, and what was not used. */
  readonly notes: readonly string[]
}

export interface Parameters {
  /** Fen. */
  readonly budget_min?: number
  readonly budget_max?: number
  readonly mode?: Mode
}
