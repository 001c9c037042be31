/** The clauses of a sentence that say how much may be spent, or what may not be offered. */
import { amountOf, type Amount, type Currency } from './amounts.ts'
import type { Place } from './claims.ts'
import { signalsOf, type Signals } from './signals.ts'
import { isPartOfName } from './measures.ts'
import type { NumberWord } from './numbers.ts'
import { RECIPIENTS } from './people.ts'
import { scornedIn } from './scorned.ts'

export interface BudgetClause extends Place {
  /** Yuan. */
  readonly min: number | null
  readonly max: number | null
  readonly kind: 'hard' | 'about'
  readonly per: 'each' | 'total' | null
  /** A clause that only names a price gives way to one that says "at most". */
  readonly isStrong: boolean
  readonly currency: Currency | null
  /** What belongs to it and stands apart. */
  readonly apart: readonly Place[]
}

/** What a number without any sign of money is judged by. */
export interface Goods {
  readonly names: readonly Place[]
  /** Whether goods that the sentence names cost anything like it. */
  readonly isPrice: (low: number, high: number) => boolean
  /** Whether it is a size, a count … that such goods have. */
  readonly isAttribute: (value: number) => boolean
  readonly endsAt: (at: number) => boolean
  readonly startsAt: (at: number) => boolean
}

/** How far "about" reaches to either side. */
const ABOUT = 0.2
const CONNECTOR = new RegExp('^(?:多|来|几|元|块|块钱)?(?:左右|上下|出头)? ?'
  + '(?:-|~|到|至|to|up to|through|thru|till?|until|—|and|和|与|跟) ?$')
const NEEDS_BETWEEN = /and|和|与|跟/
const FOR_SO_MANY = new RegExp('^[ ,;]*(?:我)?(?:想买|要买|够买|得买|买|能买|想要|要|for )?'
  + '(?:[2-9二两三四五六七八九十俩仨]|[0-9]{2}|two|three|four|five|six|ten)'
  + '(?:双|瓶|个|件|条|盒|包|袋|支|罐|提|箱|只|斤|块|把|套|本|张|卷|桶|台| |$)(?!装)')
const BREAK = /^[ ;,.。、!?的]?$/
const MANY = new RegExp('(?:[2-9]|[0-9]{2}|[二两三四五六七八九十俩仨])[双瓶个件条盒包袋支罐提箱只把套本张卷桶台]?$'
  + '|(?:two|three|four|five|six|ten) $')
/** 五条200元. */
const MANY_COUNTED = /(?:[2-9]|\d\d|[二两三四五六七八九十俩仨])[双瓶个件条盒包袋支罐提箱只把套本张卷桶台]$/
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
    // What two clauses could both have belongs to the first: 一 of 两百左右一盒 is no price.
    const start = Math.max(clause?.start ?? 0, clauses.at(-1)?.end ?? 0)
    if (clause && start < clause.end && !isPiece(text, numbers[at], goods)) {
      clauses.push({ ...clause, start })
    }
    if (range) at += 1
  }
  return clauses
}

/** 再配一块, 砧板一块, 烂了一块 and 各一: a piece, where 一块钱 is money. */
const isPiece = (text: string, number: NumberWord | undefined, goods: Goods): boolean =>
  number !== undefined && (text.slice(0, number.start).endsWith('各') ? number.high < 2
    : /^一块(?!钱|五|八|九)/.test(text.slice(number.start, number.start + 3))
      && (goods.endsAt(number.start)
        || /(?:[来买要配换添整加备拿选](?:上|了)?|[^ ;,多]了)$/.test(text.slice(0, number.start))))

const amountAt = (text: string, number: NumberWord | undefined): Amount | undefined =>
  number && !isPartOfName(text, number) ? amountOf(text, number) : undefined

function rangeOf(
  text: string, left: Amount, right: Amount, goods: Goods,
): BudgetClause | undefined {
  const between = text.slice(left.end, right.start)
  if (!CONNECTOR.test(between)) return undefined
  const cues = signalsOf(text, { start: left.start, end: right.end }, goods.names)
  if (NEEDS_BETWEEN.test(between) && !cues.isBetween) return undefined
  if (OTHER_UNIT.test(text.slice(right.number.end))) return undefined
  // 2-3千 is in thousands on both sides.
  const { scale } = right.number
  const isShared = scale > 1 && left.number.scale === 1 && left.low * scale <= right.high
  const abroad = left.currency ?? right.currency
  const rateOf = ({ currency }: Amount): number => abroad && !currency ? abroad.rate : 1
  const low = left.low * (isShared ? scale : 1) * rateOf(left)
  // 到两百多 ends before three hundred.
  const isMore = /^ ?[多余]/.test(text.slice(right.number.end, right.end + 2))
  const high = (isMore ? right.low + stepOf(right.low) - 1 : right.high) * rateOf(right)
  if (low >= high) return undefined
  const isMoney = left.hasCurrency || right.hasCurrency || isShared || scale > 1 || saysMoney(cues)
  if (!isMoney && !isBareRange(text, left, right, goods)) return undefined
  const isAbout = cues.bound === 'about' || right.low < right.high
  const scorned = scornedIn(text, cues, goods.names, { low, high })
  return closed(text, scorned ?? cues, goods.names, { currency: abroad,
    ...scorned?.side ?? { min: low, max: high, isStrong: true, kind: isAbout ? 'about' : 'hard' },
  })
}

const saysMoney = ({ bound, isBudget, isPrice, isBetween, scope }: Signals): boolean =>
  bound !== null || isBudget || isPrice || isBetween || scope !== null

/** 100-300 by itself: not years, not sizes, and a price of such goods. */
function isBareRange(text: string, left: Amount, right: Amount, goods: Goods): boolean {
  const [low, high] = [left.low, right.high]
  const areYears = low >= 1990 && high <= 2040 && high - low < 20
  const after = text.charAt(right.end)
  return !areYears && low >= 5 && high >= 20 && !/[a-z]/.test(after)
    && goods.isPrice(low, high)
}

type Meaning = Pick<BudgetClause, 'min' | 'max' | 'kind' | 'isStrong'>

function singleOf(text: string, amount: Amount, goods: Goods): BudgetClause | undefined {
  if (isAge(text, amount) || isCount(text, amount, goods)
    || OTHER_UNIT.test(text.slice(amount.number.end))) return undefined
  const cues = signalsOf(text, amount, goods.names)
  // 六一想买.
  const isTiny = !amount.hasCurrency && amount.high < TINY && amount.number.script === 'han'
  if (isTiny && COUNTER.test(text.charAt(amount.end))) return undefined
  if (isTiny && !cues.isBudget && !cues.isPrice && cues.scope === null) return undefined
  // 上千块的不要 ends below it.
  const isMoney = amount.hasCurrency || amount.number.scale >= SURE_SCALE || cues.bound === 'most'
  const scorned = isMoney && !OVER.test(text.slice(0, amount.number.start))
    ? scornedIn(text, cues, goods.names, amount) : undefined
  const meaning = scorned?.side ?? meaningOf(text, amount, cues)
    ?? (!cues.isRefused && isBare(text, amount, goods) ? aroundIt(amount, false) : undefined)
  return meaning && closed(text, scorned ?? cues, goods.names,
    { ...meaning, currency: amount.currency })
}

/** 一两百 is money without a word for it. */
const SURE_SCALE = 10

/** "In total for 2 frying pans". */
const isCount = (text: string, { hasCurrency, number, end }: Amount, goods: Goods): boolean =>
  !hasCurrency && number.high <= COUNT_MAX && text.charAt(end) === ' ' && goods.startsAt(end + 1)
    && number.script !== 'han'
const COUNT_MAX = 12
/** 二十多平. */
const OTHER_UNIT = new RegExp('^(?:[多来几余]?个?(?:平(?![价板时均])|㎡|平米|平方|坪|人|岁|楼|层|年|天|小时|分钟'
  + '|公里|厘米|公斤|礼拜|星期|[片粒颗次趟顿页](?!装)|张(?![嘴口])|身|位(?![数置]))'
  + '| ?(?:square|sq|pictures|photos|pages|sheets|people|persons|guests|students|kids'
  + '|hours|minutes|days|weeks|months|years|meters|metres|feet|steps|words|songs|cards|pieces)'
  + '(?![a-z]))')

const TINY = 5
/** 预算要买两个. */
const COUNTER = /[个只件条双瓶盒包袋支把套张本台]/

/** 我妈七十多了, 爷爷快八十: how old somebody is. */
function isAge(text: string, { start, number, hasCurrency }: Amount): boolean {
  return !hasCurrency && number.low >= AGES.least && number.low <= AGES.most
    && /^(?:多|来|几|好几)?(?:岁|了|的人|大寿|高寿|(?=[ ,;。]|$))/.test(text.slice(number.end, number.end + 4))
    && OLD_BEFORE.test(text.slice(Math.max(0, start - 6), start))
}

const AGES = { least: 18, most: 110 } as const
const OLD_BEFORE = new RegExp(
  `(?:${RECIPIENTS.filter((word) => /^\p{Script=Han}/u.test(word)).join('|')})`
  + '(?:今年|都|也|已经|快|奔|马上|虚岁|刚|过)*$')

const OVER = /(不)?([上过破])$/

function meaningOf(text: string, amount: Amount, cues: Signals): Meaning | undefined {
  const { low, high, number } = amount
  const hard = (min: number | null, max: number | null): Meaning =>
    ({ min, max, kind: 'hard', isStrong: true })
  // 上千 and 过万 are words of their own.
  const [, not = '', over] = OVER.exec(text.slice(0, number.start)) ?? []
  if (over && STEP_NAME.test(text.charAt(number.start)) && (cues.bound === null || not)) {
    return not || cues.isRefused ? hard(null, low) : hard(low, null)
  }
  const compared = comparedIn(text, amount)
  if (compared) return compared === 'least' ? hard(low, null) : hard(null, high)
  if (cues.bound === 'outset' || isOutset(text, amount)) return outsetOf(text, amount)
  if (cues.bound === 'most') return hard(null, high)
  if (cues.bound === 'least') return hard(low, null)
  if (cues.isRefused) return undefined
  if (cues.bound === 'about') return aroundIt(amount, true)
  if (cues.isBudget) return low === high ? hard(null, high) : aroundIt(amount, true)
  if (cues.isPrice) return aroundIt(amount, true)
  // 一箱24瓶 counts bottles.
  const isScoped = amount.hasCurrency || BREAK.test(text.charAt(cues.end))
  if (cues.scope === 'each' && isScoped) return aroundIt(amount, true)
  if (cues.scope === 'total' && isScoped) return hard(null, high)
  if (!amount.hasCurrency) return undefined
  // 千元机 costs from one thousand to two.
  const isStep = STEP_NAME.test(text.slice(number.start, number.end))
  return isStep ? { min: low, max: 2 * low - 1, kind: 'about', isStrong: false }
    : aroundIt(amount, false)
}

/** 比八百贵的, 比三百便宜. */
function comparedIn(text: string, { start, end }: Amount): 'least' | 'most' | undefined {
  if (!text.slice(0, start).endsWith('比')) return undefined
  const [, more, less] = /^(?:块钱?|元)?(?:还|更|要|再)?(?:(贵|高|多)|(便宜|低|少))/
    .exec(text.slice(end, end + 6)) ?? []
  return more ? 'least' : less ? 'most' : undefined
}

/** 一百多块: the word stands before the currency. */
const isOutset = (text: string, { number, end }: Amount): boolean =>
  /^(?:多|余)/.test(text.slice(number.end, end))

function outsetOf(text: string, { low, high, number }: Amount): Meaning {
  const isMore = /^ ?(?:元|块钱?)?[多余好]/.test(text.slice(number.end, number.end + 5))
  const top = isMore ? low + stepOf(low) - 1 : low * (1 + ABOUT)
  return { min: low, max: Math.max(top, high), kind: 'about', isStrong: true }
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
  // 小米手环9, 苹果15: which of its models.
  if (before === start && goods.endsAt(start) && low < MODEL_END && !isVague) return false
  const after = /^[ 的]*/.exec(text.slice(end, end + 3))?.[0].length ?? 0
  const isBefore = before === 0 && after > 0 && goods.startsAt(end + after)
  const isAfter = goods.endsAt(before)
    && (end === text.length || /[ ;,.。、!?的]/.test(text.charAt(end)))
  const isOf = text.charAt(end) === '的' && goods.startsAt(end + 1)
    && !/(?![买要看来])[a-z\p{Script=Han}] ?$/u.test(text.slice(Math.max(0, start - 2), start))
  const isBought = /(?:买|要|看)个?$/.test(text.slice(0, start))
    && /^的(?:$|[ ;,.。、!?])/.test(text.slice(end, end + 2))
  // 两三百 counts nothing, so that it can only be money.
  const isAlone = isVague && /^(?:$|[ ;,.。、!?的])/.test(text.slice(end, end + 1))
  return (isBefore || isAfter || isOf || isBought || isAlone) && goods.isPrice(low, number.high)
}

const MODEL_END = 20

/** With every word around it that belongs to it. */
function closed(
  text: string, { start, end, scope, apart }: Signals, names: readonly Place[],
  meaning: Meaning & Pick<BudgetClause, 'currency'>,
): BudgetClause {
  // 90块两双: so much for so many of them.
  const isForMany = FOR_SO_MANY.test(text.slice(end, end + 12))
    || (!meaning.isStrong && isBehindMany(text, { start, end }, names))
  const per = scope ?? (isForMany ? 'total' : null)
  const clause = { ...meaning, start, end, apart, per }
  return per === 'total' ? ofTotal(clause) : clause
}

/** What is spent on all is no wish to spend so much. */
const ofTotal = (clause: BudgetClause): BudgetClause => clause.kind !== 'about' ? clause
  : clause.min === null || clause.max === null ? { ...clause, min: null }
    : { ...clause, min: null, max: Math.round(clause.max / (1 + ABOUT)), kind: 'hard' }

const HAVE = new RegExp('手[里上头]|[兜袋]里|身上|只有|就有|我有|揣|凑|备|拨|[经团班会公动]费|(?:工会|公司|单位|学校|村里)出'
  + '|(?<![a-z])(?:have|got)(?![a-z])')

/** Between money and how many of them it buys. */
const PAYS_FOR = new RegExp('^[ ,;]*(?:(?:我|就|能|够|想|要|去|给[^ ,;.。!?]{0,8})*'
  + '(?:买|来|要|换|拿|配|订|整|搞|添|弄|for|get|buy)(?:上|下|个|到)?)?[ ,;]*$')

/** Of several pieces: what somebody has is for all of them, and 九百块 of 九百块买三副. */
export function forAll(text: string, clause: BudgetClause, many: Place): BudgetClause {
  const isPaid = HAVE.test(text.slice(clause.start, clause.end))
    || (many.start >= clause.end && PAYS_FOR.test(text.slice(clause.end, many.start)))
  return clause.per === null && isPaid ? ofTotal({ ...clause, per: 'total' }) : clause
}

/** 俩枕头一百五: so many of them for so much. */
function isBehindMany(text: string, { start, end }: Place, names: readonly Place[]): boolean {
  const to = text.slice(0, start).trimEnd().length
  if (text.charAt(end) === '的') return false
  if (MANY_COUNTED.test(text.slice(Math.max(0, to - 4), to))) return true
  const name = names.find((one) => one.end === to)
  return name !== undefined
    && MANY.test(text.slice(Math.max(0, name.start - 6), name.start))
}
