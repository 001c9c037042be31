/** What the words around a number make of it: at most, at least, about; for each, in total. */
import type { Place } from './claims.ts'
import { AFTER, BEFORE, ENDING, MEANINGS, type Meaning, type Words } from './signal-words.ts'

export type Bound = 'most' | 'least' | 'about' | 'outset'

export interface Signals extends Place {
  readonly bound: Bound | null
  /** Whether what was said is not wanted: the bound is turned already. */
  readonly isRefused: boolean
  /** Whether the number itself lies outside: "more than", and 以下 of what is refused. */
  readonly isBeyond: boolean
  readonly scope: 'each' | 'total' | null
  readonly isBudget: boolean
  readonly isPrice: boolean
  readonly isBetween: boolean
  /** A refusal that goods part from the number: 三百以上的跑鞋不用给我看. */
  readonly apart: readonly Place[]
}

/** How far beside a number its words are looked for, so that a sentence costs linear time. */
const NEAR = 48
const STEPS_MAX = 8
const LETTER = /[a-z]/
const BREAK = /^[ ;,.。、!?:\0)]?$/
/** They only join others. */
const SILENT: ReadonlySet<Meaning> = new Set(['filler', 'show'])
const COMPARED: ReadonlySet<Meaning> = new Set(['most', 'least', 'about', 'outset'])
const LIMITS: ReadonlySet<Meaning> = new Set(['most', 'least'])

interface Cue extends Place { readonly meaning: Meaning }
interface Table { readonly meanings: ReadonlyMap<string, Meaning>, readonly longest: number }

function tableOf(words: Words): Table {
  const meanings = new Map(MEANINGS.flatMap((meaning) =>
    (words[meaning] ?? []).map((word): [string, Meaning] => [word, meaning])))
  return { meanings, longest: Math.max(...[...meanings.keys()].map(({ length }) => length)) }
}

const TABLES = { before: tableOf(BEFORE), after: tableOf(AFTER) }

const isWhole = (text: string, start: number, end: number): boolean =>
  !(LETTER.test(text.charAt(start)) && LETTER.test(text.charAt(start - 1)))
  && !(LETTER.test(text.charAt(end - 1)) && LETTER.test(text.charAt(end)))

/** The longest word that ends here. */
function wordBefore(text: string, end: number): Cue | undefined {
  const { meanings, longest } = TABLES.before
  for (let start = Math.max(0, end - longest); start < end; start += 1) {
    const meaning = meanings.get(text.slice(start, end))
    if (meaning && isWhole(text, start, end)) return { start, end, meaning }
  }
  return undefined
}

function wordAfter(text: string, start: number): Cue | undefined {
  const { meanings, longest } = TABLES.after
  for (let end = Math.min(text.length, start + longest); end > start; end -= 1) {
    const word = text.slice(start, end)
    const meaning = meanings.get(word)
    if (!meaning || !isWhole(text, start, end)) continue
    const isMeant = meaning === 'refused' ? isClosed(text, end)
      || wordAfter(text, end)?.meaning === 'refused'
      : !ENDING.has(word) || /^[ ;,.。、!?的以之左\0)]?$/.test(text.charAt(end))
        || (word === '起' && NUMBER.test(text.slice(end)))
    if (isMeant && !isOfNext(text, word, end)) return { start, end, meaning }
  }
  return undefined
}

const NUMBER = /^ ?[\d¥$€£一二两三四五六七八九十百千]/

/** 最多 of 最少二百最多三百, "max" of "min 120 max 280", and "and less" before "than". */
const isOfNext = (text: string, word: string, end: number): boolean =>
  (/^(?:and|or) /.test(word) && text.startsWith(' than ', end))
  || (NUMBER.test(text.slice(end)) && LIMITS.has(TABLES.before.meanings.get(word) ?? 'none'))

const PARTICLES = /^(?:[了吧哈啊呀的哦我]|给我|推荐|谢谢)*/

/** 以下的不要 refuses a price, 以下的不要红色 a colour. */
const isClosed = (text: string, end: number): boolean => {
  const rest = end + (PARTICLES.exec(text.slice(end, end + 8))?.[0].length ?? 0)
  return BREAK.test(text.charAt(rest))
}

/** Nearest first. */
function cuesBefore(text: string, from: number, names: readonly Place[]): Cue[] {
  const found: Cue[] = []
  for (let at = from; found.length < STEPS_MAX;) {
    while (text.charAt(at - 1) === ' ') at -= 1
    const cue = at > from - NEAR ? wordBefore(text, at) : undefined
    // 这类 | 别超过.
    const isClass = cue?.meaning === 'none' && /[这那此每一二两三四五]$/.test(text.slice(0, cue.start))
    if (!cue || (cue.meaning === 'none' && !isClass) || !isAllowed(cue, found)
      || isInside(cue, names)) break
    found.push(isClass ? { ...cue, start: cue.end - 1, meaning: 'not' } : cue)
    at = cue.start
  }
  return found
}

/** 不 by itself belongs to the comparison behind it; other refusals may refuse a noun. */
const isAllowed = ({ meaning, start, end }: Cue, found: readonly Cue[]): boolean => {
  if (meaning !== 'not' || end - start > 1) return true
  return found[0] !== undefined && found.at(-1)?.start === end
}

/** 花 of 鲜花 is no cue. */
const isInside = (cue: Place, names: readonly Place[]): boolean => cue.end - cue.start === 1
  && names.some(({ start, end }) => start <= cue.start && end >= cue.end && end - start > 1)

function cuesAfter(text: string, from: number, names: readonly Place[] = []): Cue[] {
  const found: Cue[] = []
  for (let at = from; found.length < STEPS_MAX;) {
    while (text.charAt(at) === ' ') at += 1
    const cue = at < from + NEAR ? wordAfter(text, at) : undefined
    if (!cue || cue.meaning === 'none' || isInside(cue, names)) break
    found.push(cue)
    at = cue.end
  }
  return found
}

/** Words of no meaning count only between others. */
function withoutFillers(cues: readonly Cue[]): readonly Cue[] {
  const last = cues.findLastIndex(({ meaning }) => !SILENT.has(meaning))
  return cues.slice(0, last + 1)
}

const OPPOSITE: Readonly<Partial<Record<Bound, Bound>>> = { most: 'least', least: 'most' }

const opposite = (bound: Bound | null, isTurned: boolean): Bound | null =>
  bound && isTurned ? OPPOSITE[bound] ?? bound : bound

const NONE = { bound: null, isRefused: false, isBeyond: false, scope: null, isBudget: false,
  isPrice: false, isBetween: false, apart: [] } as const

/** 不足, 大于 and "more than" leave the number out; 以上 and "at least" do not. */
const EXCLUSIVE = new RegExp('^(?:超过?了?|超出|[高多贵低少小短轻薄窄矮大长厚宽重][于过]|便宜[于过]|不[止下到足够满]|没到'
  + '|[<>＜＞]|over|above|beyond|past|exceed(?:s|ing)?|under|below|beneath|[a-z]+er than|more than'
  + '|less than|north of)$')

/** 三百就够 is a limit; of 1TB就够 no less will do. */
const ENOUGH = /^(?:就?够了?|够用|就好了|的?预算)$/

/**
 * Of a place in the text, with the names of goods that stand in it. `isMeasure`: only what compares
 * is read; 预算 and 每个 belong to no length.
 */
export function signalsOf(
  text: string, { start, end }: Place, names: readonly Place[], isMeasure = false,
): Signals {
  const only = (cues: readonly Cue[]): readonly Cue[] => {
    const other = cues.findIndex(({ meaning }) => !COMPARED.has(meaning)
      && meaning !== 'not' && meaning !== 'hide' && meaning !== 'refused' && !SILENT.has(meaning))
    return withoutFillers(isMeasure && other >= 0 ? cues.slice(0, other) : cues)
  }
  const before = only(cuesBefore(text, start, names))
  const after = only(cuesAfter(text, end, names).map((cue): Cue =>
    isMeasure && ENOUGH.test(text.slice(cue.start, cue.end)) ? { ...cue, meaning: 'filler' } : cue))
  const [left, right] = [boundIn(before), boundIn(after)]
  if (isMeasure && left === null && right === null) return { start, end, ...NONE }
  const place = { start: before.at(-1)?.start ?? start, end: after.at(-1)?.end ?? end }
  const isNot = before.filter(isNegation).length % 2 === 1
  // 不超过300以内: 不 turns 超过, and 以内 where nothing else compares.
  const bound = strongest(opposite(left, isNot),
    opposite(right, isNot && (left === null || left === right)))
  const isBehind = after.some((cue) => cue.meaning === 'refused'
    && !agrees(text.slice(cue.start, cue.end), right))
  const apart = bound === null || isNot || isBehind ? []
    : refusedApart(text, place, names, bound)
  const isTurned = isBehind || apart.length > 0
  const compared = before.find(({ meaning }) => COMPARED.has(meaning))
  const isExclusive = right === null && compared !== undefined
    && EXCLUSIVE.test(text.slice(compared.start, compared.end))
  const all = [...before, ...after]
  const has = (meaning: Meaning): boolean => all.some((cue) => cue.meaning === meaning)
  return {
    apart, isRefused: isNot || isTurned, bound: opposite(bound, isTurned),
    isBeyond: isExclusive !== (isNot || isTurned),
    scope: has('each') ? 'each' : has('total') ? 'total' : null,
    isBudget: has('budget'), isPrice: has('price'), isBetween: has('between'), ...place,
  }
}

/** 两百块以上的，太便宜拿不出手: why it has to be so much. */
const agrees = (word: string, bound: Bound | null): boolean =>
  bound === 'least' ? /便宜|太低|cheap/.test(word)
    : bound === 'most' && /贵|太高|expensive|pric[ey]y|dear/.test(word)

const isNegation = ({ meaning }: Cue): boolean => meaning === 'not' || meaning === 'hide'

const boundIn = (cues: readonly Cue[]): Bound | null =>
  (cues.find(({ meaning }) => COMPARED.has(meaning))?.meaning ?? null) as Bound | null

const STRENGTH: readonly (Bound | null)[] = ['most', 'least', 'outset', 'about']

/** 最多三百左右 is a limit. */
const strongest = (left: Bound | null, right: Bound | null): Bound | null =>
  STRENGTH.find((one) => one === left || one === right) ?? null

/** Where the refusal ends that stands here: 27寸 的不要. */
export function refusalAfter(text: string, from: number): number | undefined {
  const cues = withoutFillers(cuesAfter(text, from))
  return cues.length > 0 && cues.every(({ meaning }) =>
    meaning === 'refused' || SILENT.has(meaning)) ? cues.at(-1)?.end : undefined
}

/**
 * 不用给我看 behind the goods, or "don't show me" before them. 不要 alone may refuse another word
 * of the goods, and then says nothing of a price that it is parted from.
 */
function refusedApart(
  text: string, { start, end }: Place, names: readonly Place[], bound: Bound,
): Place[] {
  // 2k以内，笔记本不考虑: behind a comma other goods are refused.
  const behind = names.find((name) => name.start >= end && name.start <= end + 1
    && !/[;,.。!?]/.test(text.slice(end, name.start)))
  const comma = /^的?[ ;,]+/.exec(text.slice(end, end + 4))?.[0].length ?? 0
  for (const from of [...behind ? [behind.end] : [], ...comma > 0 ? [end + comma] : []]) {
    const to = refusalAfter(text, from)
    if (to !== undefined) {
      return agrees(text.slice(from, to), bound) ? [] : [{ start: from, end: to }]
    }
  }
  const gap = LETTER.test(text.charAt(start)) ? 1 : 0
  const ahead = names.find((name) => name.end + gap === start)
  const cues = ahead ? withoutFillers(cuesBefore(text, ahead.start, names)) : []
  const has = (meaning: Meaning): boolean => cues.some((cue) => cue.meaning === meaning)
  const [first, last] = [cues.at(-1), cues[0]]
  const isRefusal = has('hide') || (has('not') && (has('show') || bound === 'least'))
  return first && last && isRefusal
    ? [{ start: first.start, end: last.end }] : []
}
