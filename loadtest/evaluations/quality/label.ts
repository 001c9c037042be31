/**
 * Which items answer a query, and how well, decided from facts alone. Labels know neither the
 * tokens nor what a search returns: 3 is the right kind with all that was asked for, 2 misses one
 * constraint, 1 is a near kind, another brand or misses more, 0 is something else.
 */
import type { Supply } from '../../../src/goods/line.ts'
import { type Kind, taxonomy } from '../../../src/goods/taxonomy.ts'
import { finalPrice } from '../../../src/goods/document.ts'
import { catalogueLine } from '../../../src/goods/generate.ts'
import { generatedProduct } from '../../../src/goods/generated-product.ts'

/** True of an item by the generator's own structures: no text is read for it. */
export interface ItemFacts {
  readonly index: number
  readonly productId: number
  readonly category: number
  readonly supply: Supply
  readonly price: number
  readonly kind: string
  /** The Chinese name; the Latin one beside it. */
  readonly brand: string
  readonly latin: string
  readonly model: string | null
  /** Values with their units by the attribute's Chinese name. */
  readonly values: ReadonlyMap<string, string>
  readonly features: readonly string[]
  readonly scenes: readonly string[]
  readonly pack: string | null
}

export function factsOf(seed: string, index: number): ItemFacts {
  const product = generatedProduct(seed, index)
  const line = catalogueLine(seed, index)
  return {
    index,
    productId: line.product_id,
    category: line.category_id,
    supply: line.supply,
    price: finalPrice(line),
    kind: product.kind.kind,
    brand: product.brand.zh,
    latin: product.brand.latin,
    model: product.model,
    values: new Map(product.attributes.map(({ attribute, text }) => [attribute.name_zh, text])),
    features: product.features,
    scenes: product.scenes,
    pack: product.pack,
  }
}

export const allFacts = (seed: string, items: number): ItemFacts[] =>
  Array.from({ length: items }, (_, index) => factsOf(seed, index))

export type Grade = 0 | 1 | 2 | 3

export interface Wanted {
  /** The kinds asked for; without any, every kind will do. */
  readonly kinds?: readonly string[]
  /** Kinds that a shopper would look at instead. */
  readonly near?: readonly string[]
  /** Chinese name. */
  readonly brand?: string
  readonly model?: string
  /** Each that is not met costs a grade. */
  readonly constraints?: readonly Constraint[]
}

/** One of these. */
export interface Constraint {
  /** An attribute's Chinese name, and its value with the unit. */
  readonly value?: readonly [name: string, value: string]
  /** A word of a value: 不锈钢 in the material 304不锈钢. */
  readonly value_part?: readonly [name: string, part: string]
  /** The character of a colour, whichever attribute holds it: 黑 in 曜石黑. */
  readonly colour?: string
  readonly feature?: string
  readonly scene?: string
  /** What any value or feature must contain. */
  readonly text?: string
}

/** Parameters beside the words: an item outside them is no answer at all. */
export interface Limits {
  readonly category?: number
  readonly supply?: Supply
  readonly min?: number
  readonly max?: number
}

export function gradeOf(item: ItemFacts, wanted: Wanted, limits: Limits): Grade {
  const { category, supply, min = 0, max = Infinity } = limits
  if (category !== undefined && item.category !== category) return 0
  if (supply !== undefined && item.supply !== supply) return 0
  if (item.price < min || item.price > max) return 0
  const { kinds, near = [], brand, model, constraints = [] } = wanted
  const isBrand = brand === undefined || item.brand === brand
  if (kinds && !kinds.includes(item.kind)) return isBrand && near.includes(item.kind) ? 1 : 0
  // Without a kind the brand or the model is all that was asked for.
  if (!isBrand) return kinds && model === undefined ? 1 : 0
  // Who names a model wants that one.
  if (model !== undefined && item.model !== model) return 0
  const missed = constraints.filter((one) => !meets(item, one)).length
  return missed === 0 ? 3 : missed === 1 ? 2 : 1
}

/** Colours stand in attributes of these names. */
const COLOUR_NAMES = /色|外观|盘面|水洗|花型/

function meets({ values, features, scenes }: ItemFacts, constraint: Constraint): boolean {
  const { value, value_part, colour, feature, text, scene } = constraint
  if (value) return values.get(value[0]) === value[1]
  if (value_part) return values.get(value_part[0])?.includes(value_part[1]) ?? false
  if (colour !== undefined) {
    return [...values].some(([name, shown]) => COLOUR_NAMES.test(name) && shown.includes(colour))
  }
  if (feature !== undefined) return features.includes(feature)
  if (scene !== undefined) return scenes.includes(scene)
  return [...values.values(), ...features].some((shown) => shown.includes(text ?? ''))
}

type KindOf = Kind & { readonly category_id: number }

const namesOf = ({ name_zh, name_en, aliases }: Kind): string[] => [name_zh, name_en, ...aliases]

/**
 * Chinese puts the noun last: 手机 names 智能手机 and 折叠屏手机, and not 手机壳. A wider word names
 * each kind that the taxonomy lists under it: 灯.
 */
export function kindsNamed(word: string): string[] {
  const isHan = /^\p{Script=Han}{2,}$/u.test(word)
  const fits = (name: string): boolean => name === word || (isHan && name.endsWith(word))
  return [...taxonomy().kinds.values()].filter((kind) =>
    namesOf(kind).some(fits) || kind.broader?.includes(word))
    .map(({ kind }) => kind)
}

/** Last characters that say nothing of what a thing is for: machine, device, goods, set. */
const VAGUE = new Set('机器品具装盒件包板片线套')

/** Kinds of the same category whose noun is the same: other pots for a wok, other shoes. */
export function nearKinds(kinds: readonly string[]): string[] {
  const all = taxonomy().kinds
  const given = kinds.flatMap((name) => all.get(name) ?? [])
  const isNear = (kind: KindOf): boolean => given.some((one) =>
    one.category_id === kind.category_id && nounOf(one) === nounOf(kind)
    && !VAGUE.has(nounOf(kind)))
  return [...all.values()].filter((kind) => !kinds.includes(kind.kind) && isNear(kind))
    .map(({ kind }) => kind)
}

const nounOf = ({ name_zh }: Kind): string => name_zh.slice(-1)

export function wantKinds(kinds: readonly string[], more: Omit<Wanted, 'kinds'> = {}): Wanted {
  return { kinds, near: nearKinds(kinds), ...more }
}
