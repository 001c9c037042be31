/** Numbers in English words: two, a dozen, three hundred and ten, a few hundred, 2 hundred. */
import type { NumberWord } from './numbers.ts'

const SMALL = new Map(('zero one two three four five six seven eight nine ten '
  + 'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen')
  .split(' ').map((name, value): [string, number] => [name, value]))
const TENS = new Map('twenty thirty forty fifty sixty seventy eighty ninety'
  .split(' ').map((name, index): [string, number] => [name, (index + 2) * 10]))
const SCALES = new Map([['hundred', 100], ['hundreds', 100], ['thousand', 1000], ['grand', 1000],
  ['dozen', 12]])
/** "A terabyte" is one, and "half a kilo" the half of one. */
const MEASURED = new RegExp('^(?:terabyte|tb|gigabyte|kilo|kg|kilogram|lit(?:er|re)|met(?:er|re)'
  + '|pound|ounce|gallon|foot)s?$')
const WORD = /[a-z]+/g

interface Word { readonly text: string, readonly start: number, readonly end: number }

/** By the place at which they start. */
export function englishNumbers(text: string): Map<number, NumberWord> {
  const words: Word[] = [...text.matchAll(WORD)].map(({ 0: found, index }) =>
    ({ text: found, start: index, end: index + found.length }))
  const numbers = new Map<number, NumberWord>()
  for (let at = 0; at < words.length;) {
    const [number, length] = numberAt(text, words, at)
    if (number) numbers.set(number.start, number)
    at += Math.max(length, 1)
  }
  return numbers
}

const valueOf = (word: string | undefined): number | undefined =>
  word === undefined ? undefined : SMALL.get(word) ?? TENS.get(word)

function numberAt(
  text: string, words: readonly Word[], from: number,
): [NumberWord | undefined, words: number] {
  const first = words[from]
  if (!first || !isApart(text, first)) return [undefined, 1]
  let at = from
  let [low, high, scale] = [0, 0, 1]
  const second = words[from + 1]?.text ?? ''
  if (first.text === 'a' && (second === 'few' || second === 'couple')) {
    ;[low, high] = second === 'few' ? [2, 9] : [2, 2]
    at += words[from + 2]?.text === 'of' ? 3 : 2
  } else if (first.text === 'half' && second === 'a' && words[from + 2]?.text === 'dozen') {
    return [word(first, words[from + 2], 6, 6, 1), 3]
  } else if (first.text === 'half' && /^an?$/.test(second)
    && MEASURED.test(words[from + 2]?.text ?? '')) {
    return [word(first, words[from + 1], 0.5, 0.5, 1), 2]
  } else if (first.text === 'a' && MEASURED.test(second) && second !== 'foot') {
    return [word(first, first, 1, 1, 1), 1]
  } else if (first.text === 'a' && SCALES.has(second)) {
    ;[low, high] = [1, 1]
    at += 1
  } else if (valueOf(first.text) !== undefined) {
    low = valueOf(first.text) ?? 0
    at += 1
    const unit = low >= 20 ? valueOf(words[at]?.text) : undefined
    if (unit && unit < 10) {
      low += unit
      at += 1
    }
    high = low
  } else {
    return [undefined, 1]
  }
  const behind = words.slice(at, at + 3).map(({ text: one }) => one).join(' ')
  if (at === from + 1 && behind === 'and a half') {
    return [word(first, words[at + 2], low + 0.5, high + 0.5, 1), 4]
  }
  for (; at < words.length; at += 1) {
    const step = SCALES.get(words[at]?.text ?? '')
    if (!step) break
    ;[low, high, scale] = [low * step, high * step, step]
  }
  const [rest, used] = restOf(words, at, scale)
  ;[low, high, at] = [low + rest, high + rest, at + used]
  // "a few" and "a couple of" with nothing after them are no amount of money, but a quantity.
  return [word(first, words[at - 1], low, scale > 1 && high > low ? high + scale - 1 : high, scale),
    at - from]
}

/** "A hundred and fifty", "three hundred twenty". */
function restOf(words: readonly Word[], from: number, scale: number): [number, words: number] {
  if (scale < 100) return [0, 0]
  const skip = words[from]?.text === 'and' ? 1 : 0
  const first = valueOf(words[from + skip]?.text)
  if (!first || words[from - 1]?.text.endsWith('s')) return [0, 0]
  const unit = first >= 20 ? valueOf(words[from + skip + 1]?.text) ?? 0 : 0
  return unit > 0 && unit < 10 ? [first + unit, skip + 2] : [first, skip + 1]
}

const isApart = (text: string, { start, end }: Word): boolean =>
  !/[\d-]/.test(text.charAt(start - 1)) && !/\d/.test(text.charAt(end))

const word = (
  first: Word, last: Word | undefined, low: number, high: number, scale: number,
): NumberWord =>
  ({ start: first.start, end: last?.end ?? first.end, low, high, script: 'english', scale })
