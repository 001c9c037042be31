/**
 * What a shopper's sentence means. Parts are read in an order in which each can rely on those
 * before it: units before money, since 8+256G is no price; names of goods before features, since
 * 无线 is part of 无线鼠标; what is refused before what is wished. Each takes its characters, and
 * what nobody takes is a keyword or says nothing.
 */
import { boundsOf } from './bounds.ts'
import { inStages, inUnits, likelyWith, usualUnit, withinValues } from './feasible.ts'
import { corrected, prepareCorrections, type Corrected } from './correct.ts'
import { endsAlike, isNameAlone, isNounAlone, isSaidOfAny } from './read/unsold.ts'
import { isAskedFor } from './read/standing.ts'
import { readPolarity } from './read/polarity.ts'
import { endsGoods } from './read/compound.ts'
import { guess } from './read/guess.ts'
import { gather } from './read/gather.ts'
import { read, spanOf, SENTENCE_LENGTH_MAX, type Reading } from './read/reading.ts'
import { areToldApart, areTroubled, resolveValues, wishWithout } from './read/values.ts'
import { isStrict } from './read/strict.ts'
import { settleBudget, settleClauses, settleMode } from './read/settle.ts'
import { masked, type Place } from './read/claims.ts'
import type { Name } from './read/names.ts'
import { byStart, type Draft, type DraftWish } from './read/draft.ts'
import { isAudienceWord } from './audience.ts'
import { SCENES } from './read/words.ts'
import { cutHan } from './segment.ts'
import { taxonomy } from '../goods/taxonomy.ts'
import { profileOf } from './profile.ts'
import { kindsInPart, preparePartialNames } from './partial.ts'
import { sharesOf } from './several.ts'
import { sayFor, type Say } from './say.ts'
import { synonymsOf } from './synonyms.ts'
import { namesValue } from './values.ts'
import { isSituationTold, needSaid, needScores, prepareNeeds } from './needs.ts'
import { isRecipientWord, kindsMeant } from './suggest.ts'
import type { Keyword, Parameters, Span, Understanding, Wish } from './understanding.ts'

export type * from './understanding.ts'

/** From this weight on a name is that of the kind itself. */
const OWN_NAME = 0.9
const LIST_MAX = 20
const WORD_LENGTH_MAX = 60
const NOUN_LENGTH_MIN = 3
/** Up to so many characters other words are written or sound the same. */
const SHORT_SLIP = { two: 2, han: 3, latin: 5 } as const
/** Nobody orders more: 1000 pieces are what a puzzle has. */
const PIECES_MAX = 99
/** Further goods of one sentence. */
const GOODS_MAX = 5

/** Reads names and sounds, which the first sentence would wait for. */
export const prepareUnderstanding = (): void => {
  prepareCorrections()
  prepareNeeds()
  preparePartialNames()
}

/** Pure: the same sentence and parameters give the same understanding. Never throws. */
export function understand(sentence: string, parameters: Parameters = {}): Understanding {
  const reading = corrected(read(sentence))
  const found = gather(reading.text)
  const whole = meaningOf(reading, found, parameters)
  if (whole.more.length === 0) return whole
  const shares = sharesOf(found)
  const parts = shares.map(({ places, name }) => {
    const said = places.map(({ start, end }) => spanOf(reading, start, end).text.trim()).join(' ')
    const part = corrected(read(said))
    const meant = meaningOf(part, gather(part.text), parameters)
    const isNamed = name.senses.some(({ kind }) => kind === meant.kinds[0]?.value)
    return { ...meant, more: [], ...!isNamed && guess([name],
      { text: said, words: [], bounds: boundsOf(meant), owned: new Set(), refused: [] }) }
  })
  return parts.length < 2 ? whole : withParts(whole, parts, shares[0]?.isBudgetShared ?? true)
}

/** One budget for all is shared by the goods; of several each has its own. */
function withParts(
  whole: Understanding, parts: readonly Understanding[], isBudgetShared: boolean,
): Understanding {
  const { min, max } = boundsOf(whole)
  const shared = whole.budget && { ...whole.budget, per: 'each' as const,
    min: min > 0 ? min : null, max: Number.isFinite(max) ? max : null }
  const budgets = parts.map(({ budget }) => budget)
  return {
    ...whole,
    parts: parts.map((part) => ({ ...part, mode: part.mode ?? whole.mode,
      ...isBudgetShared && { budget: shared } })),
    // What is found has to suit one of them at least.
    ...!isBudgetShared && whole.budget && { notes: [], budget: { ...whole.budget,
      min: budgets.every((one) => one?.min != null)
        ? Math.min(...budgets.map((one) => one?.min ?? 0)) : null,
      max: budgets.every((one) => one?.max != null)
        ? Math.max(...budgets.map((one) => one?.max ?? 0)) : null } },
  }
}

function meaningOf(reading: Corrected, found: Draft, parameters: Parameters): Understanding {
  const say = sayFor(reading)
  const span = ({ start, end }: Place) => spanOf(reading, start, end)
  const folded = ({ start, end }: Place): string =>
    reading.text.slice(start, end).trim().slice(0, WORD_LENGTH_MAX)
  const wish = ({ places, measure, more, words, values, ...place }: DraftWish): Wish => ({
    ...span(place), anyOf: words ?? places.map(folded), ...(measure && { measure }),
    ...(isStrict(reading.text, { start: places[0]?.start ?? place.start, end: place.end })
      && { isStrict: true as const }),
    ...(more && { more }), ...(values && { values }),
  })
  const keywordsOf = (): Keyword[] => found.keywords.slice(0, LIST_MAX).map((place): Keyword =>
    ({ ...span(place), folded: folded(place), role: place.role,
      ...(place.line !== undefined && { line: place.line }),
      ...([...found.heads, ...found.more].some(({ start }) => start === place.start)
        && { isHead: true as const }) }))
  dropNames(found)
  const clauses = settleClauses(found.clauses, say)
  const { budget, notes: budgetNotes } = settleBudget(
    clauses.bounds, clauses.used.flatMap((clause) => [clause, ...clause.apart])
      .sort(byStart).map(span), parameters, say)
  const [quantity] = found.quantities
  const bounds = boundsOf({ budget, quantity: quantity ?? null })
  const said = saidOf(found, folded)
  const measures = found.must.flatMap(({ measure, more: rest = [] }) =>
    measure ? [measure, ...rest] : [])
  const beside = { text: withoutRefused(reading.text, found), words: said, bounds,
    owned: ownedIn(found), refused: refusedIn(found, folded) }
  const first = guess(found.heads, beside)
  const inPart = kindsInPart(found)
  const guessed = inPart.length > 0 ? { ...first, kind: inPart[0] ?? null, kinds: inPart }
    : { ...first, kinds: likelyWith(first.kinds, measures) }
  const more = found.more.map((name) => guess([name], beside).kinds)
  const earlier = earlierIn(reading.text, span)
  const mentioned = keywordsOf()
  const unpriced = withoutTerms(beside.text, found)
  const meant = kindsMeant({
    ...beside, text: unpriced, rest: withoutNames(unpriced, found), kinds: guessed.kinds,
    isDoubtful: found.isDoubtful, isMentioned: found.isMentioned,
    isKnown: inPart.length > 0 || found.food?.meant === 'yes' || earlier !== null
      || found.isOther || more.length > 0
      || mentioned.some((one) => isModelOfBrand(one) || isDelivery(one)),
    isNamed: (found.isCompound && !found.isDoubtful)
      || mentioned.some((one) => isLastNoun(one, reading.sentence.length)),
    isAsked: !found.isDoubtful && found.heads.some((head) =>
      hasOwnName(head) && isAskedFor(reading.text, head)),
    hasUnknown: mentioned.some(isUnknownNoun) || found.must.length > 0,
    isSure: more.length > 0 || RUN_OUT.test(reading.text) || found.mustNot.length > 0
      || found.heads.some(hasOwnName)
      || areTroubled(found, guessed.kinds) || areToldApart(found, guessed.kinds)
      || found.food?.meant === 'yes' || earlier !== null
      || mentioned.some(({ role, line }) => role === 'brand' || line !== undefined)
      || found.must.some(({ measure, implied }) => measure !== undefined || implied !== undefined),
  })
  const isSuggested = meant !== guessed.kinds && meant.length > 0
  const isNew = isSuggested && guessed.kinds.length === 0
  // 老人便秘 is no name of goods.
  const isNeed = (): boolean =>
    isNew && (needSaid(reading.text.trim(), needScores(reading.text)) !== undefined
      || isSituationTold(reading.text))
  const isUncounted = found.quantities.length === 0
  const isNoun = isNew && isUncounted && isNounAlone(reading.text.trim()) && !isNeed()
  const kinds = isNoun ? meant.filter(({ value }) => endsAlike(reading.text.trim(), value)) : meant
  // 索尼xqd卡: what somebody might need stands for goods that nobody knows.
  const isUnknown = isSuggested && isUncounted && isNameAlone(reading.text)
    && mentioned.some((one) => one.role === 'kind' || isGluedNoun(one, reading.text)
      || (isUnknownNoun(one) && !isSaidOfAny(one.folded, meant))) && !isNeed()
  const unsold = isNoun || isUnknown || isMisread(reading, found)
    ? { start: 0, end: reading.text.length } : isNew ? null : found.unsold
  const named = resolveValues(found, kinds)
  readPolarity(found, named)
  wishWithout(found, kinds)
  const keywords = keywordsOf()
  const { mode, notes: modeNotes } = settleMode(
    found.mode, found.mode.spans.map(span), parameters.mode, say)
  return {
    sentence: reading.sentence,
    keywords, budget, per: found.per && (found.per.per ?? usualUnit(kinds[0]?.value)),
    mode: mode ?? (found.per === null ? null : { value: 'cheapest', from: 'sentence', spans: [] }),
    quantity: quantity && quantity.count <= PIECES_MAX
      ? { ...span(quantity), count: quantity.count, unit: quantity.unit } : null,
    must: [...found.must.filter((one) => isPossible(one, kinds)).map(wish),
      ...quantity && quantity.count > PIECES_MAX
        ? [piecesWish(span(quantity), quantity.count)] : []]
      .slice(0, LIST_MAX).map((one) => one.measure
        ? { ...one, measure: inStages(withinValues(inUnits(one.measure, kinds), kinds[0]?.value),
          kinds) }
        : one),
    must_not: found.mustNot.slice(0, LIST_MAX).map(wish),
    prefer: found.prefer.slice(0, LIST_MAX).map(wish),
    named: named.slice(0, LIST_MAX).map(wish),
    ...guessed, kinds,
    more: furtherGoods(kinds, more), parts: [],
    isOpen: !isNoun && kinds.length > 0
      && !guessed.kinds.some(({ value }) => value === kinds[0]?.value),
    unsold: unsold && kinds.length > 0 ? span(unsold) : null,
    // 咖啡滤壶 is no coffee.
    food: found.isCompound && found.food?.meant === 'maybe' ? null : foodOf(found.food, span),
    set_aside: [...found.aside.map(({ why, ...place }) => ({ ...span(place), why })),
      ...reading.retracted.map((place) => ({ ...place, why: 'correction' as const }))],
    unclear: unclearOf(keywords, kinds),
    earlier,
    corrections: reading.corrections.map(({ start, end, from, to }) =>
      ({ start, end, text: from, to })),
    notes: [...cutNotes(reading, say), ...clauses.notes, ...budgetNotes, ...modeNotes],
  }
}

/** 吸脂 is no 锡纸: what sounds like a short name is hardly one where more is said. */
const isMisread = ({ text, corrections }: Corrected, { heads, keywords }: Draft): boolean =>
  isNameAlone(text) && corrections.some(({ from, to }) => {
    const isLatin = /^[a-z]/.test(from)
    const isMore = keywords.some(({ role }) => role === 'word' || role === 'model')
      || (from.length <= SHORT_SLIP.two && text.trim() !== to)
    return isMore && from.length <= (isLatin ? SHORT_SLIP.latin : SHORT_SLIP.han)
      && heads.some(({ key }) => key.includes(to) || to.includes(key))
  })

/** 304 of 高压锅 304 is a steel and no price. */
function dropNames(found: Draft): void {
  const kinds = found.heads.flatMap(({ senses }) => senses)
  for (const clause of found.clauses.splice(0)) {
    const word = found.text.slice(clause.start, clause.end)
    const isName = !clause.isStrong && /^\d{3}$/.test(word)
      && kinds.some(({ kind }) => namesValue(kind, word))
    if (isName) found.aside.push({ start: clause.start, end: clause.end, why: 'filler' })
    else found.clauses.push(clause)
  }
}

/** A price, how many of them and a brand are no need, nor is 高血压 beside goods that are named. */
const withoutTerms = (
  text: string, { clauses, quantities, keywords, heads, mustNot, isDoubtful }: Draft,
): string => masked(text, [...clauses, ...quantities,
  ...keywords.filter(({ role }) => role === 'brand'),
  ...heads.length > 0 && !isDoubtful ? mustNot.filter(({ places }) => places.length === 0) : []])

/** What is said besides the names. */
const withoutNames = (text: string, { names }: Draft): string => masked(text, names)

/** 巧克力味的除外 tells of no need. */
const withoutRefused = (text: string, { mustNot }: Draft): string =>
  // What follows from a condition is no word of it: 血压高 tells of a need.
  masked(text, mustNot.filter(({ places }) => places.length > 0))

const FOOD_CATEGORIES = new Set([14, 15, 16, 17])

/** Shoes for a diabetic cannot be without sugar. */
const isPossible = ({ implied, words = [] }: DraftWish, kinds: Understanding['kinds']): boolean =>
  implied === undefined || kinds.some(({ value, confidence }) => confidence >= 0.05
    && (words.some((word) => profileOf(value).features.includes(word))
      || (implied === 'food'
        && FOOD_CATEGORIES.has(taxonomy().kinds.get(value)?.category_id ?? 0))))

function foodOf(found: Draft['food'], span: (place: Place) => Span): Understanding['food'] {
  if (!found) return null
  const { meant, dishes, isNamed, isOpen, people } = found
  return { ...span(found), meant, dishes, isNamed, isOpen, people }
}

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
  return new Set(modifiers.flatMap(({ senses }) => senses.filter(({ kind, weight }) =>
    weight >= OWN_NAME && !wanted.has(kind)).map(({ kind }) => kind)))
}

const hasOwnName = ({ senses }: Name): boolean => senses.some(({ weight }) => weight >= OWN_NAME)

/** 洗澡坐 is two words. */
const wordsOf = (text: string): string[] => /^\p{Script=Han}{3,}$/u.test(text)
  ? cutHan([...text]).map((word) => word.join('')).filter(({ length }) => length > 1)
  : text.split(' ').filter(({ length }) => length > 3)

const piecesWish = (span: Span, count: number): Wish =>
  ({ ...span, anyOf: [...'片粒块张枚颗抽支只件个'].map((unit) => `${count}${unit}`) })

/** Those that are not what was named first. */
const furtherGoods = (
  kinds: Understanding['kinds'], more: readonly Understanding['kinds'][],
): Understanding['more'] => more.filter(([first]) => first
  && kinds[0]?.value !== first.value).slice(0, GOODS_MAX)

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

/** What neither names goods nor stands in anything that is known of the goods that are meant. */
const unclearOf = (keywords: readonly Keyword[], kinds: Understanding['kinds']): Span[] =>
  keywords.filter(({ role, folded }) => role === 'word'
    && !kinds.some(({ value }) => profileOf(value).text.includes(folded)))
    .map(({ start, end, text }) => ({ start, end, text }))

const EARLIER = new RegExp('(?:和|跟|比|像)?(?:上次|上回|之前|以前|刚才|前面)(?:买的|看的|那[个款件双种瓶]|的|说的)'
  + '(?!坏|丢|旧|破|用|不)|再来一[份个单]'
  + '|(?:same|like|than|as) (?:the )?(?:one )?(?:last time|before|previous|earlier)'
  + '|(?:the )?(?:last|previous) one')

function earlierIn(text: string, span: (place: Place) => Span): Span | null {
  const found = EARLIER.exec(text)
  return found && span({ start: found.index, end: found.index + found[0].length })
}

const cutNotes = ({ isCut }: Reading, say: Say): string[] => isCut
  ? [say(`只读了前 ${SENTENCE_LENGTH_MAX} 个字符。`,
    `Only the first ${SENTENCE_LENGTH_MAX} characters were read.`)] : []

/** What to search for where a source takes keywords only. */
export const searchText = ({ keywords, must }: Understanding): string =>
  (keywords.length > 0 ? keywords.map(({ folded }) => folded) : must.map(({ anyOf }) => anyOf[0]))
    .join(' ')
