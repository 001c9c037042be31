/** The words of a query: what an item must have, what it may have, and what kind it names. */
import { atomsOf, isJoin, runsOf, type Atom } from '../language/atoms.ts'
import { fold } from '../language/fold.ts'
import {
  kindsEndingIn, kindsNamedBy, kindsWith, nounsIn, prepareKinds, searchWords,
} from './kinds.ts'
import { cutHan, prepareSegmenter } from '../language/segment.ts'

/** It stands in a text that has all its tokens, or any where one is enough. */
export interface QueryWord {
  /** As folded, to tell the caller of it. */
  readonly text: string
  readonly tokens: readonly string[]
  readonly any: boolean
  /** Whether a typo in it can be looked for. */
  readonly latin: boolean
  /** Kinds of goods that it names: their items are meant, whatever word their texts use. */
  readonly kinds?: readonly string[]
  /** Kinds whose longer name ends with it: 折叠屏手机 is a 手机, if not the first to think of. */
  readonly alike?: readonly string[]
  /** Of a word that is no noun, kinds whose names hold it; their items have it, too. */
  readonly within?: readonly string[]
  /** A wish that no item needs to fulfil. */
  readonly soft?: true
}

const LATIN_LENGTH_MIN = 4
/** A word in the names of more kinds says little, and each costs: texts have to hold it. */
const WITHIN_MAX = 8
const COLOUR = /^[黑白灰红粉橙黄绿青蓝紫棕金银]色$/

/** Reads names and dictionary, about a fifth of a second, before the first query needs them. */
export function prepareWords(): void {
  prepareKinds()
  prepareSegmenter()
}

/** Each once. Fillers are left out, unless there is nothing else. */
export function queryWords(query: string): QueryWord[] {
  const atoms = atomsOf(fold(query))
  const words = new Map<string, QueryWord>()
  const found = wordsOf(atoms)
  const kept = found.filter(({ text }) => !searchWords().fillers.has(text))
  for (const word of kept.length > 0 ? kept : found) {
    words.set(word.text, searchWords().soft.has(word.text) ? { ...word, soft: true } : word)
  }
  const all = [...words.values()]
  return all.every(({ soft }) => soft) ? all.map(({ soft: _, ...word }) => word) : all
}

function wordsOf(atoms: readonly Atom[]): QueryWord[] {
  const words: QueryWord[] = []
  let end = 0
  for (const noun of nounsIn(atoms)) {
    words.push(...between(atoms, end, noun.start), nounWord(atoms.slice(noun.start, noun.end)))
    end = noun.end
  }
  return [...words, ...between(atoms, end, atoms.length)]
}

function nounWord(atoms: readonly Atom[]): QueryWord {
  const text = atoms.map((atom) => atom.text).join('')
  const tokens = runsOf(atoms).flatMap(({ start, end }) =>
    tokensOf(atoms.slice(start, end).map((atom) => atom.text)))
  const { called, ending } = kindsNamedBy(atoms)
  return {
    text, tokens: [...new Set(tokens)], any: false,
    latin: atoms.length === 1 && isLatinWord(text),
    kinds: called.length > 0 ? called : ending,
    ...(called.length > 0 && ending.length > 0 && { alike: ending }),
  }
}

function withinOf(text: string): { within?: readonly string[] } {
  const within = kindsWith(text)
  return within.length > 0 && within.length <= WITHIN_MAX ? { within } : {}
}

/** Words of the atoms between two nouns. */
function between(atoms: readonly Atom[], from: number, to: number): QueryWord[] {
  return runsOf(atoms, from, to).flatMap(({ start, end, isHan }) =>
    isHan ? hanWords(atoms, start, end) : latinWords(atoms.slice(start, end)))
}

function hanWords(atoms: readonly Atom[], start: number, end: number): QueryWord[] {
  const words: QueryWord[] = []
  let at = start
  for (const characters of cutHan(atoms.slice(start, end).map(({ text }) => text), isFiller)) {
    const word = characters.join('')
    const isCounter = at === start && characters.length === 1 && atoms[at]?.gap === ''
      && atoms[at - 1]?.type === 'number'
    if (characters.length > 1) {
      const tokens = COLOUR.test(word) ? [word, characters[0] ?? ''] : tokensOf(characters)
      words.push({ text: word, tokens, any: COLOUR.test(word), latin: false, ...withinOf(word) })
    } else if (!isCounter) {
      words.push(singleWord(atoms, at))
    }
    at += characters.length
  }
  return words
}

const isFiller = (word: string): boolean => searchWords().fillers.has(word)

/** A character that stands alone between words: by itself in a title, else as it stands here. */
function singleWord(atoms: readonly Atom[], at: number): QueryWord {
  const [before, atom, after] = [atoms[at - 1], atoms[at], atoms[at + 1]]
  const text = atom?.text ?? ''
  const isAlone = !isRun(before, atom) && !isRun(atom, after)
  const kinds = kindsEndingIn(text)
  const tokens = [
    text,
    ...(isRun(before, atom) ? [before?.text + text] : []),
    ...(isRun(atom, after) ? [text + after?.text] : []),
  ]
  return {
    text, tokens, any: !isAlone, latin: false, ...(kinds.length > 0 && { kinds }),
  }
}

const isRun = (left: Atom | undefined, right: Atom | undefined): boolean =>
  left?.type === 'han' && right?.type === 'han' && right.gap === ''

/** Two words that a hyphen joins stand apart as often: only digits belong to their letters. */
function latinWords(run: readonly Atom[]): QueryWord[] {
  const names: string[][] = []
  for (const [index, { text, gap, type }] of run.entries()) {
    const isApart = index === 0 || (type === 'latin' && run[index - 1]?.type === 'latin'
      && isJoin(gap) && !/['’&]/.test(gap))
    if (isApart) names.push([text])
    else names.at(-1)?.push(text)
  }
  return names.map((parts) => {
    const text = parts.join('')
    return {
      text, tokens: tokensOf(parts), any: false,
      latin: parts.length === 1 && isLatinWord(text), ...withinOf(text),
    }
  })
}

const isLatinWord = (text: string): boolean =>
  text.length >= LATIN_LENGTH_MIN && /^[a-z]+$/.test(text)

const tokensOf = (pieces: readonly string[]): string[] => pieces.length < 2 ? [...pieces]
  : [...new Set(pieces.slice(1).map((piece, index) => `${pieces[index]}${piece}`))]
