/** Whether an item is the thing that was asked for. */
import { masked } from './read/claims.ts'
import type { Facts } from './facts.ts'
import { brandKey, brandsIn } from './facts/brands.ts'
import { modelsIn } from './facts/models.ts'
import { isUsed, productTypeOf } from './facts/product-type.ts'
import { sizesIn } from './facts/sizes.ts'
import { fold } from './fold.ts'
import { categoryOf } from '../goods/taxonomy.ts'
import type { Understanding } from './understanding.ts'
import { says } from './contains-word.ts'

export type Goods = 'asked' | 'perhaps' | 'other'

export interface Asked {
  readonly kinds: ReadonlyMap<string, number>
  readonly brands: ReadonlySet<string>
  readonly models: ReadonlySet<string>
  readonly variants: ReadonlySet<string>
  /** Names of goods that the taxonomy does not know, and other words. */
  readonly words: readonly string[]
  readonly kindWords: readonly string[]
  readonly wantsAccessory: boolean
  readonly wantsUsed: boolean
  readonly food: 'yes' | 'maybe' | null
  /** Of a meal, where it is named. */
  readonly dishes: readonly string[]
}

/** Of several kinds that may be meant, those that are at least half as likely as the first. */
const LIKELY_SHARE = 0.5
const SURE_NAME = 0.85
const NOUN = /\p{Script=Han}{2}$/u

export function askedOf(understood: Understanding): Asked {
  const { sentence, keywords, food } = understood
  const text = fold(sentence)
  const named = keywords.filter(({ role }) => role === 'brand' || role === 'model')
    .map(({ folded }) => folded).join(' ')
  const brands = brandsIn(named)
  // A name that was taken for a number and a word is still found in the whole sentence.
  const { rest } = sizesIn(fold(withoutNumbers(understood)), true)
  const { variants } = modelsIn(named, brands)
  const { models } = modelsIn(rest, brandsIn(rest))
  return {
    kinds: new Map([understood.kinds, ...understood.more].flatMap((kinds) =>
      kinds.map(({ value, confidence }) => [value, confidence / (kinds[0]?.confidence ?? 1)]))),
    brands: new Set(brands.map(({ key }) => key)),
    models, variants,
    // 2XL looks like a model and is none.
    words: keywords.filter(({ role, folded }) => role === 'word'
      || (role === 'model' && modelsIn(folded, []).models.size === 0)).map(({ folded }) => folded),
    kindWords: keywords.filter(({ role }) => role === 'kind').map(({ folded }) => folded),
    wantsAccessory: productTypeOf(text).isAccessory,
    wantsUsed: isUsed(text),
    food: food?.meant ?? null,
    dishes: food?.isNamed ? food.dishes.map(fold) : [],
  }
}

/** Without the budget and the values that were read: waist 32 and n95 are no models. */
const withoutNumbers = ({ sentence, budget, must, named }: Understanding): string =>
  masked(sentence, [...budget?.spans ?? [],
    ...[...must, ...named].filter(({ measure, values }) => measure ?? values)])

export function goodsOf(asked: Asked, facts: Facts, source: string): Goods {
  if (source === 'food') {
    return asked.food === 'yes' && isDish(asked, facts) ? 'asked'
      : asked.food === null ? 'other' : 'perhaps'
  }
  if (facts.isStuffed || (facts.isUsed && !asked.wantsUsed)) return 'other'
  return kindOf(asked, facts)
}

/** 沸石火锅 烧烤 is barbecue of a shop that is called so. */
const SHOP = /^\S+ /
const isDish = ({ dishes }: Asked, { text }: Facts): boolean => dishes.length === 0
  || dishes.some((dish) => says(text.replace(SHOP, ''), dish))

function kindOf(asked: Asked, facts: Facts): Goods {
  const isBare = facts.isAccessory && !asked.wantsAccessory
  if (asked.kinds.size === 0) {
    // Of goods that no lexicon knows, the title has to say all that was said.
    const all = [...asked.words, ...asked.kindWords]
    // A noun that nobody knows is none of the goods that somebody knows.
    const isKnown = facts.kinds.size > 0 && all.some((word) => NOUN.test(word))
    // DCS-285 is a model of its own.
    const isSaid = all.every((word) => says(facts.said, word) && !facts.said.includes(`${word}-`)
      && (word.length > 1 || all.length > 1))
    return !isBare && !isKnown && isSaid ? 'asked' : 'other'
  }
  const names = [...facts.kinds].map(([kind, weight]) =>
    ({ weight, share: asked.kinds.get(kind) ?? 0 })).filter(({ share }) => share > 0)
  const isSure = names.some(({ weight, share }) => weight >= SURE_NAME && share >= LIKELY_SHARE)
  // An accessory that is what was asked for is no bare one.
  if (isSure && !facts.isPart) return 'asked'
  if (isBare) return 'other'
  if (names.length > 0) return 'perhaps'
  const isSaid = asked.kindWords.some((word) => says(facts.said, word))
  if (facts.kinds.size === 0) return isSaid ? 'asked' : 'other'
  // 绿茶香 makes no tea of a soap; a cup that is also called a tea cup is one.
  return isSaid && facts.moreKinds.some((kind) => asked.kinds.has(kind))
    && sameCategory(asked.kinds, facts.kinds) ? 'perhaps' : 'other'
}

type Kinds = ReadonlyMap<string, number>

function sameCategory(left: Kinds, right: Kinds): boolean {
  const categories = (kinds: Kinds): number[] =>
    [...kinds.keys()].map((kind) => categoryOf(kind))
  const others = categories(right)
  return categories(left).some((category) => others.includes(category))
}

/** Share of the words of the sentence that the item has. */
export function wordShare(asked: Asked, facts: Facts, goods: Goods): number {
  const { kinds, brands, models, words, kindWords } = asked
  const isKind = goods === 'asked'
    || (goods === 'other' && [...facts.kinds.keys()].some((kind) => kinds.has(kind)))
  const found = [
    ...[...brands].map((brand) => facts.brands.has(brand) || says(facts.said, brand)),
    ...[...models].map((model) => facts.models.has(model)),
    ...words.map((word) => says(facts.said, word) || facts.brands.has(brandKey(word))),
    ...kindWords.map(() => isKind),
  ]
  return found.length === 0 ? 1 : found.filter(Boolean).length / found.length
}
