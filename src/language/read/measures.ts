/** Numbers that are no money: with a unit, in a name, as a size, as a version. */
import { taxonomy } from '../../goods/taxonomy.ts'
import { formsIn, stagesIn, type Value } from '../measures.ts'
import { attributeNamed, haveUnit, valuesWith, type AttributeValues } from '../profile.ts'
import { remembered } from '../recent.ts'
import type { Measure } from '../understanding.ts'
import { linesOf, PARTS, SAME_UNITS, unitAt, writtenUnit } from '../units.ts'
import { overlaps, type Place } from './claims.ts'
import { agedAt, packAt, partsAt, puzzleCountAt, wornAt } from './bare-measures.ts'
import { signalsOf } from './signals.ts'
import { namesIn } from './names.ts'
import type { NumberWord } from './numbers.ts'
import { measureOf, namedBefore, namedBehind } from './named-measures.ts'
import { comparisonAt, isReach, reachAt } from './reach.ts'

export interface FoundMeasure extends Place {
  readonly measure?: Measure
  /** Values that it names: 316L of stainless steel. */
  readonly words?: readonly string[]
  /** What holds besides. */
  readonly more?: readonly Measure[]
  /** A refusal that stands apart from it. */
  readonly apart?: readonly Place[]
}

const DIMENSION = new RegExp('(?:([最总内外直净]?(?:宽|高(?!于)|长|深|厚|重)(?:度|量)?|[直口内外]径|尺[寸码]|'
  + '鞋码|码数|度数|身高|体重|年龄|面积|容量|功率|[腰胸臀领帽]围|承重|续航|保质期|质保|屏幕|间距|手寸|圈号)'
  + '(?:要|是|为|在|:| )*|(?<![a-z])(width|height|length|depth|diameter|weight|sizes?|capacity'
  + '|waist|inseam|us|eu|uk)(?: is|:)* *(?:us|eu|uk)? ?)$')
/** What is measured so has a unit of its own where the goods state none of that name. */
const DIMENSION_UNITS: readonly (readonly [RegExp, string])[] = [
  [/[宽高长深厚径围]|width|height|length|depth|diameter/, 'cm'], [/重|weight/, 'kg'],
  [/年龄/, '岁'], [/容量|capacity/, 'l'], [/功率/, 'w'], [/度数/, '度'],
  [/[腰尺鞋码]|size|waist|^(?:us|eu|uk)$/, '码'],
]
/** How far before a number the word for what it measures is looked for. */
const NEAR = 24
const CONNECTOR = /^ ?(?:-|~|到|至|to|—) ?$/
/** 8g内存以上. */
const MEASURED = new RegExp('^ ?的?(?:内存|运存|存储|硬盘|显存|容量|重量|长度|宽度|高度|续航|屏幕|功率|吸力)'
  + '(?=(?:及|或)?以[上下内]|起步?(?!来)|往[上下])')
const BETWEEN = /(?<![a-z])between $/
const MONEY_NEAR = /^ ?(?:以内|以下|之内|左右|上下|出头|元|块|rmb|yuan|cny|预算|起|以上)/
const MONEY_BEFORE = /(?:大概|大约|差不多|约|around|about) ?$|(?:预算|价格|价位|¥|rmb|cny|budget|花) ?$/
const RESOLUTIONS = new Set([2, 4, 5, 6, 8])
/** Units that are halved so; 两米半身裙 is none. */
const HALF_BEHIND = /^[匹斤升米时年码]半(?![身截价高干成])/
const ORDINAL_AFTER = /^(?:代|季|版|册|部|辑|期|卷|章|世代|款)/
/** 135/85, and 1920x1080. */
const PAIR = /^ ?[/x×*] ?$/

interface Ending {
  readonly end: number
  readonly unit: string
  readonly factor: number
  /** 半 behind the unit: 一匹半. */
  readonly isHalf?: boolean
}

export function measuresIn(text: string, numbers: readonly NumberWord[]): FoundMeasure[] {
  const forms = [...stageMeasures(text), ...formMeasures(text)]
  const found = [...forms.filter((one, at) =>
    !forms.slice(0, at).some((other) => overlaps(one, other))), ...sizeWords(text)]
  const left = numbers.filter((number) => !found.some((one) => overlaps(one, number)))
  for (let at = 0; at < left.length;) {
    const [measure, used] = measureAt(text, left, at)
    if (measure && !found.some((one) => overlaps(one, measure))) found.push(measure)
    at += used
  }
  return found.sort((one, other) => one.start - other.start)
}

/** What its form alone tells: 12+256, 1米8, 225/50R17, 6-12个月, 2XL. */
function formMeasures(text: string): FoundMeasure[] {
  return formsIn(text).filter(({ start, end, values }) => isMeant(text, { start, end }, values[0]))
    .map(({ start, end, values: [first, ...rest] }): FoundMeasure => {
      const place = widened(text, start, end)
      const measure = measureOf(first as Value)
      return { start: place.start, end: place.end, apart: place.apart, measure: {
        ...boundedBy(place, measure),
        // What bears more cold bears this as well.
        ...measure.unit === 'celsius' && (measure.high ?? 0) < 0 && { low: null },
      }, ...rest.length > 0 && { more: rest.map(measureOf) } }
    })
}

/** 上高中 is an age where the goods state one; otherwise it is a scene. */
function stageMeasures(text: string): FoundMeasure[] {
  const stages = stagesIn(text)
  if (stages.length === 0 || !haveUnit(kindsIn(text), 'month')) return []
  const names = namesIn(text)
  // 新生儿礼盒 is a name.
  return stages.filter((stage) => !names.some((name) => overlaps(name, stage)))
    .map(({ start, end, values: [value] }) =>
      ({ start, end, measure: measureOf(value as Value) }))
}

/** M, S, 75B and 三人 are read where such goods state them, or where a word says what they are. */
function isMeant(text: string, { start, end }: Place, value: Value | undefined): boolean {
  if (value?.unit === 'lines') return false
  const written = text.slice(start, end)
  const part = SAME_UNITS[value?.unit ?? '']
  if (part && PARTS.has(value?.unit ?? '')) {
    const kinds = kindsIn(text)
    return kinds.length === 0 || part.some(([unit]) => haveUnit(kinds, unit))
  }
  const isPlain = ['person', 'cup', 'paper', 'scale'].includes(value?.unit ?? '')
    || (value?.unit === 'letter' && !/xl|[sx]s|xx|\//.test(written))
  return !isPlain || /[码号]$/.test(written) || value === undefined
    || /(?:size|尺码) ?$/.test(text.slice(0, start)) || haveUnit(kindsIn(text), value.unit)
}

/** Of the text of one sentence, at each of whose numbers they are asked for. */
const RECENT_MAX = 2

const kindsIn: (text: string) => readonly string[] = remembered(RECENT_MAX, (text) =>
  namesIn(text).flatMap(({ senses }) => senses.map(({ kind }) => kind)))

/** 加大码 is XL and more, and 大码 begins behind it. */
const SIZE_WORDS = new RegExp('(特大|加肥加大|加大|大|中|小)码|(中|小|大)号(?![字楼牌灯线])'
  + '|(?<![a-z])size (small|medium|large)(?![a-z])', 'g')
const SIZE_OF: Readonly<Record<string, Measure>> = Object.fromEntries(
  ([['小', null, 2], ['中', 3, 3], ['small', 2, 2], ['medium', 3, 3], ['large', 4, 4],
    ['小号', 2, 2], ['中号', 3, 3], ['大号', 4, 4]] as const)
    .map(([size, low, high]) => [size, { low, high, unit: 'letter' }]))

function sizeWords(text: string): FoundMeasure[] {
  return [...text.matchAll(SIZE_WORDS)].flatMap((found) => {
    const { 0: word, 1: han, 2: numbered, 3: latin, index } = found
    const size = han ?? numbered ?? latin ?? ''
    // 大号 is a value of many goods, and of those that state letters a letter.
    if (numbered && !haveUnit(kindsIn(text), 'letter')) return []
    // Clothes for cats have a medium size, a comforter is none.
    const isMeant = /^(?:小|特大|加肥加大|加大|大)$/.test(size) || haveUnit(kindsIn(text), 'letter')
    return isMeant ? [{ start: index, end: index + word.length,
      measure: SIZE_OF[numbered ? `${size}号` : size]
        ?? { low: size === '加大' ? 5 : 6, high: null, unit: 'letter' } }] : []
  })
}

function measureAt(
  text: string, numbers: readonly NumberWord[], at: number,
): [FoundMeasure | undefined, used: number] {
  const number = numbers[at] as NumberWord
  const next = numbers[at + 1]
  const dimension = dimensionAt(text, number) ?? bareAt(text, number)
  if (dimension) return [dimension, 1]
  if (isPartOfName(text, number)) return [undefined, 1]
  const graphics = graphicsAt(text, number)
  if (graphics) return [graphics, 1]
  const ordinal = ordinalAt(text, number)
  if (ordinal) return [ordinal, 1]
  // 1k到2k is money: nobody wants a range of resolutions.
  if (next?.plain && number.plain && CONNECTOR.test(text.slice(number.end, next.start))
    && text.charAt(next.plain.end) === 'k') return [undefined, 2]
  const between = next ? text.slice(endOf(number), next.start) : ''
  const isBetween = between.endsWith(' and ') && BETWEEN.test(text.slice(0, number.start))
  if (next && PAIR.test(between) && endingOf(text, next) === undefined) {
    return [{ start: number.start, end: endOf(next) }, 2]
  }
  if (next && (isBetween || CONNECTOR.test(between) || CONNECTOR.test(withoutUnit(between)))) {
    const ending = endingOf(text, next)
    if (ending) return [measured(text, number, next, ending), 2]
  }
  const grade = gradeAt(text, number)
  if (grade) return [grade, 1]
  const below = belowZero(text, number)
  if (below) return [below, 1]
  const kinds = (): readonly string[] => kindsIn(text)
  const ending = endingOf(text, number) ?? puzzleCountAt(text, number, kinds)
    ?? countedAt(text, number) ?? pointsAt(text, number) ?? partsAt(text, number, kinds)
  return [ending && measured(text, number, number, ending), 1]
}

const bareAt = (text: string, number: NumberWord): FoundMeasure | undefined => {
  const kinds = (): readonly string[] => kindsIn(text)
  return number.script === 'han' && number.low < 10 ? undefined
    : wornAt(text, number, kinds) ?? packAt(text, number, kinds)
      ?? (haveUnit(kinds(), 'shoe') ? undefined : agedAt(text, number))
}

/** 316L is a steel, where goods have a value of that name. */
function gradeAt(text: string, { start, end, low }: NumberWord): FoundMeasure | undefined {
  if (!/^\d{3}l(?![a-z])/.test(text.slice(start, end + 2))) return undefined
  const kinds = kindsIn(text)
  const words = valuesWith(kinds, String(low))
  return words.length > 0 ? { start, end: end + 1, words } : undefined
}

const BELOW = /(?:零下|负|(?<![a-z])(?:minus|negative|below zero)) ?$/
const DEGREES = /^ ?(?:度|°c|摄氏度|degrees?(?: celsius)?|celsius)/

/** 零下十度 and "minus ten": goods for it bear that cold, and more. */
function belowZero(text: string, { start, end, low }: NumberWord): FoundMeasure | undefined {
  const [cue] = BELOW.exec(text.slice(Math.max(0, start - NEAR), start)) ?? []
  if (cue === undefined) return undefined
  const [degrees = ''] = DEGREES.exec(text.slice(end, end + 16)) ?? []
  return { start: start - cue.length, end: end + degrees.length,
    measure: { low: null, high: -low, unit: 'celsius' } }
}

/** 50分 of a diamond is half a carat. */
const pointsAt = (text: string, { end }: NumberWord): Ending | undefined =>
  /^分(?=$|[ ,.;。!?的钻])/.test(text.slice(end, end + 2)) && haveUnit(kindsIn(text), 'carat')
    ? { end: end + 1, unit: 'carat', factor: 0.01 } : undefined

/** 不少于40枚: with a bound, a count is one that goods state; without, it may be wanted. */
function countedAt(text: string, number: NumberWord): Ending | undefined {
  const counter = text.charAt(number.end)
  const unit = writtenUnit(counter).unit
  if (!/\p{Script=Han}/u.test(counter)) return undefined
  const end = number.end + 1
  if (!haveUnit(kindsIn(text), unit)) return placesAt(text, number, end)
  const { bound } = signalsOf(text, { start: number.start, end }, namesIn(text), true)
  // 每份不超过10块 is money, though erasers come by the piece.
  if (counter === '块' && (bound === 'most' || text.charAt(end) === '钱')) return undefined
  return bound === 'least' || bound === 'most' || reachAt(text, { start: number.start, end })
    ? { end, unit, factor: 1 } : undefined
}

/** 能放20张卡: a card case states its 卡位. */
function placesAt(text: string, { start }: NumberWord, counted: number): Ending | undefined {
  const [thing = ''] = /^\p{Script=Han}{1,2}?(?=$|[的 ,.;。])/u.exec(
    text.slice(counted, counted + 3)) ?? []
  if (thing === '' || !reachAt(text, { start, end: counted })) return undefined
  const unit = attributeNamed(kindsIn(text), thing)?.values[0]?.unit
  return unit === undefined ? undefined : { end: counted + thing.length, unit, factor: 1 }
}

const endOf = ({ plain, end }: NumberWord): number => plain?.end ?? end
const withoutUnit = (between: string): string => {
  const unit = unitAt(between, false)
  return unit ? between.slice(unit.length) : between
}

/** iPhone15, SY-1507B, A4: the letters before it make it a name. */
export function isPartOfName(text: string, { start }: NumberWord): boolean {
  const before = text.slice(Math.max(0, start - 8), start)
  return /(?<!\d)[a-z][-_.]?$/.test(before) && !JOINED.test(before)
    && !/(?:^|[^a-z])[x*]$/.test(before)
    && !/(?:rmb|cny|[^a-z]r)$/.test(before)
}

/** Budget两百, under200: written as one. */
const JOINED =
  /(?<![a-z])(?:budget|price|spend|around|about|under|below|over|approx|max|within|upto)$/

const GRAPHICS = /^(?:10[5-8]0|[2-5]0[5-9]0)(?: ?(?:ti|super))?(?![\d.]|[a-z])/
const COMPUTERS = 2
/** Of " square meters". */
const UNIT_LENGTH_MAX = 16
/** 650到1050 is a range of prices. */
const RANGE_BEFORE = /\d ?(?:-|~|到|至|和|与|跟|and|to) ?$/
const RANGE_AFTER = /^ ?(?:-|~|到|至|和|与|跟|and|to) ?\d/

/** 4060的游戏本: graphics processors are called by such numbers. */
function graphicsAt(text: string, { start, end }: NumberWord): FoundMeasure | undefined {
  const found = GRAPHICS.exec(text.slice(start, start + 12))
  const isMoney = MONEY_NEAR.test(text.slice(end, end + 4))
    || MONEY_BEFORE.test(text.slice(0, start)) || RANGE_BEFORE.test(text.slice(0, start))
    || RANGE_AFTER.test(text.slice(end, end + 8))
    || signalsOf(text, { start, end }, []).bound === 'most'
  return found && !isMoney && kindsIn(text).some((kind) =>
    taxonomy().kinds.get(kind)?.category_id === COMPUTERS) ? { start, end: start + found[0].length }
    : undefined
}

function ordinalAt(text: string, number: NumberWord): FoundMeasure | undefined {
  if (text.charAt(number.start - 1) !== '第') return undefined
  const [after = ''] = ORDINAL_AFTER.exec(text.slice(number.end, number.end + 2)) ?? []
  return { start: number.start - 1, end: number.end + after.length }
}

/** Where the unit ends that a number has, if what it has is a unit. */
function endingOf(text: string, number: NumberWord): Ending | undefined {
  const isOne = number.script === 'han' && number.low === 1
  const { plain } = number
  if (plain) {
    const letter = text.charAt(plain.end)
    const isMoney = MONEY_NEAR.test(text.slice(number.end, number.end + 4))
      || MONEY_BEFORE.test(text.slice(0, number.start))
      || signalsOf(text, number, []).bound === 'most'
    const gold = /^k(?:金|白金|玫瑰金| (?:white |rose |yellow )?gold(?![a-z]))/.exec(
      text.slice(plain.end, plain.end + 14))
    const end = plain.end + (gold?.[0].length ?? 1)
    if (gold) return { end, unit: 'k', factor: plain.value / number.low }
    if (letter === 'k' && (isMoney || !RESOLUTIONS.has(plain.value))) return undefined
    if (letter === 'w' && isMoney && plain.value < 10) return undefined
    const lines = letter === 'k' ? linesOf(plain.value, letter) : undefined
    if (letter === 'k') {
      return lines === undefined ? { end, unit: 'k', factor: plain.value / number.low }
        : { end, unit: 'lines', factor: lines / number.low }
    }
  }
  for (const end of plain ? [number.end, plain.end] : [number.end]) {
    const unit = unitAt(text.slice(end, end + UNIT_LENGTH_MAX), isOne)
    if (unit) {
      const scale = end === plain?.end && plain ? plain.value / number.low : 1
      const isHalf = HALF_BEHIND.test(text.slice(end + unit.length - 1, end + unit.length + 2))
      return { end: end + unit.length + Number(isHalf), isHalf, factor: unit.factor * scale,
        unit: unit.name === 'p' ? 'lines' : unit.unit }
    }
  }
  return undefined
}

/** With the words that belong to it: 宽 before, 以内 after. */
function measured(
  text: string, first: NumberWord, last: NumberWord,
  { end: unitEnd, unit, factor, isHalf = false }: Ending,
): FoundMeasure {
  const { start, end, apart, ...bounds } = widened(text, first.start, unitEnd)
  const exact = (value: number): number =>
    Number(((value + (isHalf ? 0.5 : 0)) * factor).toFixed(4))
  return { start, end, apart, measure: boundedBy(bounds,
    { low: exact(first.low), high: exact(last.high), unit }) }
}

type Bounds = Pick<ReturnType<typeof widened>, 'isCeiling' | 'isFloor' | 'isBeyond'>

const boundedBy = ({ isCeiling, isFloor, isBeyond }: Bounds, measure: Measure): Measure => ({
  ...measure, ...isCeiling && { low: null }, ...isFloor && { high: null },
  ...isBeyond && { isBeyond },
})

function widened(text: string, from: number, to: number) {
  const noun = MEASURED.exec(text.slice(to, to + NEAR))?.[0].length ?? 0
  const names = namesIn(text)
  const { bound: said, apart, isBeyond, ...cued } =
    signalsOf(text, { start: from, end: to + noun }, names, true)
  const reach = said === null ? reachAt(text, cued) : undefined
  const compared = said === null && !reach ? comparisonAt(text, cued, names) : undefined
  const { start, end } = reach ?? compared ?? cued
  const bound = reach || (said === 'most' && isReach(text, from)) ? 'least'
    : said ?? compared?.bound
  const dimension = DIMENSION.exec(text.slice(Math.max(0, start - NEAR), start))
  return {
    start: dimension ? start - dimension[0].length : start, end, apart: compared?.apart ?? apart,
    isCeiling: bound === 'most', isFloor: bound === 'least',
    isBeyond: (isBeyond || compared !== undefined) && (bound === 'most' || bound === 'least'),
    dimension: dimension?.[1] ?? dimension?.[2],
  }
}

/** 功率1000VA. */
const OTHER_UNIT = /^[a-z]{2}/

/** 宽40以内 has no unit, and is still no price: the goods tell what they state it in. */
function dimensionAt(text: string, number: NumberWord): FoundMeasure | undefined {
  if (endingOf(text, number) || OTHER_UNIT.test(text.slice(number.end))) return undefined
  const { dimension, ...place } = widened(text, number.start, endOf(number))
  const kinds = kindsIn(text)
  const behind = dimension === undefined ? namedBehind(text, number, kinds) : undefined
  if (behind) return behind
  const named = dimension === undefined ? namedBefore(text, place.start, number.low, kinds)
    : undefined
  if (dimension === undefined && !named) return undefined
  const { start, end } = { ...place, start: named?.start ?? place.start }
  const written = DIMENSION_UNITS.find(([word]) => word.test(dimension ?? ''))?.[1]
  const attribute = named?.attribute ?? attributeNamed(kinds, dimension ?? '')
  const plain = written === undefined ? undefined : writtenUnit(written)
  const unit = attribute?.values[0]?.unit ?? plain?.unit
  if (unit === undefined) return { start, end }
  const factor = plain && unit === plain.unit ? plain.factor : scaleOf(attribute)
  return { start, end, apart: place.apart, measure: boundedBy(place,
    { low: number.low * factor, high: number.high * factor, unit }) }
}

/** How many of its unit the number of an attribute stands for: cm are ten mm. */
function scaleOf(attribute: AttributeValues | undefined): number {
  const [written, value] = [...attribute?.written ?? []][0] ?? []
  return written && value && Number.isFinite(value.low) ? value.low / written : 1
}
