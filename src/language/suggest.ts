/**
 * Kinds of goods for what is told: those that are named, those that answer a need, and what suits
 * whom it is given to. This is the one place that weighs names against needs.
 */
import { taxonomy, type KnownKind } from '../goods/taxonomy.ts'
import { audiencesIn, suits } from './audience.ts'
import type { Bounds } from './bounds.ts'
import { needScores } from './needs.ts'
import { PEOPLE, wordsFor } from './read/people.ts'
import { phrases } from './read/phrases.ts'
import { ASKING, GIVING, HOBBY, PLURAL, POLITE, TELLING, UNSOLD } from './read/told.ts'
import type { Guess } from './understanding.ts'

const GIFT_OF = new Map(PEOPLE.flatMap((person) =>
  wordsFor(person).map((word): [string, string] => [word, person.gift ?? ''])))
const PHRASES = phrases(GIFT_OF.keys())

/** Below this nothing is told that says what is needed. */
const NEED_MIN = 10
/** Below this nothing at all is known of it. */
const NEED_LEAST = 6
/** From this on a need is told so that no name is needed, or one is not meant. */
const NEED_TOLD = 18
/** How much better another kind has to answer what is told than the kind that is named. */
const OUTWEIGHS = 2.4
const TOLD_LENGTH_MIN = 9
/** An accessory of what they have is likelier meant than other goods. */
const PART_OF_OWNED = 1.3
/** How near to the best a kind must be to be shown: a need is narrower than a gift or a journey. */
const SHARES = { need: 0.88, several: 0.6, gift: 0.7, hobby: 0.45 } as const
/** For whom goods for old people may be meant. */
const OLDER = ['mother', 'father', 'elderly']
const KINDS_MAX = 8
const PER_CATEGORY = 2

export const isRecipientWord = (word: string): boolean => GIFT_OF.has(word)

export interface Told {
  readonly text: string
  /** Kinds of goods that are named, the likeliest first. */
  readonly kinds: readonly Guess<string>[]
  /** The names rather say where or for what the goods are wanted. */
  readonly isDoubtful: boolean
  /** Goods are named by a word that nobody knows, or something else than goods is wanted. */
  readonly isNamed: boolean
  readonly hasUnknown: boolean
  /** What else is said leaves no doubt of the name: a brand, a size, several goods. */
  readonly isSure: boolean
  /** Kinds of goods that they have already, or that are only mentioned. */
  readonly owned: ReadonlySet<string>
  readonly bounds: Bounds
}

interface Needs {
  readonly scores: ReadonlyMap<string, number>
  readonly best: number
}

export function kindsMeant(told: Told): readonly Guess<string>[] {
  const { kinds, isNamed, hasUnknown, isSure, isDoubtful, text } = told
  if (kinds.length > 0) {
    if (isSure && !isDoubtful) return kinds
    const likely = kinds.filter(({ confidence }) => confidence >= (kinds[0]?.confidence ?? 0) / 2)
      .map(({ value }) => value)
    // Of a wider word any kind may be what they have, or what they want.
    const others = likely.length > 2 ? told
      : { ...told, owned: new Set([...told.owned, ...likely]) }
    const scores = needScores(text)
    const needs = needsOf(others, scores)
    const own = Math.max(1, ...likely.map((kind) => scores.get(kind) ?? 0))
    const isTold = (ASKING.test(text) || TELLING.test(text))
      && text.replace(POLITE, '').length >= TOLD_LENGTH_MIN && needs.best >= NEED_TOLD
    const isOther = isDoubtful ? needs.best >= NEED_MIN
      : !isSure && isTold && needs.best >= own * OUTWEIGHS
    return isOther ? suggestKinds(others, needs) : kinds
  }
  const needs = needsOf(told)
  const isGift = GIVING.test(text)
  if (isNamed || (UNSOLD.test(text) && needs.best < NEED_TOLD * 2)) return []
  const isOpen = isGift || ASKING.test(text)
    || needs.best >= (TELLING.test(text) ? NEED_MIN : NEED_TOLD)
  return hasUnknown && !isOpen ? [] : suggestKinds(told, needs)
}

function needsOf({ text, owned }: Told, told = needScores(text)): Needs {
  const scores = new Map<string, number>()
  let best = 0
  for (const [kind, score] of told) {
    if (owned.has(kind)) continue
    const isPart = owned.size > 0
      && (taxonomy().kinds.get(kind)?.parts_of?.some((whole) => owned.has(whole)) ?? false)
    const value = isPart ? score * PART_OF_OWNED : score
    scores.set(kind, value)
    best = Math.max(best, value)
  }
  return { scores, best }
}

/** What may be meant, if it can be said at all; it is shown with the question which of them is. */
function suggestKinds(told: Told, needs: Needs): readonly Guess<string>[] {
  const { text } = told
  const recipients = new Set(PHRASES.find(text).map(({ phrase }) => GIFT_OF.get(phrase) ?? '')
    .filter((gift) => gift !== ''))
  const hobby = HOBBY.exec(text)?.slice(1).join('') ?? ''
  const isGift = GIVING.test(text)
    || (recipients.size > 0 && needs.best < NEED_MIN) || (recipients.size > 0 && hobby !== '')
  if (!isGift && needs.best < NEED_LEAST) return []
  const audiences = audiencesIn(text).map(({ audience }) => audience)
  const areParents = OLDER.some((one) => recipients.has(one))
  const isPossible = ({ audience, price }: KnownKind): boolean =>
    (audience === undefined || audiences.length === 0 || (audience === 'elderly' && areParents)
      || audiences.some((wanted) => suits(audience, wanted)))
    && price.min <= told.bounds.max && price.max >= told.bounds.min
  const hobbies = hobby === '' ? undefined : needsOf({ ...told, text: hobby })
  if (isGift && hobbies && hobbies.best > 0) {
    return chosen(hobbies.scores, isPossible, SHARES.hobby)
  }
  if (isGift) {
    if (recipients.size === 0) recipients.add('friend')
    // 小侄子满月: a boy, but no reader yet.
    if (recipients.has('baby')) for (const name of ['boy', 'girl', 'child']) recipients.delete(name)
    return chosen(giftValues(recipients, needs), isPossible, SHARES.gift)
  }
  return chosen(needs.scores, isPossible, PLURAL.test(text) ? SHARES.several : SHARES.need)
}

function giftValues(recipients: ReadonlySet<string>, needs: Needs): Map<string, number> {
  const values = new Map<string, number>()
  for (const { kind, place, gift_for = [] } of taxonomy().kinds.values()) {
    const suited = gift_for.filter((name) => recipients.has(name)).length
    if (suited === 0) continue
    const need = (needs.scores.get(kind) ?? 0) / Math.max(needs.best, NEED_TOLD) / 2
    // Files name the commonest kinds first.
    values.set(kind, suited + need - place / 500)
  }
  return values
}

/** The best of those that are possible; `values` are in the order of the taxonomy. */
function chosen(
  values: ReadonlyMap<string, number>, isPossible: (kind: KnownKind) => boolean, share: number,
): readonly Guess<string>[] {
  const { kinds } = taxonomy()
  const ranked = [...values].filter(([, value]) => value > 0)
    .sort(([, left], [, right]) => right - left)
  let least = -1
  const taken = new Map<number, number>()
  const shown: string[] = []
  for (const [name, value] of ranked) {
    const kind = kinds.get(name)
    if (!kind || value < least || shown.length === KINDS_MAX) break
    if (!isPossible(kind)) continue
    if (least < 0) least = value * share
    const count = taken.get(kind.category_id) ?? 0
    taken.set(kind.category_id, count + 1)
    if (share === SHARES.hobby || count < PER_CATEGORY) shown.push(name)
  }
  return shown.map((value) => ({ value, confidence: Number((0.5 / shown.length).toFixed(2)) }))
}
