/** Which goods, brands and makers a sentence names. */
import { categoryOf } from '../../goods/taxonomy.ts'
import { getLexicon, keyOf } from '../lexicon.ts'
import { accessoryOf, linesIn } from './accessories.ts'
import { attributesIn } from './attributes.ts'
import { masked, overlaps, type Place } from './claims.ts'
import { describedIn } from './described.ts'
import { byStart, type Draft, free, one, TAKEN } from './draft.ts'
import { namedForThem } from './for-whom.ts'
import { headsOf, isPartOf, weightOf } from './heads.ts'
import { meansKind, type Name, namesIn } from './names.ts'
import { isRefined } from './standing.ts'

export function readGoods(draft: Draft): void {
  const text = free(draft)
  const { brands: known, lines } = getLexicon()
  const lined = linesIn(text)
  const all = namesIn(text)
  // "keyboard cover" for a MacBook is longer than "cover".
  const long = all.filter((name) => lined.some((line) => name.start < line.start
    && name.end >= line.end))
  const plain = all.filter((name) => long.includes(name)
    || !lined.some((line) => overlaps(line, name)))
  // 手机的壳, 给手机买个壳: what goes with the goods may be named by its last word alone.
  const joined = plain.flatMap((name) => accessoryOf(text, name))
    .filter((one, at, all) => !all.slice(at + 1).some((later) => later.start === one.start)
      && plain.every((name) => !overlaps(name, one)
        || (isInside(name, one) && weightOf(one) >= weightOf(name) && isNear(one, plain))))
  const apart = plain.filter((name) => !joined.some((one) => isInside(name, one)))
  const names = namedForThem(draft.text, withoutRefused(draft, readFlavours(draft, [
    ...apart, ...joined, ...describedIn(text, plain), ...lined.filter((line) =>
      !long.some((name) => name.start < line.start && name.end >= line.end))].sort(byStart))), text)
  const brands = known.find(text).filter(({ phrase }) => !lines.has(phrase))
    .map((brand) => withModel(text, brand)).filter((brand) => isBrand(text, brand, names))
  const makers = names.filter((name) => isMaker(name, names))
  // 苹果 is a name of goods, too; the longer reading wins, and of two equal ones the goods.
  const goods = names.filter((name) => !makers.includes(name)
    && !brands.some((brand) => overlaps(brand, name)
    && (brand.end - brand.start > name.end - name.start || isBrandOf(text, brand, name, names))))
  for (const { start, end, line } of goods) {
    if (!draft.claims.take({ start, end })) continue
    draft.keywords.push({ start, end, role: 'kind', ...(line !== undefined && { line }) })
  }
  for (const { start, end } of [...makers, ...brands]) {
    if (draft.claims.take({ start, end })) draft.keywords.push({ start, end, role: 'brand' })
  }
  const found = headsOf(draft.text, goods, withoutFeatures(text, goods))
  const isSure = found.heads.some((head) => isRefined(draft.text, head))
  Object.assign(draft, found, isSure && { isDoubtful: false, isMentioned: false })
}

/** 喝不惯酱香，白酒除了酱香的都可以: what is refused is no goods where it is told of either. */
function withoutRefused({ text, mustNot }: Draft, names: readonly Name[]): readonly Name[] {
  if (mustNot.length === 0) return names
  const refused = new Set(mustNot.flatMap(({ places }) =>
    places.map(({ start, end }) => keyOf(text.slice(start, end)))))
  const wanted = names.filter(({ key }) => !refused.has(key))
  return wanted.length > 0 ? wanted : names
}

/** 六神 of 六神花露水 makes what is named behind it; an iphone has a case. */
const isMaker = (name: Name, names: readonly Name[]): boolean => name.line !== undefined
  && names.some((other) => other !== name && other.start === name.end
    && (!isPartOf(other, name) || meansKind(other, name.senses[0]?.kind)))

/** Beside what it belongs to, or asked for in so many words. */
const isNear = (one: Name, names: readonly Name[]): boolean => one.of !== undefined
  || names.some(({ end }) => one.start >= end && one.start - end < 2)

const isInside = (inner: Place, outer: Place): boolean =>
  inner.start >= outer.start && inner.end <= outer.end

/** What is said of each of several goods parts none of them. */
function withoutFeatures(text: string, names: readonly Name[]): string {
  if (names.length < 2) return text
  return masked(text, attributesIn(text)
    .filter((place) => !names.some((name) => overlaps(name, place))), TAKEN)
}

/** 番茄味 of crisps and 玫瑰香 of a soap are no goods. */
const FLAVOUR = new RegExp('^(?:馅|口味|风味|味(?![道太大很重])|香型|香味|香(?=$|[ 的])|图案|印花|色(?=$|[ 的])|造型|形状'
  + '| (?:scent(?:ed)?|fragrance|flavou?r(?:ed)?)(?![a-z]))')
const FLAVOUR_LENGTH_MAX = 11

function readFlavours(draft: Draft, names: readonly Name[]): Name[] {
  const goods = names.filter((name) => {
    const [found = ''] = FLAVOUR.exec(
      draft.text.slice(name.end, name.end + FLAVOUR_LENGTH_MAX)) ?? []
    const place = { start: name.start, end: name.end + found.length }
    // Not 糖味 of 盐糖味精.
    const isRow = names.some(({ start }) => start === name.end)
    if (found === '' || isRow || !draft.claims.take(place)) return true
    draft.must.push(one({ start: name.start, end: name.end }, place))
    return false
  })
  // "Scent" is a name of goods, too.
  return goods.filter((name) => draft.claims.isFree(name.start, name.end))
}

/** 苹果手机: a brand of the goods that are named behind it. */
function isBrandOf(text: string, brand: Place, name: Place, names: readonly Name[]): boolean {
  const { categories } = getLexicon().brandOf.get(text.slice(brand.start, brand.end)) ?? {}
  return names.some((other) => other !== name && other.senses.some(({ kind }) =>
    categories?.has(categoryOf(kind))))
}

/** 三元 is a brand of 奶粉; in 三元催化器 it is part of a word that is not known. */
function isBrand(text: string, { end }: Place, names: readonly Place[]): boolean {
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

/** 哺语家的, 镜隼牌 */
const BRAND_END = /^(?:家|(?:这个?|那个?|的)?(?:牌子?|品牌)|出品|出|产)(?=[的都有卖做]|$|[ ,.;。!?])/

/** 小米14 is one name. */
function withModel(text: string, { start, end }: Place): Place {
  const model = /^[a-z0-9][a-z0-9-]{0,20}(?![a-z0-9])/.exec(text.slice(end, end + 24))
  const isHan = /\p{Script=Han}$/u.test(text.slice(start, end))
  const found = (isHan ? model : null) ?? BRAND_END.exec(text.slice(end, end + 5))
  return { start, end: end + (found?.[0].length ?? 0) }
}
