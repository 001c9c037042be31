/**
 * What a shopper's sentence means. Parts are read in an order in which each can rely on those
 * before it: units before money, since 8+256G is no price; names of goods before features, since
 * 无线 is part of 无线鼠标; what is refused before what is wished. Each takes its characters, and
 * what nobody takes is a keyword or says nothing.
 */
import { boundsOf } from './bounds.ts'
import { byRules, chooseKinds } from './choose-kinds.ts'
import {
  asBedWidth, inMillimetres, inStages, inUnits, reached, usualUnit, withinValues,
} from './feasible.ts'
import { corrected, type Corrected } from './correct.ts'
import { dropChoices } from './read/choices.ts'
import { listCompared } from './read/compared.ts'
import { asksAsBefore, earlierAt } from './read/earlier.ts'
import { readIngredients } from './read/ingredients.ts'
import { dropOtherGoods } from './read/other-goods.ts'
import { readOwnWords } from './read/own-words.ts'
import { readSoftValues } from './read/soft-values.ts'
import { readPolarity } from './read/polarity.ts'
import { guess } from './read/guess.ts'
import { readSentence } from './read/read-sentence.ts'
import { withoutDecoration } from './read/pictures.ts'
import { read, spanOf, SENTENCE_LENGTH_MAX, type Reading } from './read/reading.ts'
import { readShortRefusals } from './read/short-refusals.ts'
import { readSizeWords } from './read/size-words.ts'
import { readSuperlatives } from './read/superlatives.ts'
import { readSizesFor } from './read/sizes-for.ts'
import { dropMentionedValues } from './read/mentioned-values.ts'
import { readWeaker } from './read/weaker-values.ts'
import { readTradeSizes } from './read/trade-sizes.ts'
import { resolveValues, wishWithout } from './read/values.ts'
import { dropForeign, dropMentioned } from './read/mentioned-measures.ts'
import { dropUnsaid } from './read/unsaid.ts'
import { isStrict } from './read/demands.ts'
import { settleBudget, settleClauses, settleMode } from './read/settle.ts'
import type { Place } from './read/claims.ts'
import { byStart, type Draft, type DraftWish } from './read/draft.ts'
import { FOOD } from '../goods/categories.ts'
import { categoryOf } from '../goods/taxonomy.ts'
import { hasOwnName, meansKind, type Name } from './read/names.ts'
import { haveUnit, profileOf } from './profile.ts'
import type { RankRequest } from './kind-features.ts'
import { cautionsIn } from './cautions.ts'
import { chooseNames, nameWeights } from './choose-names.ts'
import { type ChancesOf, prepareKindEncoder } from './kind-encoder.ts'
import { kindWeights } from './rank-kinds.ts'
import { prepareValueEncoder } from './value-encoder.ts'
import type { Weights } from './weights.ts'
import { preparePartialNames } from './partial.ts'
import { forTheSame, sharesOf, withoutTwice } from './several.ts'
import { languageOf, sayFor, type Language, type Say } from './answer-language.ts'
import { unclearOf } from './unclear.ts'
import { namesValue } from './values.ts'
import { prepareNeeds } from './needs.ts'
import { vocabulary } from './vocabulary.ts'
import type { Keyword, Measure, Parameters, Span, Understanding, Wish } from './understanding.ts'

export type * from './understanding.ts'

const LIST_MAX = 20
const WORD_LENGTH_MAX = 60
/** Nobody orders more: 1000 pieces are what a puzzle has. */
const PIECES_MAX = 99
/** Further goods of one sentence. */
const GOODS_MAX = 5

/** Reads names and sounds, which the first sentence would wait for. */
export const prepareUnderstanding = (): void => {
  vocabulary()
  prepareNeeds()
  preparePartialNames()
  kindWeights.read()
  nameWeights.read()
  prepareKindEncoder()
  prepareValueEncoder()
}

/** It as it was meant, without decoration. */
export const readingOf = (sentence: string): Corrected =>
  corrected(withoutDecoration(read(sentence)))

/** Pure: the same sentence and parameters give the same understanding. Never throws. */
export function understand(sentence: string, parameters: Parameters = {}): Understanding {
  const reading = readingOf(sentence)
  const found = readSentence(reading.text)
  chooseNames(found)
  listCompared(found)
  const whole = meaningOf(reading, found, parameters)
  if (whole.more.length === 0) return whole
  const shares = sharesOf(found)
  const parts = shares.map(({ places, name }) => {
    const said = places.map(({ start, end }) => spanOf(reading, start, end).text.trim()).join(' ')
    const part = readingOf(said)
    // 高压锅哪个实用 names no other goods.
    const meant = { ...meaningOf(part, readSentence(part.text), parameters, whole.language),
      ...found.isCompared && { unsold: null } }
    // "A bike lock and a light": what stands beside it says which.
    const beside = mostMeant(name, [whole.kinds, ...whole.more])
    if (beside) {
      const own = beside.filter(({ value }) => meansKind(name, value))
      return { ...meant, more: [], kinds: own, kind: own[0] ?? null }
    }
    const isNamed = meansKind(name, meant.kinds[0]?.value)
    return { ...meant, more: [], ...!isNamed && guess([name],
      { text: said, words: [], bounds: boundsOf(meant), owned: new Set(), refused: [] }) }
  })
  const own = forTheSame(whole, withoutTwice(parts, shares))
  return own.length < 2 ? whole : withParts(whole, own, shares[0]?.isBudgetShared ?? true)
}

/** Those whose first kind the name means most: 窗帘 is also said of a 窗帘杆. */
const mostMeant = (
  { senses }: Name, all: readonly Understanding['kinds'][],
): Understanding['kinds'] | undefined => all
  .map((kinds) => ({ kinds, weight: Math.max(0, ...senses
    .filter(({ kind }) => kind === kinds[0]?.value).map(({ weight }) => weight)) }))
  .filter(({ weight }) => weight > 0)
  .reduce<{ kinds: Understanding['kinds'], weight: number } | undefined>((most, one) =>
    most && most.weight >= one.weight ? most : one, undefined)?.kinds

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

/** A sentence that is being understood. */
interface Scene {
  readonly reading: Corrected
  readonly found: Draft
  readonly language: Language
  readonly say: Say
  readonly span: (place: Place) => Span
  readonly folded: (place: Place) => string
}

const sceneOf = (
  reading: Corrected, found: Draft, language = languageOf(reading.sentence),
): Scene => ({
  reading, found, language, say: sayFor({ language }),
  span: (place) => spanOf(reading, place.start, place.end),
  folded: ({ start, end }) => reading.text.slice(start, end).trim().slice(0, WORD_LENGTH_MAX),
})

/** A sentence before it is said which of its names are wanted. */
export const draftOf = (sentence: string): Draft => readSentence(readingOf(sentence).text)

/** What the kinds of a sentence are ranked by. */
export function rankRequestOf(
  sentence: string, weights?: Weights, chancesOf?: ChancesOf,
): RankRequest {
  const reading = readingOf(sentence)
  const scene = sceneOf(reading, readSentence(reading.text))
  chooseNames(scene.found, weights, chancesOf)
  dropNames(scene.found)
  return byRules({ ...scene, bounds: boundsIn(scene, {}).bounds, keywords: keywordsOf(scene),
    hasEarlier: earlierIn(reading.text, scene.span) !== null }, chancesOf).request
}

/** What the goods may cost. */
function boundsIn({ found, say, span }: Scene, parameters: Parameters) {
  const clauses = settleClauses(found.clauses, say)
  const { budget, notes } = settleBudget(
    clauses.bounds, clauses.used.flatMap((clause) => [clause, ...clause.apart])
      .sort(byStart).map(span), parameters, say)
  const [quantity = null] = found.quantities
  return { budget, quantity, notes: [...clauses.notes, ...notes],
    bounds: boundsOf({ budget, quantity }) }
}

function meaningOf(
  reading: Corrected, found: Draft, parameters: Parameters, language?: Language,
): Understanding {
  const scene = sceneOf(reading, found, language)
  const { say, span } = scene
  dropNames(found)
  dropMentioned(found)
  const { budget, quantity, bounds, notes: budgetNotes } = boundsIn(scene, parameters)
  const earlier = earlierIn(reading.text, span)
  const chosen = chooseKinds({ reading, found, bounds,
    folded: scene.folded, keywords: keywordsOf(scene), hasEarlier: earlier !== null })
  const { guessed, kinds, more, isOpen, isWide, isService, unsold } = chosen
  const named = resolveValues(found, kinds)
  readIngredients(found, kinds)
  readSuperlatives(found, kinds)
  readSizesFor(found, kinds)
  readSizeWords(found, kinds)
  readPolarity(found, named)
  wishWithout(found, kinds)
  dropOtherGoods(found, kinds)
  readShortRefusals(found, kinds)
  dropChoices(found, kinds)
  dropUnsaid(found, kinds)
  readWeaker(found, named, kinds)
  readSoftValues(found, kinds)
  readOwnWords(found, kinds, named)
  dropMentionedValues(found, kinds)
  readTradeSizes(found, kinds)
  dropForeign(found, [kinds, ...more], (measure) => asStated(measure, kinds))
  const keywords = isService ? [] : keywordsOf(scene)
  const { mode, notes: modeNotes } = settleMode(
    found.mode, found.mode.spans.map(span), parameters.mode, say)
  const wishes = (list: readonly DraftWish[]): Wish[] =>
    list.slice(0, LIST_MAX).map((one) => wishOf(scene, one))
  return {
    sentence: reading.sentence, language: scene.language,
    // Of goods that are compared one is bought.
    keywords, budget: budget && found.isCompared ? { ...budget, per: 'each' } : budget,
    per: found.per && (found.per.per ?? usualUnit(kinds[0]?.value)),
    mode: found.per !== null && (mode === null || mode.value === 'value')
      ? { value: 'cheapest', from: 'sentence', spans: mode?.spans ?? [] } : mode,
    // 三个 may have turned out to say which goods: 三风扇.
    quantity: quantity && found.quantities.some((one) => one.start === quantity.start)
      && quantity.count <= PIECES_MAX && !isPacked(found.text, quantity)
      ? { ...span(quantity), count: quantity.count, unit: quantity.unit } : null,
    must: mustOf(scene, kinds), must_not: wishes(found.mustNot),
    prefer: wishes(found.prefer), suited: wishes(found.suited),
    named: wishes(named),
    ...guessed, kinds, more: furtherGoods(kinds, more), parts: [], isOpen,
    isWide,
    unsold: unsold && kinds.length > 0 ? span(unsold) : null,
    // 咖啡滤壶 is no coffee.
    food: (found.isCompound && found.food?.meant === 'maybe') || namesNoFood(found, kinds) ? null
      : foodOf(found.food, span),
    ignored: [...found.ignored.map(({ why, ...place }) => ({ ...span(place), why })),
      ...reading.retracted.map((place) => ({ ...place, why: 'correction' as const }))],
    unclear: unclearOf(keywords, kinds).map(({ start, end, text }) => ({ start, end, text })),
    earlier: asksAsBefore(reading.text) ? earlier : null,
    corrections: reading.corrections.map(({ start, end, from, to }) =>
      ({ start, end, text: from, to })),
    notes: [...cutNotes(reading, say), ...isService ? [noGoodsNote(say)] : [],
      ...cautionsIn(reading.text, say), ...budgetNotes,
      ...modeNotes],
    ...isService && { must: [], must_not: [], prefer: [], named: [], quantity: null },
  }
}

function wishOf(
  { reading, span, folded }: Scene,
  { places, measure, more, words, values, isStrict: isOnly, isSupposed, isSoft,
    weaker, ...place }: DraftWish,
): Wish {
  const asked = { start: places[0]?.start ?? place.start, end: place.end }
  const { start, end, text } = span(place)
  return {
    start, end, text, anyOf: words ?? places.map(folded), ...(measure && { measure }),
    ...((isOnly ?? isStrict(reading.text, asked)) && { isStrict: true as const }),
    ...(more && { more }), ...(values && { values }), ...(isSupposed && { isSupposed }),
    ...(isSoft && { isSoft }), ...(weaker && { weaker }),
  }
}

/** Written out: V8 gives each spread copy with a further field a hidden class of its own. */
const keywordsOf = ({ found, span, folded }: Scene): Keyword[] =>
  found.keywords.slice(0, LIST_MAX).map((place): Keyword => {
    const { start, end, text } = span(place)
    return { start, end, text, folded: folded(place), role: place.role,
      ...(place.line !== undefined && { line: place.line }),
      ...(place.role === 'brand' && isStrict(found.text, place) && { isStrict: true as const }),
      ...([...found.heads, ...found.more].some((name) => name.start === place.start)
        && { isHead: true as const }) }
  })

/** What goods of the kinds can have, in their units. */
function mustOf(scene: Scene, kinds: Understanding['kinds']): Wish[] {
  const { found, span } = scene
  const [quantity] = found.quantities
  const isMany = quantity !== undefined && (quantity.count > PIECES_MAX
    || isPacked(found.text, quantity))
  return [...found.must.filter((one) => isPossible(one, kinds)).map((one) => wishOf(scene, one)),
    ...isMany ? [piecesWish(span(quantity), quantity.count)] : []]
    .slice(0, LIST_MAX).map((one) => one.measure ? measured(one, one.measure, kinds) : one)
}

function measured(wish: Wish, said: Measure, kinds: Understanding['kinds']): Wish {
  const [measure = said, ...more] = asBedWidth(
    inMillimetres([said, ...wish.more ?? []], kinds[0]?.value), kinds[0]?.value)
  const { more: _, ...rest } = wish
  return { ...rest, measure: asStated(measure, kinds), ...more.length > 0 && { more } }
}

function asStated(measure: Measure, kinds: Understanding['kinds']): Measure {
  const kind = kinds[0]?.value
  return inStages(reached(withinValues(inUnits(measure, kinds), kind), kind), kinds)
}

/** 304 of 高压锅 304 is a steel and no price. */
function dropNames(found: Draft): void {
  const kinds = found.heads.flatMap(({ senses }) => senses)
  for (const clause of found.clauses.splice(0)) {
    const word = found.text.slice(clause.start, clause.end)
    const isName = !clause.isStrong && /^\d{3}$/.test(word)
      && kinds.some(({ kind }) => namesValue(kind, word))
    if (isName) found.ignored.push({ start: clause.start, end: clause.end, why: 'filler' })
    else found.clauses.push(clause)
  }
}

/** Who is forty is older than any goods are made for. */
const GROWN_MONTHS = 216
const isAgeOfSomebody = ({ measure, values }: DraftWish, kinds: Understanding['kinds']): boolean =>
  measure?.unit === 'month' && (measure.low ?? 0) >= GROWN_MONTHS && !values
    && !haveUnit(kinds.slice(0, 1).map(({ value }) => value), 'month')

/** Shoes for a diabetic cannot be without sugar. */
const isPossible = (wish: DraftWish, kinds: Understanding['kinds']): boolean => {
  const { implied, words = [] } = wish
  if (isAgeOfSomebody(wish, kinds)) return false
  return implied === undefined || kinds.some(({ value, confidence }) => confidence >= 0.05
    && (words.some((word) => profileOf(value).features.includes(word))
      || (implied === 'food' && FOOD.has(categoryOf(value)))))
}

/** 焖烧杯，中午吃口热粥: goods that are named, and no meal. */
const namesNoFood = ({ heads, isDoubtful }: Draft, [first]: Understanding['kinds']): boolean =>
  first !== undefined && !isDoubtful && !FOOD.has(categoryOf(first.value))
    && heads.some((head) => hasOwnName(head) && meansKind(head, first.value))

function foodOf(found: Draft['food'], span: (place: Place) => Span): Understanding['food'] {
  if (!found) return null
  const { meant, dishes, isNamed, isOpen, people } = found
  return { ...span(found), meant, dishes, isNamed, isOpen, people }
}

/** 330ml*24 is one box of so many. */
const PACKED = /\d ?(?:ml|l|g|kg|毫升|升|克) ?[*×x] ?\d+[瓶罐听包袋盒支]?$/

const isPacked = (text: string, { end, count }: Draft['quantities'][number]): boolean =>
  count >= BOX_MIN && PACKED.test(text.slice(0, end))
const BOX_MIN = 6

const piecesWish = (span: Span, count: number): Wish =>
  ({ ...span, anyOf: [...'片粒块张枚颗抽支只件个'].map((unit) => `${count}${unit}`) })

/** Those that are not what was named first. */
const furtherGoods = (
  kinds: Understanding['kinds'], more: readonly Understanding['kinds'][],
): Understanding['more'] => more.filter(([first]) => first
  && kinds[0]?.value !== first.value).slice(0, GOODS_MAX)

const earlierIn = (text: string, span: (place: Place) => Span): Span | null => {
  const place = earlierAt(text)
  return place ? span(place) : null
}

const noGoodsNote = (say: Say): string =>
  say('这里只卖实物商品，没有服务、票务、租赁、充值、烟草、活体动物和处方药。',
    'Only goods are sold here: no services, tickets, rentals, vouchers, tobacco, live animals or '
    + 'prescription medicine.')

const cutNotes = ({ isCut }: Reading, say: Say): string[] => isCut
  ? [say(`只读了前 ${SENTENCE_LENGTH_MAX} 个字符。`,
    `Only the first ${SENTENCE_LENGTH_MAX} characters were read.`)] : []
