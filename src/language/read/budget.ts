/** The clauses of a sentence that say how much may be spent. */
import { amountOf, type Amount, type Currency } from './amounts.ts'
import type { Place } from './claims.ts'
import * as cues from './cues.ts'
import { isPartOfName } from './measures.ts'
import type { NumberWord } from './numbers.ts'

export interface BudgetClause extends Place {
  /** Yuan. */
  readonly min: number | null
  readonly max: number | null
  readonly kind: 'hard' | 'about'
  readonly per: 'each' | 'total' | null
  /** A clause that only names a price gives way to one that says "at most". */
  readonly isStrong: boolean
  readonly currency: Currency | null
}

/** What a number without any sign of money is judged by. */
export interface Goods {
  /** Whether goods that the sentence names cost anything like it. */
  readonly isPrice: (low: number, high: number) => boolean
  /** Whether it is a size, a count … that such goods have. */
  readonly isAttribute: (value: number) => boolean
  readonly endsAt: (at: number) => boolean
  readonly startsAt: (at: number) => boolean
}

/** How far "about" reaches to either side. */
const ABOUT = 0.2
const CONNECTOR = /^ ?(?:-|~|到|至|to|—|and|和|与|跟) ?$/
const NEEDS_BETWEEN = /and|和|与|跟/
const RANGE_BEFORE = /(?:between|from|从|在|介于|¥|rmb|cny)(?: |¥|rmb|cny)*$/
const RANGE_AFTER = /^ ?(?:之间|中间|区间|范围|这个)(?:内|的)?/
const EACH_BEFORE = new RegExp('(?:每|一)(?:个|件|只|条|双|瓶|盒|斤|人|套|包|支|公斤|份|台|片|张|抽|粒|颗)(?:的?价格|预算)? ?$'
  + '|(?:人均|单价|单个|平均)(?:消费|价格|预算)? ?$')
const EACH_AFTER = new RegExp('^ ?(?:(?:一|每|/|／)(?:个|件|只|条|双|瓶|盒|斤|人|套|包|支|公斤|份|台|位|杯)(?=$|'
  + '[ ;,.。、的以左])'
  + '|each(?![a-z])|apiece|(?:per|a|an|/) ?(?:piece|pair|item|person|kg|bottle|unit|one)(?![a-z]))')
const TOTAL_BEFORE = new RegExp(
  String.raw`(?:一共|总共|总价|总预算|总计|合计|加起来|全部|total(?: budget)?|altogether|`
  + String.raw`all together)(?:不?超过|预算|是|of|:| )*$`)
const TOTAL_AFTER = /^ ?(?:一共|总共|总价|in total|total|altogether|for (?:both|all|everything))/
const FOR_SO_MANY = new RegExp('^ ?(?:买|能买)?(?:[2-9二两三四五六七八九十俩仨]|[0-9]{2})'
  + '(?:双|瓶|个|件|条|盒|包|袋|支|罐|提|箱|只|斤|块|把|套)(?!装)')
const STEP_NAME = /^[百千万]$/

export function budgetClauses(
  text: string, numbers: readonly NumberWord[], goods: Goods,
): BudgetClause[] {
  const clauses: BudgetClause[] = []
  for (let at = 0; at < numbers.length; at += 1) {
    const amount = amountAt(text, numbers[at])
    const next = amountAt(text, numbers[at + 1])
    const range = amount && next ? rangeOf(text, amount, next, goods) : undefined
    const clause = range ?? (amount && singleOf(text, amount, goods))
    // What two clauses could both have belongs to the first.
    if (clause) {
      clauses.push({ ...clause, start: Math.max(clause.start, clauses.at(-1)?.end ?? 0) })
    }
    if (range) at += 1
  }
  return clauses
}

const amountAt = (text: string, number: NumberWord | undefined): Amount | undefined =>
  number && !isPartOfName(text, number) ? amountOf(text, number) : undefined

interface Sides extends Place {
  readonly before: string
  readonly after: string
}

const sidesOf = (text: string, { start, end }: Place): Sides => ({
  start, end, before: text.slice(Math.max(0, start - cues.NEAR), start),
  after: text.slice(end, end + cues.NEAR),
})

function rangeOf(
  text: string, left: Amount, right: Amount, goods: Goods,
): BudgetClause | undefined {
  const between = text.slice(left.end, right.start)
  if (!CONNECTOR.test(between)) return undefined
  const sides = sidesOf(text, { start: left.start, end: right.end })
  const isNamed = RANGE_AFTER.test(sides.after) || /(?:between|介于) ?$/.test(sides.before)
  if (NEEDS_BETWEEN.test(between) && !isNamed) return undefined
  // 2-3千 is in thousands on both sides.
  const { scale } = right.number
  const isShared = scale > 1 && left.number.scale === 1 && left.low * scale <= right.high
  const abroad = left.currency ?? right.currency
  const rateOf = ({ currency }: Amount): number => abroad && !currency ? abroad.rate : 1
  const low = left.low * (isShared ? scale : 1) * rateOf(left)
  const high = right.high * rateOf(right)
  if (low >= high) return undefined
  const isMoney = left.hasCurrency || right.hasCurrency || isNamed || isShared || scale > 1
    || hasCue(sides)
  if (!isMoney && !isBareRange(text, left, right, goods)) return undefined
  const isAbout = cues.ABOUT_BEFORE.test(sides.before) || cues.ABOUT_AFTER.test(sides.after)
    || right.low < right.high
  return closed(text, sides, {
    min: low, max: high, kind: isAbout ? 'about' : 'hard', isStrong: true,
    currency: left.currency ?? right.currency,
  })
}

const hasCue = ({ before, after }: Sides): boolean =>
  [cues.BUDGET_BEFORE, cues.PRICE_BEFORE, cues.ABOUT_BEFORE, cues.CEILING_BEFORE, RANGE_BEFORE]
    .some((cue) => cue.test(before))
  || [cues.ABOUT_AFTER, cues.CEILING_AFTER].some((cue) => cue.test(after))

/** 100-300 by itself: not years, not sizes, and a price of such goods. */
function isBareRange(text: string, left: Amount, right: Amount, goods: Goods): boolean {
  const [low, high] = [left.low, right.high]
  const areYears = low >= 1990 && high <= 2040 && high - low < 20
  const after = text.charAt(right.end)
  return !areYears && low >= 5 && high >= 20 && !/[a-z]/.test(after)
    && !(goods.isAttribute(low) && goods.isAttribute(high)) && goods.isPrice(low, high)
}

type Meaning = Pick<BudgetClause, 'min' | 'max' | 'kind' | 'isStrong'>

function singleOf(text: string, amount: Amount, goods: Goods): BudgetClause | undefined {
  const sides = sidesOf(text, amount)
  const meaning = meaningOf(text, amount, sides) ?? (isBare(text, amount, goods)
    ? aroundIt(amount, false) : undefined)
  return meaning && closed(text, sides, { ...meaning, currency: amount.currency })
}

function meaningOf(text: string, amount: Amount, sides: Sides): Meaning | undefined {
  const { before, after } = sides
  const { low, high } = amount
  const hard = (min: number | null, max: number | null): Meaning =>
    ({ min, max, kind: 'hard', isStrong: true })
  const outset = cues.OUTSET_AFTER.exec(after)
    ?? cues.OUTSET_AFTER.exec(text.slice(amount.number.end, amount.end))
  if (outset) {
    const isMore = !outset[0].includes('出头')
    const top = isMore ? low + stepOf(low) - 1 : low * (1 + ABOUT)
    return { min: low, max: Math.max(top, high), kind: 'about', isStrong: true }
  }
  const [ceiling, floor] = [cues.CEILING_BEFORE.exec(before), cues.FLOOR_BEFORE.exec(before)]
  const isCapped = ceiling !== null && (floor === null || ceiling.index <= floor.index)
  const isPast = /[上过破]$/.test(before) && /^[百千万]/.test(text.charAt(amount.number.start))
  const refused = refusedAfter(after) || (cues.REFUSED_BEFORE.test(before)
    && (cues.CEILING_AFTER.test(after) || cues.FLOOR_AFTER.test(after)))
  if (cues.CEILING_AFTER.test(after) || isCapped) {
    return refused ? hard(low, null) : hard(null, high)
  }
  if (cues.FLOOR_AFTER.test(after) || floor || isPast) {
    return refused ? hard(null, high) : hard(low, null)
  }
  if (cues.ABOUT_AFTER.test(after) || cues.ABOUT_BEFORE.test(before)) return aroundIt(amount, true)
  if (cues.BUDGET_BEFORE.test(before)) {
    return low === high ? hard(null, high) : aroundIt(amount, true)
  }
  if (cues.PRICE_BEFORE.test(before)) return aroundIt(amount, true)
  if (EACH_BEFORE.test(before)) return aroundIt(amount, true)
  if (TOTAL_BEFORE.test(before)) return hard(null, high)
  if (!amount.hasCurrency) return undefined
  // 千元机 costs from one thousand to two.
  const isStep = STEP_NAME.test(text.slice(amount.number.start, amount.number.end))
  return isStep ? { min: low, max: 2 * low - 1, kind: 'about', isStrong: false }
    : aroundIt(amount, false)
}

const refusedAfter = (after: string): boolean => {
  const cue = cues.FLOOR_AFTER.exec(after) ?? cues.CEILING_AFTER.exec(after)
  return cues.REFUSED_AFTER.test(after.slice(cue?.[0].length ?? 0))
}

const aroundIt = ({ low, high }: Amount, isStrong: boolean): Meaning => low < high
  ? { min: low, max: high, kind: 'about', isStrong: true }
  : { min: low * (1 - ABOUT), max: high * (1 + ABOUT), kind: 'about', isStrong }

/** 200多 ends before 300, 250多 before 260. */
function stepOf(value: number): number {
  let step = 1
  while (value % (step * 10) === 0 && step * 10 <= value) step *= 10
  return step
}

/** 耳机 300, 300的耳机: with nothing that says money, only beside the goods. */
function isBare(text: string, { number, start, end, low }: Amount, goods: Goods): boolean {
  // 奶奶八十二了 is an age.
  if (/^了|^ ?岁/.test(text.slice(end, end + 2))) return false
  const isVague = number.low < number.high
  if (low < 5 || (!isVague && goods.isAttribute(low))) return false
  if (number.script === 'english' || (number.script === 'han' && number.scale < 10)) return false
  const before = text.slice(0, start).trimEnd().length
  const after = /^[ 的]*/.exec(text.slice(end, end + 3))?.[0].length ?? 0
  const isBefore = before === 0 && after > 0 && goods.startsAt(end + after)
  const isAfter = goods.endsAt(before)
    && (end === text.length || /[ ;,.。、!?的]/.test(text.charAt(end)))
  const isOf = text.charAt(end) === '的' && goods.startsAt(end + 1)
    && !/[a-z\p{Script=Han}] ?$/u.test(text.slice(Math.max(0, start - 2), start))
  const isBought = /(?:买|要|看)个?$/.test(text.slice(0, start))
    && /^的(?:$|[ ;,.。、!?])/.test(text.slice(end, end + 2))
  // 两三百 counts nothing, so that it can only be money.
  const isAlone = isVague && /^(?:$|[ ;,.。、!?的])/.test(text.slice(end, end + 1))
  return (isBefore || isAfter || isOf || isBought || isAlone) && goods.isPrice(low, number.high)
}

/** With every word around it that belongs to it. */
function closed(
  text: string, sides: Sides, meaning: Meaning & Pick<BudgetClause, 'currency'>,
): BudgetClause {
  let { start, end } = sides
  let per: 'each' | 'total' | null = null
  for (let turn = 0; turn < 4; turn += 1) {
    const before = text.slice(Math.max(0, start - cues.NEAR), start)
    const after = text.slice(end, end + cues.NEAR)
    if (EACH_BEFORE.test(before) || EACH_AFTER.test(after)) per = 'each'
    if (TOTAL_BEFORE.test(before) || TOTAL_AFTER.test(after)) per ??= 'total'
    const left = Math.max(...BEFORE_ALL.map((cue) => cue.exec(before)?.[0].length ?? 0))
    const right = Math.max(...AFTER_ALL.map((cue) => cue.exec(after)?.[0].length ?? 0))
    if (left + right === 0) break
    start -= left
    end += right
  }
  // 90块两双: so much for so many of them.
  if (per === null && FOR_SO_MANY.test(text.slice(end, end + cues.NEAR))) per = 'total'
  // What is spent on all is no wish to spend so much.
  const min = per === 'total' && meaning.kind === 'about' ? null : meaning.min
  const isPlain = per === 'total' && meaning.kind === 'about' && meaning.min !== null
    && meaning.max !== null
  const max = isPlain ? Math.round((meaning.max ?? 0) / (1 + ABOUT)) : meaning.max
  return { ...meaning, min, max, kind: isPlain ? 'hard' : meaning.kind, start, end, per }
}

const BEFORE_ALL = [cues.CEILING_BEFORE, cues.FLOOR_BEFORE, cues.ABOUT_BEFORE, cues.BUDGET_BEFORE,
  cues.PRICE_BEFORE, RANGE_BEFORE, EACH_BEFORE, TOTAL_BEFORE, /(?<!以)上$|[过破]$/]
const AFTER_ALL = [cues.CEILING_AFTER, cues.FLOOR_AFTER, cues.ABOUT_AFTER, cues.OUTSET_AFTER,
  RANGE_AFTER, EACH_AFTER, TOTAL_AFTER, cues.REFUSED_AFTER, /^ ?(?:元|块钱?|钱|rmb|yuan)/]
