/**
 * Kinds of goods for what is told: those that are named, those that answer a need, and what suits
 * whom it is given to. This is the one place that weighs names against needs.
 */
import { PETS } from '../goods/categories.ts'
import { categoryOf, partsOf, taxonomy, type Audience, type KnownKind } from '../goods/taxonomy.ts'
import { audiencesIn, suits } from './audience.ts'
import type { Bounds } from './bounds.ts'
import { describesSituation, needSaid, needScores, type NeedScores } from './needs.ts'
import { occasionGifts } from './read/occasions.ts'
import { PEOPLE, wordsFor } from './read/people.ts'
import { phrases } from './read/phrases.ts'
import {
  ASKING, asksForUnsold, GIVING, HOBBY, isBare, PLURAL, POLITE, TELLING, withoutPoliteness,
} from './read/phrasing.ts'
import { situations } from './situations.ts'
import type { Guess } from './understanding.ts'

const GIFT_OF = new Map(PEOPLE.flatMap((person) =>
  wordsFor(person).map((word): [string, string] => [word, person.gift ?? ''])))
const PHRASES = phrases(GIFT_OF.keys())

/** Below this nothing is told that says what is needed. */
const NEED_MIN = 16
/** Below this nothing at all is known of it. */
const NEED_LEAST = 9
/** From this on a need is told so that no name is needed, or one is not meant. */
export const NEED_CERTAIN = 28
/** In a sentence, which tells more than the name of something. */
const NEED_OF_SENTENCE = 22
const SENTENCE_LENGTH_MIN = 7
/** From this on a need is told although a word that nobody knows stands where goods are named. */
const NEED_OF_NAMED = 36
/**
 * What a name is worth by how it stands: in itself, and by its share of the first one's confidence.
 * Fitted together with WORTH to 1,900 sentences and searches (`unseen`, rounds 1 to 4, and 700 more
 * by others), as a log-linear choice among the kinds that are named or needed.
 */
const CLAIMS = {
  sure: { base: -0.3, most: 4.2 },
  plain: { base: -0.7, most: 5.4 },
  doubtful: { base: -0.4, most: 0.2 },
  mentioned: { base: -1.8, most: 1.8 },
} as const
/** What a need is worth: beside the best one, in itself, where it is told, of a part of goods. */
const WORTH = { share: 5.1, level: 1.8, told: 0.5, part: 0.6 } as const
/** Scores are counted in this unit, and no further than to the highest. */
const SCORE_UNIT = 20
const SCORE_MAX = 60
/** A best score below this says little. */
const SCORE_LEAST = 12
/** A kind is likely that has this share of the first one's confidence. */
const LIKELY = 0.3
/** And beside a name one that has this share of the best score. */
const LIKELY_SHARE = 0.5
/** How much more another of the named kinds has to weigh to come before the first. */
const AHEAD = 1
/** An accessory of what they have is likelier meant than other goods. */
const PART_OF_OWNED = 1.3
/** How near to the best a kind must be to be shown: a need is narrower than a gift or a journey. */
const SHARES = { need: 0.88, several: 0.6, gift: 0.7, hobby: 0.45, liked: 0.5 } as const
/** For whom goods for old people may be meant. */
const OLDER = ['mother', 'father', 'elderly']
/** What else is told of a gift, beside whom it suits. */
const GIFT_NEED = 1.2
/** What nobody gives by itself is worth so much of it to who likes to use it. */
const PLAIN_GIFT = 0.6
/** What is usual at an occasion is worth more than that it suits them. */
const OCCASION = 1.5
const KINDS_MAX = 8
const PER_CATEGORY = 2

export const isRecipientWord = (word: string): boolean => GIFT_OF.has(word)

export interface NeedRequest {
  readonly text: string
  /** It without the names of goods. */
  readonly rest: string
  /** Kinds of goods that are named, the likeliest first. */
  readonly kinds: readonly Guess<string>[]
  /** The names rather say where or for what the goods are wanted. */
  readonly isDoubtful: boolean
  /** Each of them is of something they have, or says where goods are wanted. */
  readonly isMentioned: boolean
  /** What is wanted is known without names: a meal, what they saw before, a model of a brand. */
  readonly isKnown: boolean
  /** Goods are named by a word that nobody knows. */
  readonly isNamed: boolean
  readonly hasUnknown: boolean
  /** What else is said leaves no doubt of the name: a brand, a size, several goods. */
  readonly isSure: boolean
  /** A name of its own stands behind what buys or asks for it. */
  readonly isAsked: boolean
  /** Kinds of goods that they have already, or that are only mentioned. */
  readonly owned: ReadonlySet<string>
  readonly bounds: Bounds
}

interface Needs {
  readonly scores: NeedScores
  readonly best: number
}

export function kindsMeant(request: NeedRequest): readonly Guess<string>[] {
  const { kinds, isNamed, isKnown, hasUnknown, isSure, isDoubtful, text } = request
  // 我想买 tells nothing.
  const isTold = ASKING.test(text) || TELLING.test(text.replace(POLITE, ' '))
  if (isKnown || (kinds.length > 0 && isSure && !isDoubtful && !isTold)) return kinds
  if (kinds.length > 0) {
    const isMore = isDoubtful || request.isMentioned
      // Whom 送丈母娘的茶叶 are given to is no need.
      || (!GIVING.test(text)
        // 行李箱 alone says no more for its cover.
        && needScores(request.rest).best >= SCORE_LEAST)
    return isMore ? weighed(request, needsOf(request), isTold) : kinds
  }
  const needs = needsOf(request)
  const needed = needSaid(text.trim(), needs.scores)
  if (needed) return byNeed(request, needed)
  const isGift = GIVING.test(text)
  if (isNamed && !isGift && needs.best < NEED_OF_NAMED) return []
  if (asksForUnsold(text) && needs.best < NEED_CERTAIN * 2) return []
  const said = withoutPoliteness(text)
  const isOpen = isGift || ASKING.test(said) || !isBare(said)
    || needs.best >= (TELLING.test(said) ? NEED_MIN
      : text.length >= SENTENCE_LENGTH_MIN ? NEED_OF_SENTENCE : NEED_CERTAIN)
  return hasUnknown && !isOpen ? [] : suggestKinds(request, needs)
}

/** The names, the likeliest first, unless what is needed says more for another kind. */
function weighed(request: NeedRequest, needs: Needs, isTold: boolean): readonly Guess<string>[] {
  const { kinds, isDoubtful, isMentioned, isSure } = request
  const { base, most: claim } = CLAIMS[isMentioned ? 'mentioned' : isDoubtful ? 'doubtful'
    : isSure ? 'sure' : 'plain']
  const most = kinds[0]?.confidence ?? 1
  const claims = new Map(kinds.map(({ value, confidence }): [string, number] =>
    [value, base + claim * confidence / most]))
  const parts = partsOf(kinds.filter(({ confidence }) => confidence >= most * LIKELY)
    .map(({ value }) => value))
  const weights = new Map<string, number>()
  const isPossible = possible(request)
  const needed = request.isAsked ? [] : likely(needs).filter((name) => {
    const kind = taxonomy().kinds.get(name)
    return kind !== undefined && isPossible(kind)
  })
  for (const kind of new Set([...claims.keys(), ...needed])) {
    const score = needs.scores.get(kind) ?? 0
    const level = Math.min(score, SCORE_MAX) / SCORE_UNIT
    weights.set(kind, (claims.get(kind) ?? 0)
      + WORTH.share * score / Math.max(needs.best, SCORE_LEAST)
      + level * (WORTH.level + (isTold ? WORTH.told : 0) + (parts.has(kind) ? WORTH.part : 0)))
  }
  const [first = ''] = claims.keys()
  const [best = first] = [...weights].reduce((top, one) => one[1] > top[1] ? one : top)
  if (!claims.has(best)) {
    return byNeed(request, new Map([...weights].filter(([kind]) => !claims.has(kind))))
  }
  if ((weights.get(best) ?? 0) < (weights.get(first) ?? 0) + AHEAD) return kinds
  return [{ value: best, confidence: most }, ...kinds.filter(({ value }) => value !== best)
    .map(({ value, confidence }) => ({ value, confidence: confidence / 2 }))]
}

/** Kinds that answer what is needed well enough to outweigh a name. */
const likely = ({ scores, best }: Needs): string[] =>
  [...scores].flatMap(([kind, score]) => score >= best * LIKELY_SHARE ? kind : [])

function needsOf({ text, owned }: NeedRequest): Needs {
  const all = needScores(text)
  const gone = [...owned, ...isOfPeople(text) ? petGoods() : []]
  const scores = gone.length === 0 ? all : all.without(gone, partsOf(owned), PART_OF_OWNED)
  return { scores, best: scores.best }
}

const ANIMAL = /[宠猫狗犬鸟鱼龟兔鼠鹦]|(?<![a-z])(?:pets?|fish|bird|turtle|rabbit|hamster)/

/** 奶奶过冬 asks for nothing that a cat is warmed by. */
const isOfPeople = (text: string): boolean => !ANIMAL.test(text)
  && audiencesIn(text).some(({ audience }) => audience !== 'cat' && audience !== 'dog')

let pets: readonly string[] | undefined
const petGoods = (): readonly string[] => pets ??=
  [...taxonomy().kinds.keys()].filter((kind) => categoryOf(kind) === PETS)

/** What may be meant, if it can be said at all; it is shown with the question which of them is. */
function suggestKinds(request: NeedRequest, needs: Needs): readonly Guess<string>[] {
  const { text } = request
  const recipients = new Set(recipientsIn(text))
  const hobby = HOBBY.exec(text)?.slice(1).join('') ?? ''
  const isGift = GIVING.test(text)
    || (recipients.size > 0 && needs.best < NEED_MIN) || (recipients.size > 0 && hobby !== '')
  if (!isGift && needs.best < NEED_LEAST) return []
  const liked = isGift ? chosen(likedIn(hobby, text), possible(request), SHARES.liked) : []
  if (liked.length > 0) return liked
  const hobbies = hobby === '' ? undefined : needsOf({ ...request, text: hobby })
  if (isGift && hobbies && hobbies.best > 0) {
    const { kinds: known } = taxonomy()
    // No cooler of a processor for who likes to play, unless nothing else is of use to them.
    const given = new Map([...hobbies.scores].map(([kind, score]) =>
      [kind, known.get(kind)?.gift_for === undefined ? score * PLAIN_GIFT : score]))
    const found = chosen(given, possible(request), SHARES.hobby)
    if (found.length > 0) return found
  }
  const pet = isGift && PET_KEPT.test(text)
    ? audiencesIn(text).find(({ audience }) => audience === 'cat' || audience === 'dog') : undefined
  if (pet) return chosen(petGifts(pet.audience, needs), possible(request), SHARES.gift)
  // 肩膀脖子老酸 says more than the day.
  if (isGift && describesSituation(text.replace(GIVING, ' '))) return byNeed(request, needs.scores)
  if (isGift) {
    if (recipients.size === 0) recipients.add('friend')
    // 小侄子满月: a boy, but no reader yet.
    if (recipients.has('baby')) for (const name of ['boy', 'girl', 'child']) recipients.delete(name)
    return chosen(giftValues(recipients, needs, text), possible(request), SHARES.gift)
  }
  return byNeed(request, needs.scores)
}

const byNeed = (
  request: NeedRequest, scores: Iterable<readonly [kind: string, score: number]>,
): readonly Guess<string>[] => chosen(scores, possible(request),
  PLURAL.test(request.text) ? SHARES.several : SHARES.need)

/** What people like → its goods, the likeliest first. */
const LIKED = new Map(situations().likes.flatMap(({ said, kinds }) =>
  said.map((word): [string, readonly string[]] => [word, kinds])))
const LIKED_PHRASES = phrases(LIKED.keys())
/** How much less each further kind is given. */
const LIKED_FALL = 0.06

/** Kinds for what they like: as a hobby, else wherever it is told. */
function likedIn(hobby: string, text: string): Map<string, number> {
  const values = new Map<string, number>()
  const found = hobby === '' ? [] : LIKED_PHRASES.find(hobby)
  for (const { phrase } of found.length > 0 ? found : LIKED_PHRASES.find(text)) {
    for (const [place, kind] of (LIKED.get(phrase) ?? []).entries()) {
      values.set(kind, Math.max(1 - place * LIKED_FALL, values.get(kind) ?? 0))
    }
  }
  return values
}

/** They have the animal: what is given is for it. */
const PET_KEPT = /养|有关|用得?上|铲屎|毛孩子|[猫狗]奴|(?:has|have|had|got|adopted|loves?) /

const petGifts = (pet: Audience, { scores, best }: Needs): Map<string, number> =>
  new Map([...taxonomy().kinds.values()].filter(({ audience }) => audience === pet)
    .map(({ kind, place }) =>
      [kind, 1 + (scores.get(kind) ?? 0) / Math.max(best, NEED_CERTAIN) - place / 500]))

/** Whom it may be given to. */
const recipientsIn = (text: string): string[] =>
  PHRASES.find(text).map(({ phrase }) => GIFT_OF.get(phrase) ?? '').filter((gift) => gift !== '')

/** Whether goods of a kind suit whom they are for, at a price that is told. */
function possible({ text, bounds }: NeedRequest): (kind: KnownKind) => boolean {
  const audiences = audiencesIn(text).map(({ audience }) => audience)
  const areParents = recipientsIn(text).some((gift) => OLDER.includes(gift))
  return ({ audience, price }) =>
    (audience === undefined || audiences.length === 0 || (audience === 'elderly' && areParents)
      || audiences.some((wanted) => suits(audience, wanted)))
    && price.min <= bounds.max && price.max >= bounds.min
}

function giftValues(
  recipients: ReadonlySet<string>, needs: Needs, text: string,
): Map<string, number> {
  const values = new Map<string, number>()
  const usual = occasionGifts(text)
  for (const { kind, place, gift_for = [] } of taxonomy().kinds.values()) {
    const suited = gift_for.filter((name) => recipients.has(name)).length
    const at = usual.get(kind)
    if (suited === 0 && at === undefined) continue
    const occasion = at === undefined ? 0 : OCCASION - at / 50
    const need = (needs.scores.get(kind) ?? 0) / Math.max(needs.best, NEED_CERTAIN) * GIFT_NEED
    // Files name the commonest kinds first.
    values.set(kind, suited + need + occasion - place / 500)
  }
  return values
}

/** The best of those that are possible; `values` are in the order of the taxonomy. */
function chosen(
  values: Iterable<readonly [kind: string, value: number]>,
  isPossible: (kind: KnownKind) => boolean, share: number,
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
    if (share === SHARES.hobby || share === SHARES.liked || count < PER_CATEGORY) shown.push(name)
  }
  return shown.map((value) => ({ value, confidence: Number((0.5 / shown.length).toFixed(2)) }))
}
