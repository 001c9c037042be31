/**
 * Up to six items side by side: price, standing and make of each, the best cell of each row, what
 * no source states, and the item to take in each mode.
 */
import type { Item } from '../../../adapters/contract.ts'
import { SOURCE_NAMES } from '../../../adapters/names.ts'
import { goodsPrice } from '../../../adapters/price.ts'
import type { Caller } from '../../contract/caller.ts'
import { Refusal } from '../../contract/errors.ts'
import { yuanText } from '../../contract/money.ts'
import { factsOf } from '../../language/facts.ts'
import { planOf } from '../../language/fit.ts'
import { type Asked, askedOf } from '../../language/relevance.ts'
import { understand } from '../../language/understand.ts'
import { type Mode, RANKING_MODES } from '../../language/understanding.ts'
import { unitPriceOf } from '../../language/unit-price.ts'
import { itemIdOf, type ItemRef, itemRefOf } from '../items.ts'
import { match, SAME } from '../match.ts'
import { type OfferCandidate, openPrice, withoutCommission } from '../merge.ts'
import { type PartName, score, type ScoredOffer } from '../score.ts'
import { NO_ITEM, type SourceCalls } from '../source-calls.ts'
import type { Sources } from '../sources.ts'
import {
  asGroup, attributeRows, ROWS, type ComparedRow, sizeRows, statedRows, withoutDoubles,
} from './rows.ts'

const VALUE_LENGTH_MAX = 200
const ROWS_MAX = 60
/** Longer than a search: people wait for these very items. */
const DEADLINE_MS = 4000

/** cps_compare: finds the items by their ids or links, at all their sources at once. */
export async function compareItems(
  sources: Sources, calls: SourceCalls, texts: readonly string[], caller: Caller,
) {
  const refs = texts.map((text) => itemRefOf(sources, text))
  const names = SOURCE_NAMES.filter((name) => refs.some(({ source }) => source === name))
  if (caller.agent === null && names.some((name) => name !== 'shelf')) {
    throw new Refusal('key_required')
  }
  const failures: unknown[] = []
  const found = await Promise.all(names.map(async (name): Promise<readonly Item[]> => {
    const ids = refs.flatMap(({ source, id }) => (source === name && id !== null ? [id] : []))
    if (ids.length === 0) return []
    try {
      return (await calls.items(name, [...new Set(ids)], caller, DEADLINE_MS)).items
    } catch (error) {
      // One source that fails leaves the others to compare; its items are reported as missing.
      failures.push(error)
      return []
    }
  }))
  const known = new Map(found.flat().map((item) => [itemIdOf(item.source, item.id), item]))
  const itemOf = ({ source, id }: ItemRef): Item | undefined =>
    (source && id !== null ? known.get(itemIdOf(source, id)) : undefined)
  const items = [...new Set(refs.map(itemOf).filter((item) => item !== undefined))]
  if (items.length === 0) throw failures[0] ?? new Refusal('not_found', { hint: NO_ITEM })
  return compare(items, refs.filter((one) => !itemOf(one)).map(({ text }) => text))
}

export type Comparison = ReturnType<typeof compare>

/** Items in the order of the request; `missing` is passed on. */
export function compare(items: readonly Item[], missing: readonly string[] = []) {
  const candidates = items.map((item): OfferCandidate => ({
    item_id: itemIdOf(item.source, item.id),
    item: withoutCommission(item), facts: factsOf(item),
  }))
  const duplicates = findDuplicates(candidates)
  const attributes = attributeRows(candidates)
  // Where the goods' own attributes have it, a number without a name adds nothing.
  const rows = withoutDoubles([...ROWS, ...attributes.length > 0 ? attributes
    : sizeRows(candidates), ...statedRows(candidates, attributes)])
  return {
    items: candidates.map(({ item_id, item }) => ({ item_id, title: item.title })),
    rows: [
      ...rows.map((row) => rowOf(row, candidates)), ...duplicates.row ? [duplicates.row] : [],
    ].filter(({ cells }) => cells.some(({ value }) => value !== null)).slice(0, ROWS_MAX),
    verdicts: RANKING_MODES.map((mode) => recommend(mode, candidates, duplicates.same)),
    missing: [...missing],
  }
}

function rowOf(row: ComparedRow, candidates: readonly OfferCandidate[]) {
  const ranks = candidates.map((candidate) => row.rank?.(candidate) ?? null)
  const known = ranks.filter((rank) => rank !== null)
  const best = Math.max(...known)
  // Where all are equal none is the best.
  const isDecided = known.some((rank) => rank < best)
  return {
    attribute: row.attribute,
    ...row.better && { better: row.better },
    cells: candidates.map((candidate, at) => ({
      item_id: candidate.item_id,
      value: row.value(candidate)?.slice(0, VALUE_LENGTH_MAX) ?? null,
      best: isDecided && ranks[at] === best,
    })),
  }
}

/** The item to take in a mode, and why, in numbers. Null where no item is better. */
interface Recommendation {
  mode: Mode
  item_id: string | null
  why: string
}

/** A comparison has no sentence. */
const NO_SENTENCE = ''
const WHY_LENGTH_MAX = 300
const PART_NAMES: Readonly<Partial<Record<PartName, string>>> = {
  price: 'price', rating: 'rating', sales: 'sales', shop: 'shop', terms: 'terms of the price',
}

function recommend(
  mode: Mode, candidates: readonly OfferCandidate[], same: readonly (readonly number[])[],
): Recommendation {
  if (candidates.length < 2) {
    return { mode, item_id: null, why: 'There is no other item to compare it with.' }
  }
  const understood = understand(NO_SENTENCE)
  const asked: Asked = {
    ...askedOf(understood), wantsUsed: true, wantsAccessory: true, food: 'yes',
  }
  const scored = score(candidates.map(asGroup),
    { asked, plan: planOf(understood), understood, mode })
  const [first, second] = scored
  if (!first) throw new Error('The items to compare have no scores.')
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

function whyCheapest({ group }: ScoredOffer, second: ScoredOffer | undefined): string | null {
  const [price, next] = [openPrice(group), second ? openPrice(second.group) : null]
  if (price === null || price === next) return null
  const freight = group.offers[0].item.price.freight === null ? '; freight is not known' : ''
  return `${yuanText(price)} is the lowest price without conditions${
    next === null ? '' : `, ${yuanText(next - price)} below the next`}${freight}.`
}

function whyBetter(first: ScoredOffer, second: ScoredOffer | undefined): string | null {
  if (!second || first.score === second.score) return null
  const gains = first.parts.flatMap(({ name, points }) => {
    const gain = points - (second.parts.find((part) => part.name === name)?.points ?? 0)
    const called = PART_NAMES[name]
    return called && gain !== 0 ? [{ called, gain }] : []
  }).sort((left, right) => right.gain - left.gain || (left.called < right.called ? -1 : 1))
  const list = (isGain: boolean): string => gains.filter(({ gain }) => gain > 0 === isGain)
    .map(({ called, gain }) => `${called} ${gain > 0 ? '+' : ''}${gain}`).join(', ')
  const [pro, contra] = [list(true), list(false)]
  return `${first.score} points to ${second.score} of the next: ${pro}`
    + `${contra ? `; against it: ${contra}` : ''}.`
}

/** Facts that make a comparison of prices doubtful. */
function cautions(candidates: readonly OfferCandidate[]): string[] {
  const kinds = candidates.map(({ facts }) => new Set(facts.kinds.keys()))
  const [one = new Set<string>(), ...others] = kinds.filter((kind) => kind.size > 0)
  const isMixed = others.some((other) => ![...other].some((kind) => one.has(kind)))
  const has = (test: (candidate: OfferCandidate) => boolean): boolean =>
    candidates.some(test) && !candidates.every(test)
  return [
    ...isMixed ? ['They are not the same kind of goods.'] : [],
    ...has(({ facts }) => facts.isAccessory) ? ['Some are accessories.'] : [],
    ...has(({ facts }) => facts.isUsed) ? ['Some are used or refurbished.'] : [],
  ]
}

/** A smaller pack is cheaper, and may cost more by the litre. */
function unitNote(mode: Mode, itemId: string, candidates: readonly OfferCandidate[]): string[] {
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

/** Which of the items are the same product, sold twice. */
interface Duplicates {
  /** For each item the indices of those that are the same. */
  readonly same: readonly (readonly number[])[]
  readonly row: {
    attribute: string
    better?: 'high' | 'low'
    cells: { item_id: string, value: string | null, best: boolean }[]
  } | null
}

function findDuplicates(candidates: readonly OfferCandidate[]): Duplicates {
  const same = candidates.map((one, at) => candidates.flatMap((other, index) =>
    index !== at && isSame(one, other) ? [index] : []))
  const cells = candidates.map(({ item_id }, at) => ({
    item_id, best: false,
    value: [...new Set(same[at]?.map((index) => candidates[index]?.item_id))].join(', ')
      .slice(0, 200) || null,
  }))
  return { same, row: same.some((indices) => indices.length > 0)
    ? { attribute: 'same_product_as', cells } : null }
}

const isSame = (one: OfferCandidate, other: OfferCandidate): boolean =>
  one.item_id === other.item_id || match(one.facts, other.facts).confidence >= SAME
