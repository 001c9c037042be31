/**
 * The generated products: what exists, whoever sells it. The local shelf and the mall simulators
 * offer the same products, each with its own price, stock and sales.
 */
import { dealtValues, type Sisters, type Value } from './deal-values.ts'
import { createRandom, type Random } from './random.ts'
import {
  type Attribute, type Brand, type Category, type Kind, taxonomy, valuesOf,
} from './taxonomy.ts'

interface ChosenAttribute {
  readonly attribute: Attribute
  readonly value: Value
  /** With its unit, as titles write it: 1.7L. */
  readonly text: string
}

/** The products of which it is a variant, itself among them. */
export interface Family extends Sisters {
  /** The index of its first member. */
  readonly first: number
}

export interface GeneratedProduct {
  readonly index: number
  readonly category: Category
  readonly kind: Kind
  /** How many products of the kind came before. */
  readonly round: number
  /** Whether we sell it, or a mall does. */
  readonly isOwn: boolean
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
  readonly family: Family | null
  /** For what each product has of its own: stock, sales. */
  readonly random: Random
  /** For what all members of a family have in common; of other goods the same as `random`. */
  readonly shared: Random
}

/** Neighbouring indexes lie in neighbouring categories, so that any prefix is balanced. */
export function generatedProduct(seed: string, index: number): GeneratedProduct {
  const { categories } = taxonomy()
  const category = categories[index % categories.length] as Category
  const { kind, round } = kindAt(category, Math.floor(index / categories.length))
  const random = createRandom(seed, index)
  const { isOwn, turn } = turnOf(category, kind, round)
  const supplySeed = `${seed} ${isOwn ? 'own' : 'mall'}`
  const familyAt = (at: number): Family | null =>
    familyOf(seed, supplySeed, category, kind, { isOwn, turn: at })
  const family = familyAt(turn)
  const shared = family ? createRandom(seed, family.first) : random
  const brand = shared.pick('brand', category.brands)
  const values = dealtValues(supplySeed, kind, turn, familyAt)
  const attributes = kind.attributes.map((attribute, at): ChosenAttribute => {
    const value = values[at] as Value
    return { attribute, value, text: `${value}${attribute.unit ?? ''}` }
  })
  const pack = kind.packs ? shared.pick('pack', kind.packs) : null
  return {
    index,
    category,
    kind,
    round,
    isOwn,
    brand,
    brandText: `${brand.zh} ${brand.latin}`,
    model: kind.model === null ? null : modelName(kind.model, shared),
    attributes,
    features: shared.sample('features', kind.features, 4),
    scenes: shared.sample('scenes', kind.scenes, 2),
    pack,
    basePrice: basePrice(kind, brand, attributes, pack, shared),
    family,
    random,
    shared,
  }
}

/** Files name the commonest kinds first: these have so many times as many products. */
const COMMON_KINDS = 15
const COMMON_SHARE = 3

interface Cycle {
  readonly common: number
  readonly length: number
}

function cycleOf({ kinds }: Category): Cycle {
  const common = Math.min(COMMON_KINDS, kinds.length)
  return { common, length: kinds.length + common * (COMMON_SHARE - 1) }
}

function kindAt(category: Category, place: number): { kind: Kind, round: number } {
  const { kinds } = category
  const { common, length } = cycleOf(category)
  const at = place % length
  const index = at < common * COMMON_SHARE ? at % common : at - common * (COMMON_SHARE - 1)
  const within = at < common * COMMON_SHARE ? Math.floor(at / common) : 0
  const turns = Math.floor(place / length)
  return {
    kind: kinds[index] as Kind,
    round: index < common ? turns * COMMON_SHARE + within : turns,
  }
}

/** The index of the product for which `kindAt` gives the kind and the round. */
function indexAt(category: Category, kind: Kind, round: number): number {
  const { common, length } = cycleOf(category)
  const at = category.kinds.indexOf(kind)
  const place = at < common
    ? Math.floor(round / COMMON_SHARE) * length + round % COMMON_SHARE * common + at
    : round * length + at + common * (COMMON_SHARE - 1)
  const { categories } = taxonomy()
  return place * categories.length + categories.indexOf(category)
}

interface Turn {
  readonly isOwn: boolean
  /** How many of the kind came before that are sold by ourselves, or by malls. */
  readonly turn: number
}

/** Of so many goods of a kind one is sold by a mall; kinds begin at different places of that. */
const SUPPLY_CYCLE = 4
const OWN_IN_CYCLE = SUPPLY_CYCLE - 1

const supplyStart = ({ kinds }: Category, kind: Kind): number =>
  kinds.indexOf(kind) % SUPPLY_CYCLE

function turnOf(category: Category, kind: Kind, round: number): Turn {
  const start = supplyStart(category, kind)
  const cycle = Math.floor((start + round) / SUPPLY_CYCLE)
  const within = (start + round) % SUPPLY_CYCLE
  return within < OWN_IN_CYCLE
    ? { isOwn: true, turn: cycle * OWN_IN_CYCLE + within - start }
    : { isOwn: false, turn: cycle }
}

/** The round of which `turnOf` gives the turn. */
function roundOf(category: Category, kind: Kind, { isOwn, turn }: Turn): number {
  const start = supplyStart(category, kind)
  if (!isOwn) return turn * SUPPLY_CYCLE + OWN_IN_CYCLE - start
  const place = start + turn
  return Math.floor(place / OWN_IN_CYCLE) * SUPPLY_CYCLE + place % OWN_IN_CYCLE - start
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'

function modelName(pattern: string, random: Random): string {
  return [...pattern].map((character, at) => {
    if (character === '#') return String(random.integer(`model ${at}`, at === 0 ? 1 : 0, 9))
    if (character === '@') return random.pick(`model ${at}`, [...LETTERS])
    return character
  }).join('')
}

const PACK_WEIGHT = 0.3
const TIER_SHIFT = { budget: -0.22, mid: 0, premium: 0.28 } as const

/**
 * A place between the kind's cheapest and dearest, on a logarithmic scale as prices are: moved by
 * the brand's tier, by attributes that cost more, and at random.
 */
function basePrice(
  kind: Kind, brand: Brand, attributes: readonly ChosenAttribute[], pack: string | null,
  random: Random,
): number {
  let place = 0.4 + TIER_SHIFT[brand.tier] + (random.unit('price') - 0.5) * 0.3
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

const BLOCK = 6
/**
 * Half of the goods have sisters: more would leave too few that differ in all else. Rarer kinds,
 * of which there are some two dozen, have smaller families.
 */
const SPLITS = {
  common: [[6], [3, 2, 1], [3, 1, 1, 1], [2, 1, 1, 1, 1], [2, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1]],
  rare: [[3, 2, 1], [2, 2, 1, 1], [2, 1, 1, 1, 1], [2, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1]],
} as const satisfies Record<string, readonly (readonly number[])[]>

/**
 * Which generated products are variants of one: sisters that differ only in attributes which
 * the taxonomy marks as varying, at most two of them. Each six goods of a kind and supply are
 * shared out among families of one to six; the seed of the first decides what sisters share.
 */
function familyOf(
  seed: string, supplySeed: string, category: Category, kind: Kind, { isOwn, turn }: Turn,
): Family | null {
  const variant = kind.attributes.filter((attribute) => attribute.variant)
  if (variant.length === 0) return null
  const { start, size } = splitAt(supplySeed, category, kind, turn)
  if (size === 1) return null
  const first = indexAt(category, kind, roundOf(category, kind, { isOwn, turn: start }))
  const varying = createRandom(seed, first).sample('varying', variant, 2)
  const ways = varying.reduce((product, one) => product * valuesOf(one).length, 1)
  return ways === 1 || turn - start >= ways ? null
    : { first, turn: start, varying: new Set(varying) }
}

/** The turn of the first of a family, and how many it may have. */
function splitAt(
  supplySeed: string, category: Category, kind: Kind, turn: number,
): { start: number, size: number } {
  const isCommon = category.kinds.indexOf(kind) < COMMON_KINDS
  const block = Math.floor(turn / BLOCK)
  const sizes = createRandom(`${supplySeed} families of ${kind.kind}`, block)
    .pick<readonly number[]>('split', isCommon ? SPLITS.common : SPLITS.rare)
  let start = block * BLOCK
  for (const size of sizes) {
    if (turn < start + size) return { start, size }
    start += size
  }
  return { start: turn, size: 1 }
}
