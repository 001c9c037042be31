/** The steps that explain numbers: measures, then money, then quantities. */
import { profileOf, valueIn, valueOf, valuesWith } from '../profile.ts'
import { featureAt, materialAt } from './attributes.ts'
import { budgetClauses, forAll, type BudgetClause, type Goods } from './budget.ts'
import { masked, overlaps, type Place } from './claims.ts'
import { free, one, ignore, type Draft } from './draft.ts'
import { measuresIn } from './measures.ts'
import { isWholeName, namesIn } from './names.ts'
import type { NumberWord } from './numbers.ts'
import { taxonomy } from '../../goods/taxonomy.ts'
import type { Value } from '../measures.ts'
import { writtenUnit } from '../units.ts'
import { valuesNamed } from '../values.ts'
import { quantitiesIn, type FoundQuantity } from './quantity.ts'
import { settleClauses } from './settle.ts'
import { unitLimitOf } from './unit-limits.ts'

/** How far a price may be from what such goods cost, and still be taken for one. */
const CHEAPER = 0.3
const DEARER = 2.5
const FEN = 100
/** 24 of 一箱24瓶 is what is in the box. */
const BOXES = /[箱盒包袋提打]|box|pack|case|carton/

const unexplained = ({ numbers, claims }: Draft): NumberWord[] =>
  numbers.filter(({ start, end }) => claims.isFree(start, end))

export function readMeasures(draft: Draft): void {
  const found = measuresIn(draft.text, unexplained(draft))
  for (const { measure, more, words, apart = [], ...said } of found) {
    const place = { ...said, start: behindName(draft.text, said) }
    // 1.5米床 names the bed where nothing else is named.
    if (draft.text.charAt(place.end - 1) === '床'
      && namesIn(masked(draft.text, [place])).length === 0) place.end -= 1
    const written = draft.text.slice(place.start, place.end)
    // 四件套 is a name of goods.
    if (isWholeName(written)) continue
    const material = written.endsWith('%') ? materialAt(draft.text, place.end) : undefined
    const end = material?.end ?? featureAt(draft.text, place.start)?.end ?? place.end
    const [side = ''] = measure ? SIDE.exec(draft.text.slice(place.end, place.end + 2)) ?? [] : []
    const whole = { start: place.start, end: Math.max(end, place.end + side.length) }
    // 过两个月考试: when it is wanted.
    // And 怀孕七个月 is no child's age.
    if (/^(?:再)?过.*(?:个月|天|年|周)$/.test(written)
      || (measure?.unit === 'month' && /孕了?$/.test(draft.text.slice(0, place.start)))) {
      ignore(draft, 'filler', whole)
      continue
    }
    if (NETWORK.test(written) && NETWORKED.test(draft.text.slice(place.end))) {
      ignore(draft, 'filler', whole)
      continue
    }
    // 135/85 is somebody's blood pressure, and nothing that goods have.
    if (/^\d+ ?\/ ?\d+$/.test(written) && measure?.unit !== 'scale') {
      if (!isValue(draft, written)) ignore(draft, 'filler', whole)
      else if (draft.claims.take(whole)) draft.must.push(one(whole))
      continue
    }
    if (draft.claims.take(whole)) {
      const { start, end, places } = one(whole)
      draft.must.push({ start, end, places, ...(measure && { measure }), ...(more && { more }),
        ...(words && { words }) })
      for (const refusal of apart) ignore(draft, 'filler', refusal)
    }
  }
  dropBeds(draft)
}

/** 1/2 of violins. */
const isValue = ({ text }: Draft, written: string): boolean =>
  kindsOf({ names: namesIn(text) }).some((kind) => profileOf(kind).values.has(written))

/** 厚 of 8mm厚. */
const SIDE = /^[厚长宽高深重](?=的|[^\p{Script=Han}]|$)/u

/** 5G手机 has a network, and no weight. */
const NETWORK = /^[345]g$/
const NETWORKED = new RegExp('^ ?(?:全网通|智能|老年|折叠)?(?:手机|平板|路由|网|版|cpe'
  + '|(?:smart)?phone|router|modem|mobile|tablet)')

/** 1.8米大床的被套，220乘240: how wide the bed is says less than how wide the cover has to be. */
function dropBeds({ text, must, prefer }: Draft): void {
  if (!must.some(({ measure, more }) => measure?.unit === 'mm' && more)) return
  const isBed = ({ measure, more, end }: Draft['must'][number]): boolean =>
    measure?.unit === 'mm' && !more && /^的?[大小双单人]*床(?![笠单垫品上罩])/.test(text.slice(end))
  prefer.push(...must.filter(isBed))
  must.splice(0, must.length, ...must.filter((wish) => !isBed(wish)))
}

/** 屏幕 of 电脑屏幕27寸 names the goods, and not what the number measures. */
function behindName(text: string, { start, end }: Place): number {
  const word = /^\p{Script=Han}+/u.exec(text.slice(start, end))?.[0].length ?? 0
  const isInside = word > 0 && /\p{Script=Han}/u.test(text.charAt(start - 1))
  const name = isInside
    ? namesIn(text).find((one) => one.start < start && one.end === start + word) : undefined
  return name?.end ?? start
}

/** "I'd like two things" names no price. */
const THINGS = /^ (?:things|items|products|goods|stuff)(?![a-z])/

export function readMoney(draft: Draft): void {
  draft.numbers = unexplained(draft)
    .filter(({ end }) => !THINGS.test(draft.text.slice(end, end + 12)))
  const { per } = draft
  const found = budgetClauses(masked(free(draft), per?.isLimit ? [per] : []), draft.numbers,
    goodsOf(draft))
  const clauses = limitUnit(draft, found).filter((clause) => !cutsName(draft, clause)
    && (clause.min !== null || clause.max !== null))
  // What nobody wants to pay limits nothing.
  for (const clause of found.filter((one) => !clauses.includes(one))) {
    ignore(draft, 'filler', clause)
  }
  const { used, unused } = settleClauses(clauses, (_, en) => en)
  for (const place of used.flatMap((clause) => [clause, ...clause.apart])) {
    draft.claims.occupy(place)
  }
  for (const clause of unused) {
    ignore(draft, clause.currency ? 'currency' : 'correction', clause)
  }
  draft.clauses.push(...clauses)
  readBareValues(draft)
}

const NAME_MIN = 3

/** 一块三 of 一块三角牌 is no price. */
const cutsName = ({ text }: Draft, { start, end }: Place): boolean =>
  namesIn(text).some((name) => name.start > start && name.start < end && name.end > end
    && name.end - name.start >= NAME_MIN)

/** Without the clause that says what a unit may cost. */
function limitUnit(draft: Draft, clauses: readonly BudgetClause[]): readonly BudgetClause[] {
  for (const clause of clauses) {
    // "Per piece" names no goods.
    const kinds = kindsOf({ names: draft.names.filter((name) => !overlaps(name, clause)) })
    const per = unitLimitOf(draft.text, clause, draft.per, kinds)
    if (!per) continue
    draft.per = { start: clause.start, end: clause.end, per }
    draft.claims.occupy(clause)
    draft.ignored.push({ start: clause.start, end: clause.end, why: 'mode' })
    return clauses.filter((one) => one !== clause)
  }
  return clauses
}

/** 充电宝 20000, 316的保温杯: no unit, but a value that such goods have. */
function readBareValues(draft: Draft): void {
  const goods = goodsOf(draft)
  const kinds = kindsOf(draft)
  for (const { start, end, low, script } of unexplained(draft)) {
    const isWhole = !/[a-z-]/.test(draft.text.charAt(end))
      && !/[a-z-]/.test(draft.text.charAt(start - 1))
    if (!isWhole) continue
    const isSure = script === 'digits' || low >= HAN_MIN
    const asked = script !== 'english' && isSure && isAsked(draft, { start, end })
      ? onlyValueOf(draft, kinds, low) : undefined
    if (script !== 'digits' && !asked) continue
    const before = draft.text.slice(0, start).trimEnd().length
    const isAfter = goods.endsAt(before) && !/\p{Script=Han}/u.test(draft.text.charAt(end))
    const value = isAfter ? valueOf(kinds, low) ?? widthOf(kinds, low)
      : (goods.startsAt(end) || draft.text.startsWith('的', end) ? widthOf(kinds, low) : undefined)
        ?? asked
    const found = value || end - start < VALUE_DIGITS_MIN ? []
      : valuesWith(kinds, draft.text.slice(start, end))
    // 304不锈钢 is written in full.
    const whole = found.find((word) => word.length > end - start
      && draft.text.startsWith(word, start))
    const isApart = goods.startsAt(end) || /^[ ;,.。、!?的]?$/.test(draft.text.charAt(end))
    const words = whole !== undefined || isApart ? found : []
    const place = { start, end: whole === undefined ? end : start + whole.length }
    if ((value || words.length > 0) && draft.claims.take(place)) {
      draft.must.push({ ...one(place), ...value ? { measure: value }
        : whole === undefined && { words } })
    }
  }
}

/** 炒锅的盖子，32的; 配个32的锅盖; "a 32 wok". */
function isAsked({ text, names }: Draft, { start, end }: Place): boolean {
  if (/[a-z0-9.] ?$/.test(text.slice(0, start)) && !ARTICLE.test(text.slice(0, start))) return false
  return text.charAt(end) === '的'
    || (/(?:^|[;,。!?要换来买]|[^a-z0-9] )$/.test(text.slice(0, start))
      && /^(?:$|[;,.。!?]|就?不要|[就也]?行|就好|别)/.test(text.slice(end)))
    || (/^\d{2}/.test(text.slice(start, end)) && isCountedOne(text, { start, end })
      && names.some((name) => name.start === end + Number(text.charAt(end) === ' ')))
}

const ARTICLE = /(?<![a-z])(?:an?|the|size) $/
/** "10 notebooks" counts them, 32炒锅 does not. */
const isCountedOne = (text: string, { start, end }: Place): boolean =>
  start === 0 ? /^\p{Script=Han}/u.test(text.slice(end))
    : /(?:[个把口只款条根台]|(?<![a-z])an? )$/.test(text.slice(0, start))

/** What a number is where goods have it of one unit only, or of a unit that is said besides. */
function onlyValueOf({ must }: Draft, kinds: readonly string[], number: number): Value | undefined {
  const values = kinds.flatMap((kind) => profileOf(kind).attributes)
    .flatMap(({ written }) => written.get(number) ?? [])
  return values.find(({ unit }) => must.some(({ measure }) => measure?.unit === unit))
    ?? (values.every(({ unit }) => unit === values[0]?.unit) ? values[0] : undefined)
}

const WIDTHS = { least: 0.8, most: 2.4 } as const

/** 床笠 1.5: a width in metres, where such goods are so wide. */
const widthOf = (kinds: readonly string[], number: number): Value | undefined =>
  number >= WIDTHS.least && number <= WIDTHS.most && !Number.isInteger(number)
    ? valueIn(kinds, 'mm', number * 1000) : undefined

/** 一拖三 and 一分四 are no sizes. */
const HAN_MIN = 10
/** A shorter number says nothing by itself. */
const VALUE_DIGITS_MIN = 3

export function readQuantities(draft: Draft): void {
  draft.numbers = unexplained(draft)
  const isGoods = (from: number, to: number): boolean =>
    draft.names.some(({ start }) => start >= from && start <= to)
  const found = quantitiesIn(free(draft), draft.numbers, isGoods)
    .filter((quantity) => !isSaidOfGoods(draft, quantity) && draft.claims.take(quantity))
  const box = found.length > 1 ? found.find(({ unit }) => BOXES.test(unit ?? '')) : undefined
  for (const quantity of found) {
    const isInside = box && quantity !== box && !BOXES.test(quantity.unit ?? '')
    const { start, end } = quantity
    const sign = /^[x×*] ?/.exec(draft.text.slice(start, end))?.[0].length ?? 0
    const value = packOf(draft, quantity)
    if (value) draft.must.push({ ...one(quantity), measure: value })
    else if (isInside) draft.must.push(one({ start: start + sign, end }))
    else if (draft.quantities.length === 0) draft.quantities.push(quantity)
    else if (isOfTotal(draft, quantity)) {
      const [first] = draft.quantities.splice(0, 1, quantity)
      draft.ignored.push({ start: first?.start ?? 0, end: first?.end ?? 0, why: 'correction' })
    } else draft.ignored.push({ start, end, why: 'correction' })
  }
  const [many] = draft.quantities
  if (many && many.count > 1) {
    draft.clauses.push(...draft.clauses.splice(0)
      .map((clause) => forAll(draft.text, clause, many)))
  }
}

/** 要两把的: goods are told apart by how many of them stand together. */
const isSaidOfGoods = (draft: Draft, { start, end }: Place): boolean =>
  /^(?:装|的(?![\p{Script=Han}a-z]))/u.test(draft.text.slice(end))
    && kindsOf(draft).some((kind) =>
      valuesNamed(kind, draft.text.slice(start, end), () => true).length > 0)

/** 要一对，两个合计六百: what is told beside the sum counts. */
const isOfTotal = ({ clauses, quantities }: Draft, { count }: FoundQuantity): boolean =>
  count > 1 && quantities[0]?.count === 1 && clauses.some(({ per }) => per === 'total')

const PACK_MIN = 3
/** 24罐 of what is stated in bottles, 一打 and 50 pieces of what is in 支 or 个. */
const COUNTED_ALIKE = ['瓶 罐 听 bottle can jar', '盒 box', '袋 bag', '包 份 pack', '双 对 pair',
  '本 册 book', '卷 提 roll',
  '个 只 支 根 条 片 块 粒 颗 枚 张 把 节 件 贴 枝 打 piece pc dozen unit'].map((line) => line.split(' '))

/** 6包 is what a pack of tissues holds where there are packs of six; two are two. */
function packOf(draft: Draft, { count, unit }: FoundQuantity): Value | undefined {
  // 毛巾十条，每条十五以内 counts what is bought.
  const isShared = draft.clauses.some(({ per }) => per !== null)
  if (unit === null || count < PACK_MIN || isShared) return undefined
  const kinds = kindsOf(draft)
  const counter = /^[a-z]/.test(unit) ? unit.replace(/(?:(?<=box)es|s)$/, '') : unit
  const names = [writtenUnit(unit).unit,
    ...COUNTED_ALIKE.find((alike) => alike.includes(counter)) ?? []]
  return names.map((name) => valueIn(kinds, name, count)).find((value) => value !== undefined)
}

/** A roof box is called a suitcase, too; what its numbers are says nothing of suitcases. */
const kindsOf = ({ names }: Pick<Draft, 'names'>): string[] => names.flatMap(({ senses }) => {
  const best = Math.max(...senses.map(({ weight }) => weight))
  return senses.filter(({ weight }) => weight * 1.5 > best).map(({ kind }) => kind)
})

/** What is known of the goods that the sentence names, to judge numbers by. */
function goodsOf(draft: Draft): Goods {
  const { names } = draft
  const kinds = kindsOf(draft)
  const senses = names.flatMap((name) => name.senses)
  const prices = senses.flatMap(({ kind }) => {
    const price = taxonomy().kinds.get(kind)?.price
    return price ? [price] : []
  })
  return {
    names, isPrice: (low, high) => prices.length === 0 ? low % 5 === 0 && high % 5 === 0
      : prices.some(({ min, max }) => high * FEN >= min * CHEAPER && low * FEN <= max * DEARER),
    isAttribute: (value) => valueOf(kinds, value) !== undefined
      || (value >= 10 ** (VALUE_DIGITS_MIN - 1) && valuesWith(kinds, String(value)).length > 0),
    endsAt: (at) => names.some(({ end }) => end === at),
    startsAt: (at) => names.some(({ start }) => start === at),
  }
}
