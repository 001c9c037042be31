/** Brands beside the goods that they make: 苹果手机, 三元 脱脂 奶粉, 海天酱油, 小米14. */
import { categoryOf } from '../../goods/taxonomy.ts'
import { getLexicon, goodsLength } from '../lexicon.ts'
import { attributesIn } from './attributes.ts'
import type { Place } from './claims.ts'
import { isPartOf } from './heads.ts'
import { isWholeName, meansKind, type Name } from './names.ts'
import type { Found } from './phrases.ts'

/** 六神 of 六神花露水 makes what is named behind it; an iphone has a case. */
export const isMaker = (name: Name, names: readonly Name[]): boolean => name.line !== undefined
  && names.some((other) => other !== name && other.start === name.end
    && (!isPartOf(other, name) || meansKind(other, name.senses[0]?.kind)))

/** 苹果手机: a brand of the goods that are named behind it. */
export function isBrandOf(
  text: string, brand: Place, name: Place, names: readonly Name[],
): boolean {
  const { categories } = getLexicon().brandOf.get(text.slice(brand.start, brand.end)) ?? {}
  return names.some((other) => other !== name && other.senses.some(({ kind }) =>
    categories?.has(categoryOf(kind))))
}

/** 三元 is a brand of 奶粉; in 三元催化器 it is part of a word that is not known. */
export function isBrand(text: string, { end }: Place, names: readonly Place[]): boolean {
  const run = /^\p{Script=Han}*/u.exec(text.slice(end))?.[0].length ?? 0
  const glued = /\p{Script=Han}/u.test(text.charAt(end - 1)) && run > 0
  if (!glued || text.charAt(end) === '的' || /(?:家|牌|牌子|品牌|出品)$/.test(text.slice(0, end))) {
    return true
  }
  // Up to the goods there is nothing but features: 三元 脱脂 奶粉.
  const goods = names.find((name) => name.start < end + run && name.end > end)
  const between = goods && text.slice(end, Math.max(end, goods.start))
  return between !== undefined && attributesIn(between)
    .reduce((length, one) => length + one.end - one.start, 0) === between.length
}

/** 海天酱油 is the brand and what it is known for; 可口可乐 is its goods as a whole. */
export function withGoods({ start, end, phrase }: Found): Place & { readonly goods?: Name } {
  const { brandOf, senses } = getLexicon()
  const length = isWholeName(phrase) ? 0
    : goodsLength(phrase, brandOf.get(phrase)?.categories ?? new Set(), senses)
  const key = phrase.slice(phrase.length - length)
  const named = length > 0 ? senses.get(key) : undefined
  const from = end - length
  return named ? { start, end: from, goods: { start: from, end, key, senses: named } }
    : { start, end }
}

/** 哺语家的, 镜隼牌 */
const BRAND_END = /^(?:家|(?:这个?|那个?|的)?(?:牌子?|品牌)|出品|出|产)(?=[的都有卖做]|$|[ ,.;。!?])/

/** 小米14 is one name. */
export function withModel(text: string, { start, end }: Place): Place {
  const model = /^[a-z0-9][a-z0-9-]{0,20}(?![a-z0-9])/.exec(text.slice(end, end + 24))
  const isHan = /\p{Script=Han}$/u.test(text.slice(start, end))
  const found = (isHan ? model : null) ?? BRAND_END.exec(text.slice(end, end + 5))
  return { start, end: end + (found?.[0].length ?? 0) }
}

const WORD_BEFORE = /(?<!\p{Script=Han})\p{Script=Han}{2,5}(?= $)/u
const WORD_BEHIND = /^ \p{Script=Han}{2,5}(?!\p{Script=Han})/u

/** 雪花 啤酒 and 啤酒 雪花: by itself 雪花 is a word, and the brand only beside its goods. */
export const brandsApart = (text: string, names: readonly Name[]): Place[] =>
  names.flatMap(({ start, end, key }) => {
    const before = WORD_BEFORE.exec(text.slice(0, start))
    const behind = WORD_BEHIND.exec(text.slice(end))
    return [
      ...before ? [{ start: before.index, end: before.index + before[0].length }] : [],
      ...behind ? [{ start: end + 1, end: end + behind[0].length }] : [],
    ].filter((place) => getLexicon().brandOf.has(text.slice(place.start, place.end) + key))
  })
