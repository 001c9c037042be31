/** The steps that explain numbers: measures, then money, then quantities. */
import { valueIn, valueOf, valuesWith } from '../profile.ts'
import { featureAt, materialAt } from './attributes.ts'
import { budgetClauses, type Goods } from './budget.ts'
import { free, one, setAside, type Draft } from './draft.ts'
import { measuresIn } from './measures.ts'
import { isWholeName } from './names.ts'
import type { NumberWord } from './numbers.ts'
import { taxonomy } from '../../goods/taxonomy.ts'
import type { Value } from '../measures.ts'
import { writtenUnit } from '../units.ts'
import { quantitiesIn, type FoundQuantity } from './quantity.ts'
import { settleClauses } from './settle.ts'

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
  for (const { measure, more, words, apart = [], ...place } of found) {
    const written = draft.text.slice(place.start, place.end)
    // 四件套 is a name of goods.
    if (isWholeName(written)) continue
    const material = written.endsWith('%') ? materialAt(draft.text, place.end) : undefined
    const end = material?.end ?? featureAt(draft.text, place.start)?.end ?? place.end
    const whole = { start: place.start, end: Math.max(end, place.end) }
    // 135/85 is somebody's blood pressure, and nothing that goods have.
    if (/^\d+ ?\/ ?\d+$/.test(written) && measure?.unit !== 'scale') {
      setAside(draft, 'filler', whole)
      continue
    }
    if (draft.claims.take(whole)) {
      draft.must.push({ ...one(whole), ...(measure && { measure }), ...(more && { more }),
        ...(words && { words }) })
      for (const refusal of apart) setAside(draft, 'filler', refusal)
    }
  }
}

export function readMoney(draft: Draft): void {
  draft.numbers = unexplained(draft)
  const clauses = budgetClauses(free(draft), draft.numbers, goodsOf(draft))
  const { used, unused } = settleClauses(clauses, (_, en) => en)
  for (const place of used.flatMap((clause) => [clause, ...clause.apart])) {
    draft.claims.occupy(place)
  }
  for (const clause of unused) {
    setAside(draft, clause.currency ? 'currency' : 'correction', clause)
  }
  draft.clauses.push(...clauses)
  readBareValues(draft)
}

/** 充电宝 20000, 316的保温杯: no unit, but a value that such goods have. */
function readBareValues(draft: Draft): void {
  const goods = goodsOf(draft)
  const kinds = kindsOf(draft)
  for (const { start, end, low, script } of unexplained(draft)) {
    const isWhole = !/[a-z-]/.test(draft.text.charAt(end))
      && !/[a-z-]/.test(draft.text.charAt(start - 1))
    if (script !== 'digits' || !isWhole) continue
    const before = draft.text.slice(0, start).trimEnd().length
    const isAfter = goods.endsAt(before) && !/\p{Script=Han}/u.test(draft.text.charAt(end))
    const value = isAfter ? valueOf(kinds, low) : undefined
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

/** A shorter number says nothing by itself. */
const VALUE_DIGITS_MIN = 3

export function readQuantities(draft: Draft): void {
  draft.numbers = unexplained(draft)
  const isGoods = (from: number, to: number): boolean =>
    draft.names.some(({ start }) => start >= from && start <= to)
  const found = quantitiesIn(free(draft), draft.numbers, isGoods)
    .filter((quantity) => draft.claims.take(quantity))
  const box = found.length > 1 ? found.find(({ unit }) => BOXES.test(unit ?? '')) : undefined
  for (const quantity of found) {
    const isInside = box && quantity !== box && !BOXES.test(quantity.unit ?? '')
    const { start, end } = quantity
    const sign = /^[x×*] ?/.exec(draft.text.slice(start, end))?.[0].length ?? 0
    const value = packOf(draft, quantity)
    if (value) draft.must.push({ ...one(quantity), measure: value })
    else if (isInside) draft.must.push(one({ start: start + sign, end }))
    else if (draft.quantities.length === 0) draft.quantities.push(quantity)
    else draft.aside.push({ start, end, why: 'correction' })
  }
}

const PACK_MIN = 3
/** 24罐 of what is stated in bottles, 一打 and 50 pieces of what is in 支 or 个. */
const COUNTED_ALIKE = ['瓶 罐 听 bottle can jar', '盒 box', '袋 bag', '双 对 pair', '本 册 book', '卷 提 roll',
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
const kindsOf = ({ names }: Draft): string[] => names.flatMap(({ senses }) => {
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
