/** Which goods, brands and makers a sentence names. */
import { getLexicon, keyOf } from '../lexicon.ts'
import { accessoryOf, linesIn } from './accessories.ts'
import { attributesIn } from './attributes.ts'
import { brandsApart, isBrand, isBrandOf, isMaker, withGoods, withModel } from './brands.ts'
import { masked, overlaps, type Place } from './claims.ts'
import { describedIn } from './described.ts'
import { byStart, type Draft, free, one, TAKEN } from './draft.ts'
import { namedForThem } from './for-whom.ts'
import { headsOf, weightOf } from './heads.ts'
import { meansKind, type Name, namesIn, SPORT } from './names.ts'
import { isRefined } from './standing.ts'

export function readGoods(draft: Draft): void {
  const text = free(draft)
  const { brands: known, lines } = getLexicon()
  const lined = linesIn(text)
  const all = namesIn(text)
  const long = all.filter((name) => lined.some((line) => isLonger(name, line))
    && lined.every((line) => !overlaps(line, name) || isInside(line, name)))
  const plain = all.filter((name) => long.includes(name)
    || !lined.some((line) => overlaps(line, name)))
  // 手机的壳, 给手机买个壳: what goes with the goods may be named by its last word alone.
  const joined = plain.flatMap((name) => accessoryOf(text, name))
    .filter((one, at, all) => !all.slice(at + 1).some((later) => later.start === one.start)
      && plain.every((name) => !overlaps(name, one)
        || (isInside(name, one) && weightOf(one) >= weightOf(name) && isNear(one, plain))))
  const apart = plain.filter((name) => !joined.some((one) => isInside(name, one)))
  const found = [...apart, ...joined, ...describedIn(text, plain),
    ...lined.filter((line) => !long.some((name) => isInside(line, name)))]
  const made = known.find(text).filter(({ phrase }) => !lines.has(phrase))
    .map((brand) => withGoods(brand))
  const ofBrands = made.flatMap(({ goods }) => goods ?? [])
    .filter((name) => !found.some((one) => overlaps(one, name)))
  const names = namedForThem(draft.text, withoutRefused(draft,
    readFlavours(draft, [...found, ...ofBrands].sort(byStart))), text)
  const brands = [...made, ...brandsApart(text, names)].map((brand) =>
    // 森马t恤 is no model.
    names.some(({ start }) => start === brand.end) ? brand : withModel(text, brand))
    .filter((brand) => isBrand(text, brand, names))
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
  const heads = headsOf(draft.text, goods, withoutFeatures(text, goods))
  const isSure = heads.heads.some((head) => isRefined(draft.text, head))
  for (const head of heads.heads) preferCompound(draft, head)
  Object.assign(draft, heads, isSure && { isDoubtful: false, isMentioned: false })
}

/** 篮球 of 篮球袜 says which of them, and what is made for sport comes near. */
function preferCompound({ text, prefer }: Draft, { start, end, isCompound }: Name): void {
  if (!isCompound) return
  const place = { start, end: end - 1 }
  const word = text.slice(place.start, place.end)
  prefer.push({ ...place, places: [place], words: SPORT.test(word) ? [word, '运动'] : [word] })
}

/** 喝不惯酱香，白酒除了酱香的都可以: what is refused is no goods where it is told of either. */
function withoutRefused({ text, mustNot }: Draft, names: readonly Name[]): readonly Name[] {
  if (mustNot.length === 0) return names
  const refused = new Set(mustNot.flatMap(({ places }) =>
    places.map(({ start, end }) => keyOf(text.slice(start, end)))))
  const wanted = names.filter(({ key }) => !refused.has(key))
  return wanted.length > 0 ? wanted : names
}

/** "Keyboard cover" for a MacBook is longer than "cover"; an ipad pencil is no tablet. */
const isLonger = (name: Name, line: Name): boolean => name.end >= line.end
  && (name.start < line.start || (name.start === line.start && name.end > line.end
    && !meansKind(name, line.senses[0]?.kind)))

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
/** What has a filling. */
const FILLED = /^的?(?:水饺|蒸饺|煎饺|饺|馄饨|云吞|抄手|包子|大?包(?![^ ,;.。!?])|粽|汤圆|月饼|春卷|馅饼|锅贴|烧[卖麦])/

function readFlavours(draft: Draft, names: readonly Name[]): Name[] {
  const isFilling = ({ key, end }: Name): boolean =>
    key.endsWith('馅') && FILLED.test(draft.text.slice(end, end + FLAVOUR_LENGTH_MAX))
  const goods = names.filter((name) => {
    // 虾仁猪肉馅饺子
    if (isFilling(name) || names.some((one) => one.start === name.end && isFilling(one))) {
      if (!draft.claims.take(name)) return true
      draft.must.push(one({ start: name.start, end: name.end }, name))
      return false
    }
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
