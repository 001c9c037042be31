/**
 * Which kinds of goods a sentence means: those that it names, unless what it tells says more for
 * others, and whether it names goods that nobody here knows.
 */
import { categoryOf } from '../goods/taxonomy.ts'
import { isAudienceWord } from './audience.ts'
import type { Bounds } from './bounds.ts'
import type { Corrected } from './correct.ts'
import { haveMeasure, likelyWith } from './feasible.ts'
import { SURELY_MEANT, kindChances } from './kind-encoder.ts'
import { ownKinds } from './lexicon.ts'
import { isAdded, isListed } from './lists.ts'
import { describesSituation, needSaid, needScores, type NeedScores } from './needs.ts'
import { kindsInPart } from './partial.ts'
import { masked, type Place } from './read/claims.ts'
import { endsGoods } from './read/compound.ts'
import { byStart, type Draft } from './read/draft.ts'
import { guess, type Guessed } from './read/guess.ts'
import { joinsSomewhere } from './read/joints.ts'
import { hasName, hasOwnName, meansKind, type Name } from './read/names.ts'
import { isAskedFor, isBought } from './read/standing.ts'
import { categoriesSaid } from './read/thing-classes.ts'
import { asksForUnsold, GIVING, isBare, withoutOrder, withoutPoliteness } from './read/phrasing.ts'
import { endsAlike, isNameAlone, isNounAlone, isSaidOfAny } from './read/unsold.ts'
import { areDistinguished, haveProblem } from './read/values.ts'
import { SCENES } from './read/words.ts'
import { cutHan } from './segment.ts'
import type { Firmness, RankRequest } from './kind-features.ts'
import { type Chosen, notSold } from './not-sold.ts'
import { isBrandAlone, isNameAskedFor, isPlainName } from './plain-name.ts'
import { ranked } from './rank-kinds.ts'
import { kindsRefused, refusesValue, withoutOthers } from './refused-kinds.ts'
import { isRecipientWord, kindsMeant, NEED_CERTAIN, type NeedRequest } from './suggest.ts'
import { synonymsOf } from './synonyms.ts'
import { calledSo } from './wide-name.ts'
import type { Keyword, Understanding } from './understanding.ts'
import { unclearOf } from './unclear.ts'
import { namesValue } from './values.ts'

/** From this weight on a name says what somebody buys: 水壶 of 买三个水壶. */
const ASKED_NAME = 0.65
const NOUN_LENGTH_MIN = 3
/** Of so much that is unknown, a need has to be so sure. */
const UNKNOWN_SHARE = 0.3
const HARDLY_TOLD = 33
/** Up to so many characters other words are written or sound the same. */
const SHORT_SLIP = { two: 2, han: 3, latin: 5 } as const

type Kinds = Understanding['kinds']

interface Sentence {
  readonly reading: Corrected
  readonly found: Draft
  readonly bounds: Bounds
  readonly folded: (place: Place) => string
  readonly keywords: readonly Keyword[]
  /** It speaks of goods that were seen before. */
  readonly hasEarlier: boolean
}

export function chooseKinds(sentence: Sentence): Chosen {
  const { reading, found } = sentence
  const none = notSold(found)
  if (none) return none
  const { guessed, more: all, request, isKnown: isAnswered } = byRules(sentence)
  const { ruled, named } = request
  const isKnown = isAnswered || isBrandAlone(found)
  const more = all.length > 0 && !found.isCompared && isOne(request) ? [] : all
  // 电脑 alone means what it names.
  const isRuledOnly = more.length > 0
    || (canBe(request) && isPlainName(reading.text, found))
    || (ruled.length === 0 && (asksForUnsold(reading.text) || found.food?.meant === 'yes'
      || (isKnown && !saysMore(reading.text))))
  const wide = all.length === 0 && isNameAskedFor(reading.text, found)
    ? calledSo(found, request.ruled) : []
  const isWide = wide.length > 1
  const ordered = isWide ? wide
    : !found.isDoubtful && refusesValue(found, named) ? named
      : isRuledOnly ? ruled : ranked(request)
  const meant = named.length > 0 ? ordered
    : ofClass(ordered, withoutRefused(reading.text, found), request)
  const isSuggested = meant.length > 0 && !named.some(({ value }) => value === meant[0]?.value)
  const isNew = isSuggested && named.length === 0
  const isCounted = found.quantities.length > 0
  const noun = withoutOrder(reading.text)
  const isNoun = isNew && !isCounted && isNounAlone(noun) && !isNeed(reading.text)
    && !isTold(reading.text, request.needs()) && !meant.some((one) => namesValue(one.value, noun))
  const isLikely = ({ value }: Kinds[number]): boolean => saysMore(noun)
    && request.chances().of(value) > LIKELY
  const told = isNoun ? meant.filter((one) => isLikely(one) || endsAlike(noun, one.value)) : meant
  const isHardly = isNew && isHardlyTold(sentence, told, request)
  const certain = isHardly ? told.filter(isLikely) : told
  const kinds = withoutOthers(found,
    certain.length > 0 || isKnown ? certain : likeliestOf(request))
  const isUnsold = isNoun || isHardly || (isSuggested && meant === ruled && !isCounted
    && namesUnknown(sentence, meant) && !(isNew && isNeed(reading.text)))
    || isMisread(reading, found)
  const isTitled = found.unsold !== null && reading.text.charAt(found.unsold.start - 1) === '《'
  return {
    guessed: isWide ? { ...guessed, kind: null } : guessed, kinds, more, isWide, isService: false,
    isOpen: !isNoun && !isTitled && kinds.length > 0
      && !named.some(({ value }) => value === kinds[0]?.value)
      && !headNamed(found, kinds[0]?.value)
      && !found.names.some((name) => hasOwnName(name) && meansKind(name, kinds[0]?.value)),
    unsold: isUnsold ? { start: 0, end: reading.text.length }
      : isNew && !isTitled ? null : found.unsold,
  }
}

/**
 * Not refused, of no size that only others have, and by its own name where one has it: 48伏的电瓶 is
 * none of a car, 书包 女 no backpack for sure.
 */
function canBe({ ruled, found, measures, isRefused }: RankRequest): boolean {
  const owned = found.heads.flatMap(({ senses }) => ownKinds(senses))
  const fits = ({ value }: Kinds[number]): boolean =>
    measures.every((measure) => haveMeasure(value, measure))
  const [first, ...others] = ruled
  return !ruled.some(({ value }) => isRefused(value))
    && (owned.length === 0 || owned.includes(first?.value ?? ''))
    && (first === undefined || fits(first) || !others.some(fits))
}

const SUGGESTED = 0.5
/** From this chance on a kind is shown as what is nearest to words that nobody knows. */
const LIKELY = Math.log(0.5)
/** It is more than one noun. */
const saysMore = (text: string): boolean => /[ ;,.的嘅那个]/.test(withoutPoliteness(text).trim())

/** 娃儿吃饭揩口水的围围 tells of nothing that is known, and of bibs all the same. */
function likeliestOf({ text, chances }: RankRequest): Kinds {
  const [first] = isBare(text) || asksForUnsold(text) || isNounAlone(withoutOrder(text)) ? []
    : chances().best
  return first !== undefined && chances().of(first) > SURELY_MEANT
    ? [{ value: first, confidence: SUGGESTED }] : []
}

/**
 * From which chance on one kind of several that are named is wanted alone, and one that is not
 * named at all beside names that have less than so much each.
 */
const ALONE = { named: Math.log(0.9), unnamed: Math.log(0.3), others: Math.log(0.1) } as const

/**
 * 圆形茶几，岩板台面: nothing joins the names, and one kind is by far the likeliest. 电视盒子跟电视机都好好的，
 * 中间那根接的坏了: none of the names is likely.
 */
function isOne({ text, found, chances }: RankRequest): boolean {
  const { heads, more, clauses } = found
  const { best: [first = ''], of } = chances()
  const names = [...heads, ...more].sort(byStart)
  const gaps = names.map(({ end }, at) => text.slice(end, names[at + 1]?.start))
  const isNoneLikely = names.every(({ senses }) =>
    senses.every(({ kind }) => of(kind) < ALONE.others))
  if (names.some((name) => isAdded(found, name))) return false
  // Each price, and each count, is that of other goods.
  return (isNoneLikely && of(first) > ALONE.unnamed && !isListed(found))
    || (clauses.length < 2 && of(first) > ALONE.named
      && !gaps.some((gap) => joinsSomewhere(gap) || COUNT.test(gap)))
}

/** 酱油一瓶 醋两瓶. */
const COUNT = /^ ?[一二两三四五六七八九十半\d]+[\p{Script=Han}a-z]/u

/** 国家赔偿法: of a bare name that nobody knows, a word in passing suggests no goods. */
function isHardlyTold(
  { reading, keywords }: Sentence, kinds: Kinds, { needs, chances }: RankRequest,
): boolean {
  const [first] = kinds
  const text = reading.text.trim()
  if (!first || chances().of(first.value) > SURELY_MEANT || !isNameAlone(text) || isNeed(text)
    || endsAlike(text.replace(NO_HAN_END, ''), first.value)) return false
  const unknown = unclearOf(keywords, kinds).reduce((sum, { folded }) => sum + folded.length, 0)
  return unknown >= text.length * UNKNOWN_SHARE
    && (needs().get(first.value) ?? 0) < HARDLY_TOLD
}

const NO_HAN_END = /[^\p{Script=Han}]+$/u

/** Puts the name of the kind first, where it was taken for one that only describes others. */
function headNamed(draft: Draft, kind: string | undefined): boolean {
  const names = (name: Name): boolean => meansKind(name, kind)
  if (draft.heads.some(names)) return true
  const head = draft.modifiers.find(names)
  if (!head) return false
  draft.modifiers = [...draft.heads, ...draft.modifiers.filter((name) => name !== head)]
  draft.heads = [head]
  return true
}

interface Ruled {
  readonly guessed: Guessed
  readonly more: readonly Kinds[]
  /** What is weighed against what the rules say. */
  readonly request: RankRequest
  /** What is wanted is known without its name. */
  readonly isKnown: boolean
}

/** What the rules say of the sentence: of its names, and of names against needs. */
export function byRules(sentence: Sentence, chancesOf = kindChances): Ruled {
  const { reading, found, bounds, folded } = sentence
  const beside = { text: withoutRefused(reading.text, found), words: saidOf(found, folded), bounds,
    owned: ownedIn(found), refused: refusedIn(found, folded), lines: linesBeside(found) }
  const measures = found.must.flatMap(({ measure, more: rest = [] }) =>
    measure ? [measure, ...rest] : [])
  const first = guess(found.heads, beside)
  const inPart = kindsInPart(found)
  const guessed = inPart.length > 0 ? { ...first, kind: inPart[0] ?? null, kinds: inPart }
    : { ...first, kinds: likelyWith(first.kinds, measures) }
  const text = withoutTerms(beside.text, found)
  const rest = masked(text, found.names)
  const certainty = certaintyOf(sentence, guessed.kinds, inPart.length > 0,
    () => isTold(text, needScores(text)))
  const ruled = kindsMeant({ text, rest, kinds: guessed.kinds, bounds, owned: beside.owned,
    isDoubtful: found.isDoubtful, isMentioned: found.isMentioned, ...certainty })
  return {
    guessed, isKnown: certainty.isKnown,
    more: found.more.map((name) => guess([name], beside).kinds),
    request: { text: reading.text, found, ruled, named: guessed.kinds, bounds, measures,
      words: beside.words,
      firmness: firmnessOf(sentence, guessed.kinds, ruled, inPart.length > 0, certainty.isKnown),
      needs: () => needScores(text), rest: () => needScores(rest),
      // 按斤算 is said of dried meat and fresh.
      chances: () => chancesOf(withoutPoliteness(
        found.per ? masked(reading.text, [found.per]) : reading.text)),
      isRefused: kindsRefused(found) },
  }
}

function firmnessOf(
  { reading, found }: Sentence, named: Kinds, ruled: Kinds, isInPart: boolean, isKnown: boolean,
): Firmness {
  if (isCountedName(found)) return 'counted'
  // A gift is what suits who gets it.
  if (isInPart || (GIVING.test(reading.text) && named.length === 0)
    || (ruled.length === 0 && (isKnown || asksForUnsold(reading.text)))) return 'known'
  return !found.isDoubtful && found.heads.some((head) =>
    hasName(head, ASKED_NAME) && isBought(reading.text, head)) ? 'bought' : 'open'
}

/** 看球赛配啤酒的下酒小吃 tells more than the name of something. */
const isSituation = (text: string): boolean => !isNounAlone(text.trim()) && describesSituation(text)

type Certainty = Pick<NeedRequest, 'isKnown' | 'isNamed' | 'isAsked' | 'hasUnknown' | 'isSure'>

/** How sure the names leave what is wanted. */
function certaintyOf(
  { reading, found, keywords, hasEarlier }: Sentence, kinds: Kinds, isInPart: boolean,
  isNeeded: () => boolean,
): Certainty {
  // What a new-born kitten drinks is no meal.
  const isMeal = found.food?.meant === 'yes'
    && (kinds.length > 0 || found.food.said !== undefined || !isNeeded())
  const hasMore = found.more.length > 0
  return {
    isKnown: isInPart || isMeal || hasEarlier || hasMore
      || (found.isOther && !isSituation(reading.text)
        && !(kinds.length === 0 && !isNameAlone(reading.text) && isNeeded()))
      || keywords.some((one) => isModelOfBrand(one) || isDelivery(one)),
    isNamed: (found.isCompound && !found.isDoubtful)
      || keywords.some((one) => isLastNoun(one, reading.sentence.length)),
    isAsked: !found.isDoubtful && found.heads.some((head) =>
      hasName(head, ASKED_NAME) && isAskedFor(reading.text, head)),
    hasUnknown: keywords.some(isUnknownNoun) || found.must.length > 0,
    isSure: hasMore || isCountedName(found) || RUN_OUT.test(reading.text)
      || found.mustNot.length > 0
      || found.heads.some(hasOwnName)
      || haveProblem(found, kinds) || areDistinguished(found, kinds) || isMeal || hasEarlier
      || keywords.some(({ role, line }) => role === 'brand' || line !== undefined)
      || found.must.some(({ measure, implied }) => measure !== undefined || implied !== undefined),
  }
}

/** 洗车 and 暖宝宝 have too few characters for more. */
const SHORT = { length: 3, told: 16 } as const

/** 狗子老在家乱尿 is no name of goods. */
const isTold = (text: string, needs: NeedScores): boolean => {
  const least = text.trim().length <= SHORT.length ? SHORT.told : NEED_CERTAIN
  return needs.best >= least
}

/** 一盏 and 一双 are said of few goods, and 一个 of all. */
const TELLING_UNIT = /[一二两三四五六七八九十\d][双盏台把顶支辆床副口]$/

/** 保温杯20个: what is counted is what is wanted. */
const isCountedName = ({ text, heads, quantities, isDoubtful }: Draft): boolean => !isDoubtful
  && heads.some((head) => TELLING_UNIT.test(text.slice(0, head.start))
    || (hasOwnName(head) && quantities.some(({ start, end, count }) => count > 1
      && (start === head.end || end === head.start))))

/** How many of a shelf are shown, how much less they answer a need, and how well at least. */
const SHELF = { most: 5, share: 0.75, least: 6, confidence: 0.5 } as const

/** Those of the shelves that 吃的 and 穿的 tell, or what answers the need best there. */
function ofClass(kinds: Kinds, text: string, { needs }: RankRequest): Kinds {
  const categories = categoriesSaid(text)
  if (!categories) return kinds
  const isThere = (kind: string): boolean =>
    categories.has(categoryOf(kind))
  const of = kinds.filter(({ value }) => isThere(value))
  if (of.length > 0 || kinds.length === 0) return of
  const there = [...needs()].filter(([kind]) => isThere(kind)).sort(([, a], [, b]) => b - a)
  const least = Math.max((there[0]?.[1] ?? 0) * SHELF.share, SHELF.least)
  const near = there.filter(([, score]) => score >= least).slice(0, SHELF.most)
    .map(([value]) => ({ value, confidence: SHELF.confidence }))
  return near.length > 0 ? near : kinds
}

/** 老人便秘 is no name of goods. */
const isNeed = (text: string): boolean =>
  needSaid(text.trim(), needScores(text)) !== undefined || describesSituation(text)

/** 索尼xqd卡: what somebody might need stands for goods that nobody knows. */
const namesUnknown = ({ reading, keywords }: Sentence, meant: Kinds): boolean =>
  isNameAlone(reading.text)
    && keywords.some((one) => one.role === 'kind' || isGluedNoun(one, reading.text)
      || (isUnknownNoun(one) && !isSaidOfAny(one.folded, meant)))

/** 吸脂 is no 锡纸: what sounds like a short name is hardly one where more is said. */
const isMisread = ({ text, corrections }: Corrected, { heads, keywords }: Draft): boolean =>
  isNameAlone(text) && corrections.some(({ from, to }) => {
    const isLatin = /^[a-z]/.test(from)
    const isMore = keywords.some(({ role }) => role === 'word' || role === 'model')
      || (from.length <= SHORT_SLIP.two && text.trim() !== to)
    return isMore && from.length <= (isLatin ? SHORT_SLIP.latin : SHORT_SLIP.han)
      && heads.some(({ key }) => key.includes(to) || to.includes(key))
  })

/** A price, how many of them and a brand are no need, nor is 高血压 beside goods that are named. */
const withoutTerms = (
  text: string, { clauses, quantities, keywords, heads, mustNot, isDoubtful, ignored }: Draft,
): string => masked(text, [...clauses, ...quantities,
  ...ignored.filter(({ why }) => why === 'mode'),
  ...keywords.filter(({ role }) => role === 'brand'),
  ...heads.length > 0 && !isDoubtful ? mustNot.filter(({ places }) => places.length === 0) : []])

/** 巧克力味的除外 tells of no need. */
const withoutRefused = (text: string, { mustNot }: Draft): string =>
  // What follows from a condition is no word of it: 血压高 tells of a need.
  masked(text, mustNot.filter(({ places }) => places.length > 0)).replace(FAMILY, '    ')

/** How many they are is no need. */
const FAMILY = /一家[二两三四五六]口(?!装|[^;,.。!?]{0,4}亲子)/g

/** What the sentence says beside the names of the goods that are wanted. */
const saidOf = (found: Draft, folded: (place: Place) => string): string[] =>
  [...found.keywords.filter(({ start }) => !found.heads.some((head) => head.start === start)),
    ...[...found.must, ...found.prefer].flatMap(({ places }) => places)].map(folded)
    .flatMap((word) => [...new Set([word, ...wordsOf(word)]
      .flatMap((one) => [one, ...synonymsOf(one)]))])

const refusedIn = ({ mustNot }: Draft, folded: (place: Place) => string): string[] =>
  mustNot.flatMap(({ places }) => places.map(folded))

/** Kinds of which the name is told, not all of which a wider word is one. */
function ownedIn({ modifiers, heads }: Draft): ReadonlySet<string> {
  const wanted = new Set(heads.flatMap(({ senses }) => senses.map(({ kind }) => kind)))
  return new Set(modifiers.flatMap(({ senses }) => ownKinds(senses))
    .filter((kind) => !wanted.has(kind)))
}

const linesBeside = ({ modifiers }: Draft): ReadonlySet<string> => new Set(modifiers
  .filter(({ line }) => line !== undefined).flatMap(({ senses }) => senses.map(({ kind }) => kind)))

/** 洗澡坐 is two words. */
const wordsOf = (text: string): string[] => /^\p{Script=Han}{3,}$/u.test(text)
  ? cutHan([...text]).map((word) => word.join('')).filter(({ length }) => length > 1)
  : text.split(' ').filter(({ length }) => length > 3)

/** 没酱油了: what has run out is wanted again. */
const RUN_OUT = /(?:没|缺)[^ ;,.。!?有电声信]{1,8}了(?=$|[ ;,.。!?])|(?:用|吃|喝|使)[完光]了|快没了|见底了/

const SCENE_WORDS = new Set(SCENES)

/** 小米14 names goods, whatever kind they are. */
const isModelOfBrand = ({ role, folded }: Keyword): boolean =>
  role === 'brand' && /[a-z\p{Script=Han}][ -]?\d+[a-z]*$/u.test(folded)

/** The goods are named last, though nobody knows them. */
const isLastNoun = ({ role, folded, end }: Keyword, length: number): boolean =>
  role === 'word' && folded.length >= NOUN_LENGTH_MIN && end === length && endsGoods(folded)

/** "Lunch delivery" is a meal, and no kind of goods. */
const isDelivery = ({ folded }: Keyword): boolean => /(?:delivery|takeout|takeaway)$/.test(folded)

/** 筷 of 筷笼子. */
const isGluedNoun = ({ role, folded, end }: Keyword, text: string): boolean =>
  role === 'word' && folded.length === 1 && /\p{Script=Han}/u.test(text.charAt(end))

const isUnknownNoun = ({ role, folded }: Keyword): boolean =>
  role === 'kind' || (role === 'model' && /[a-z\p{Script=Han}]/u.test(folded))
    || (role === 'word' && folded.length > 1 && !isAudienceWord(folded)
      && !isRecipientWord(folded) && !SCENE_WORDS.has(folded))
