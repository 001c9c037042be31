/** Why an item stands where it stands: facts in our own words, numbers, and the user's wishes. */
import type { Breakdown } from '../../../adapters/contract.ts'
import { yuanText } from '../../money.ts'
import { isOpen } from '../candidate.ts'
import { openPrice } from '../merge.ts'
import type { Scored } from '../score.ts'
import { ratedOf, salesOf } from '../score/signals.ts'
import type { Understanding } from '../../language/understanding.ts'
import { limitOf } from './select.ts'
import { unitPriceOf } from './unit-price.ts'
import { grouped, plural, wishName } from './words.ts'

const REASONS_MAX = 10
const REASON_LENGTH_MAX = 200

export interface ReasonContext {
  readonly understood: Understanding
  /** The lowest price that anybody pays for one of the things asked for; null without any. */
  readonly lowest: number | null
  /** How many products compete for it. */
  readonly products: number
}

export function reasonsFor(scored: Scored, context: ReasonContext): string[] {
  const { group: { offers: [lead] } } = scored
  const all = [
    ...natureReasons(scored),
    ...wishReasons(scored, context.understood),
    ...priceReasons(scored, context),
    ...breakdownReasons(lead.item.price, lead.item.special),
    ...standingReasons(scored),
  ]
  return all.slice(0, REASONS_MAX).map((reason) => reason.slice(0, REASON_LENGTH_MAX))
}

function natureReasons({ goods, group }: Scored): string[] {
  const { facts } = group.offers[0]
  if (facts.isUsed) return ['Used or refurbished.']
  if (goods === 'asked') return []
  if (goods === 'perhaps') return ['Close to what was asked, not surely the same kind.']
  return [facts.isAccessory ? 'An accessory or a part, not the thing itself.'
    : 'Other goods, or another brand or model, than what was asked for.']
}

function wishReasons({ states, tier }: Scored, { must }: Understanding): string[] {
  if (must.length === 0 || tier === 'other') return []
  const namesOf = (state: Scored['states'][number]): string =>
    must.filter((_, at) => states[at] === state).map(wishName).join(', ')
  const met = states.filter((state) => state === 'met').length
  const [unknown, against] = [namesOf('unknown'), namesOf('against')]
  return [
    ...met > 0 ? [`Has ${met} of ${plural(must.length, 'wish').replace(/hs$/, 'hes')}.`] : [],
    ...unknown ? [`Does not say: ${unknown}.`] : [],
    ...against ? [`Says otherwise of: ${against}.`] : [],
  ]
}

function priceReasons({ group, tier }: Scored, { understood, lowest, products }: ReasonContext) {
  const price = openPrice(group)
  if (price === null) return []
  const { offers: [{ facts, item }] } = group
  const freight = item.price.freight === null ? ', freight not known' : ''
  const limit = limitOf(understood)
  const unit = unitPriceOf(facts, price)
  const difference = limit - price
  return [
    ...tier === 'thing' && price === lowest && products > 1
      ? [`The lowest of ${plural(products, 'product')} that fit${freight}.`] : [],
    ...group.offers.length > 1
      ? [`The lowest of ${plural(group.offers.length, 'offer')} of the same product${
        freight}.`] : [],
    ...Number.isFinite(limit) ? [difference >= 0 ? `${yuanText(difference)} below the budget.`
      : `${yuanText(-difference)} above what was said.`] : [],
    ...unit ? [`${yuanText(unit.fen)} for ${unit.per === 'piece' ? 'a piece' : unit.per}.`] : [],
  ]
}

function breakdownReasons(price: Breakdown, special: Breakdown | null): string[] {
  const named = ({ conditions }: Breakdown): string => conditions.join(', ').replaceAll('_', ' ')
  return [
    ...isOpen(price) ? [] : [`This price has conditions: ${named(price)}.`],
    ...price.coupon ? [`A coupon takes off ${yuanText(price.coupon.amount)}.`] : [],
    ...(price.freight ?? 0) > 0 ? [`Freight is ${yuanText(price.freight ?? 0)}.`] : [],
    ...special
      ? [`${yuanText(special.payable)} on conditions: ${named(special) || 'unknown'}.`] : [],
  ]
}

function standingReasons({ group }: Scored): string[] {
  const rated = ratedOf(group)
  const { item } = group.offers[0]
  const sales = salesOf(group)
  return [
    ...item.rating !== null ? [`Rated ${item.rating} of 5${
      rated && item.reviews ? ` in ${plural(item.reviews.count, 'review')}` : ''}.`] : [],
    ...sales !== null && sales > 0 ? [`Sold ${grouped(sales)} times.`] : [],
    ...item.source === 'shelf' ? ['On the curated shelf.'] : [],
  ]
}
