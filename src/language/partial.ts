/**
 * Kinds of goods that a bare query names in part: 净水 by all but the end of a name, 对开门 by a
 * value that hardly any other goods have, 相机 读卡 by the goods to which they belong.
 */
import { categoryOf, type KnownKind, partsOf, taxonomy } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { getLexicon, NAMED } from './lexicon.ts'
import { prepared } from './prepared.ts'
import { profileOf } from './profile.ts'
import { endsGoods } from './read/compound.ts'
import type { Draft } from './read/draft.ts'
import { weightOf } from './read/heads.ts'
import { isBare } from './read/phrasing.ts'
import type { Guess } from './understanding.ts'

/** A word that more kinds have says too little. */
const KINDS_MAX = 3
const WORDS_MAX = 4
/** The last characters of names which people leave out. */
const ENDS = /[器机刀仪袋包盒架垫罩套膜杯壶锅灯柜箱桶盆刷巾纸液剂膏霜粉片贴板布网绳带线]$/
const HAN_WORD = /^[a-z0-9]*\p{Script=Han}{2,}$/u

type PartialNames = ReadonlyMap<string, ReadonlySet<string>>

let index: PartialNames | undefined

/** Made once: names without their ends, and values, of kinds that share them with few others. */
export function preparePartialNames(): PartialNames {
  return index ??= prepared('partial names', makePartialNames)
}

export function makePartialNames(): PartialNames {
  const found = new Map<string, Set<string>>()
  const { whole } = getLexicon()
  for (const kind of taxonomy().kinds.values()) {
    for (const word of wordsOf(kind)) {
      if (!HAN_WORD.test(word) || whole.has(word)) continue
      const kinds = found.get(word)
      if (kinds) kinds.add(kind.kind)
      else found.set(word, new Set([kind.kind]))
    }
  }
  for (const [word, kinds] of found) if (kinds.size > KINDS_MAX) found.delete(word)
  return found
}

const wordsOf = ({ name_zh, aliases, attributes }: KnownKind): string[] => [
  ...[name_zh, ...aliases].map(fold).filter((name) => name.length > 2 && ENDS.test(name))
    .map((name) => name.slice(0, -1)),
  ...attributes.flatMap(({ values = [] }) => values.map((value) => fold(String(value))))
    .flatMap((value) => [value, value.replace(/^[a-z0-9]+|[a-z0-9]+$/g, '')])
    .filter((value) => value.length > 2),
]

/** Whose form alone tells what has them: 205/55R16, 5W-40, SPF50. */
const OF_MEASURE: Readonly<Record<string, readonly string[]>> =
  { tyre: ['car_tyre'], sae: ['engine_oil'], spf: ['sunscreen_lotion'] }

/** What a bare query means that names no goods, or beside goods a part of what belongs to them. */
export function kindsInPart(draft: Draft): readonly Guess<string>[] {
  const { text, heads, clauses, mustNot, must } = draft
  const measured = heads.length > 0 ? []
    : must.flatMap(({ measure }) => OF_MEASURE[measure?.unit ?? ''] ?? [])
  if (measured.length > 0) return [{ value: measured[0] as string, confidence: 0.9 }]
  if (!isBare(text) || clauses.length + mustNot.length > 0) return []
  const found = heads.length > 0 ? partsNamed(draft) : kindsOfWords(draft)
  return found.length > KINDS_MAX ? []
    : found.map((value) => ({ value, confidence: Number((0.9 / found.length).toFixed(2)) }))
}

/** Every word has to name the same goods; what else is wished of them is left out. */
function kindsOfWords({ text, keywords, must }: Draft): string[] {
  const brand = keywords.find(({ role }) => role === 'brand')
  const rest = brand ? text.slice(0, brand.start) + ' ' + text.slice(brand.end) : text
  const words = rest.split(/ +/).filter((word) => word !== '')
  if (words.length === 0 || words.length > WORDS_MAX) return []
  const categories = brand
    && getLexicon().brandOf.get(text.slice(brand.start, brand.end))?.categories
  const known = words.map((word) => preparePartialNames().get(word))
  const isKnown = words.every((word, at) => known[at] !== undefined
    || must.some((wish) => text.slice(wish.start, wish.end).trim() === word))
  const [first, ...others] = known.filter((kinds) => kinds !== undefined)
  if (!isKnown || !first) return []
  return [...first].filter((kind) => others.every((kinds) => kinds.has(kind))
    && (categories === undefined || categories.has(categoryOf(kind))))
}

/** 吸奶器 储奶: what begins or makes part of the name of what belongs to the goods. */
function partsNamed({ text, heads, keywords, must }: Draft): string[] {
  const [head] = heads
  if (!head || heads.length > 1 || weightOf(head) < NAMED || !text.includes(' ')) return []
  const wholes = head.senses.filter(({ weight }) => weight >= NAMED).map(({ kind }) => kind)
  const said = [...keywords.filter(({ role }) => role === 'word'), ...must]
    .map(({ start, end }) => text.slice(start, end).trim())
  // Hardly a word is in the name of a part: what else it says is asked for those alone.
  if (said.every((word) => partsWith(word, wholes).length === 0)) return []
  const [word, ...more] = said.filter((one) => !isValueBeside(one, wholes))
  return word === undefined || more.length > 0 ? [] : partsWith(word, wholes)
}

/** What belongs to the goods and has the word in its name; 雨刮片 is a name of its own. */
function partsWith(word: string, wholes: readonly string[]): string[] {
  if (!/^\p{Script=Han}{2,4}$/u.test(word) || endsGoods(word)) return []
  const { kinds } = taxonomy()
  return [...partsOf(wholes)].filter((part) => {
    const { name_zh = '', aliases = [] } = kinds.get(part) ?? {}
    return [name_zh, ...aliases].some((name) => fold(name).includes(word))
  })
}

/** 软毛 is said of any toothbrush, and names no part of one: what goods of its shelf are like. */
function isValueBeside(word: string, wholes: readonly string[]): boolean {
  const { kinds, categories } = taxonomy()
  const shelves = new Set(wholes.flatMap((kind) =>
    categories[(kinds.get(kind)?.category_id ?? 0) - 1] ?? []))
  return [...shelves].some((shelf) => shelf.kinds.some(({ kind, parts_of = [] }) =>
    endsValue(kind, word) && !parts_of.some((whole) => wholes.includes(whole))))
}

/** Whether a value of the kind begins or ends with the word. */
function endsValue(kind: string, word: string): boolean {
  const { features } = profileOf(kind)
  for (let at = features.indexOf(word); at >= 0; at = features.indexOf(word, at + 1)) {
    const end = at + word.length
    if (at === 0 || end === features.length || features.charAt(at - 1) === '|'
      || features.charAt(end) === '|') return true
  }
  return false
}
