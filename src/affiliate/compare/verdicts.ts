/** Which item to take in each mode, and why, in numbers. Null where nothing tells them apart. */
import { goodsPrice } from '../../../adapters/price.ts'
import { yuanText } from '../../contract/money.ts'
import type { Candidate } from '../candidate.ts'
import { itself } from './rows.ts'
import { openPrice } from '../merge.ts'
import { score, type PartName, type Scored } from '../score.ts'
import { planOf } from '../../language/fit.ts'
import { askedOf, type Asked } from '../../language/relevance.ts'
import type { Mode } from '../../language/understanding.ts'
import { understand } from '../../language/understand.ts'
import { unitPriceOf } from '../../language/unit-price.ts'

export interface Verdict {
  mode: Mode
  item_id: string | null
  why: string
}

/** Nothing was asked but to compare. */
const NOTHING = ''
const WHY_LENGTH_MAX = 300
const PART_NAMES: Readonly<Partial<Record<PartName, string>>> = {
  price: 'price', rating: 'rating', sales: 'sales', shop: 'shop', terms: 'terms of the price',
}

export function verdict(
  mode: Mode, candidates: readonly Candidate[], same: readonly (readonly number[])[],
): Verdict {
  const understood = understand(NOTHING)
  const asked: Asked = {
    ...askedOf(understood), wantsUsed: true, wantsAccessory: true, food: 'yes',
  }
  const scored = score(candidates.map(itself),
    { asked, plan: planOf(understood), understood, mode })
  const [first, second] = scored
  if (!first) return { mode, item_id: null, why: 'There is nothing to compare.' }
  const why = mode === 'cheapest' ? whyCheapest(first, second) : whyBetter(first, second)
  if (why === null) return { mode, item_id: null, why: NO_DIFFERENCE[mode] }
  const { item_id } = first.group.offers[0]
  const at = candidates.findIndex((candidate) => candidate.item_id === item_id)
  const notes = [...cautions(candidates), ...unitNote(mode, item_id, candidates),
    ...same[at]?.length ? ['It is the same product as another item here.'] : []]
  return { mode, item_id, why: [why, ...notes].join(' ').slice(0, WHY_LENGTH_MAX) }
}

const NO_DIFFERENCE: Readonly<Record<Mode, string>> = {
  cheapest: 'No price without conditions is lower than the others.',
  value: 'What is known of them weighs the same.',
  quality: 'What is known of their quality weighs the same.',
}

function whyCheapest({ group }: Scored, second: Scored | undefined): string | null {
  const [price, next] = [openPrice(group), second ? openPrice(second.group) : null]
  if (price === null || price === next) return null
  const freight = group.offers[0].item.price.freight === null ? '; freight is not known' : ''
  return `${yuanText(price)} is the lowest price without conditions${
    next === null ? '' : `, ${yuanText(next - price)} below the next`}${freight}.`
}

function whyBetter(first: Scored, second: Scored | undefined): string | null {
  if (!second || first.score === second.score) return null
  const gains = first.parts.flatMap(({ name, points }) => {
    const gain = points - (second.parts.find((part) => part.name === name)?.points ?? 0)
    const called = PART_NAMES[name]
    return called && gain !== 0 ? [{ called, gain }] : []
  }).sort((left, right) => right.gain - left.gain || (left.called < right.called ? -1 : 1))
  const list = (isGain: boolean): string => gains.filter(({ gain }) => gain > 0 === isGain)
    .map(({ called, gain }) => `${called} ${gain > 0 ? '+' : ''}${gain}`).join(', ')
  const [for_, against] = [list(true), list(false)]
  return `${first.score} points to ${second.score} of the next: ${for_}`
    + `${against ? `; against it: ${against}` : ''}.`
}

/** What makes a comparison of prices doubtful. */
function cautions(candidates: readonly Candidate[]): string[] {
  const kinds = candidates.map(({ facts }) => new Set(facts.kinds.keys()))
  const [one = new Set<string>(), ...others] = kinds.filter((kind) => kind.size > 0)
  const isMixed = others.some((other) => ![...other].some((kind) => one.has(kind)))
  const has = (test: (candidate: Candidate) => boolean): boolean =>
    candidates.some(test) && !candidates.every(test)
  return [
    ...isMixed ? ['They are not the same kind of goods.'] : [],
    ...has(({ facts }) => facts.isAccessory) ? ['Some are accessories.'] : [],
    ...has(({ facts }) => facts.isUsed) ? ['Some are used or refurbished.'] : [],
  ]
}

/** A smaller pack is cheaper, and may be dearer by the litre. */
function unitNote(mode: Mode, itemId: string, candidates: readonly Candidate[]): string[] {
  const units = candidates.flatMap(({ item_id, facts, item }) => {
    const unit = item.price.conditions.length === 0
      ? unitPriceOf(facts, goodsPrice(item.price)) : undefined
    return unit ? [{ item_id, ...unit }] : []
  })
  const own = units.find(({ item_id }) => item_id === itemId)
  const best = units.filter(({ per }) => per === own?.per)
    .sort((left, right) => left.fen - right.fen)[0]
  return mode !== 'quality' && own && best && best.fen < own.fen
    ? [`By ${own.per}, ${best.item_id} costs less: ${
      yuanText(best.fen)} to ${yuanText(own.fen)}.`] : []
}
