/** The names of kinds of goods in a folded text. */
import { categoryOf } from '../../goods/taxonomy.ts'
import { isAudienceWord } from '../audience.ts'
import { getLexicon, keyOf, NAMED, OWN_NAME, type Sense } from '../lexicon.ts'
import { remembered } from '../recent.ts'
import { cutKnown, taggedWords } from '../segment.ts'
import { FEATURES } from './attribute-words.ts'
import type { Place } from './claims.ts'
import { isInsideWord } from './phrases.ts'
import { isBare } from './phrasing.ts'
import { FILLERS, SCENES } from './words.ts'

export interface Name extends Place {
  readonly key: string
  readonly senses: readonly Sense[]
  /** The brand that a product line such as ipad stands for. */
  readonly line?: string
  /** Goods that it is an accessory of, which are named before: 平板 of 贴个膜. */
  readonly of?: Name
  /** A word that says which of them stands before the noun, and no goods are called so. */
  readonly isCompound?: true
}

/** Whether it names some goods by at least so much. */
export const hasName = ({ senses }: Name, least: number): boolean =>
  senses.some(({ weight }) => weight >= least)

export const hasOwnName = (name: Name): boolean => hasName(name, OWN_NAME)

/** Whether a name may mean goods of the kind. */
export const meansKind = ({ senses }: Name, kind: string | undefined): boolean =>
  senses.some((one) => one.kind === kind)

const SPACES_MAX = 2
const LATIN = /^[a-z ]+$/

/** Of the texts of one sentence. */
const RECENT_MAX = 8

/** The longest that end at each place, from right to left: the noun ends a name. */
export const namesIn: (text: string) => readonly Name[] = remembered(RECENT_MAX, readNames)

/** "Toothbrush electric" is typed for an electric toothbrush. */
function turnedName(text: string): Name | undefined {
  const start = text.length - text.trimStart().length
  const said = text.trim()
  if (!/^[a-z]+(?: [a-z]+){1,2}$/.test(said) || isWholeName(said)) return undefined
  const words = said.split(' ')
  const key = keyOf([words.at(-1), ...words.slice(0, -1)].join(' '))
  const senses = getLexicon().senses.get(key)
  return senses?.some(({ weight }) => weight >= OWN_NAME)
    ? { start, end: start + said.length, key, senses } : undefined
}

function readNames(text: string): readonly Name[] {
  const turned = turnedName(text)
  if (turned) return [turned]
  const found: Name[] = []
  const line = { text, isHan: HAN.test(text), isBare: isBare(text), starts: startsIn(text),
    across: wordsAcross(text) }
  const rows = rowsIn(text)
  for (let end = text.length; end > 0;) {
    const name = rows.get(end) ?? nameBefore(line, end)
    if (name) found.push(name)
    end = name ? name.start : end - 1
  }
  return found.toReversed()
}

/** A text in which names are looked for. */
interface Line {
  readonly text: string
  readonly isHan: boolean
  readonly isBare: boolean
  /** Of each place whether a name may begin there. */
  readonly starts: Uint8Array
  readonly across: ReadonlyMap<number, Place>
}

/** Nothing, a name of one character, or any. */
const STARTS = { none: 0, one: 1, any: 2 } as const

/** Most places are done with by their first two characters. */
function startsIn(text: string): Uint8Array {
  const { mayBegin } = getLexicon()
  const starts = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) {
    const first = text.charAt(at)
    if (first === ' ' || first === '的' || isInsideWord(text, at)
      // I've names no vitamin, and 非乳胶枕头 none of latex.
      || text.charAt(at - 1) === '\'' || text.charAt(at - 1) === '非') continue
    const second = text.charAt(at + 1)
    // What may be left out says nothing of what a name has next.
    const isAny = second === ' ' || second === '-' || second === '的' || mayBegin(first, second)
    starts[at] = isAny ? STARTS.any : STARTS.one
  }
  return starts
}

const ROW_RUN = /\p{Script=Han}{3,16}/gu
/** What may stand before a row of names, and what behind it. */
const ROW_LEAD = /^(?:[^]{0,4}?(?:买|要|来|缺|缺了|添|补|带|备|找|家里的?|厨房的?))?$/
const ROW_TAIL = /^(?:[都也各全]|一起|一块|见底|没了?|快没|用[完光]|吃[完光]|$)/
const ROW_NAMES_MIN = 3

/** 盐糖味精都没了, 米面油: three names or more with nothing between them, by where they end. */
function rowsIn(text: string): ReadonlyMap<number, Name> {
  const found = new Map<number, Name>()
  for (const { 0: run, index } of text.matchAll(ROW_RUN)) {
    for (let start = 0; start < Math.min(run.length - 2, 7); start += 1) {
      if (!ROW_LEAD.test(run.slice(0, start))) continue
      const row = rowFrom(run, start)
      const isRow = row.length >= ROW_NAMES_MIN && row.some(({ key }) => key.length === 1)
      if (!isRow) continue
      for (const name of row) {
        found.set(index + name.end, { ...name, start: index + name.start, end: index + name.end })
      }
      break
    }
  }
  return found
}

function sensesInRow(key: string): readonly Sense[] | undefined {
  const senses = getLexicon().senses.get(key)
  const isName = key.length === 1 ? senses?.some(({ weight }) => weight >= NAMED) : isWholeName(key)
  return isName ? senses : undefined
}

/** The fewest whole names that stand there one behind the other, up to what may stand behind. */
function rowFrom(run: string, start: number): Name[] {
  const best: (Name[] | undefined)[] = []
  best[start] = []
  for (let at = start; at < run.length; at += 1) {
    const before = best[at]
    if (!before) continue
    for (let length = 4; length > 0; length -= 1) {
      const key = run.slice(at, at + length)
      const senses = key.length === length ? sensesInRow(key) : undefined
      if (!senses || isWrapping(key, run.slice(at + length))) continue
      const known = best[at + length]
      if (!known || known.length > before.length + 1) {
        best[at + length] = [...before, { start: at, end: at + length, key, senses }]
      }
    }
  }
  const end = best.findLastIndex((row, at) => row && ROW_TAIL.test(run.slice(at)))
  return best[end] ?? []
}

/** "device suits a trip", "something to fish with": what is done, and no goods. */
const DONE = new RegExp('(?:(?<![a-z])(?:to|can|should|could|will|would|must|i|we|you|they|it)'
  + '|(?<![a-z])(?:which|what|that|this|a|the|my|our)(?: [a-z]+){1,2}) $')
const OBJECT = new RegExp('^ (?:an?|the|my|our|your|his|her|their|this|these|me|us|it|one|two'
  + '|three|each|every|\\0+)(?![a-z])')
/** "Lighter than" compares. */
const isVerb = (text: string, start: number, end: number): boolean =>
  (text.startsWith(' than ', end) && text.slice(start, end).endsWith('er'))
  || (!text.slice(start, end).includes(' ') && LATIN.test(text.slice(start, end))
    && OBJECT.test(text.slice(end, end + 7))
    && DONE.test(text.slice(Math.max(0, start - 32), start)))

/** 包饺子 makes them. */
const WRAPS = /^(?:饺|水饺|馄饨|云吞|抄手|包子|粽|汤圆|元宵|春卷|烧[卖麦]|书皮)/
const isWrapping = (key: string, rest: string): boolean => key === '包' && WRAPS.test(rest)

/** 富光 | 电热水壶: two characters that make a word may belong to two. */
const LONG_WORD = 3
/** Of sentences a dictionary knows too little to part longer names: 扫地机 | 要. */
const SHORT_NAME = 2
const HAN_RUN = /\p{Script=Han}{2,}/gu

/** Of each place the word that goes on across it: 自行车 | 坐垫 has no 车坐垫. */
function wordsAcross(text: string): ReadonlyMap<number, Place> {
  const across = new Map<number, Place>()
  for (const { 0: run, index } of text.matchAll(HAN_RUN)) {
    let start = index
    for (const word of cutKnown(run)) {
      const end = start + word.length
      // Of 洗碗机要13套 a dictionary takes 机要, and 装配 of 西装配领结.
      for (let at = start + 1; at < end && !/[要能得配]$/.test(word); at += 1) {
        across.set(at, { start, end })
      }
      start = end
    }
  }
  return across
}

function nameBefore(line: Line, end: number): Name | undefined {
  const { text, isHan, starts } = line
  const { senses, lengths, brandOf } = getLexicon()
  const longest = lengths.get(/[ 的]/.test(text.charAt(end - 2))
    ? text.charAt(end - 3) + text.charAt(end - 1) : text.slice(end - 2, end))
    ?? lengths.get(text.charAt(end - 1))
  if (!longest || isInsideWord(text, end)) return undefined
  // As many spaces as a name has parts may stand in it.
  for (let start = Math.max(0, end - longest - SPACES_MAX); start < end; start += 1) {
    if ((starts[start] ?? 0) < (end - start > 1 ? STARTS.any : STARTS.one)) continue
    const key = keyOf(text.slice(start, end))
    // 小米14 is a model of the brand.
    if (/\d/.test(text.charAt(end)) && brandOf.has(key)) continue
    // 烧水的壶 is a 烧水壶.
    const found = senses.get(key)
      ?? (!/的$|^的/.test(key) && key.includes('的')
        // 坐火车用的颈枕 is for no car; 打电话的手表 is a 电话手表.
        && (line.across.get(start)?.end ?? Infinity) - start > 1
        ? senses.get(key.replace('的', '')) : undefined)
    // Beside Chinese words the end of an English name names nothing: the root of a telephone.
    if (found && isHan && LATIN.test(key) && found.every(({ weight }) => weight < NAMED)) continue
    if (found && isFreeOf(text, start, end)) continue
    if (found && isCut(line, start, end)) continue
    if (found && (isVerb(text, start, end) || isTorn(text, start, end)
      || PAIR.test(text.slice(start, end)))) continue
    // The ac of ac-505k is part of a model.
    if (found && /^[a-z]{2,3}$/.test(key) && /^-\d/.test(text.slice(end, end + 2))) continue
    if (isWrapping(key, text.slice(end, end + 2))) continue
    if (found && (key.length > 1 || isAlone(text, start, end) || isBetween(text, start, end))) {
      return { start, end, key, senses: found }
    }
    const from = found && compoundBefore(text, start, end)
    if (found && from !== undefined) {
      return { start: from, end, key: text.slice(from, end), senses: found, isCompound: true }
    }
  }
  return undefined
}

/** Whether a word of the dictionary goes on across an end of it. */
function isCut({ text, isBare: isName, across }: Line, start: number, end: number): boolean {
  const [before, behind] = [across.get(start), across.get(end)]
  const isLong = before !== undefined && before.end - before.start >= LONG_WORD
  if (isName) return isLong || behind !== undefined
  // 台 of 台面 counts nothing.
  return (before !== undefined && end - start === 1)
    || (isLong && before.end < end && before.end - start < SHORT_NAME)
    || (behind !== undefined && behind.start > start && end - start <= SHORT_NAME)
    || isResult(text, start, end)
}

const RESULT = /^得(?=[我你他她它咱人太很不更特满紧慢快疼]|有点|难受|耳朵|头|手|脚)/

/** 耳机塞得我耳朵疼 tells what the earphones do. */
const isResult = (text: string, start: number, end: number): boolean =>
  end - start > SHORT_NAME && RESULT.test(text.slice(end, end + 3))
    && isWholeName(text.slice(start, end - 1))

const HAN = /\p{Script=Han}/u
/** 面 油 of 米 面 油 is no 面油. */
const PAIR = /^\p{Script=Han} +\p{Script=Han}$/u

/** 不含酒精湿巾 wants 湿巾. */
const isFreeOf = (text: string, start: number, end: number): boolean =>
  /(?:不含|零|(?<!\d)0)$/.test(text.slice(Math.max(0, start - 2), start))
    && [2, 3].some((length) => end - start > length && isWholeName(text.slice(end - length, end)))

/** 裤 男 of 牛仔裤 男款 is no name: its first word ends another. */
function isTorn(text: string, start: number, end: number): boolean {
  const gap = text.slice(start, end).indexOf(' ')
  return gap > 0 && HAN.test(text.charAt(start - 1)) && endsName(text, start + gap)
}

/** 来口锅, 看看表. */
const LOOKS_FOR = new RegExp('(?:[来买换添整搞弄求配](?:[一几两三四五六七八九十]|\\d{1,2})?[口面根床双副支部架幅盆桶瓶箱袋把辆]'
  + '|看看|买买|[来买]\\0{2,3}|[来买要换添求缺没弄整搞拿囤]点|没有?|看下)$')

/** 买把伞挡雨: 伞挡 is no word. */
const isCounted = (text: string, start: number): boolean =>
  LOOKS_FOR.test(text.slice(Math.max(0, start - 4), start))
    && cutKnown(text.slice(start, start + 2)).length > 1

/** 鞋, 灯 and 酒 name goods where they stand alone. */
const isAlone = (text: string, start: number, end: number): boolean => isCounted(text, start)
  || (!HAN.test(text.charAt(end)) || /[没快用吃喝卖吗么呢吧怎多坏也都了各要和跟与及]/.test(text.charAt(end))
    || text.startsWith('有哪', end))
  && (!HAN.test(text.charAt(start - 1))
    // Shoes come in pairs; 双面 are two sides.
    || (text.charAt(start - 1) === '双' && /[鞋袜靴筷]/.test(text.charAt(start)))
    || text.endsWith('还有', start) || text.endsWith('以及', start)
    || /[的个盏瓶条件买卖只把块台要套款杯包盒支辆张顶么啥配新和跟与换添缺]/.test(text.charAt(start - 1))
    || LOOKS_FOR.test(text.slice(Math.max(0, start - 4), start))
    // 有灯卖吗 asks for lamps; 有线 is a feature.
    || (text.charAt(start - 1) === '有' && /[卖吗么呢]/.test(text.charAt(end))))

/** Characters that name goods of one class whatever stands before them. */
export const CLASSES = /^[袜鞋裤裙帽伞灯椅凳杯]$/
const COMPOUND_LENGTHS = [4, 3, 2]
/** What a compound may stand behind in a sentence. */
const BEFORE_COMPOUND = /[双条个顶件盏把只张款的]/
const SCENE_WORDS = new Set(SCENES)
const SAYS_NOTHING = new Set([...FEATURES, ...FILLERS])

/** 篮球袜 are socks: a word of the dictionary and the noun, which make no other word together. */
function compoundBefore(text: string, start: number, end: number): number | undefined {
  if (!CLASSES.test(text.slice(start, end)) || HAN.test(text.charAt(end))) return undefined
  const length = COMPOUND_LENGTHS.find((one) => HAN_ONLY.test(text.slice(start - one, start))
    && start >= one && isStartOfCompound(text.charAt(start - one - 1)))
  if (length === undefined) return undefined
  const run = text.slice(start - length, start)
  const noun = text.slice(start, end)
  // 旗袍裙 is the 旗袍.
  return saysWhich(run) && !isOfOneShelf(run, noun)
    && cutKnown(run + noun).length === cutKnown(run).length + 1 ? start - length : undefined
}

/** 网球, 训练, 雨天 and 户外. */
const NOUN = /^(?:n[zg]?|vn|[ts])$/
export const SPORT = new RegExp('球$|[跑夜晨长慢]跑|跑步|骑行|徒步|登山|爬山|健身|滑雪|滑冰|训练|马拉松|体操|冲浪'
  + '|攀岩|搏击|拳击|击剑')

/** Not 婴儿 of 婴儿帽, which is read by itself, and no feature: 压缩袜. */
const saysWhich = (run: string): boolean => !isAudienceWord(run) && !SAYS_NOTHING.has(run)
  && (SCENE_WORDS.has(run) || SPORT.test(run)
    || taggedWords(run).map(({ tag }) => NOUN.test(tag)).join() === 'true')

function isOfOneShelf(run: string, noun: string): boolean {
  const { senses } = getLexicon()
  const shelves = new Set((senses.get(noun) ?? []).map(({ kind }) => categoryOf(kind)))
  return senses.get(run)?.some(({ kind, weight }) =>
    weight >= OWN_NAME && shelves.has(categoryOf(kind))) ?? false
}

const HAN_ONLY = /^\p{Script=Han}+$/u
const isStartOfCompound = (before: string): boolean =>
  !HAN.test(before) || BEFORE_COMPOUND.test(before)

/** 醋 of 酱油醋料酒 stands between the names of other goods. */
const isBetween = (text: string, start: number, end: number): boolean =>
  endsName(text, start) && [2, 3, 4].some((length) => isWholeName(text.slice(end, end + length)))

const endsName = (text: string, end: number): boolean =>
  [2, 3, 4].some((length) => isWholeName(text.slice(Math.max(0, end - length), end)))

export const isWholeName = (key: string): boolean => getLexicon().whole.has(keyOf(key))
