/** The attributes that are compared, what each is of an item, and which value is the better one. */
import { goodsPrice } from '../../../adapters/price.ts'
import { isOpen, type Candidate } from '../candidate.ts'
import { ratedOf } from '../score/signals.ts'
import { taxonomy, type KnownKind } from '../../goods/taxonomy.ts'
import { PER_UNITS, unitPriceOf } from '../../language/unit-price.ts'

export interface Row {
  readonly attribute: string
  /** Null where the source does not say. Prices are in fen. */
  value(candidate: Candidate): string | null
  /** Which value is the better one, where a number alone does not say. */
  readonly better?: 'high' | 'low' | null
  /** The higher the better; null where it cannot be told. */
  rank?(candidate: Candidate): number | null
}

const text = (value: number | string | null | undefined): string | null =>
  (value === null || value === undefined || value === '' ? null : String(value))
const list = (values: ReadonlySet<string>): string | null => text([...values].sort().join(', '))
const negative = (value: number | null | undefined): number | null =>
  (value === null || value === undefined ? null : -value)

export const itself = (candidate: Candidate) =>
  ({ offers: [{ ...candidate, match: { confidence: 1, reasons: [] } }] as const })

const unitOf = ({ facts, item }: Candidate) => unitPriceOf(facts, goodsPrice(item.price))

export const ROWS: readonly Row[] = [
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
  ...PER_UNITS.map((per): Row => {
    const fen = (candidate: Candidate): number | null => {
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
    rank: (candidate) => ratedOf(itself(candidate))?.rating ?? null,
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

/** The likeliest. */
export function kindOfItem({ facts }: Candidate): KnownKind | undefined {
  const [best] = [...facts.kinds].sort((left, right) => right[1] - left[1]
    || (left[0] < right[0] ? -1 : 1))
  return best && taxonomy().kinds.get(best[0])
}
