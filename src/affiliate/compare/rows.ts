/** The rows of a comparison: the value of each attribute of an item, and which value is better. */
import { goodsPrice } from '../../../adapters/price.ts'
import { type Attribute, type KnownKind, taxonomy, valuesOf } from '../../goods/taxonomy.ts'
import type { Unit } from '../../language/facts/sizes.ts'
import { fold } from '../../language/fold.ts'
import { PER_UNITS, unitPriceOf } from '../../language/unit-price.ts'
import { type OfferCandidate, isOpen } from '../merge.ts'
import { ratedOf } from '../signals.ts'

export interface ComparedRow {
  readonly attribute: string
  /** Null where the source does not state it. Prices are in fen. */
  value(candidate: OfferCandidate): string | null
  /** Which value is the better one, where a number alone does not show it. */
  readonly better?: 'high' | 'low' | null
  /** The higher the better; null where it is not known. */
  rank?(candidate: OfferCandidate): number | null
}

const text = (value: number | string | null | undefined): string | null =>
  (value === null || value === undefined || value === '' ? null : String(value))
const list = (values: ReadonlySet<string>): string | null => text([...values].sort().join(', '))
const negative = (value: number | null | undefined): number | null =>
  (value === null || value === undefined ? null : -value)

export const asGroup = (candidate: OfferCandidate) =>
  ({ offers: [{ ...candidate, match: { confidence: 1, reasons: [] } }] as const })

const unitOf = ({ facts, item }: OfferCandidate) => unitPriceOf(facts, goodsPrice(item.price))

export const ROWS: readonly ComparedRow[] = [
  { attribute: 'source', value: ({ item }) => item.source },
  { attribute: 'final_price', value: ({ item }) => text(goodsPrice(item.price)) },
  {
    attribute: 'payable', value: ({ item }) => text(item.price.payable),
    // Only what anybody pays can be the lowest price.
    rank: ({ item: { price } }) => (isOpen(price) ? -price.payable : null),
  },
  { attribute: 'list_price', value: ({ item }) => text(item.price.list_price) },
  {
    attribute: 'coupon',
    value: ({ item: { price: { coupon } } }) => coupon
      && `${coupon.amount} off from ${coupon.threshold}`,
  },
  {
    attribute: 'conditions',
    value: ({ item: { price } }) => (isOpen(price) ? 'none' : price.conditions.join(', ')),
  },
  {
    attribute: 'freight', value: ({ item }) => text(item.price.freight),
    rank: ({ item }) => negative(item.price.freight),
  },
  {
    attribute: 'price_on_conditions',
    value: ({ item: { special } }) => special
      && `${special.payable} (${special.conditions.join(', ') || 'unknown'})`,
  },
  ...PER_UNITS.map((per): ComparedRow => {
    const fen = (candidate: OfferCandidate): number | null => {
      const unit = unitOf(candidate)
      return unit?.per === per ? unit.fen : null
    }
    return {
      attribute: `unit_price per ${per}`, value: (candidate) => text(fen(candidate)),
      rank: (candidate) => (isOpen(candidate.item.price) ? negative(fen(candidate)) : null),
    }
  }),
  {
    attribute: 'sales', value: ({ item }) => text(item.sales), rank: ({ item }) => item.sales,
  },
  {
    attribute: 'rating', value: ({ item }) => text(item.rating),
    // 5.0 of two people is not better than 4.9 of thousands.
    rank: (candidate) => ratedOf(asGroup(candidate))?.rating ?? null,
  },
  {
    attribute: 'reviews', value: ({ item }) => text(item.reviews?.count),
    rank: ({ item }) => item.reviews?.count ?? null,
  },
  {
    attribute: 'positive_percent', value: ({ item }) => text(item.reviews?.positive_percent),
    rank: ({ item }) => item.reviews?.positive_percent ?? null,
  },
  { attribute: 'shop', value: ({ item }) => item.shop },
  { attribute: 'brand', value: ({ item, facts }) => item.brand ?? list(facts.brands) },
  { attribute: 'model', value: ({ facts }) => list(facts.models) },
  { attribute: 'version', value: ({ facts }) => list(facts.variants) },
  { attribute: 'kind', value: (candidate) => kindOfItem(candidate)?.name_zh ?? null },
  { attribute: 'colour', value: ({ facts }) => list(facts.colours) },
  { attribute: 'material', value: ({ facts }) => list(facts.materials) },
  { attribute: 'in_a_pack', value: ({ facts }) => text(facts.pack.count) },
  { attribute: 'pieces', value: ({ facts }) => text(facts.pack.pieces) },
  { attribute: 'bundle', value: ({ facts }) => list(facts.pack.bundles) },
  { attribute: 'accessory', value: ({ facts }) => (facts.isAccessory ? 'yes' : null) },
  { attribute: 'used', value: ({ facts }) => (facts.isUsed ? 'yes' : null) },
]

/** The most likely kind. */
function kindOfItem({ facts }: OfferCandidate): KnownKind | undefined {
  const [best] = [...facts.kinds].sort((left, right) => right[1] - left[1]
    || (left[0] < right[0] ? -1 : 1))
  return best && taxonomy().kinds.get(best[0])
}

interface Stated {
  readonly text: string
  /** The higher the better; null where neither is. */
  readonly rank: number | null
}

/**
 * A row for each attribute that the kinds of the items have: battery, noise, material. Shelf items
 * state them as specifications, and a mall's items in their titles.
 */
export function attributeRows(candidates: readonly OfferCandidate[]): ComparedRow[] {
  const kinds = candidates.map(kindOfItem)
  const known = new Map(kinds.flatMap((kind) => kind?.attributes ?? [])
    .map((one) => [one.name_zh, one] as const))
  // An attribute that one item states alone compares nothing.
  if (kinds.filter(Boolean).length < Math.min(2, candidates.length)) return []
  const statedOf = new Map(candidates.map((candidate, at) =>
    [candidate, statementsOf(candidate, kinds[at])]))
  return [...known.values()].map(({ name_zh, name_en, better }): ComparedRow => {
    const isComparable = isOneScale(kinds.flatMap((kind) =>
      kind?.attributes.find((one) => one.name_zh === name_zh) ?? []))
    return {
      attribute: `${name_zh} (${name_en})`.slice(0, 60),
      ...better && isComparable && { better },
      value: (candidate) =>
        statedOf.get(candidate)?.get(name_zh)?.text ?? specOf(candidate, fold(name_zh)),
      rank: (candidate) =>
        isComparable ? statedOf.get(candidate)?.get(name_zh)?.rank ?? null : null,
    }
  })
}

/** Numbers of one unit, or positions in one list: hours are not days. */
const isOneScale = (attributes: readonly Attribute[]): boolean => {
  const [first, ...others] = attributes
  return others.every((one) => one === first || (one.unit === first?.unit
    && one.better === first?.better
    && [one, first].every((each) => each && typeof valuesOf(each)[0] === 'number')))
}

/** Each attribute removes its words, so that no other is read from them. */
function statementsOf(
  { facts, item }: OfferCandidate, kind: KnownKind | undefined,
): ReadonlyMap<string, Stated> {
  const found = new Map<string, Stated>()
  let text = `${fold(item.specs ?? '')} ${facts.text}`
  for (const attribute of kind?.attributes ?? []) {
    const stated = statedIn(text, attribute)
    if (!stated) continue
    found.set(attribute.name_zh, stated)
    text = text.replace(fold(stated.text), ' ')
  }
  return found
}

function statedIn(text: string, attribute: Attribute): Stated | undefined {
  const { unit = '' } = attribute
  const values = valuesOf(attribute)
  // The longest first: 12GB+256GB before 256GB.
  const found = values.map((value, index) => ({ value, index, text: `${value}${unit}` }))
    .sort((one, other) => other.text.length - one.text.length)
    .find((one) => hasWhole(text, fold(one.text)))
  return found && { text: found.text, rank: rankOf(attribute, found.value, found.index) }
}

function rankOf({ better }: Attribute, value: string | number, index: number): number | null {
  if (!better) return null
  const height = typeof value === 'number' ? value : index
  return better === 'high' ? height : -height
}

/** As a whole word: 5W is not in 15W. */
function hasWhole(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const isCut = (/^[\da-z.]/.test(value) && /[\da-z.]/.test(text.charAt(at - 1)))
      || (/[\da-z]$/.test(value) && /[\da-z]/.test(text.charAt(at + value.length)))
    if (!isCut) return true
  }
  return false
}

const NAMES: Readonly<Record<Unit, string>> = {
  ml: 'volume (ml)', g: 'weight (g)', gb: 'memory and storage (GB)', mm: 'length (mm)',
  inch: 'diagonal (inch)', w: 'power (W)', mah: 'battery (mAh)', hz: 'frequency (Hz)',
  degree: 'degree', shoe: 'shoe size', month: 'months', year: 'years', person: 'people',
  grade: 'grade', layer: 'layers', hour: 'hours', grit: 'grit', page: 'pages', percent: 'percent',
}
/** More of it is always better. */
const MORE_IS_BETTER: ReadonlySet<Unit> = new Set(['gb', 'mah', 'hz', 'hour'])

/**
 * A row for each dimension that a title states: storage, volume, screen, power. In the order of the
 * table, so that equal items give equal rows.
 */
export const sizeRows = (candidates: readonly OfferCandidate[]): ComparedRow[] =>
  (Object.keys(NAMES) as Unit[]).filter((unit) =>
    candidates.some(({ facts }) => facts.sizes.has(unit))).map((unit) => ({
    attribute: NAMES[unit],
    value: ({ facts }) => [...facts.sizes.get(unit) ?? []].sort((left, right) => left - right)
      .join(' + ') || null,
    ...MORE_IS_BETTER.has(unit) && {
      rank: ({ facts }: OfferCandidate) => {
        const values = facts.sizes.get(unit)
        return values ? Math.max(...values) : null
      },
    },
  }))

/** Names that have rows of their own. */
const OWN_ROWS = new Set(['品类', '品牌', '型号'])
const NAME_LENGTH_MAX = 60
const STATED_MAX = 24

/**
 * A row for each line of the specifications: goods of an unknown kind state facts as well, under
 * names that only their seller chose. Values stay as they are, and none is the better.
 */
export function statedRows(
  candidates: readonly OfferCandidate[], covered: readonly ComparedRow[],
): ComparedRow[] {
  const names = new Map(candidates.flatMap(({ item }) => item.spec_list ?? [])
    .filter(({ name }) => !OWN_ROWS.has(name)
      && !covered.some(({ attribute }) => fold(attribute).startsWith(`${fold(name)} (`)))
    .map(({ name }) => [fold(name), name]))
  return [...names].slice(0, STATED_MAX).map(([key, name]): ComparedRow => ({
    attribute: name.slice(0, NAME_LENGTH_MAX),
    value: (candidate) => specOf(candidate, key),
  }))
}

/** As its specifications state it, under a folded name. */
const specOf = ({ item }: OfferCandidate, key: string): string | null =>
  (item.spec_list ?? []).filter(({ name }) => fold(name) === key)
    .map(({ value }) => value).join(', ') || null

/** Rows that are read from all of the text, by the name under which the same is stated. */
const STATED_AS: ReadonlyMap<string, string> = new Map([['colour', '颜色'], ['material', '材质']])

/** One row for a fact: what is stated, and where nothing is, what the text says. */
export function withoutDoubles(rows: readonly ComparedRow[]): ComparedRow[] {
  const readOf = new Map(rows.flatMap((read) => {
    const name = STATED_AS.get(read.attribute)
    const stated = name === undefined ? undefined : rows.find(({ attribute }) =>
      attribute === name || attribute.startsWith(`${name} (`))
    return stated ? [[stated, read] as const] : []
  }))
  const doubles = new Set(readOf.values())
  return rows.filter((row) => !doubles.has(row)).map((row) => {
    const read = readOf.get(row)
    return read ? { ...row, value: (candidate) => row.value(candidate) ?? read.value(candidate) }
      : row
  })
}
