/**
 * Values of goods in a folded text, however they are written: 12+256, 1米8, 225/50R17, 6-12个月, XL.
 * Items and sentences are read by the same patterns into the same units, so that they compare.
 */
import { masked } from './read/claims.ts'
import { linesOf, UNIT_NAMES, writtenUnit } from './units.ts'

export interface Range {
  readonly low: number
  /** Infinity where there is no bound. */
  readonly high: number
}

export interface Value extends Range {
  readonly unit: string
}

export interface FoundValues {
  readonly start: number
  readonly end: number
  /** Several of one place hold together: memory and storage, width and length. */
  readonly values: readonly Value[]
}

const HAN_DIGITS = '零一二三四五六七八九'
const HAN_NUMERAL = '[零一二两三四五六七八九十百千万廿卅]'
/** From two on. */
const ENGLISH_COUNTS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const ENGLISH_COUNT = ENGLISH_COUNTS.join('|')
const LETTERS = ['xxs', 'xs', 's', 'm', 'l', 'xl']
const NUMBER = String.raw`\d{1,6}(?:\.\d{1,3})?`
const START = String.raw`(?<![a-z0-9.])(?<![a-z]-)`
const LENGTH = 'cm|mm|m|米|厘米|毫米|公分'
const TENTHS = String.raw`((?<=\d米)\d{1,2}(?![\d.个米]))?`
const SIDE = String.raw`${NUMBER}(?: ?(?:${LENGTH}))?${TENTHS.replace('((', '(?:(')}`
/** Each letter size, at its place; after XL each X is one more. */
const LETTER = String.raw`\d{1,2}xl|x{1,7}l|x{0,2}s|[ml]|nb`
const OPEN = '(?: ?(以上|以下|以内|及以上|之内|起|内(?![存衣胆部置径饰搭含蒙]))|(\\+)(?![a-z0-9]))?'

interface Form {
  readonly pattern: RegExp
  readonly read: (groups: readonly (string | undefined)[]) => readonly Value[]
}

const INCHES_OF_CHI = 1000 / 3 / 25.4
const digitOf = (digit: string): number =>
  /\d/.test(digit) ? Number(digit) : HAN_DIGITS.indexOf(digit === '两' ? '二' : digit)
const round = (value: number): number => Number(value.toFixed(4))
const exactly = (unit: string, value: number): Value => ({ unit, low: value, high: value })

/** The size that letters stand for; each step is one more. */
export function letterRank(letters: string): number {
  if (letters === 'nb') return 1
  const [, digits, xs = ''] = /^(?:(\d{1,2})xl|(x{2,7})l)$/.exec(letters) ?? []
  if (digits ?? xs) return 4 + Number(digits ?? xs.length)
  return LETTERS.indexOf(letters)
}

function memory([low, , high = '', unit]: readonly (string | undefined)[]): Value[] {
  const isTera = unit?.startsWith('t') ?? Number(high) < 3
  return [exactly('gb', Number(low)), exactly('gb', Number(high) * (isTera ? 1024 : 1))]
}

/** A number without a unit: beds are 1.8 or 180. */
function dimensions([all = '', unit]: readonly (string | undefined)[]): Value[] {
  const numbers = [...all.matchAll(new RegExp(`(${NUMBER}) ?(${LENGTH})?${TENTHS}`, 'g'))]
  // 1米8 is 1.8米.
  const values = numbers.map(([, number, , tenths]) =>
    tenths === undefined ? Number(number) : Number(`${number}.${tenths}`))
  const isSmall = Math.max(...values) <= 6
  // A resolution in pixels is no length.
  if (unit === undefined && Math.min(...values) >= 400) return []
  const own = numbers.find(([, , one]) => one !== undefined)?.[2]
  return values.map((value, at) => {
    const name = numbers[at]?.[2] ?? unit ?? own ?? (isSmall ? 'm' : 'cm')
    const written = writtenUnit(name)
    return exactly(written.unit, round(value * written.factor))
  })
}

/** A child of three is three until it is four. */
const years = (low: number, high: number): Range => ({ low: low * 12, high: high * 12 + 11 })

function ages(groups: readonly (string | undefined)[]): Value[] {
  const [low, lowUnit, high, highUnit, open, plus] = groups
  const unit = highUnit ?? ''
  const factor = (name: string): number => name.endsWith('岁') ? 12 : 1
  const first = Number(low) * factor(lowUnit ?? unit)
  if (high !== undefined) {
    const last = Number(high) * factor(unit)
    return [{ unit: 'month', low: first, high: last + (factor(unit) === 12 ? 11 : 0) }]
  }
  return [{ unit: 'month', ...opened(first, open ?? plus) }]
}

const opened = (value: number, word: string | undefined): Range =>
  word === undefined ? { low: value, high: value }
    : /以下|内$/.test(word) ? { low: 0, high: value } : { low: value, high: Infinity }

/**
 * Who is in the third year is eight, and nine before it ends; for who is in the first, goods for
 * 3-6岁 are no longer made.
 */
const schoolYears = (low: number, high: number): Value => high === 1 ? exactly('month', 84)
  : { unit: 'month', low: (low + 5) * 12 + 1, high: (high + 6) * 12 - 1 }

/** What school is attended, and how old who attends it is. */
const STAGES: readonly (readonly [names: string, low: number, high: number])[] = [
  ['托班', 24, 36], ['小班', 36, 48], ['中班', 48, 60], ['大班', 60, 72], ['学前班|preschool', 48, 77],
  ['幼儿园|kindergarten', 36, 72], ['小学|primary school|elementary school', 73, 143],
  ['初一', 145, 155], ['初二', 157, 167], ['初三', 169, 179], ['高一', 181, 191],
  ['高二', 193, 203], ['高三', 205, 215], ['大学|college|university', 217, 264],
  ['刚满月|满月了|刚出月子', 1, 1], ['刚满百天|满百天', 3, 3],
  ['刚出生|刚出世|新生儿|newborns|newborn|new born', 0, 1], ['初中|middle school|junior high', 145, 179],
  ['高中|high school|senior high', 181, 215],
]
const STAGE_OF = new Map(STAGES.flatMap(([names, low, high]) =>
  names.split('|').map((name) => [name, { unit: 'month', low, high }] as const)))
const STAGE = new RegExp(String.raw`(?<![a-z])(?:正在?)?(?:上|读|念|in |at )?(${[...STAGE_OF.keys()]
  .join('|')})(?:的?(?:学生|孩子|小朋友|小孩)|生| students?|ers?)?(?![a-z班点些米丈倍])`, 'g')

/** In a sentence; titles name schools as places of use, too. */
export const stagesIn = (text: string): FoundValues[] => [...text.matchAll(STAGE)]
  .flatMap(({ 0: written, 1: name = '', index }) => {
    const value = STAGE_OF.get(name)
    return value ? [{ start: index, end: index + written.length, values: [value] }] : []
  })

const body = (height: number): Value =>
  exactly('letter', LETTERS.indexOf('s') + Math.round((height - 165) / 5))

/** What is told from other numbers by its form alone. The first that reads characters has them. */
const FORMS: readonly Form[] = [
  { pattern: /(?<![a-z0-9.])(\d{3}) ?[/ ] ?(\d{2}) ?[/ ]? ?(?:z?r ?|(?<=\d\/))(\d{2})(?![\d.])/g,
    read: ([width, ratio, rim]) =>
      [exactly('tyre', Number(width) * 10_000 + Number(ratio) * 100 + Number(rim))] },
  { pattern: new RegExp(
    String.raw`${START}(2|3|4|6|8|10|12|16|18|24|32|48|64) ?(gb?)? ?[+/加和] ?`
    + String.raw`(16|32|64|128|256|512|1024|[124](?=t)) ?(gb?|tb?)?(?![a-z\d])`, 'g'),
  read: memory },
  { pattern: new RegExp(String.raw`${START}(${SIDE}(?: ?(?:[×x*]|乘以?| by ) ?[宽高长深厚]?${SIDE}){1,2})`
    + String.raw` ?(${LENGTH}|英寸|寸|inch)?(?![a-z\d])`, 'g'), read: dimensions },
  // Reading glasses of +2.5 are called 250度.
  { pattern: /(?<![\d.])\+ ?(\d)\.(\d{1,2})(?![\d.]| ?[a-z])/g,
    read: ([whole, part]) => [exactly('degree', Math.round(Number(`${whole}.${part}`) * 100))] },
  { pattern: /(?:零下|负|minus |negative ) ?(\d{1,3})(?: ?°c| ?摄氏度|度| degrees)?(?![\d.])/g,
    read: ([degrees]) => [exactly('celsius', -Number(degrees))] },
  { pattern: /(?<![\w.-])(-?\d{1,3}) ?(?:°c|摄氏度)/g,
    read: ([degrees]) => [exactly('celsius', Number(degrees))] },
  { pattern: /(?<![\d.])(\d)米(\d{1,2})(?![\d.个米]|%)/g, read: ([metres, rest = '']) =>
    [exactly('mm', Number(metres) * 1000 + Number(rest.padEnd(2, '0')) * 10)] },
  // Of trousers, whose sizes are the inches of the waist.
  { pattern: new RegExp('([1-4一二两三四])尺([0-9一二三四五六七八九])?(?!寸)'
    + '(?:(?<=腰[^;,.。!?]{0,8})|(?=的?[^;,.。!?]{0,4}(?:裤|半身裙)))', 'g'),
    read: ([feet = '', tenths = '0']) => [exactly('inch', Math.ceil(
      (digitOf(feet) + digitOf(tenths) / 10) * INCHES_OF_CHI - 0.4))] },
  { pattern: /(?<![a-z0-9.-])(1[4-9][05])\/(\d{2,3})[abcy](?![a-z\d])/g,
    read: ([height]) => [body(Number(height))] },
  // 75G is a cup where it says so; else it is grams.
  { pattern: new RegExp(String.raw`(?<![a-z0-9.-])([6-9][05]|10[05]) ?([a-f]|g(?= ?(?:罩?杯|cup)))`
    + String.raw`(?:杯|罩杯|cup)?(?![a-z0-9+])`, 'g'),
  read: ([band, cup = '']) => [exactly('cup', Number(band) * 10 + 'abcdefg'.indexOf(cup))] },
  { pattern: new RegExp(
    String.raw`(?<![a-z])(?:sleeps|seats|fits)(?: up to)? (\d{1,2}|${ENGLISH_COUNT})`
    + String.raw`(?: (?:or|to|-) (\d{1,2}|${ENGLISH_COUNT}))?(?: people| persons)?(?![a-z0-9])`,
  'g'),
  read: ([low = '', high]) => {
    const [first, last] = [low, high ?? low].map((one) =>
      /\d/.test(one) ? Number(one) : ENGLISH_COUNTS.indexOf(one) + 2)
    return [{ unit: 'person', low: first ?? 0, high: last ?? 0 }]
  } },
  { pattern: /(?<![a-z])(double|triple|2x|3x) ?-?(?:x ?l|extra large)(?![a-z])/g,
    read: ([times = '']) => [exactly('letter', /^[d2]/.test(times) ? 6 : 7)] },
  { pattern: new RegExp(`(?<![a-z0-9.'-])(?<!\\d )(${LETTER})(?![a-z0-9'/]|-[a-z0-9])[码号]?`, 'g'),
    read: ([letters = '']) => [exactly('letter', letterRank(letters))] },
  { pattern: /(?<![a-z0-9])(?:wi-?fi|wireless) ?(five|six|seven)(?![a-z])/g,
    read: ([version = '']) => [exactly('wifi', 5 + ['five', 'six', 'seven'].indexOf(version))] },
  { pattern: /(?<![a-z0-9])(wifi|ddr|hdmi|spf) ?([1-9]\d?(?:\.\d)?)(?!\d|[-~]\d)/g,
    read: ([standard = '', version]) => [exactly(standard, Number(version))] },
  { pattern: /(?<![a-z0-9.-])a([2-6])(?![a-z0-9.-]|纸)/g,
    read: ([format]) => [exactly('paper', Number(format))] },
  { pattern: /((?:[二三四五六七八九]?十)?)([一二三四五六七八])([二三四五六七八九])(年级|周?岁|个月)/g,
    read: ([tens = '', low = '', high = '', unit]) => {
      const before = tens === '' ? 0 : 10 * (HAN_DIGITS.indexOf(tens.slice(0, -1)) || 1)
      const [first, last] = [before + HAN_DIGITS.indexOf(low), before + HAN_DIGITS.indexOf(high)]
      return [unit === '年级' ? schoolYears(first, last)
        : { unit: 'month', ...unit === '个月' ? { low: first, high: last } : years(first, last) }]
    } },
  { pattern: /(?<![a-z0-9.])(\d{1,2})w ?-? ?(\d{2})(?![\d.a-z])/g,
    read: ([cold, hot]) => [exactly('sae', Number(cold) * 100 + Number(hot))] },
  // Who is past one is not in the first year.
  { pattern: /刚?[过超]了?(\d{1,2})周?岁|(?<![\d.十])(\d{1,2})周?岁(?:多|出头|刚过)/g,
    read: ([past, more]) => {
      const birthday = Number(past ?? more) * 12
      return [{ unit: 'month', low: birthday + 1, high: birthday + 11 }]
    } },
  { pattern: /(?<![\d.])1 ?[:/] ?(\d{2,3})(?![\d/:.])/g,
    read: ([scale]) => [exactly('scale', Number(scale))] },
  { pattern: /(?<![\d.十百千])([1-9一二三四五六七八九])两(?=[ ,.;。!?的装一左重]|$)/g, read: ([number = '']) =>
    [exactly('g', 50 * (/\d/.test(number) ? Number(number) : HAN_DIGITS.indexOf(number)))] },
  { pattern: new RegExp(String.raw`(?<![\d.a-z])([2-9]|\d{2,4}|${ENGLISH_COUNT})[- ]?`
    + '(piece|pc|pair|roll|sheet|(?:port|head|speed|tier|compartment|hole|door|drawer|wheel|outlet'
    + '|slice|colou?r|rung|(?:place )?setting)s?|shelf|shelves)(?: set)?(?![a-z])', 'g'),
  read: ([count = '', part = '']) => [exactly(
    part === 'pc' ? 'piece' : part.replace(/^place |s$/g, '').replace('shelve', 'shelf'),
    ENGLISH_COUNTS.indexOf(count) >= 0 ? ENGLISH_COUNTS.indexOf(count) + 2 : Number(count))] },
  { pattern: /(?<![\d.])半(?:周?岁|年(?!级))/g, read: () => [exactly('month', 6)] },
  { pattern: /半个月/g, read: () => [exactly('天', 15)] },
  { pattern: /(?<![\d.十])(\d{1,2})周?岁半/g,
    read: ([age]) => [exactly('month', Number(age) * 12 + 6)] },
  { pattern: /(?<![\d.十])(\d{1,2})(?: ?[-~至到] ?(\d))?年级/g,
    read: ([low, high]) => [schoolYears(Number(low), Number(high ?? low))] },
  { pattern: /(?<![\d.])(\d{1,2})(?:st|nd|rd|th)[- ]?grad(?:e|ers?)(?![a-z])/g,
    read: ([grade]) => [schoolYears(Number(grade), Number(grade))] },
  { pattern: /(?<![^ ])(?:(幼儿园|小学)|(初中|高中|大学)生?)(?![^ ])/g, read: ([low, high]) =>
    [STAGE_OF.get(low ?? high ?? '') ?? schoolYears(1, 6)] },
  { pattern: new RegExp(String.raw`(?<![\d.十])(\d{1,2}(?:\.5)?) ?(周?岁|个月)? ?[-~至到] ?(\d{1,3}) ?`
    + String.raw`(周?岁|个月|月龄)${OPEN}`, 'g'), read: ages },
  { pattern: new RegExp(String.raw`(?<![\d.十])()(\d{1,2}(?:\.5)?) ?(周?岁|个月|月龄)${OPEN}`, 'g'),
    read: ([, low, unit, open, plus]) => ages([low, undefined, undefined, unit, open, plus]) },
  { pattern: new RegExp(String.raw`(?<![\d.])(\d{1,2})(?: ?(?:-|to) ?(\d{1,2}))?[- ]?`
    + String.raw`(?:years?|yrs?|y)[- /]?o(?:lds?|\.)?(?![a-z])`, 'g'),
  read: ([low, high]) => [{ unit: 'month', ...high === undefined
      ? { low: Number(low) * 12, high: Number(low) * 12 } : years(Number(low), Number(high)) }] },
  { pattern: /(?<![\d.])(\d{1,2})[- ]?(?:months?|mos?)[- ]?olds?(?![a-z])/g,
    read: ([age]) => [exactly('month', Number(age))] },
  { pattern: /(?<![a-z])(?:ages?|aged) (\d{1,2})(?: ?(?:-|to) ?(\d{1,2})|(\+))?(?![\d.])/g,
    read: ([low, high, open]) => [{ unit: 'month', ...high !== undefined
      ? years(Number(low), Number(high)) : opened(Number(low) * 12, open) }] },
  { pattern: new RegExp('(?<![a-z])(?:toddler|kid|child|boy|girl|son|daughter)'
    + String.raw`(?: of| who is| is|,)? (\d{1,2})(?![\d.a-z-])`, 'g'),
  read: ([age]) => [exactly('month', Number(age) * 12)] },
  { pattern: /(?<![a-z])stage (\d)(?!\d)/g, read: ([stage]) => [exactly('grade', Number(stage))] },
  { pattern: /(?<![\d.])(\d{1,2})口(?:人|之家|用|吃|喝|住)(?!份)/g,
    read: ([people]) => [exactly('person', Number(people))] },
  { pattern: new RegExp(String.raw`(?<!\d)(?:(\d{1,2}) ?[-~至到] ?)?`
    + String.raw`(\d{1,2}|[单双]|(?<!${HAN_NUMERAL})十)个?人(?:位|份)?(?![\d民体造气工参字物像生间家行类])`, 'g'),
    read: ([low, high = '']) => {
      const last = { 单: 1, 双: 2, 十: 10 }[high] ?? Number(high)
      return [{ unit: 'person', low: Number(low ?? last), high: last }]
    } },
  { pattern: /(?<![a-z0-9.])([248]|2\.7|720|1080|1440|2160) ?([kp])(?![a-z])/g,
    read: ([value, letter = '']) => {
      const lines = linesOf(Number(value), letter)
      return lines === undefined ? [] : [exactly('lines', lines)]
    } },
]

/** 三 is read as 3 where a unit follows and no numeral stands before: 三年级, but not 十三岁. */
const LONE_DIGIT = new RegExp(`(?<!${HAN_NUMERAL}|[\\d.])[一二两三四五六七八九]`
  + '(?=米|周?岁|个月|年级|段|个?人|口[人之用吃喝住]|[-到至])'
  + '|(?<=[一二两三四五六七八九1-9]米[一二三四五六七八九]?)[一二三四五六七八九](?![十百千万个])', 'g')

const withDigits = (text: string): string => text.replace(LONE_DIGIT, (digit) =>
  digit === '两' ? '2' : String(HAN_DIGITS.indexOf(digit)))

/** Without one of these nothing is told by its form. */
const WRITTEN = /\d|[单双半初高小幼大尺]|年级|岁|个月|两|[smlxn]|t(?:wo|hree|en)|four|five|eight/

/** What has a form of its own. */
export function formsIn(text: string): FoundValues[] {
  const found: FoundValues[] = []
  let rest = withDigits(text)
  let left: string | undefined
  for (const { pattern, read } of FORMS) {
    if (rest !== left && !WRITTEN.test(rest)) break
    left = rest
    rest = rest.replace(pattern, (written, ...groups: unknown[]) => {
      const at = groups.findIndex((group) => typeof group === 'number')
      const values = read(groups.slice(0, at) as (string | undefined)[])
      if (values.length === 0) return written
      const start = groups[at] as number
      found.push({ start, end: start + written.length, values })
      return ' '.repeat(written.length)
    })
  }
  return found.sort((left, right) => left.start - right.start)
}

const SIZE = new RegExp(
  `${START}(${NUMBER})(?: ?[-~] ?(${NUMBER}))? ?(${UNIT_NAMES})(?![a-z])${OPEN}`, 'g')
/** 5G手机 and 4G路由器 are no weights, 2.4G no storage, 360度 no alcohol. */
const NO_SIZE = new RegExp(String.raw`(?<![0-9.])(?:[2-6]|2\.4|5\.8) ?g(?![b0-9a-z])`
  + String.raw`(?=\/| ?(?:手机|网|全网通|智能|无线|双|路由|频|wifi|卡|版|信号|移动|$))`
  + '|(?:360|180|90|270) ?度', 'g')

/** All values of an item's text. `isDevice`: g is storage there, as in 256G. */
export function valuesIn(text: string, isDevice: boolean): FoundValues[] {
  const blank = (written: string): string => ' '.repeat(written.length)
  let rest = text.replace(NO_SIZE, blank)
  const found = formsIn(rest)
  rest = masked(rest, found)
  for (const match of /\d/.test(rest) ? rest.matchAll(SIZE) : []) {
    const [written, low = '', high, name = '', open, plus] = match
    if (name === '年' && Number(low) > 1900) continue
    const { unit, factor } = writtenUnit(name === 'g' && isDevice ? 'gb' : name)
    const first = round(Number(low) * factor)
    const range = high === undefined ? opened(first, open ?? plus)
      : { low: first, high: round(Number(high) * factor) }
    const [start, end] = [match.index, match.index + written.length]
    found.push({ start, end, values: [{ unit, ...range }] })
  }
  return found
}

/** The text with its values made unreadable: inch and 码 behind them are no words to correct. */
export function withoutValues(text: string): string {
  let rest = text
  for (const { start, end } of valuesIn(text, false)) {
    const to = end + (/[码号]/.test(text.charAt(end)) ? 1 : 0)
    rest = rest.slice(0, start) + '\u0000'.repeat(to - start) + rest.slice(to)
  }
  return rest
}
