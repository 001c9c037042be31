/**
 * What goods cost by the litre, 100 g, 100 sheets or a tablet, where the title says how much a pack
 * has. Goods of one kind get one unit whatever the pack, so that packs can be compared.
 */
import { categoryOf, type Kind, taxonomy, valuesOf } from '../goods/taxonomy.ts'
import type { Facts } from './facts.ts'
import type { PerUnit } from './understanding.ts'

export const PER_UNITS =
  ['litre', '100ml', '100g', '100 sheets', '100 pieces', 'tablet', 'piece'] as const

export interface UnitPrice {
  readonly fen: number
  readonly per: (typeof PER_UNITS)[number]
}

/** What is used up; of a kettle nobody asks what a litre of it costs. */
const CONSUMABLE = new Set([12, 13, 14, 15, 16, 17, 18, 22, 23, 24])
/** Bags and socks are bought by the piece; a massage gun with six heads is one. */
const COUNTED = new Set([...CONSUMABLE, 5, 9])
/** Cosmetics, baby care and medicines come in small bottles. */
const SMALL_BOTTLES = new Set([12, 18, 24])
/** How a kind states what is sold; the volume of a bottle and the weight of a device are not. */
const NET = /^(?:净含量|净膛?重|重量|规格|单.?(?:净含量|容量|重量|克重|规格))$/
const NET_UNITS = new Set(['g', 'kg', '克', '斤', '两', 'ml', 'L'])
/** Of a lipstick nobody asks what 100 g cost. */
const NET_MIN = 10
/** Their pieces are different things. */
const SET = /(?:kit|sets?|tools|drill|screwdriver|wrench|pliers)$/
const SHEETS = /tissue|wipes?|paper|towel|washcloth/
const TABLETS = new RegExp('tablets?$|softgels$|vitamin|melatonin|supplement|folic_acid|carnitine'
  + '|_dha$|medicine$|pain_reliever|lozenge|propolis|denture_cleaner')
const PIECES_MIN = 2
/** A kind whose packs have so many pieces is compared by the hundred: one costs too little. */
const MANY_PIECES = 100
/** 15 g beside 500 g is one of the pieces. */
const PART_SHARE = 0.2

type Packed = Pick<Facts, 'kinds' | 'sizes' | 'pack' | 'isAccessory'>

/** Whether goods of a category may have one at all; reading a title takes its time. */
export const haveUnits = (category: number): boolean => COUNTED.has(category)

/** Of what is eaten or used up a kilogram has a price. */
export const isConsumable = (kind: string): boolean => CONSUMABLE.has(categoryOf(kind))

/** `price`: what is paid for the goods, in fen; freight does not grow with the pack. */
export function unitPriceOf(facts: Packed, price: number): UnitPrice | undefined {
  const kinds = surestOf(facts.kinds)
  const isIn = (categories: ReadonlySet<number>): boolean => kinds.every((kind) =>
    categories.has(categoryOf(kind)))
  const isAny = (names: RegExp): boolean => kinds.some((kind) => names.test(kind))
  if (!isPlain(facts) || kinds.length === 0 || isAny(SET) || !isIn(COUNTED)) return undefined
  const { count, pieces, counter } = facts.pack
  const packs = count ?? 1
  const byPiece = (number: number): UnitPrice | undefined => {
    if (number < PIECES_MIN) return undefined
    const isSheet = counter === '抽' || (counter !== null && isAny(SHEETS))
    const isTablet = counter !== null && isIn(SMALL_BOTTLES) && isAny(TABLETS)
    if (isTablet) return share(price, number, 'tablet')
    if (isSheet) return share(price * 100, number, '100 sheets')
    return kinds.some(isOfMany) ? share(price * 100, number, '100 pieces')
      : share(price, number, 'piece')
  }
  if (pieces !== null) return byPiece(packs * pieces)
  if (isIn(CONSUMABLE) && kinds.some(isNet)) {
    const millilitres = netOf(facts, 'ml')
    if (millilitres !== undefined) {
      return isIn(SMALL_BOTTLES) ? share(price * 100, millilitres, '100ml')
        : share(price * 1000, millilitres, 'litre')
    }
    const grams = netOf(facts, 'g')
    if (grams !== undefined) return share(price * 100, grams, '100g')
  }
  return kinds.some(isNet) || isAny(SHEETS) ? undefined : byPiece(packs)
}

const share = (price: number, number: number, per: UnitPrice['per']): UnitPrice =>
  ({ fen: Math.round(price / number), per })

/** A set holds several things, a gift has no known size, and some titles contradict themselves. */
const isPlain = (goods: Packed): boolean => !goods.pack.isUnclear && !isBundle(goods)

const isBundle = ({ pack, isAccessory }: Pick<Packed, 'pack' | 'isAccessory'>): boolean =>
  isAccessory || pack.bundles.has('with more') || pack.bundles.has('set')

function surestOf(kinds: Facts['kinds']): string[] {
  const most = Math.max(...kinds.values())
  return [...kinds].filter(([, weight]) => weight === most).map(([kind]) => kind)
}

/** How much all packs have together; undefined where it is not told, or told in several ways. */
function netOf({ sizes, pack: { count } }: Packed, unit: 'ml' | 'g'): number | undefined {
  const [most, ...others] = [...sizes.get(unit) ?? []].sort((left, right) => right - left)
  const packs = count ?? 1
  if (most === undefined || most * packs < NET_MIN) return undefined
  if (others.length === 1 && (others[0] ?? 0) * packs === most) return most
  return others.every((one) => one <= most * PART_SHARE) ? most * packs : undefined
}

const isNet = rememberedOf(({ attributes }) => attributes.some(({ name_zh, unit }) =>
  NET.test(name_zh) && NET_UNITS.has(unit ?? '')))

const COUNTERS = new Set('片抽粒颗张枚贴只支条双卷个根节包袋')
const isOfMany = rememberedOf(({ attributes }) => attributes
  .filter(({ unit }) => COUNTERS.has(unit ?? ''))
  .some((one) => middleOf(valuesOf(one)) >= MANY_PIECES))

const middleOf = (rising: readonly (string | number)[]): number =>
  Number(rising[rising.length >> 1])

/** What the taxonomy says of a kind does not change. */
function rememberedOf(test: (kind: Kind) => boolean): (kind: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const kind = taxonomy().kinds.get(name)
    const found = known.get(name) ?? (kind !== undefined && test(kind))
    known.set(name, found)
    return found
  }
}

/** Liquids are stated by weight as well: a litre is about a kilogram. */
const EITHER = { g: ['g', 'ml'], ml: ['ml', 'g'] } as const

/** Fen for the unit that was asked for, not rounded; null where the title does not say. */
export function priceFor(
  { sizes, pack, isAccessory }: Facts, price: number, { unit, amount }: PerUnit,
): number | null {
  if (isBundle({ pack, isAccessory })) return null
  const count = pack.count ?? 1
  if (unit === 'pack') return price / count
  if (unit === 'piece') return price / (count * (pack.pieces ?? 1))
  for (const name of EITHER[unit]) {
    const [size, ...more] = sizes.get(name) ?? []
    if (size !== undefined && size > 0) {
      return more.length === 0 ? price * amount / (size * count) : null
    }
  }
  return null
}
