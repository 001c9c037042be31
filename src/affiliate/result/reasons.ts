/** Why an item has its rank: facts in our own words, numbers, and the user's wishes. */
import type { Breakdown } from '../../../adapters/contract.ts'
import { goodsPrice } from '../../../adapters/price.ts'
import { yuanText } from '../../contract/money.ts'
import type { Audience } from '../../goods/taxonomy.ts'
import { boundsOf } from '../../language/bounds.ts'
import type { Facts } from '../../language/facts.ts'
import { type State, stateOf } from '../../language/constraints.ts'
import { recipientSlot } from '../../language/audience-slots.ts'
import { isSaidOfMost, lesserOf, surestKind, wordsOf } from '../../language/fit.ts'
import type { Say } from '../../language/answer-language.ts'
import type { Understanding, Value, Values, Wish } from '../../language/understanding.ts'
import { priceFor, unitPriceOf } from '../../language/unit-price.ts'
import { englishWish } from '../../language/value-in-english.ts'
import { isOpen, openPrice } from '../merge.ts'
import { groupState, type ScoredOffer } from '../score.ts'
import { ratedOf, salesOf } from '../signals.ts'

const REASONS_MAX = 10
const REASON_LENGTH_MAX = 200

export interface ReasonContext {
  readonly understood: Understanding
  /** Whom it is bought for. */
  readonly recipients: readonly Audience[]
  readonly say: Say
  /** The lowest price that anybody pays for one of the requested goods; null without any. */
  readonly lowest: number | null
  /** How many products compete for it. */
  readonly products: number
}

export function reasonsFor(scored: ScoredOffer, context: ReasonContext): string[] {
  const { group: { offers: [lead] } } = scored
  const all = [
    ...goodsReasons(scored, context),
    ...wishReasons(scored, context),
    ...priceReasons(scored, context),
    ...breakdownReasons(lead.item.price, lead.item.special, context),
    ...standingReasons(scored, context),
  ]
  return all.slice(0, REASONS_MAX).map((reason) => reason.slice(0, REASON_LENGTH_MAX))
}

function goodsReasons(
  { goods, group, tier }: ScoredOffer, { say, understood: { unsold } }: ReasonContext,
): string[] {
  const { facts } = group.offers[0]
  if (facts.isUsed) return [say('二手或翻新。', 'Used or refurbished.')]
  return goods === 'asked' && (unsold === null || tier === 'thing') ? []
    : [say('相近的商品，不一定是同一种。', 'Close to what was asked, not surely the same kind.')]
}

function wishReasons(
  { states, tier, group }: ScoredOffer, { understood, recipients, say }: ReasonContext,
): string[] {
  const { must, named } = understood
  if (tier === 'other') return []
  // What a network supposes is said where it is so.
  const namesOf = (state: State): string[] =>
    [...new Set(must
      .filter((one, at) => states[at] === state && (state === 'met' || !one.isSupposed))
      .map((wish) => wishNameFor(state === 'met' ? fulfilled(wish, group) : wish, say)))]
  const isHeld = (wish: Wish): boolean => group.offers.some(({ facts }) =>
    stateOf({ ...wish, anyOf: [] }, facts) === 'met')
  const soft = [...understood.prefer, ...understood.suited]
    .filter((wish) => wish.isSoft && isHeld(wish))
  const lesser = [...must, ...understood.named].flatMap((wish) => lesserOf(wish) ?? [])
    .filter(isHeld)
  const told = [...soft, ...lesser].flatMap((wish) =>
    valueNameFor(fulfilled(wish, group), say) ?? [])
  const ofName = named.filter((wish) => isSaidOf(wish, group))
    .map((wish) => ({ name: wishNameFor(wish, say), state: groupState(wish, group) }))
  const namedOf = (state: State): string[] =>
    ofName.filter((one) => one.state === state).map(({ name }) => name)
  const met = [...new Set([...namesOf('met'), ...namedOf('met'), ...told])]
  // Scenes have no names in English.
  const suited = soft.filter((wish) => valueNameFor(fulfilled(wish, group), say) === undefined)
    .map(({ text }) => text.trim().replace(/^for /, ''))
    .filter((text) => !/\p{Script=Han}/u.test(text))
  const [unknown, against] = (['unknown', 'against'] as const).map((state) =>
    [...new Set([...namesOf(state), ...namedOf(state)])]) as [string[], string[]]
  return [
    ...met.length > 0 ? [say(`符合：${met.join('、')}。`, `Has: ${met.join(', ')}.`)] : [],
    ...suited.length > 0 ? [`Suits: ${suited.join(', ')}.`] : [],
    ...unknown.length > 0
      ? [say(`没有说明：${unknown.join('、')}。`, `Does not say: ${unknown.join(', ')}.`)] : [],
    ...against.length > 0
      ? [say(`不符合：${against.join('、')}。`, `Has not: ${against.join(', ')}.`)] : [],
    ...isForOthers(group, recipients)
      ? [say(`不是${recipients.map((one) => AUDIENCES[one][0]).join('、')}款。`,
        `Not made for ${recipients.map((one) => AUDIENCES[one][1]).join(', ')}.`)] : [],
  ]
}

/** 降噪 of 降噪耳机, where goods of the kind say it at all; 家用 is said of most. */
const isSaidOf = ({ values, text }: Wish, { offers }: ScoredOffer['group']): boolean =>
  !isSaidOfMost(text) && offers.some(({ facts }) => values?.has(surestKind(facts) ?? '') ?? false)

const isForOthers = (
  { offers }: ScoredOffer['group'], recipients: readonly Audience[],
): boolean => recipients.length > 0 && offers.every(({ facts }) =>
  recipientSlot(recipients).state(facts, surestKind(facts)) === 'against')

const AUDIENCES: Readonly<Record<Audience, readonly [zh: string, en: string]>> = {
  men: ['男', 'men'], women: ['女', 'women'], boys: ['男童', 'boys'], girls: ['女童', 'girls'],
  kids: ['儿童', 'children'], baby: ['婴儿', 'babies'], elderly: ['老年', 'the elderly'],
  pregnant: ['孕妇', 'expectant mothers'], cat: ['猫用', 'cats'], dog: ['狗用', 'dogs'],
}

/** Of many words for one wish, as 减脂 has them, the one that the item says. */
function fulfilled(wish: Wish, group: ScoredOffer['group']): Wish {
  const { offers } = group
  if (wish.isSupposed && wish.values && !wish.measure) {
    return { ...wish, values: heldOf(wish, wish.values, group) }
  }
  if (wish.measure || wish.values || wish.anyOf.length < 2) return wish
  const said = wish.anyOf.find((word) => offers.some(({ facts }) =>
    stateOf({ ...wish, anyOf: [word] }, facts) === 'met'))
  return said === undefined ? wish : { ...wish, anyOf: [said] }
}

/** Of what a word may mean, what the item has: nothing else is said of it. */
function heldOf(wish: Wish, values: Values, { offers }: ScoredOffer['group']): Values {
  const isHeld = (kind: string, value: Value): boolean => offers.some(({ facts }) =>
    stateOf({ ...wish, anyOf: [], values: new Map([[kind, [value]]]) }, facts) === 'met')
  const held = [...values].map(([kind, all]) =>
    [kind, all.filter((value) => isHeld(kind, value))] as const)
    .filter(([, all]) => all.length > 0)
  return held.length > 0 ? new Map(held) : values
}

function priceReasons(
  { group, tier }: ScoredOffer, { understood, lowest, products, say }: ReasonContext,
): string[] {
  const price = openPrice(group)
  if (price === null) return []
  const { offers: [{ facts, item }] } = group
  const [freightZh, freightEn] = item.price.freight === null
    ? ['（运费未知）', ', freight not known'] : ['', '']
  const { max } = boundsOf(understood)
  return [
    ...tier === 'thing' && price === lowest && products > 1
      ? [say(`符合要求的 ${products} 件商品中价格最低${freightZh}。`,
        `The lowest of ${plural(products, 'product')} that fit${freightEn}.`)] : [],
    ...group.offers.length > 1 && group.offers.every(({ item: { price: other } }) =>
      !isOpen(other) || other.payable >= price)
      ? [say(`同一商品的 ${group.offers.length} 个报价中最低${freightZh}。`,
        `The lowest of ${plural(group.offers.length, 'offer')} of the same product${freightEn}.`)]
      : [],
    ...Number.isFinite(max) ? budgetReasons(price, understood, say) : [],
    ...unitReasons(facts, goodsPrice(item.price), understood, say),
  ]
}

/** Near a price that was about named there is nothing to say. */
function budgetReasons(price: number, understood: Understanding, say: Say): string[] {
  const { min, max } = boundsOf(understood)
  if (understood.budget?.kind !== 'about') return [budgetReason(max - price, say)]
  return price >= min && price <= max ? [] : [budgetReason((min + max) / 2 - price, say)]
}

const budgetReason = (left: number, say: Say): string => left < 0
  ? say(`比预算高${yuanText(-left)}。`, `${yuanText(-left)} above the budget.`)
  : say(`比预算低${yuanText(left)}。`, `${yuanText(left)} below the budget.`)

/** In the unit of the sentence, or the usual one. */
function unitReasons(
  facts: Facts, price: number, { per }: Understanding, say: Say,
): string[] {
  if (per) {
    const fen = priceFor(facts, price, per)
    return fen === null ? [] : [say(`每${per.zh}${smallYuan(fen)}。`,
      `${smallYuan(fen)} per ${per.en}.`)]
  }
  const unit = unitPriceOf(facts, price)
  return unit ? [say(`每${perName(unit.per, say)}${yuanText(unit.fen)}。`,
    `${yuanText(unit.fen)} for ${perName(unit.per, say)}.`)] : []
}

/** A sheet costs less than a fen. */
const SMALL_FEN = 10
const smallYuan = (fen: number): string =>
  fen < SMALL_FEN ? `¥${(fen / 100).toFixed(4)}` : yuanText(Math.round(fen))

function breakdownReasons(
  price: Breakdown, special: Breakdown | null, { say }: ReasonContext,
): string[] {
  const named = ({ conditions }: Breakdown): string =>
    conditions.map((one) => conditionName(one, say)).join(say('、', ', '))
  return [
    ...isOpen(price) ? [] : [say(`这个价格有条件：${named(price)}。`,
      `This price has conditions: ${named(price)}.`)],
    ...price.coupon ? [say(`优惠券减${yuanText(price.coupon.amount)}。`,
      `A coupon takes off ${yuanText(price.coupon.amount)}.`)] : [],
    ...(price.freight ?? 0) > 0 ? [say(`运费${yuanText(price.freight ?? 0)}。`,
      `Freight is ${yuanText(price.freight ?? 0)}.`)] : [],
    ...special ? [say(`满足条件时${yuanText(special.payable)}：${named(special) || '未知'}。`,
      `${yuanText(special.payable)} on conditions: ${named(special) || 'unknown'}.`)] : [],
  ]
}

function standingReasons({ group }: ScoredOffer, { say }: ReasonContext): string[] {
  const rated = ratedOf(group)
  const { item } = group.offers[0]
  const sales = salesOf(group)
  const isCounted = rated !== null && item.reviews !== null
  const count = rated?.count ?? 0
  return [
    ...item.rating !== null ? [say(
      `评分 ${item.rating}/5${isCounted ? `（${grouped(count)} 条评价）` : ''}。`,
      `Rated ${item.rating} of 5${isCounted ? ` in ${plural(count, 'review')}` : ''}.`)] : [],
    ...sales !== null && sales > 0
      ? [say(`已售 ${grouped(sales)} 件。`, `Sold ${plural(sales, 'time')}.`)] : [],
    ...item.source === 'shelf' ? [say('来自精选货架。', 'On the curated shelf.')] : [],
  ]
}

// Names and numbers as reasons write them.

/** 1234567 → 1,234,567. */
const grouped = (value: number): string =>
  String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')

const WISH_LENGTH_MAX = 30

/** In the words of the sentence, never in those of a product. */
export const wishName = (wish: Wish): string =>
  (wish.measure ? wish.text.trim()
    : wish.isSupposed || isOpposite(wish) ? supposedName(wish) : wordsOf(wish))
    .slice(0, WISH_LENGTH_MAX)

/** In the language of the answer, where that has a name for it. */
export function wishNameFor(wish: Wish, say: Say): string {
  const name = wishName(wish)
  const english = /\p{Script=Han}/u.test(name) ? englishWish(wish) ?? name : name
  return say(name, english.slice(0, WISH_LENGTH_MAX))
}

/** The value of the goods themselves; undefined where English has no name for it. */
function valueNameFor(wish: Wish, say: Say): string | undefined {
  const name = supposedName(wish).slice(0, WISH_LENGTH_MAX)
  return say(name, englishWish({ ...wish, text: name }) ?? '') || undefined
}

/** Who tells that something 有延迟 wishes what is 无延迟. */
const isOpposite = ({ text, values }: Wish): boolean => {
  const all = [...values?.values() ?? []].flat()
  return /^(?:有|会|老|太)/.test(text) && all.length > 0
    && all.every((value) => /^(?:无|不|防|低|零|免)/.test(value.text))
}

/** The value, and not whatever words it was taken from. */
const supposedName = ({ values, text }: Wish): string =>
  [...values?.values() ?? []].flat().map((value) => value.text)
    .sort((one, other) => one.length - other.length)[0] ?? text

const plural = (count: number, one: string): string =>
  `${grouped(count)} ${one}${count === 1 ? '' : 's'}`

const CONDITIONS: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  member: ['会员', 'member'], first_order: ['首单', 'first order'], group: ['拼团', 'group'],
  deposit: ['预付定金', 'deposit'], region: ['限地区', 'region'],
}

const conditionName = (condition: string, say: Say): string =>
  say(...CONDITIONS[condition] ?? [condition, condition])

const UNITS: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  piece: ['件', 'a piece'], '100ml': ['100ml', '100ml'], '100g': ['100g', '100g'],
  '100 sheets': ['百抽', '100 sheets'], '100 pieces': ['百件', '100 pieces'],
  tablet: ['片', 'a tablet'], litre: ['升', 'a litre'],
}

const perName = (per: string, say: Say): string => say(...UNITS[per] ?? [per, per])
