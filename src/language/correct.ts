/**
 * Words that are written wrong, or typed by their sound: keybord, mao liang, 行礼箱. Only what
 * nothing else explains is corrected, and only into words that the lexicon has.
 */
import { type Correction, latinCorrections } from './correct-latin.ts'
import { dialectIn } from './dialect.ts'
import { kindChances } from './kind-encoder.ts'
import { getLexicon } from './lexicon.ts'
import { withoutValues } from './measures.ts'
import { overlaps } from './read/claims.ts'
import { CLASSES, namesIn } from './read/names.ts'
import { CHAIN_PHRASES } from './read/menu.ts'
import { makeNeedTexts } from './needs.ts'
import { preparePartialNames } from './partial.ts'
import { prepared } from './prepared.ts'
import { spanOf, type Reading } from './read/reading.ts'
import { retractions, type Edit } from './read/retractions.ts'
import type { Span } from './understanding.ts'
import { RECIPIENTS } from './read/people.ts'
import { withoutPoliteness } from './read/phrasing.ts'
import { endsGoods } from './read/compound.ts'
import { cutKnown, isSpeech, taggedWords } from './segment.ts'
import {
  ALIKE, blur, COUNTER, isLoose, isSaying, maySound, soundsAlike, soundsSame, syllablesOf,
} from './spelling.ts'
import { vocabulary } from './vocabulary.ts'

const WINDOW_MAX = 8
const SPOKEN_MIN = 3
const HAN = /\p{Script=Han}/u
const HAN_RUN = /\p{Script=Han}{2,}/gu
/** 一份 is a number. */
const COUNTED = /^[一二两三四五六七八九十百千半几每]/
/** 个两室: a counter, and the number of something else. */
const COUNTER_OF = /^[个只条把台套][一二两三四五六七八九十百千半几]/
const NUMERALS = /[一二两三四五六七八九十几半]/g
const CORRECTIONS_MAX = 6

export function corrections(written: string): Correction[] {
  const text = withoutValues(written)
  return [...latinCorrections(text), ...hanCorrections(text)].slice(0, CORRECTIONS_MAX)
    .sort((left, right) => left.start - right.start)
}

export type Corrected = Reading & {
  readonly corrections: readonly Correction[]
  /** What was taken back, as it was written. */
  readonly retracted: readonly Span[]
}

/** The text as it was meant; its units still know where they were written. */
export function corrected(reading: Reading): Corrected {
  const plain = edited(reading, dialectIn(reading.text))
  const found = corrections(plain.text)
  // Danche is spelt, and said in some places only.
  const spelt = withDialect(edited(plain, found), found)
  const back = retractions(spelt.text)
  return {
    corrections: plain === reading ? found
      : found.map((one) => ({ ...one, ...spanOf(plain, one.start, one.end) })),
    // What is said instead is not taken back.
    retracted: back.map(({ start, end }) => spanOf(spelt, start,
      back.find(({ by }) => by && by.start > start && by.end <= end)?.by?.start ?? end)),
    ...edited(spelt, back),
  }
}

const withDialect = (reading: Reading, found: readonly Correction[]): Reading =>
  found.some(({ from }) => /[a-z]/.test(from)) ? edited(reading, dialectIn(reading.text)) : reading

/** With other words in some places. */
function edited(
  reading: Reading, edits: readonly Edit[],
): Reading {
  if (edits.length === 0) return reading
  let [text, end] = ['', 0]
  const starts: number[] = []
  const ends: number[] = []
  for (const one of [...edits, { start: reading.text.length, end: reading.text.length, to: '' }]) {
    text += reading.text.slice(end, one.start) + one.to
    starts.push(...reading.starts.slice(end, one.start))
    ends.push(...reading.ends.slice(end, one.start))
    for (let at = 0; at < one.to.length; at += 1) {
      starts.push(reading.starts[one.by ? one.by.start + at : one.start] ?? 0)
      ends.push(reading.ends[(one.by ? one.by.start + at + 1 : one.end) - 1] ?? 0)
    }
    end = one.end
  }
  return { ...reading, text, starts, ends }
}

function hanCorrections(text: string): Correction[] {
  const names = namesIn(text)
  const proper = [...getLexicon().brands.find(text), ...CHAIN_PHRASES.find(text)]
  const found: Correction[] = []
  for (const match of text.matchAll(HAN_RUN)) {
    const bounds = [match.index]
    for (const word of cutKnown(match[0])) bounds.push((bounds.at(-1) ?? 0) + word.length)
    for (const [at, start] of bounds.entries()) {
      if (start < (found.at(-1)?.end ?? 0)) continue
      // The longest window that is a slip.
      for (let last = bounds.length - 1; last > at; last -= 1) {
        const end = bounds[last] ?? start
        const isProper = proper.some((name) => overlaps(name, { start, end }))
        const one = isProper || end - start > WINDOW_MAX ? undefined
          : windowAt(text, { start, end }, names)
        if (!one) continue
        found.push(one)
        break
      }
    }
  }
  return found
}

/** 螺蛳纷五包: a number or the like begins another word. */
const GOES_ON = /(?![的一二两三四五六七八九十几来要])\p{Script=Han}/u

/** 不要 is no 步摇. */
const REFUSES = /^(?:不|没|勿|别[要买来推看给发拿])\p{Script=Han}?$/u

/** 太费 beside a name of goods is no 太妃. */
const HOW = /^(?:够|很|挺|超|更|最|太|蛮|贼)\p{Script=Han}$/u

const HOLDER = /[架罩垫芯盖柜套盒]$/

/** A name that the window may be, where what it is otherwise explains less of it. */
function windowAt(
  text: string, { start, end }: { start: number, end: number },
  names: readonly { readonly start: number, readonly end: number }[],
): Correction | undefined {
  const { han } = vocabulary()
  const from = text.slice(start, end)
  // 手干得 tells how a hand is.
  if (from.length < 2 || han.has(from) || REFUSES.test(from) || COUNTER_OF.test(from)
    || text.charAt(end) === '得' || (names.length > 0 && HOW.test(from))) return undefined
  const inside = names.filter((name) => name.start < end && name.end > start)
  const isCut = inside.some((name) => name.start < start || name.end > end)
  const isAll = text.trim() === from
  if (isCut && !isAll) return undefined
  // Hardly anything is like a name: what costs more comes behind.
  const like = [soundsLike(from), looksLike(from)].filter((one) => one !== undefined)
  if (like.length === 0) return undefined
  const last = isAll ? lastSlip(from, like) : undefined
  if (last !== undefined) return { start, end, from, to: last }
  if (isCut) return undefined
  const isShort = from.length < SPOKEN_MIN
  // 伞架 is put together of the names of two goods, and no 衫架.
  if (isShort && isAll && HOLDER.test(from) && getLexicon().senses.has(from.charAt(0))) {
    return undefined
  }
  // 钢化 begins the name of a film.
  if (isShort && preparePartialNames().has(from) && !isHomophone(from)) return undefined
  if (isShort && !isShortSlip(text, { start, end }, names.length > 0)) return undefined
  const rest = [...inside].reduce((left, name) => left.replace(
    text.slice(name.start, name.end), ' '), from)
  if (COUNTER.test(rest.trim()) || (from.endsWith('不') && inside.length > 0)
    || rest.split(' ').every((word) => word === '' || han.has(word))) {
    return undefined
  }
  // 不 of 茶几不想要 and 穿 of 宝宝穿L码 are words by themselves.
  // 和 of 牙签和两卷 joins two names.
  const isNamedBefore = getLexicon().whole.has(from.slice(0, -1))
  const isLast = !(isNamedBefore ? HAN : GOES_ON).test(text.charAt(end))
  if (isSpokenOn(from) && !(isLast && (isHomophone(from) || isLookalike(from)))) return undefined
  // Of 晶手镯 the name is there already: one character more is another word's.
  const isNamed = rest.trim().length < 2 && inside.length > 0
  // 眼影 of 眼影盆 goes on.
  const isKept = (to: string): boolean => soundsSame(from, to) || (getLexicon().whole.has(to)
    && inside.every((name) => to.startsWith(text.slice(name.start, name.end))))
  const to = like.find((one) => isSlip(from, one) && (!isNamed || isKept(one)))
  // 擀面条 is told of a rolling pin, and no 干面条.
  if (to === undefined || isTold(from)) return undefined
  return isMeant(text.slice(0, start) + to + text.slice(end), to) ? { start, end, from, to }
    : undefined
}

/** From this chance on goods are meant that a corrected sentence names. */
const MEANT = 0.05

/** 都试过了 is no 都柿过了: with the goods that it would name, the sentence has to ask for them. */
function isMeant(corrected: string, name: string): boolean {
  const kinds = new Set(namesIn(name).flatMap(({ senses }) => senses.map(({ kind }) => kind)))
  const { of } = kindChances(withoutPoliteness(corrected))
  return kinds.size === 0 || [...kinds].reduce((sum, kind) => sum + Math.exp(of(kind)), 0) >= MEANT
}

let told: string | undefined

/** Whether somebody tells of a need in these words. */
function isTold(words: string): boolean {
  told ??= prepared('told', () => [...makeNeedTexts().values()].join('\n'))
  // Two characters may stand beside each other by chance once.
  const first = told.indexOf(words)
  return first >= 0 && (words.length >= SPOKEN_MIN || told.includes(words, first + 1))
}

/**
 * 血糖议, where nothing else is said: a name of which the last character alone is another. 灯 of
 * 钓鱼灯 is a noun of goods as good as 凳.
 */
const lastSlip = (from: string, like: readonly string[]): string | undefined =>
  from.length < SPOKEN_MIN || isNounBehind(from) ? undefined
    : like.find((to) => to.length === from.length
      && to.slice(0, -1) === from.slice(0, -1) && getLexicon().whole.has(to))

const isNounBehind = (word: string): boolean =>
  CLASSES.test(word.slice(-1)) && cutKnown(word.slice(0, -1)).length === 1

/**
 * Two characters sound like many others: they are corrected where they are all that is said, or
 * where neither belongs to a word or says anything by itself.
 */
function isShortSlip(
  text: string, { start, end }: { start: number, end: number }, isNamed: boolean,
): boolean {
  const from = text.slice(start, end)
  if (COUNTED.test(from)) return false
  const isAll = /^[^\p{Script=Han}a-z0-9]?$|^[的个要买条只把台]$/u.test(text.charAt(start - 1))
    && !/[\p{Script=Han}a-z0-9]/u.test(text.charAt(end))
  if (isAll && !isNamed) return true
  // 奶并 of 用的奶并 is all that is left to name.
  const isFramed = isAll && /^[的个买条只把台]$/.test(text.charAt(start - 1))
  const spoken = vocabulary().sounds.get(syllablesOf(from).join(''))
  const to = spoken !== undefined && soundsSame(from, spoken) ? spoken : looksLike(from)
  return to !== undefined && getLexicon().whole.has(to)
    && [...from].filter((one, at) => one !== to[at]).length === 1
    && (isFramed || [...from].every((one, at) => one === to[at] || !isSaying(one)))
    && (isAll || isLoose(text, { start, end }))
}

/** 防晒散: with one character of the same sound it is the name of other goods. */
const isHomophone = (from: string): boolean => {
  const to = soundsLike(from)
  return to !== undefined && getLexicon().whole.has(to) && soundsSame(from, to)
    && [...from].filter((one, at) => one !== to[at]).length === 1
}

/** 保温怀: and with one that looks so. */
const isLookalike = (from: string): boolean => from.length >= SPOKEN_MIN && !/[来要]$/.test(from)
  && getLexicon().whole.has(looksLike(from) ?? '')

/** Goods, people or another noun, and one character of the sentence behind them: 手机两千五. */
const isSpokenOn = (from: string): boolean => from.length > 2
  && (isSpeech(from.slice(-1)) || /[上下里一二两三四五六七八九十几半]$/.test(from))
  && (getLexicon().whole.has(from.slice(0, -1)) || RECIPIENTS.includes(from.slice(0, -1))
    || taggedWords(from.slice(0, -1)).map(({ tag }) => tag).join('') === 'n')

/**
 * Whether only characters differ that make no word where they stand: 芯片 is not 锌片, and 气垫床
 * ends in goods as good as those of 气垫船.
 */
function isSlip(from: string, to: string): boolean {
  // 我是说 is said, and no 卧室锁.
  if (from === to || from.length !== to.length
    || (from.length >= SPOKEN_MIN && isSpeech(from.replace(NUMERALS, '的')))) return false
  // 行礼 is a word; of three that sound as a name does the name is meant.
  // Who gets every character wrong has typed another word: 腐蚀剂 is no 辅食机.
  const isSpoken = from.length >= SPOKEN_MIN && [...from].some((one, at) => one === to[at])
    && soundsAlike(from, to)
  // 跳神 is what they do, and no goods.
  const isDone = from.length === 2 && soundsAlike(from, to)
    && taggedWords(from).every(({ tag }) => !tag.startsWith('n'))
  const { han } = vocabulary()
  const isSwapped = [...from].sort().join('') === [...to].sort().join('')
  let at = 0
  for (const piece of cutKnown(from)) {
    const isOther = to.slice(at, at + piece.length) !== piece
    at += piece.length
    const isGoods = at === from.length && endsGoods(piece)
      && !(isSpoken && !han.has(from.slice(0, -piece.length)))
    const isWord = piece.length > 1 && !isSpoken && !isSwapped && !isDone
    if (isOther && (isWord || isGoods)) return false
  }
  return true
}

function soundsLike(word: string): string | undefined {
  const { blurred, sounds } = vocabulary()
  // Which way a word sounds takes a dictionary; hardly any sounds like a name in any way.
  const isName = (exactly: string, alike: string): boolean =>
    blurred.has(alike) || (word.length < SPOKEN_MIN && sounds.has(exactly))
  if (!maySound(word, isName)) return undefined
  const syllables = syllablesOf(word)
  const like = blurred.get(syllables.map(blur).join(' '))
  return word.length < SPOKEN_MIN ? sounds.get(syllables.join('')) ?? like : like
}

/** One character is another that looks like the name's, or two stand in the wrong order. */
function looksLike(word: string): string | undefined {
  const { han } = vocabulary()
  const { whole } = getLexicon()
  for (let at = 0; at < word.length; at += 1) {
    const [before, rest] = [word.slice(0, at), word.slice(at + 1)]
    for (const other of ALIKE.get(word.charAt(at)) ?? '') {
      const name = before + other + rest
      if (han.has(name)) return name
    }
    const swapped = before + rest.charAt(0) + word.charAt(at) + rest.slice(1)
    if (word.length >= SPOKEN_MIN && whole.has(swapped)) return swapped
  }
  return undefined
}
