/** Numbers that are no money: with a unit, in a name, as a size, as a version. */
import type { Measure } from '../understanding.ts'
import type { Place } from './claims.ts'
import { CEILING_BEFORE, FLOOR_BEFORE, NEAR } from './cues.ts'
import type { NumberWord } from './numbers.ts'
import { unitAt } from './units.ts'

export interface FoundMeasure extends Place {
  readonly measure?: Measure
}

const DIMENSION = new RegExp('(?:(?:[最总内外直净]?(?:宽|高(?!于)|长|深|厚|重)(?:度|量)?|[直口内外]径|尺[寸码]|'
  + '鞋码|码数|身高|体重|年龄|面积|容量|功率|[腰胸臀]围|承重|续航|保质期|质保|屏幕|间距)'
  + '(?:要|是|为|在|:| )*|(?:width|height|length|depth|diameter|weight|size|sizes|capacity)'
  + '(?: is|:)* *(?:us|eu|uk)? ?)$')
const MEASURE_CEILING_AFTER = /^ ?(?:之?以内|之内|以下|以里|及以下|or (?:less|under|smaller|below))/
const MEASURE_FLOOR_AFTER = /^ ?(?:及?以上|之上|起步?(?![床])|往上|\+|or (?:more|over|larger|above|up))/
const ABOUT_AFTER = /^ ?(?:左右|上下)/
const CONNECTOR = /^ ?(?:-|~|到|至|to|—) ?$/
const TIMES = /^(?:cm|mm|m|米|厘米)? ?[x×*] ?$/
const MONEY_NEAR = /^ ?(?:以内|以下|之内|左右|上下|出头|元|块|rmb|yuan|cny|预算|起|以上)/
const MONEY_BEFORE = /(?:预算|价格|价位|¥|rmb|cny|budget|花) ?$/
const RESOLUTIONS = new Set([2, 4, 5, 6, 8])
const ORDINAL_AFTER = /^(?:代|季|版|册|部|辑|期|卷|章|世代|款)/
const SIZES = /^(?:x{0,3}l|x{1,3}s|[sm])(?![a-z0-9])/

interface Ending { readonly end: number, readonly name: string, readonly factor: number }

export function measuresIn(text: string, numbers: readonly NumberWord[]): FoundMeasure[] {
  const found: FoundMeasure[] = []
  for (let at = 0; at < numbers.length;) {
    const [measure, used] = measureAt(text, numbers, at)
    if (measure) found.push(measure)
    at += used
  }
  return found
}

function measureAt(
  text: string, numbers: readonly NumberWord[], at: number,
): [FoundMeasure | undefined, used: number] {
  const number = numbers[at] as NumberWord
  if (isPartOfName(text, number)) return [undefined, 1]
  const ordinal = ordinalAt(text, number)
  if (ordinal) return [ordinal, 1]
  const memory = /^(?:gb?)? ?\+ ?\d{1,4} ?(?:[gt]b?)?(?![a-z0-9])/.exec(
    text.slice(endOf(number), endOf(number) + 12))
  if (memory && number.script === 'digits' && number.high <= 64 && numbers[at + 1]) {
    return [{ start: number.start, end: endOf(number) + memory[0].length }, 2]
  }
  const next = numbers[at + 1]
  const between = next ? text.slice(endOf(number), next.start) : ''
  if (next && TIMES.test(between)) return sizeAt(text, numbers, at)
  if (next && (CONNECTOR.test(between) || CONNECTOR.test(withoutUnit(between)))) {
    const ending = endingOf(text, next)
    if (ending) return [measured(text, number, next, ending), 2]
  }
  const ending = endingOf(text, number)
  if (ending) return [measured(text, number, number, ending), 1]
  return [dimensionAt(text, number), 1]
}

const endOf = ({ plain, end }: NumberWord): number => plain?.end ?? end
const withoutUnit = (between: string): string => {
  const unit = unitAt(between, false)
  return unit ? between.slice(unit.length) : between
}

/** iPhone15, SY-1507B, A4: the letters before it make it a name. */
export function isPartOfName(text: string, { start }: NumberWord): boolean {
  const before = text.slice(Math.max(0, start - 4), start)
  return /(?<!\d)[a-z][-_.]?$/.test(before) && !/(?:^|[^a-z])[x*]$/.test(before)
    && !/(?:rmb|cny|[^a-z]r)$/.test(before)
}

function ordinalAt(text: string, number: NumberWord): FoundMeasure | undefined {
  if (text.charAt(number.start - 1) !== '第') return undefined
  const [after = ''] = ORDINAL_AFTER.exec(text.slice(number.end, number.end + 2)) ?? []
  return { start: number.start - 1, end: number.end + after.length }
}

/** 30x40cm, 200*230, 10×8×3. */
function sizeAt(
  text: string, numbers: readonly NumberWord[], from: number,
): [FoundMeasure, used: number] {
  let at = from
  while (at + 1 < numbers.length
    && TIMES.test(text.slice(endOf(numbers[at] as NumberWord), numbers[at + 1]?.start))) at += 1
  const last = numbers[at] as NumberWord
  const unit = unitAt(text.slice(endOf(last), endOf(last) + 8), false)
  return [{ start: numbers[from]?.start ?? 0, end: endOf(last) + (unit?.length ?? 0) },
    at - from + 1]
}

/** Where the unit ends that a number has, if what it has is a unit. */
function endingOf(text: string, number: NumberWord): Ending | undefined {
  const isOne = number.script === 'han' && number.low === 1
  const { plain } = number
  if (plain) {
    const letter = text.charAt(plain.end)
    const isMoney = MONEY_NEAR.test(text.slice(number.end, number.end + 4))
      || MONEY_BEFORE.test(text.slice(0, number.start))
      || CEILING_BEFORE.test(text.slice(Math.max(0, number.start - NEAR), number.start))
    const gold = /^k(?:金|白金|玫瑰金)/.exec(text.slice(plain.end, plain.end + 5))
    if (gold) return { end: plain.end + gold[0].length, name: 'k', factor: 1 }
    if (letter === 'k' && (isMoney || !RESOLUTIONS.has(plain.value))) return undefined
    if (letter === 'w' && isMoney && plain.value < 10) return undefined
    if (letter === 'k') return { end: plain.end + 1, name: 'k', factor: 1 }
  }
  for (const end of plain ? [number.end, plain.end] : [number.end]) {
    const unit = unitAt(text.slice(end, end + 12), isOne)
    if (unit) {
      const scale = end === plain?.end && plain ? plain.value / number.low : 1
      return { end: end + unit.length, name: unit.name, factor: unit.factor * scale }
    }
  }
  return undefined
}

/** With the words that belong to it: 宽 before, 以内 after. */
function measured(
  text: string, first: NumberWord, last: NumberWord, { end: unitEnd, name, factor }: Ending,
): FoundMeasure {
  const { start, end, isCeiling, isFloor } = widened(text, first.start, unitEnd)
  const exact = (value: number): number => Number((value * factor).toFixed(4))
  return { start, end, measure: {
    low: isCeiling ? null : exact(first.low), high: isFloor ? null : exact(last.high), unit: name,
  } }
}

function widened(text: string, from: number, to: number) {
  const before = text.slice(Math.max(0, from - NEAR), from)
  const after = text.slice(to, to + NEAR)
  const ceiling = MEASURE_CEILING_AFTER.exec(after) ?? ABOUT_AFTER.exec(after)
  const floor = MEASURE_FLOOR_AFTER.exec(after)
  const cue = FLOOR_BEFORE.exec(before)
  const cap = CEILING_BEFORE.exec(before)
  // 不超过 ends in 超过: the longer one is meant.
  const isCapped = cap !== null && (cue === null || cap.index <= cue.index)
  const cueStart = from - before.length + ((isCapped ? cap : cue)?.index ?? before.length)
  const dimension = DIMENSION.exec(text.slice(Math.max(0, cueStart - NEAR), cueStart))
  return {
    start: dimension ? cueStart - dimension[0].length : cueStart,
    end: to + ((ceiling ?? floor)?.[0].length ?? 0),
    isCeiling: isCapped || (ceiling !== null && !ABOUT_AFTER.test(after)),
    isFloor: floor !== null || (cue !== null && !isCapped),
    hasDimension: dimension !== null,
  }
}

/** 宽40以内 has no unit, and is still no price. */
function dimensionAt(text: string, number: NumberWord): FoundMeasure | undefined {
  const { start, end, hasDimension } = widened(text, number.start, endOf(number))
  if (!hasDimension) return undefined
  const letters = SIZES.exec(text.slice(end, end + 4))
  return { start, end: end + (letters?.[0].length ?? 0) }
}
