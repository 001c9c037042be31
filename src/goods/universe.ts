/**
 * The product universe: what exists, whoever sells it. The local shelf and the mall simulators
 * offer the same products, each with its own price, stock and sales.
 */
import { chance, type Chance } from './chance.ts'
import {
  taxonomy, valuesOf, type Attribute, type Brand, type Category, type Kind,
} from './taxonomy.ts'

export interface ChosenAttribute {
  readonly attribute: Attribute
  readonly value: string | number
  /** With its unit, as titles write it: 1.7L. */
  readonly text: string
}

export interface UniverseProduct {
  readonly index: number
  readonly category: Category
  readonly kind: Kind
  /** How many products of the kind came before. */
  readonly round: number
  readonly brand: Brand
  /** "星柚 Synyo" */
  readonly brandText: string
  readonly model: string | null
  readonly attributes: readonly ChosenAttribute[]
  readonly features: readonly string[]
  readonly scenes: readonly string[]
  readonly pack: string | null
  /** Fen; sellers vary around it. */
  readonly basePrice: number
  /** For what depends on a product and a seller: mall prices, sales, ratings. */
  readonly chance: Chance
}

/** Neighbouring indexes lie in neighbouring categories, so that any prefix is balanced. */
export function universeProduct(seed: string, index: number): UniverseProduct {
  const { categories } = taxonomy()
  const category = categories[index % categories.length] as Category
  const place = Math.floor(index / categories.length)
  const luck = chance(seed, index)
  const { kind, round } = kindAt(category, place)
  const brand = luck.pick('brand', category.brands)
  const attributes = kind.attributes.map((attribute): ChosenAttribute => {
    const value = luck.pick(`attribute ${attribute.name_en}`, valuesOf(attribute))
    return { attribute, value, text: `${value}${attribute.unit ?? ''}` }
  })
  const pack = kind.packs ? luck.pick('pack', kind.packs) : null
  return {
    index,
    category,
    kind,
    round,
    brand,
    brandText: `${brand.zh} ${brand.latin}`,
    model: kind.model === null ? null : modelName(kind.model, luck),
    attributes,
    features: luck.sample('features', kind.features, 4),
    scenes: luck.sample('scenes', kind.scenes, 2),
    pack,
    basePrice: basePrice(kind, brand, attributes, pack, luck),
    chance: luck,
  }
}

/** Files name the commonest kinds first: these have so many times as many products. */
const COMMON_KINDS = 15
const COMMON_SHARE = 3

function kindAt({ kinds }: Category, place: number): { kind: Kind, round: number } {
  const common = Math.min(COMMON_KINDS, kinds.length)
  const cycle = kinds.length + common * (COMMON_SHARE - 1)
  const at = place % cycle
  const index = at < common * COMMON_SHARE ? at % common : at - common * (COMMON_SHARE - 1)
  const within = at < common * COMMON_SHARE ? Math.floor(at / common) : 0
  const turns = Math.floor(place / cycle)
  return {
    kind: kinds[index] as Kind,
    round: index < common ? turns * COMMON_SHARE + within : turns,
  }
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'

function modelName(pattern: string, luck: Chance): string {
  return [...pattern].map((character, at) => {
    if (character === '#') return String(luck.integer(`model ${at}`, at === 0 ? 1 : 0, 9))
    if (character === '@') return luck.pick(`model ${at}`, [...LETTERS])
    return character
  }).join('')
}

const PACK_WEIGHT = 0.3
const TIER_SHIFT = { budget: -0.22, mid: 0, premium: 0.28 } as const

/**
 * A place between the kind's cheapest and dearest, on a logarithmic scale as prices are: moved by
 * the brand's tier, by attributes that cost more, and by chance.
 */
function basePrice(
  kind: Kind, brand: Brand, attributes: readonly ChosenAttribute[], pack: string | null,
  luck: Chance,
): number {
  let place = 0.4 + TIER_SHIFT[brand.tier] + (luck.unit('price') - 0.5) * 0.3
  for (const { attribute, value } of attributes) {
    place += (attribute.price_weight ?? 0) * shareOf(value, valuesOf(attribute))
  }
  // Packs are listed from the smallest to the largest.
  if (pack !== null) place += PACK_WEIGHT * shareOf(pack, kind.packs ?? [])
  const { min, max } = kind.price
  const fen = min * (max / min) ** Math.min(Math.max(place, 0), 1)
  return Math.min(Math.max(priceEnding(fen), min), max)
}

/** Where a value stands among all: −0.5 for the first, 0.5 for the last. */
function shareOf<T>(value: T, all: readonly T[]): number {
  return all.length < 2 ? 0 : all.indexOf(value) / (all.length - 1) - 0.5
}

/** Prices end as shop prices do: 9.90, 59.00, 129.00, 2499.00. */
export function priceEnding(fen: number): number {
  if (fen < 2000) return Math.max(Math.round(fen / 100) * 100 - 10, 90)
  if (fen < 20_000) return Math.max(Math.round(fen / 500) * 500 - 100, 900)
  if (fen < 100_000) return Math.round(fen / 1000) * 1000 - 100
  return Math.round(fen / 10_000) * 10_000 - 100
}
