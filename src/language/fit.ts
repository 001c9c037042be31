/**
 * How well goods fit what was asked. Every wish is a slot with a weight; weights say in which order
 * wishes are given up where nothing fulfils all: colours first, then how much is bought, what is
 * told beside the values of the goods, sizes that vary within a product, values, other sizes, for
 * which age it is, what the name of the goods says of them, whom it is for, what alone does, brand
 * and model. Words that nobody here knows are given up before any of them. What is refused is never
 * given up, nor is the kind of goods.
 */
import { partsOf, taxonomy, type Audience } from '../goods/taxonomy.ts'
import { type Say, sayFor } from './answer-language.ts'
import { amountSlots } from './amount-slots.ts'
import { audiencesIn, isAudienceWord, isChild, isSomebody, suits } from './audience.ts'
import {
  audienceSlot, babiesNamed, babySlots, isPair, madeFor, recipientSlot,
} from './audience-slots.ts'
import { BANDS_MAX } from './bounds.ts'
import { brandNamed, brandSlot, modelSlots } from './brand-slots.ts'
import { variesIn } from './feasible.ts'
import type { Facts } from './facts.ts'
import { brandKey } from './facts/brands.ts'
import { fold } from './fold.ts'
import { colourNearness, isColour } from './facts/appearance.ts'
import { deniedIn } from './denied-substances.ts'
import { groupOf as refusedGroup } from './groups.ts'
import { getLexicon, keyOf, ownKinds } from './lexicon.ts'
import { preferredPoints, scenesNamed } from './preferences.ts'
import { profileOf } from './profile.ts'
import { isRecipient, recipientsOf } from './recipients.ts'
import { isNameOnly } from './read/unsold.ts'
import type { Slot, SlotKind } from './slot.ts'
import { synonymsOf } from './synonyms.ts'
import type { Understanding, Wish } from './understanding.ts'
import { says } from './contains-word.ts'
import { isShared } from './values.ts'
import { absenceOf, avoids, isRefused, nearnessOf, stateOf, type State } from './constraints.ts'

const WEIGHTS: Readonly<Record<SlotKind, number>> = {
  model: 128, brand: 64, strict: 48, audience: 32, named: 24, age: 16, size: 12, feature: 8,
  variant: 5, detail: 4, amount: 3, colour: 2, word: 0,
}
/** What stands for the goods themselves: others than these are no answer. */
const FIRM: readonly SlotKind[] = ['model', 'brand', 'audience']
/** A kind that is so much less likely than the first is not shown where order is by price. */
const MAIN_SHARE = 0.5
const SHOWN_SHARE = 0.08

export interface Plan {
  /** Kind → how likely it is meant, 1 for the likeliest. */
  readonly kinds: ReadonlyMap<string, number>
  readonly mainKinds: ReadonlySet<string>
  /** Several goods, or none by name: some of each are shown. */
  readonly isOpen: boolean
  /** Kind → which of several goods that are wanted it is. */
  readonly groups: ReadonlyMap<string, number>
  readonly slots: readonly Slot[]
  readonly refusals: readonly Wish[]
  readonly prefer: readonly Wish[]
  /** Whom it is bought for: what is made for them comes first. */
  readonly recipients: readonly Audience[]
  /** Brands that were named and that nobody sells here. */
  readonly missingBrands: readonly string[]
  /** Nothing of other brands is wanted. */
  readonly isOnlyBrand: boolean
  /** What was said, where that is a name of goods that may be here and nothing more. */
  readonly bareName: () => string | null
}

export function planOf(understood: Understanding): Plan {
  const { kinds, keywords, must, must_not, prefer, named, food, mode, per } = understood
  const isMeal = food?.meant === 'yes'
  const say = sayFor(understood)
  const goods = [kinds, ...understood.more]
  const shares = goods.flatMap((one) => one.map(({ value, confidence }) =>
    [value, confidence / (one[0]?.confidence ?? 1)] as const))
    .filter(([, share]) => share >= SHOWN_SHARE)
  // iPhone 16 of its case says which screen it fits, and not who makes it.
  const makers = keywords.filter((one) => !isFitted(one, kinds[0]?.value)
    && !must.some((wish) => isFitting(wish) && wish.start < one.end && wish.end > one.start))
  const brands = [...new Set(makers.flatMap(({ role, folded, line }) =>
    role === 'brand' ? folded : line ?? []))].flatMap((name) => brandNamed(name, say) ?? [])
  const mainKinds = new Set(shares.filter(([, share]) => share >= MAIN_SHARE)
    .map(([kind]) => kind))
  const recipients = recipientsOf(understood)
  // 孩子上初二, 四岁宝宝: how old a child is says more than that it is one.
  const hasAge = must.some(({ measure }) => measure?.unit === 'month')
  const saysMore = (words: readonly string[]): boolean => !hasAge || !words.every(isChild)
  const isOfAge = ({ anyOf, measure }: Wish): boolean => measure !== undefined || saysMore(anyOf)
  return {
    kinds: new Map(shares),
    isOpen: understood.isOpen || understood.isWide || understood.more.length > 0,
    groups: new Map(goods.flatMap((one, group) => one.map(({ value }) => [value, group] as const))),
    mainKinds,
    slots: [
      ...modelSlots(understood),
      ...brands.map(({ key, name }) => brandSlot(key, name)),
      ...must.filter(isOfAge).map((wish) => isBought(wish, understood.sentence)
        ? { ...wishSlot(wish, mainKinds), kind: 'amount' as const } : wishSlot(wish, mainKinds)),
      ...named.filter(isOfAge).map((wish) => nameSlot(wish, mainKinds)),
      ...amountSlots(understood, [...mainKinds]),
      ...prefer.filter(isAudience).map((wish) => wishSlot(wish, mainKinds)),
      ...hasAge ? [] : [...[...prefer, ...must].filter(isAudience).map(wordsOf),
        ...babiesNamed(keywords, mainKinds)].flatMap((word) => babySlots(word, mainKinds)),
      ...keywords.filter(({ role, isHead, line }) => role === 'kind' && !isHead && !line)
        .filter(({ folded }) => !kindsCalled(folded).some((kind) => mainKinds.has(kind)))
        .map(({ folded }) => besideSlot(folded)),
      ...recipients.length > 0 ? [recipientSlot(recipients)] : [],
      // What else is said of a meal stands on no menu.
      ...keywords.filter((one) => one.role === 'word' && isSaid(one.folded) && !isMeal
        && !isSomebody(one.folded) && !isRecipient(one, understood)
        && saysMore([one.folded])).map(({ folded }) =>
        isAudienceWord(folded) ? audienceSlot(folded, folded, mainKinds) : wordSlot(folded)),
      // The cheapest is the cheapest of all that do.
      ...mode || per ? [] : [...must, ...named].flatMap(ownSlots),
      ...mode?.value === 'cheapest' || per ? [] : softSlots(understood, mainKinds),
      ...absenceSlots(must_not, [...mainKinds]), ...must_not.filter(isOfAttribute).map(avoidSlot),
    ],
    refusals: [...must_not, ...deniedIn(must, mainKinds)],
    prefer: [...prefer.filter((wish) => !isAudience(wish)),
      ...keywords.flatMap((one) => scenesNamed(one, mainKinds))],
    recipients,
    missingBrands: brands.filter(({ isSold }) => !isSold).map(({ name }) => name),
    isOnlyBrand: makers.some((one) => one.isStrict === true),
    // Few answers ask for it.
    bareName: () => bareNameIn(understood),
  }
}

const bareNameIn = ({ unsold, sentence }: Understanding): string | null =>
  !unsold && isNameOnly(fold(sentence)) ? sentence.trim() : null

const WORDS_MAX = 4

/** Of many words for one thing, which somebody's illness means, the first says it. */
export const wordsOf = ({ anyOf }: Wish): string =>
  anyOf.length > WORDS_MAX ? anyOf[0] ?? '' : anyOf.join('/')

/** What is for kittens comes before what is for all cats, and 女款 before 情侣款. */
function ownSlots(wish: Wish): Slot[] {
  const name = wordsOf(wish)
  if (!wish.values && isAudience(wish)) {
    const wanted = wish.anyOf.flatMap(audiencesIn).map(({ audience }) => audience)
    return isPair(wanted) ? [] : [{ kind: 'word', name, isSoft: true,
      state: ({ audiences }) => isPair(audiences) ? 'unknown' : 'met' }]
  }
  const { measure } = wish
  // Who is six months old is about to outgrow 0-6个月.
  if (measure?.unit === 'month' && measure.low !== null && measure.low === measure.high) {
    const age = measure.low
    return [{ kind: 'word', name, isSoft: true, state: ({ values: stated }) =>
      (stated.get('month') ?? []).some(({ low, high }) =>
        low <= age && (high > age || low === high)) ? 'met' : 'unknown' }]
  }
  const values = new Map([...wish.values ?? []].flatMap(([kind, all]) => {
    const own = all.filter((value) => !isShared(value))
    return own.length > 0 && own.length < all.length ? [[kind, own] as const] : []
  }))
  return values.size === 0 ? [] : [{ kind: 'word', name, isSoft: true, state: (facts, kind) =>
    values.has(kind ?? '') ? stateOf({ ...wish, anyOf: [], values }, facts) : 'met' }]
}

const NEAREST_MAX = 3

/** The goods that were named are not here; what comes near to them is. */
export function nearNote(name: string, { mainKinds }: Plan, say: Say): string {
  const kinds = [...mainKinds].slice(0, NEAREST_MAX)
    .flatMap((kind) => taxonomy().kinds.get(kind) ?? [])
  return say(`没有“${name}”；最接近的是：${kinds.map(({ name_zh }) => name_zh).join('、')}。`,
    `No "${name}" here; the nearest: ${kinds.map(({ name_en }) => name_en).join(', ')}.`)
}

/** Of goods that nobody here knows. */
export const unsoldNotes = (
  { unsold }: Pick<Understanding, 'unsold'>, plan: Plan, say: Say,
): string[] => unsold ? [nearNote(unsold.text.trim(), plan, say)] : []

/** One character tells for which animal it is, and nothing else. */
const isSaid = (word: string): boolean => word.length > 1 || isAudienceWord(word)

const isAudience = ({ anyOf, measure }: Wish): boolean => !measure && anyOf.every(isAudienceWord)

function wishSlot(wish: Wish, kinds: ReadonlySet<string>): Slot {
  const [first = ''] = wish.anyOf
  const name = wordsOf(wish)
  if (!wish.values && wish.anyOf.every(isAudienceWord)) return audienceSlot(first, name, kinds)
  const kind = wish.isSupposed ? 'detail'
    : wish.isStrict || isFitting(wish) ? 'strict'
    : wish.anyOf.every(isColour) && !wish.measure ? 'colour' : attributeKind(wish, kinds)
  const less = lesserOf(wish)
  const [values = []] = [...wish.values?.values() ?? []]
  const value = values.filter(({ attribute }) => attribute !== null).map(({ text }) => text)
    .sort((one, other) => one.length - other.length)[0]
  return { kind, name, ...(value !== undefined && { value }),
    ...(wish.measure && { nearness: (facts: Facts) => nearnessOf(wish, facts) }),
    ...(kind === 'colour' && { nearness: (facts: Facts) => colourNearness(first, facts) }),
    ...wish.weaker && { wholly: (facts: Facts) => stateOf(wish, facts) },
    state: (facts) => less && stateOf(less, facts) === 'met' ? 'met' : stateOf(wish, facts) }
}

/** 防泼水, where that is all that goods of the kind have of what is 防水. */
export const lesserOf = ({ weaker, measure: _, ...wish }: Wish): Wish | undefined =>
  weaker && { ...wish, anyOf: [], values: weaker, isSupposed: true }

/** 送老婆 of some necklaces chooses none of their kinds. */
const softSlots = (
  { prefer, suited, isOpen, isWide }: Understanding, kinds: ReadonlySet<string>,
): Slot[] => [
  ...prefer.filter(({ isSoft }) => isSoft).map((wish) => softSlot(wish, kinds, isOpen || isWide)),
  ...suited.map((wish) => softSlot(wish, kinds, true)),
]

/** Of several kinds that may be meant those that cannot have it lack nothing. */
const softSlot = (wish: Wish, kinds: ReadonlySet<string>, isOpen: boolean): Slot => ({
  ...wishSlot(wish, kinds), kind: 'word', isSoft: true,
  state: (facts, kind) => isOpen && !wish.values?.has(kind ?? '') ? 'met' : stateOf(wish, facts),
})

/** Sizes of what is worn: those of 药盒 and 内存 are what somebody needs. */
const WORN: ReadonlySet<string> = new Set(['shoe', 'letter', 'cup'])

/** 42码 of shoes varies within a product, and 防砸 does not. */
function attributeKind({ measure, values }: Wish, kinds: ReadonlySet<string>): SlotKind {
  if (measure?.unit === 'month') return 'age'
  const [[kind = '', named = []] = []] = [...values ?? []]
  const attributes = taxonomy().kinds.get(kind)?.attributes ?? []
  const isOwn = named.some(({ attribute }) => attributes.some(({ name_zh, variant }) =>
    fold(name_zh) === attribute && !variant))
  if (measure && !isOwn) {
    return WORN.has(measure.unit) && [...kinds].some((one) => variesIn(one, measure))
      ? 'variant' : 'size'
  }
  return isOwn ? 'feature' : 'detail'
}

/** Ink for another printer is of no use: 适用品牌, 适用车型, 适配. */
const FITTED = /^适用(?:屏幕|品牌|车型|车系|设备|手机|乐器|卡口|画幅|电脑)$|^适配$|^cpu接口$/
const isFitting = ({ values }: Wish): boolean => {
  const all = [...values?.values() ?? []].flat()
  return all.length > 0 && all.every(({ attribute }) => FITTED.test(attribute ?? ''))
}

/** iPhone before a cable, which its maker need not make. */
const isFitted = ({ folded, line }: Understanding['keywords'][number], kind = ''): boolean =>
  line !== undefined && partsOf([getLexicon().lines.get(folded)?.kind ?? '']).has(kind)

/** 家用 of a name tells little. */
export const isSaidOfMost = (word: string): boolean =>
  /^(?:家用|家庭用?|居家|日常|home|household)$/.test(word)

/** 低筋 of 低筋面粉 is what they call the goods. */
function nameSlot(wish: Wish, kinds: ReadonlySet<string>): Slot {
  const slot = wishSlot(wish, kinds)
  return !isSaidOfMost(slot.name) && (slot.kind === 'feature' || slot.kind === 'detail')
    ? { ...slot, kind: 'named' } : slot
}

/** 买两斤: two of one pound are two pounds as well. */
const isBought = ({ start, measure, anyOf }: Wish, sentence: string): boolean =>
  (measure?.unit === 'g' || MANY.test(anyOf[0] ?? '') || COUNTED.test(measure?.unit ?? ''))
    && /[买来称割要]$/.test(sentence.slice(0, start))
const MANY = /^\d+片$/
const COUNTED = /^[节片粒块张枚颗抽支只件个卷包袋瓶罐盒]$/

/** Who may not have lactose is shown what says that it has none, where goods say so. */
const absenceSlots = (refusals: readonly Wish[], kinds: readonly string[]): Slot[] =>
  refusals.flatMap(({ anyOf }) => anyOf).flatMap((name) => {
    const group = refusedGroup(name)
    const isTold = group?.denials.some((denial) =>
      kinds.some((kind) => profileOf(kind).features.includes(denial)))
    return group && isTold ? [{ kind: 'feature' as const, name: `无${name}`,
      state: (facts: Facts) => absenceOf(group, facts) }] : []
  })

/** What says that it closes otherwise comes before what says nothing: 系带的不要. */
const avoidSlot = (wish: Wish): Slot => ({
  kind: 'feature', name: `非${wordsOf(wish)}`, state: (facts) => avoids(wish, facts),
})

const isOfAttribute = ({ values }: Wish): boolean =>
  [...values?.values() ?? []].flat().some(({ attribute }) => attribute !== null)

const wordSlot = (word: string): Slot => ({
  kind: 'word', name: word,
  state: ({ said, brands }) => brands.has(brandKey(word))
    || synonymsOf(word).some((one) => says(said, one)) ? 'met' : 'unknown',
})

/** Kinds of goods that are called so. */
const kindsCalled = (word: string): string[] =>
  ownKinds(getLexicon().senses.get(keyOf(word)) ?? [])

/** 红豆 beside 汤圆 is what is in them: red beans themselves are none. */
function besideSlot(word: string): Slot {
  const slot = wordSlot(word)
  const own = new Set(kindsCalled(word))
  return { ...slot, state: (facts, kind) => own.has(kind ?? '') ? 'unknown'
    : slot.state(facts, kind) }
}
export interface Fit {
  /** Sum of the weights of the slots that are met. */
  readonly value: number
  /** The part of it that comes from model, brand and whom it is for. */
  readonly firm: number
  /** Sum of the weights of the wishes of which nothing is said. */
  readonly unknown: number
  /** How many words are met. */
  readonly words: number
  /** How near it comes to the measures and colours that it has not; 1 for each. */
  readonly near: number
  /** Orders what has the same value. */
  readonly rank: number
  readonly states: readonly State[]
}

/** 2L comes before 500ml where nothing has 2.5L, whatever sells better. */
const NEAR = 1.6

/** Undefined for what is refused. */
export function fitOf(plan: Plan, facts: Facts, kind: string | undefined): Fit | undefined {
  if (plan.refusals.some((wish) => isRefused(wish, facts))) return undefined
  const states = plan.slots.map((slot) => slot.state(facts, kind))
  let [value, firm, words, unknown, against, near] = [0, 0, 0, 0, 0, 0]
  for (const [at, state] of states.entries()) {
    const { kind: slot, nearness } = plan.slots[at] as Slot
    const weight = WEIGHTS[slot]
    if (state === 'against') {
      against += weight
      near += nearness?.(facts) ?? 0
    }
    if (state === 'unknown' && !FIRM.includes(slot)) unknown += weight
    if (state !== 'met') continue
    value += weight
    if (FIRM.includes(slot)) firm += weight
    if (slot === 'word') words += 1
  }
  const share = kind === undefined ? 0.5 : plan.kinds.get(kind) ?? 0
  const isFor = plan.recipients.length > 0 && madeFor(facts, kind).some((one) =>
    plan.recipients.some((other) => suits(one, other)))
  return { value, firm, unknown, words, near, states,
    rank: share * 2 + preferredPoints(plan.prefer, facts) + (isFor ? 0.3 : 0) - against * 0.025
      + near * NEAR }
}

/** Of goods whose kind only their title tells. */
export const fitOfFacts = (plan: Plan, facts: Facts): Fit | undefined =>
  fitOf(plan, facts, surestKind(facts))

export const valueOf = (plan: Plan, facts: Facts): number => fitOfFacts(plan, facts)?.value ?? 0

/** As its title surest says. */
export const surestKind = ({ kinds }: Facts): string | undefined =>
  [...kinds].sort((one, other) => other[1] - one[1])[0]?.[0]

/** What is compared with each other: goods of one name. */
export const groupOf = ({ groups }: Plan, kind: string | undefined): number =>
  groups.get(kind ?? '') ?? 0

/** From so many on nothing that lacks a wish is shown beside them. */
export const HANDFUL = 5

const PLACES = { unknown: 1024, band: BANDS_MAX + 1, words: 64 } as const

/**
 * One number for how much of what was wished goods have, the more the better: first the wishes,
 * then those that they may have, then how near they are to a price that was only about named, then
 * words.
 */
export const orderOf = (
  { value, unknown, words }: Pick<Fit, 'value' | 'unknown' | 'words'>, band: number,
): number => ((value * PLACES.unknown + Math.min(unknown, PLACES.unknown - 1)) * PLACES.band
  + BANDS_MAX - band) * PLACES.words + Math.min(words, PLACES.words - 1)

/** What all slots are worth together. */
export const wholeValue = ({ slots }: Plan): number =>
  slots.reduce((sum, { kind }) => sum + WEIGHTS[kind], 0)
