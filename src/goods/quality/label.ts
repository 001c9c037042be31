/**
 * Which items answer a query, and how well, decided from facts alone. Labels know neither the
 * tokens nor what a search returns: 3 is the right kind with all that was asked for, 2 lacks one
 * wish, 1 is a near kind, another brand or lacks more, 0 is something else.
 */
import type { Supply } from '../line.ts'
import { taxonomy, type Kind } from '../taxonomy.ts'
import type { ItemFacts } from './facts.ts'

export type Grade = 0 | 1 | 2 | 3

export interface Wanted {
  /** The kinds asked for; without any, every kind will do. */
  readonly kinds?: readonly string[]
  /** Kinds that a shopper would look at instead. */
  readonly near?: readonly string[]
  /** Chinese name. */
  readonly brand?: string
  readonly model?: string
  /** Each lacking one costs a grade. */
  readonly wishes?: readonly Wish[]
}

export type Wish = (item: ItemFacts) => boolean

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
  const { kinds, near = [], brand, model, wishes = [] } = wanted
  const isBrand = brand === undefined || item.brand === brand
  if (kinds && !kinds.includes(item.kind)) return isBrand && near.includes(item.kind) ? 1 : 0
  // Without a kind the brand or the model is all that was asked for.
  if (!isBrand) return kinds && model === undefined ? 1 : 0
  // Who names a model wants that one.
  if (model !== undefined && item.model !== model) return 0
  const lacking = wishes.filter((wish) => !wish(item)).length
  return lacking === 0 ? 3 : lacking === 1 ? 2 : 1
}

export const hasValue = (name: string, value: string): Wish =>
  ({ values }) => values.get(name) === value

/** A word of a value: 黑 in the colour 曜石黑, 不锈钢 in the material 304不锈钢. */
export const valueHas = (name: string, part: string): Wish =>
  ({ values }) => values.get(name)?.includes(part) ?? false

/** A colour by its character, whichever attribute holds it. */
export const coloured = (character: string): Wish => ({ values }) =>
  [...values].some(([name, value]) => /色|外观|盘面|水洗|花型/.test(name)
    && value.includes(character))

export const hasFeature = (feature: string): Wish => ({ features }) => features.includes(feature)
/** Whichever value or feature says it. */
export const says = (part: string): Wish => ({ values, features }) =>
  [...values.values(), ...features].some((text) => text.includes(part))

export const forScene = (scene: string): Wish => ({ scenes }) => scenes.includes(scene)

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
