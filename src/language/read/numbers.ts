/** Numbers as people write them: 1,500, 1k5, 1.5万, 三百五, 两三百, 几十, a hundred. */
import { englishNumbers } from './english-numbers.ts'
import { hanNumberAt } from './han-numbers.ts'
import { isInsideWord } from './phrases.ts'

export interface NumberWord {
  readonly start: number
  readonly end: number
  /** The two differ in 两三百 and 几十. */
  readonly low: number
  readonly high: number
  readonly script: 'digits' | 'han' | 'english'
  /** What the last of its parts was multiplied by: 1000 in 3千. */
  readonly scale: number
  /** Digits before a letter that may be a multiplier (2k) or a unit (65w): without the letter. */
  readonly plain?: { readonly value: number, readonly end: number }
}

const DIGITS = /\d{1,3}(?:,\d{3}){1,3}(?!\d)(?:\.\d{1,4})?|\d{1,12}(?:\.\d{1,4})?/y
const LETTER_SCALES: Readonly<Record<string, number>> = { k: 1000, w: 10_000 }
/** 一个w, 2个达不溜. */
const COUNTED_W = /^([一两二三四五1-5])个(?:w|达不溜)(?![a-z\d])/
const COUNTED_DIGITS = '一二三四五'
const HAN_SCALES: Readonly<Record<string, number>> = {
  十: 10, 百: 100, 佰: 100, 千: 1000, 仟: 1000, 万: 10_000,
}

export function numbersIn(text: string): NumberWord[] {
  const found: NumberWord[] = []
  const english = englishNumbers(text)
  for (let at = 0; at < text.length;) {
    const exact = countedAt(text, at) ?? digitsAt(text, at) ?? hanNumberAt(text, at)
      ?? english.get(at)
    const number = exact && (roundedAt(text, exact) ?? exact)
    if (number) found.push(number)
    at = number ? number.end : at + 1
  }
  return found
}

/** Of what goods measure; 三十来块 is read with its currency. */
const ROUNDED = new RegExp('^[来多](?=平|斤|公斤|千克|kg|克|g|米|m|厘米|公分|cm|英?寸|升|l|毫升|ml|瓦|w|抽|张|片|粒|颗)')
const ROUNDED_MIN = 10
const NEAR = 0.1

/** 三十来平 is near it, 30多平 more. */
function roundedAt(text: string, number: NumberWord): NumberWord | undefined {
  const { end, low, high } = number
  const [word] = ROUNDED.exec(text.slice(end, end + 4)) ?? []
  if (word === undefined || low !== high || low < ROUNDED_MIN || low % ROUNDED_MIN !== 0) {
    return undefined
  }
  return { ...number, end: end + 1, low: word === '来' ? low * (1 - NEAR) : low,
    high: word === '来' || low > ROUNDED_MIN ** 2 ? low * (1 + NEAR) : low + ROUNDED_MIN - 1 }
}

function countedAt(text: string, start: number): NumberWord | undefined {
  const [words = '', count = ''] = COUNTED_W.exec(text.slice(start, start + 6)) ?? []
  if (words === '') return undefined
  const times = Number(count) || (count === '两' ? 2 : COUNTED_DIGITS.indexOf(count) + 1)
  const value = times * 10_000
  return { start, end: start + words.length, low: value, high: value, script: 'digits',
    scale: 10_000 }
}

function digitsAt(text: string, start: number): NumberWord | undefined {
  DIGITS.lastIndex = start
  const [digits] = DIGITS.exec(text) ?? []
  if (!digits) return undefined
  const value = Number(digits.replaceAll(',', ''))
  const end = start + digits.length
  return hanScaled(text, start, end, value) ?? letterScaled(text, start, end, value)
    ?? wordScaled(text, start, end, value)
    ?? { start, end, low: value, high: value, script: 'digits', scale: 1 }
}

/** 1.5万, 2千3, 3百5: what follows the multiplier is worth a tenth of it, or is scaled itself. */
function hanScaled(
  text: string, start: number, digitsEnd: number, first: number,
): NumberWord | undefined {
  let value = 0
  let coefficient = first
  let end = digitsEnd
  let scale = 1
  for (;;) {
    const step = HAN_SCALES[text.charAt(end)]
    if (!step || (scale > 1 && step >= scale)) break
    value += coefficient * step
    scale = step
    end += 1
    const next = /^\d(?![\d.])/.exec(text.slice(end, end + 3))
    if (!next) break
    const digit = Number(next[0])
    if (HAN_SCALES[text.charAt(end + 1)]) {
      coefficient = digit
      end += 1
      continue
    }
    if (isInsideWord(text, end + 1)) break
    return { start, end: end + 1, low: value + digit * scale / 10,
      high: value + digit * scale / 10, script: 'digits', scale: scale / 10 }
  }
  return scale > 1 ? { start, end, low: value, high: value, script: 'digits', scale } : undefined
}

const WORD_SCALES: Readonly<Record<string, number>> = { hundred: 100, thousand: 1000, grand: 1000 }

/** 2 hundred, 1.5 grand. */
function wordScaled(
  text: string, start: number, end: number, digits: number,
): NumberWord | undefined {
  const [word = '', name = ''] = /^ ?(hundred|thousand|grand)(?![a-z])/.exec(
    text.slice(end, end + 12)) ?? []
  const scale = WORD_SCALES[name]
  return scale === undefined ? undefined : { start, end: end + word.length, script: 'digits',
    low: digits * scale, high: digits * scale, scale }
}

/** 2k, 1k5, 1.5w. A letter may also be a unit, so that the number is kept without it. */
function letterScaled(
  text: string, start: number, end: number, digits: number,
): NumberWord | undefined {
  const scale = LETTER_SCALES[text.charAt(end)]
  if (!scale) return undefined
  const [, tenth] = /^(\d)?(?![a-z\d])/.exec(text.slice(end + 1, end + 3)) ?? ['', undefined]
  const after = end + 1 + (tenth ? 1 : 0)
  if (isInsideWord(text, after)) return undefined
  const value = digits * scale + (tenth ? Number(tenth) * scale / 10 : 0)
  return {
    start, end: after, low: value, high: value, script: 'digits',
    scale: tenth ? scale / 10 : scale,
    // 1k5 can only be a number.
    ...(!tenth && { plain: { value: digits, end } }),
  }
}
