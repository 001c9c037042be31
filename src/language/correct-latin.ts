/** English words that are written wrong, without their space, or typed by their sound: maoliang. */
import { getLexicon } from './lexicon.ts'
import {
  bitsOf, distance, isNearlyHeard, isSwapped, lettersOf, sameStart,
} from './spelling.ts'
import { TYPO_LENGTH_MIN, vocabulary } from './vocabulary.ts'

const TWO_TYPOS = { min: 7, sure: 8 } as const
/** How much of a slip a word makes good that fits those beside it. */
const FITTING = 0.4
/** And how much a letter that is hardly heard, or a word that names goods by itself. */
const HEARD = 0.25
const WHOLE = 0.15
/** Among Chinese words a Latin one is a brand more often than a misspelt word. */
const BESIDE_HAN_LENGTH_MIN = 6
const SOUND_LENGTH_MIN = 4
const LATIN_RUN = /(?<![a-z0-9'.-])[a-z]+(?:[ '][a-z]+)*(?![a-z0-9-])/g

export interface Correction {
  readonly start: number
  readonly end: number
  /** As it was written, folded. */
  readonly from: string
  readonly to: string
}

export function latinCorrections(text: string): Correction[] {
  const found: Correction[] = []
  const isChinese = /\p{Script=Han}/u.test(text)
  for (const match of text.matchAll(LATIN_RUN)) {
    const [run] = match
    // Doesn't is no slip of does.
    const words = [...run.matchAll(/(?<![a-z'])[a-z]+(?![a-z]|'t(?![a-z]))/g)].map((word) =>
      ({ text: word[0], start: match.index + word.index }))
    if (words.every((word) => isKnown(word.text))) continue
    const spoken = spokenIn(run, match.index, words)
    if (spoken.length > 0) {
      found.push(...spoken)
      continue
    }
    // "Vitamin c" is no slip of vitamins.
    const joined = words.length === 2 && words.every(({ text: word }) => word.length > 1)
      && words.some(({ text: word }) => !isKnown(word))
      ? nearestWord(words.map(({ text: word }) => word).join(''), isChinese) : undefined
    if (joined !== undefined && getLexicon().whole.has(joined)) {
      found.push({ start: match.index, end: match.index + run.length, from: run, to: joined })
      continue
    }
    for (const [at, word] of words.entries()) {
      if (isKnown(word.text) || (isChinese && word.text.length < BESIDE_HAN_LENGTH_MIN)) continue
      const apart = apartOf(word.text)
      if (apart !== undefined) {
        found.push({ start: word.start, end: word.start + word.text.length, from: word.text,
          to: apart })
        continue
      }
      const [before, after] = [words[at - 1]?.text, words[at + 1]?.text]
      const to = nearestWord(word.text, isChinese, (other) =>
        (before !== undefined && getLexicon().whole.has(`${before} ${other}`))
        || (after !== undefined && getLexicon().whole.has(`${other} ${after}`)))
      if (to !== undefined) {
        found.push({ start: word.start, end: word.start + word.text.length, from: word.text, to })
      }
    }
  }
  return found
}

const PART_MIN = 3

/** Nailpolish, ricecooker: a name without its space. */
function apartOf(word: string): string | undefined {
  for (let at = PART_MIN; at <= word.length - PART_MIN; at += 1) {
    const name = `${word.slice(0, at)} ${word.slice(at)}`
    if (getLexicon().whole.has(name)) return name
  }
  return undefined
}

function isKnown(word: string): boolean {
  const { latin, english } = vocabulary()
  return latin.has(word) || english.has(word) || (!word.endsWith('s') && latin.has(`${word}s`))
    || (word.endsWith('s') && latin.has(word.slice(0, -1))) || getLexicon().senses.has(word)
}

/** One syllable says nothing by itself, and whom or what is meant beside goods that are spelt. */
const SYLLABLES: ReadonlyMap<string, string> = new Map(Object.entries({
  nan: '男', nv: '女', nu: '女', hei: '黑色', bai: '白色', hong: '红色', lan: '蓝色', lv: '绿色',
  fen: '粉色', hui: '灰色', huang: '黄色', da: '大', xiao: '小',
}))
/** Of a word beside others that are no sounds: yundongxie nike. */
const SPELT_MIN = 6

interface LatinWord {
  readonly text: string
  readonly start: number
}

/** The whole run, or words of it that are spelt, with the syllables that stand beside them. */
function spokenIn(run: string, start: number, words: readonly LatinWord[]): Correction[] {
  const whole = bySound(run.replace(/[ ']/g, ''))
  if (whole !== undefined) return [{ start, end: start + run.length, from: run, to: whole }]
  if (words.length < 2) return []
  const said = words.map(({ text }) => SYLLABLES.get(text)
    ?? (text.length < SOUND_LENGTH_MIN ? undefined : wordsBySound(text)?.join('')))
  const isAll = said.every((word) => word !== undefined)
    && words.some(({ text }) => bySound(text) !== undefined)
  const found = isAll ? words.map((word, at) => spelt(run, start, [word], said[at] ?? ''))
    : partsSpelt(run, start, words)
  if (found.length === 0 || isAll) return found
  const beside = words.flatMap((word) => {
    const to = SYLLABLES.get(word.text)
    return to === undefined ? [] : spelt(run, start, [word], to)
  })
  return [...found, ...beside].sort((one, other) => one.start - other.start)
}

/** The longest parts that are spelt, of words that nobody knows. */
function partsSpelt(run: string, start: number, words: readonly LatinWord[]): Correction[] {
  const found: Correction[] = []
  for (let at = 0; at < words.length; at += 1) {
    for (let last = words.length; last > at; last -= 1) {
      const part = words.slice(at, last)
      const letters = part.map(({ text }) => text).join('')
      const to = letters.length < SPELT_MIN || part.some(({ text }) => isKnown(text)) ? undefined
        : bySound(letters)
      if (to === undefined) continue
      found.push(spelt(run, start, part, to))
      at = last - 1
      break
    }
  }
  return found
}

function spelt(
  run: string, from: number, words: readonly LatinWord[], to: string,
): Correction {
  const [start, last] = [words[0]?.start ?? from, words.at(-1)]
  const end = (last?.start ?? start) + (last?.text.length ?? 0)
  return { start, end, from: run.slice(start - from, end - from), to }
}

/** Letters that are nothing but the sounds of words, a name of goods among them. */
function bySound(letters: string): string | undefined {
  const words = letters.length < SOUND_LENGTH_MIN ? undefined : wordsBySound(letters)
  return words?.some((word) => getLexicon().whole.has(word)) ? words.join('') : undefined
}

/** The fewest words of which they are the sounds. */
function wordsBySound(letters: string): readonly string[] | undefined {
  const { sounds, soundMax } = vocabulary()
  /** Of each end, the fewest words up to it. */
  const best: (readonly string[] | undefined)[] = [[]]
  for (let end = 1; end <= letters.length; end += 1) {
    for (let start = Math.max(0, end - soundMax); start < end; start += 1) {
      const before = best[start]
      const word = before && sounds.get(letters.slice(start, end))
      if (word === undefined || before === undefined) continue
      if (before.length + 1 < (best[end]?.length ?? Infinity)) best[end] = [...before, word]
    }
  }
  return best[letters.length]
}

/** `isFitting`: whether a word makes a name together with those beside it, as in "toilet paper". */
function nearestWord(
  word: string, isBrand: boolean, isFitting: (other: string) => boolean = () => false,
): string | undefined {
  if (word.length < TYPO_LENGTH_MIN) return undefined
  const { latin, byLength, letters, isName } = vocabulary()
  const most = word.length >= TWO_TYPOS.min && !isBrand ? 2 : 1
  const isStart = isBrand || word.length < BESIDE_HAN_LENGTH_MIN
  const own = lettersOf(word)
  let best: { readonly word: string, readonly cost: number } | undefined
  for (let length = word.length - most; length <= word.length + most; length += 1) {
    for (const place of byLength.get(length) ?? []) {
      // A slip brings one letter that the other has not, and takes one away.
      const theirs = letters[place] ?? 0
      if (bitsOf(own & ~theirs) > most || bitsOf(theirs & ~own) > most) continue
      const other = latin.textAt(place)
      const isGoods = isName[place] === 1
      if (isStart && other[0] !== word[0]) continue
      const differ = distance(word, other, most)
      // Of seven letters two are wrong only in goods that begin alike: bagpack.
      const isShort = word.length < TWO_TYPOS.sure && differ > 1 && !isSwapped(word, other)
      if (differ > most || (isShort && !(isGoods && sameStart(word, other) > 1))) continue
      // Hardly anybody gets the first letter wrong, and names of goods are meant more often.
      const cost = differ + (other[0] === word[0] ? 0 : 0.6) + (isGoods ? 0 : 0.3)
        - 0.05 * sameStart(word, other) - (other.length === word.length ? 0.15 : 0)
        - (isFitting(other) ? FITTING : 0) - (isNearlyHeard(word, other) ? HEARD : 0)
        - (isGoods && getLexicon().whole.has(other) ? WHOLE : 0)
      if (cost < (best?.cost ?? most + 0.5)) best = { word: other, cost }
    }
  }
  return best?.word
}
