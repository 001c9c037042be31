/** Which kind of goods, and which category, the names in a sentence mean, and how sure it is. */
import { fold } from '../fold.ts'
import { audiencesSaid, SPECIAL_AUDIENCES, suits } from '../audience.ts'
import { PETS } from '../../goods/categories.ts'
import { type Audience, categoryOf, taxonomy } from '../../goods/taxonomy.ts'
import type { Bounds } from '../bounds.ts'
import { getLexicon, keyOf, OWN_NAME } from '../lexicon.ts'
import type { Guess } from '../understanding.ts'
import { needScores } from '../needs.ts'
import { profileOf } from '../profile.ts'
import { masked } from './claims.ts'
import { hasOwnName, type Name } from './names.ts'

/** Below this a kind is not claimed; several are then listed. */
const KIND_MIN = 0.54
/** The end of one name alone names nothing. */
const WEIGHT_MIN = 0.3
const CATEGORY_MIN = 0.5
const KINDS_MAX = 12
/** How much more a better name counts. */
const SHARPNESS = 4
/** The rest of a longer name also stands in the sentence: 给老人用的手机 is a 老人手机. */
const WITH_REST = 1.1
const EVIDENCE = 0.2
const EVIDENCE_MAX = 3
const FOR_THEM = 0.15
/** Made for babies and asked for one: of such goods the others are hardly meant. */
const FOR_SUCH = 0.45
const NOT_FOR_THEM = 0.5
const NOT_AT_THIS_PRICE = 0.7
/** Goods are told apart by what somebody refuses. */
const TOLD_APART = 1.5
const WIDE = 0.7
const ELSEWHERE = 0.98
/** What is told tells the kinds of a wider word apart, and hardly those of a name of its own. */
const NEED = 0.16
const NEED_OF_NAMED = 0.06
const NEED_MIN = 14
/** A part of what they have: a battery for my camera. */
const PART = 0.35
/** A product line of such goods is named beside them. */
const LINE = 0.5
const NOT_ASKED_FOR = 0.75
const ANIMALS: ReadonlySet<Audience> = new Set(['cat', 'dog'])
const CATEGORY_BY_BRAND = 0.4

export interface Guessed {
  readonly kind: Guess<string> | null
  readonly kinds: readonly Guess<string>[]
  readonly category: Guess<number> | null
}

/** What else is told of the goods. */
export interface Beside {
  readonly text: string
  readonly words: readonly string[]
  readonly bounds: Bounds
  /** Kinds that are mentioned, but not wanted: what they have. */
  readonly owned: ReadonlySet<string>
  /** Kinds of product lines beside the name: airpods of airpods那样的耳机. */
  readonly lines?: ReadonlySet<string>
  /** What the goods must not have or be. */
  readonly refused: readonly string[]
}

/** `heads` name what is wanted. */
export function guess(heads: readonly Name[], beside: Beside): Guessed {
  const { text, words, bounds } = beside
  const weights = new Map<string, number>()
  const wanted = audiencesSaid(text).map(({ audience }) => audience)
  const isWide = heads.some(({ senses }) => senses.length > 1)
  // What is told beside the name: of 鞋 alone none is likelier for its needs.
  const needs = isWide ? needScores(masked(text, heads)) : undefined
  const needed = Math.max(NEED_MIN, ...heads.flatMap(({ senses }) =>
    senses.map(({ kind }) => needs?.get(kind) ?? 0)))
  const refused = kindsNamed(beside.refused)
  for (const head of heads) {
    const others = text.slice(0, head.start) + text.slice(head.end)
    const common = commonCategory(head)
    const told = hasOwnName(head) ? NEED_OF_NAMED : NEED
    for (const { kind, weight, rest } of head.senses) {
      const isTold = rest.length > 1 && others.includes(rest)
      const isRefused = weight < OWN_NAME && refused.has(kind)
        && head.senses.some((one) => !refused.has(one.kind))
      if (isRefused || (weight < WEIGHT_MIN && !isTold)) continue
      const value = (supported(kind, isTold ? Math.max(weight, WITH_REST) : weight, words, wanted)
        + told * (needs?.get(kind) ?? 0) / needed + (isPartOf(kind, beside.owned) ? PART : 0)
        + (beside.lines?.has(kind) ? LINE : 0))
        * (isAffordable(kind, bounds) ? 1 : NOT_AT_THIS_PRICE) 
        * refusedShare(kind, beside.refused, head.senses.map((one) => one.kind))
        * (weight > WIDE || common === undefined || categoryOf(kind) === common ? 1 : ELSEWHERE)
      weights.set(kind, Math.max(weights.get(kind) ?? 0, value))
    }
  }
  const total = [...weights.values()].reduce((sum, weight) => sum + weight ** SHARPNESS, 0)
  const kinds = [...weights].map(([value, weight]) =>
    ({ value, confidence: rounded(weight ** SHARPNESS / total * Math.min(1, 0.5 + 0.5 * weight)) }))
    // Files name the commonest kinds of a category first.
    .sort((left, right) => right.confidence - left.confidence
      || placeOf(left.value) - placeOf(right.value) || (left.value < right.value ? -1 : 1))
    .slice(0, KINDS_MAX)
  const [best] = kinds
  return {
    kind: best && best.confidence >= KIND_MIN ? best : null, kinds,
    category: likeliestCategory(kinds) ?? categoryByBrand(words),
  }
}

/** 水果除了香蕉都行: the kinds that are refused by their name. */
const kindsNamed = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.flatMap((word) => (getLexicon().senses.get(keyOf(word)) ?? [])
    .filter(({ kind, weight }) => weight === 1
      || (weight >= OWN_NAME && !profileOf(kind).values.has(word)))
    .map(({ kind }) => kind)))

/** 不要青轴 tells of mechanical keyboards: no others have what is refused. */
function refusedShare(
  kind: string, refused: readonly string[], kinds: readonly string[],
): number {
  if (refused.length === 0) return 1
  const values = profileOf(kind).features.split('|')
  return refused.some((word) => word.length > 1 && values.includes(word)
    && !kinds.some((other) => other !== kind
      && profileOf(other).features.includes(word))) ? TOLD_APART : 1
}

/** Where most of what a wide name means is: 灯 is a lamp of the house before one of a bicycle. */
function commonCategory({ senses }: Name): number | undefined {
  const counts = new Map<number, number>()
  for (const { kind } of senses) {
    const category = categoryOf(kind)
    counts.set(category, (counts.get(category) ?? 0) + 1)
  }
  const [first, second] = [...counts].sort((left, right) => right[1] - left[1])
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : undefined
}

const placeOf = (kind: string): number => taxonomy().kinds.get(kind)?.place ?? 0

/** Of kinds with the same name, the one that has what else is said. */
function supported(
  kind: string, weight: number, words: readonly string[], wanted: readonly Audience[],
): number {
  const profile = profileOf(kind)
  const hits = words.filter((word) => word.length > 1 && profile.text.includes(word)).length
  const more = weight + EVIDENCE * Math.min(hits, EVIDENCE_MAX)
  const { audience: made, category_id } = taxonomy().kinds.get(kind) ?? {}
  // Shampoo for a dog is none for people.
  if (wanted.some((one) => ANIMALS.has(one)) && category_id !== PETS) return more * NOT_ASKED_FOR
  if (made === undefined) return more
  if (wanted.length === 0) return SPECIAL_AUDIENCES.has(made) ? more * NOT_ASKED_FOR : more
  return wanted.some((one) => suits(made, one))
    ? more + (SPECIAL_AUDIENCES.has(made) ? FOR_SUCH : FOR_THEM) : more * NOT_FOR_THEM
}

const isPartOf = (kind: string, owned: ReadonlySet<string>): boolean =>
  taxonomy().kinds.get(kind)?.parts_of?.some((whole) => owned.has(whole)) ?? false

/** A notebook for ¥3,000 is a computer. */
function isAffordable(kind: string, { min, max }: Bounds): boolean {
  const price = taxonomy().kinds.get(kind)?.price
  return !price || (price.min <= max && price.max >= min)
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000

function likeliestCategory(kinds: readonly Guess<string>[]): Guess<number> | null {
  const shares = new Map<number, number>()
  for (const { value, confidence } of kinds) {
    const category = categoryOf(value)
    shares.set(category, (shares.get(category) ?? 0) + confidence)
  }
  const total = [...shares.values()].reduce((sum, share) => sum + share, 0)
  const [best] = [...shares].sort((left, right) => right[1] - left[1])
  const confidence = best ? rounded(best[1] / total * Math.min(1, 0.3 + total)) : 0
  return best && confidence >= CATEGORY_MIN ? { value: best[0], confidence } : null
}

function categoryByBrand(words: readonly string[]): Guess<number> | null {
  const brand = words.map((word) => getLexicon().brandOf.get(fold(word)))
    .find((one) => one?.isSold)
  const [category] = brand?.categories ?? []
  return category === undefined ? null : { value: category, confidence: CATEGORY_BY_BRAND }
}
