/** Numbers in Chinese characters, exact (一千二百), short (三百五) and vague (两三百, 几十). */
import type { NumberWord } from './numbers.ts'

const DIGITS: Readonly<Record<string, number>> = {
  零: 0, 〇: 0, 一: 1, 壹: 1, 二: 2, 贰: 2, 两: 2, 俩: 2, 三: 3, 仨: 3, 叁: 3, 四: 4, 肆: 4, 五: 5,
  伍: 5, 六: 6, 陆: 6, 七: 7, 柒: 7, 八: 8, 捌: 8, 九: 9, 玖: 9,
}
const SCALES: Readonly<Record<string, number>> = {
  十: 10, 拾: 10, 百: 100, 佰: 100, 千: 1000, 仟: 1000, 万: 10_000,
}
const WAN = 10_000
/** 廿四, as southern speakers write twenty-four. */
const TENS: Readonly<Record<string, number>> = { 廿: 20, 卅: 30 }
/** Fixed words for a range. */
const FIXED = new Map<string, readonly [low: number, high: number]>([
  ['百八十', [80, 100]], ['千八百', [800, 1000]], ['千儿八百', [800, 1000]],
  ['万儿八千', [8000, 10_000]], ['万八千', [8000, 10_000]],
  ['百来', [80, 120]], ['千来', [800, 1200]],
  ['百把', [80, 130]], ['千把', [800, 1300]], ['万把', [8000, 13_000]], ['百十', [100, 120]],
  ['小一百', [80, 100]], ['小一千', [800, 1000]], ['小一万', [8000, 10_000]],
  ['小几十', [20, 50]], ['小几百', [200, 500]], ['小几千', [2000, 5000]], ['小几万', [2e4, 5e4]],
  ['大几十', [60, 99]], ['大几百', [600, 999]], ['大几千', [6000, 9999]], ['两位数', [10, 99]],
  ['三位数', [100, 999]], ['四位数', [1000, 9999]], ['百十来', [100, 140]], ['三两百', [200, 300]],
  ['三两千', [2000, 3000]], ['三两万', [2e4, 3e4]], ['三两十', [20, 30]], ['五七百', [500, 700]],
  ['三五十', [30, 50]], ['三五百', [300, 500]], ['三五千', [3000, 5000]], ['三五万', [3e4, 5e4]],
])

const isDigit = (character: string): boolean => DIGITS[character] !== undefined

const MOST = /^([一二两三四五六七八九])([百千])大几/

/** 一百大几 is more than 150. */
function mostAt(text: string, start: number): NumberWord | undefined {
  const [found, digit = '', step = ''] = MOST.exec(text.slice(start, start + 4)) ?? []
  const scale = SCALES[step] ?? 1
  const value = (DIGITS[digit] ?? 0) * scale
  return found === undefined ? undefined
    : word(start, start + found.length, value + scale * 0.6, value + scale - 1, scale)
}

export function hanNumberAt(text: string, start: number): NumberWord | undefined {
  const first = text.charAt(start)
  if (!isDigit(first) && !SCALES[first] && !/[几好小大半廿卅]/.test(first)) return undefined
  return halfAt(text, start) ?? mostAt(text, start) ?? fixedAt(text, start) ?? vagueAt(text, start)
    ?? pairAt(text, start) ?? pairWithinAt(text, start) ?? exactAt(text, start)
}

/** 半斤, but neither 半身裙 nor 一匹半. */
function halfAt(text: string, start: number): NumberWord | undefined {
  const isHalf = text.charAt(start) === '半' && !/[匹斤升米时年岁]/.test(text.charAt(start - 1))
    && /^(?:斤|公斤|升|千克|米(?!白)|打|个?小时|kg|l(?![a-z]))/.test(text.slice(start + 1, start + 5))
  return isHalf ? word(start, start + 1, 0.5, 0.5, 1) : undefined
}

function fixedAt(text: string, start: number): NumberWord | undefined {
  for (let end = start + 4; end > start + 1; end -= 1) {
    const range = FIXED.get(text.slice(start, end))
    if (range) return word(start, end, range[0], range[1], 10)
  }
  return undefined
}

/** 几十, 好几百, 十几, 二十几. */
function vagueAt(text: string, start: number): NumberWord | undefined {
  const several = /^好?几([十百千万])/.exec(text.slice(start, start + 3))
  if (several) {
    const scale = SCALES[several[1] ?? ''] ?? 1
    return word(start, start + several[0].length, 2 * scale, 10 * scale - 1, scale)
  }
  const tens = /^([一二三四五六七八九]?)十几/.exec(text.slice(start, start + 3))
  if (tens) {
    const low = (DIGITS[tens[1] ?? ''] ?? 1) * 10
    return word(start, start + tens[0].length, low + 1, low + 9, 1)
  }
  return undefined
}

/** 两三百, 七八十, 十七八: two neighbours that share what follows. */
function pairAt(text: string, start: number): NumberWord | undefined {
  const tens = text.charAt(start) === '十' ? 10 : 0
  const at = tens ? start + 1 : start
  const [left, right] = [DIGITS[text.charAt(at)], DIGITS[text.charAt(at + 1)]]
  if (!left || !right || right - left !== 1) return undefined
  const scale = tens ? 1 : SCALES[text.charAt(at + 2)] ?? 1
  const end = at + (scale > 1 ? 3 : 2)
  // 一二三 is a row of digits.
  if (isDigit(text.charAt(end))) return undefined
  if (scale === 1 && !/[块元个件只条双瓶盒包袋]/.test(text.charAt(end))) return undefined
  return word(start, end, tens + left * scale, tens + right * scale, scale)
}

const PAIR_WITHIN = /^([一二两三四五六七八九])([百千])([一二三四五六七八])([二三四五六七八九])([十百])/

/** 一百二三十, 一千二三百. */
function pairWithinAt(text: string, start: number): NumberWord | undefined {
  const [found = '', first = '', step = '', left = '', right = '', last = ''] =
    PAIR_WITHIN.exec(text.slice(start, start + 5)) ?? []
  const [whole, part] = [SCALES[step] ?? 0, SCALES[last] ?? 0]
  const [low, high] = [DIGITS[left] ?? 0, DIGITS[right] ?? 0]
  if (found === '' || high - low !== 1 || part * 10 !== whole) return undefined
  const base = (DIGITS[first] ?? 0) * whole
  return word(start, start + found.length, base + low * part, base + high * part, part)
}

function exactAt(text: string, start: number): NumberWord | undefined {
  if (/[好小大半]/.test(text.charAt(start)) || NO_NUMBER.test(text.slice(start, start + 3))) {
    return undefined
  }
  let at = start
  let [total, section, digit, scale, isZeroBefore] = [0, 0, -1, 1, false]
  for (; at < text.length; at += 1) {
    const character = text.charAt(at)
    const value = DIGITS[character]
    const step = SCALES[character]
    if (value !== undefined) {
      if (digit >= 0) break
      if (value === 0 && at > start) isZeroBefore = true
      else digit = value
    } else if (step === WAN) {
      total = (total + section + Math.max(digit, 0) || 1) * WAN
      ;[section, digit, scale, isZeroBefore] = [0, -1, step, false]
    } else if (TENS[character] && at === start) {
      ;[section, scale] = [TENS[character], 10]
    } else if (step) {
      if (section > 0 && scale <= step && scale !== WAN) break
      section += (digit < 0 ? 1 : digit) * step
      ;[digit, scale, isZeroBefore] = [-1, step, false]
    } else {
      break
    }
  }
  if (at === start) return undefined
  // 三百五 is 350, 三百零五 is 305, 三百二三 is 320 to 330.
  const isShort = digit > 0 && scale >= 100 && !isZeroBefore
  // 五百一瓶 is 500 for each.
  if (isShort && digit === 1 && COUNTER.test(text.charAt(at))) {
    return word(start, at - 1, total + section, total + section, scale)
  }
  const unit = isShort ? scale / 10 : 1
  const value = total + section + Math.max(digit, 0) * unit
  const isPair = isShort && DIGITS[text.charAt(at)] === digit + 1
  const fraction = fractionAt(text, at)
  if (fraction) return word(start, fraction.end, value + fraction.value, value + fraction.value, 1)
  return word(start, isPair ? at + 1 : at, value, isPair ? value + unit : value,
    digit < 0 ? scale : unit)
}

const COUNTER = /[瓶个件条双盒包袋支罐提箱只把套本张卷桶台斤位人杯对副盏筒捆]/

/** 一共 and 一起 are words. */
const NO_NUMBER = /^一(?:[共起定般直样些下律概旦切]|点(?![零一二三四五六七八九]))/

/** 点五 of 一点五, 个半 of 一个半小时. */
function fractionAt(text: string, start: number): { value: number, end: number } | undefined {
  if (/^个半(?:小时|钟头)/.test(text.slice(start, start + 4))) {
    return { value: 0.5, end: start + 2 }
  }
  const [written] = /^点[零一二三四五六七八九]{1,3}(?![十百千万])/.exec(text.slice(start, start + 5)) ?? []
  if (!written) return undefined
  const digits = Array.from(written.slice(1), (digit) => DIGITS[digit]).join('')
  return { value: Number(`0.${digits}`), end: start + written.length }
}

const word = (
  start: number, end: number, low: number, high: number, scale: number,
): NumberWord => ({ start, end, low, high, script: 'han', scale })
