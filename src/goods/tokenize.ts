/**
 * Text as the tokens that are indexed and searched. Redis's own tokenizer is not asked: every
 * token is letters and digits only, so that it is one word to the index and nothing but a word to
 * the query language.
 *
 * Han text becomes its characters and pairs of neighbours, so that any part of it is found. Model
 * names are cut where letters, digits and hyphens meet, and become their parts and pairs of
 * neighbouring parts: `SY-1507B` is found by sy1507b, sy-1507b, SY 1507, 1507b and 1507.
 */
import { fold } from './fold.ts'
import { cutHan } from './segment.ts'

/** A word of a query: it stands in a text that has all its tokens, or any where one is enough. */
export interface QueryWord {
  /** As folded, to tell the caller of it. */
  readonly text: string
  readonly tokens: readonly string[]
  readonly any: boolean
  /** Whether a typo in it can be looked for. */
  readonly latin: boolean
}

/** Longer words are cut, in texts and in queries alike. */
const PART_LENGTH_MAX = 32
const LATIN_LENGTH_MIN = 4

type Run = { readonly han: string[] } | { readonly parts: string[][] }

/** Letters and numbers of scripts that do without spaces; their radicals are symbols. */
const HAN = '[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\u30fc]'
  + '&&[\\p{L}\\p{M}\\p{N}]]'
const PIECES = new RegExp(
  `${HAN}+|\\d+(?:\\.\\d+)?|[[\\p{L}\\p{M}]--${HAN}]+|\\p{N}`, 'gv')
/** What joins the parts of one name. */
const JOINER = /^[-‐–_.&'’]$/
const HAN_START = new RegExp(`^${HAN}`, 'v')
const DIGIT = /\p{N}/u

/**
 * The tokens under which a text is found, each once. Of single characters, those that end a run
 * are worth their place in titles: the noun ends there (红酒 is found by 酒). Others are found
 * with a neighbour.
 */
export function indexTokens(
  texts: readonly string[], { ends }: { ends: boolean },
): string[] {
  const tokens = new Set<string>()
  for (const text of texts) {
    let before: string | undefined
    for (const run of runsOf(fold(text))) {
      if ('han' in run) {
        if (ends || run.han.length === 1) tokens.add(run.han.at(-1) ?? '')
        for (const pair of pairsOf(run.han)) tokens.add(pair)
        before = undefined
        continue
      }
      for (const parts of run.parts) {
        const first = parts[0] ?? ''
        // "500 ml" and "iPhone 15" are also written without the space.
        if (before !== undefined && differ(before, first)) tokens.add(before + first)
        for (const part of parts) tokens.add(part)
        for (const pair of pairsOf(parts)) tokens.add(pair)
        before = parts.at(-1)
      }
    }
  }
  return [...tokens]
}

/** The words of a query, each once. */
export function queryWords(query: string): QueryWord[] {
  const words = new Map<string, QueryWord>()
  const add = (text: string, pieces: readonly string[], latin: boolean): void => {
    const tokens = pieces.length > 1 ? [...new Set(pairsOf(pieces))] : pieces
    words.set(text, { text, tokens, any: false, latin })
  }
  for (const run of runsOf(fold(query))) {
    if ('han' in run) {
      const cut = cutHan(run.han)
      for (const [index, word] of cut.entries()) {
        const [text = ''] = word
        if (word.length > 1 || cut.length === 1) add(word.join(''), word, false)
        else words.set(text, { text, tokens: withNeighbours(cut, index), any: true, latin: false })
      }
    } else {
      for (const parts of run.parts) {
        const text = parts.join('')
        add(text, parts, parts.length === 1 && isLatinWord(text))
      }
    }
  }
  return [...words.values()]
}

/** A character that stands alone between words: by itself in a title, else as it stands here. */
function withNeighbours(cut: readonly (readonly string[])[], index: number): string[] {
  const character = cut[index]?.[0] ?? ''
  const before = cut[index - 1]?.at(-1)
  const after = cut[index + 1]?.[0]
  return [character, ...(before ? [before + character] : []), ...(after ? [character + after] : [])]
}

const isLatinWord = (text: string): boolean =>
  text.length >= LATIN_LENGTH_MIN && /^[a-z]+$/.test(text)

const pairsOf = (pieces: readonly string[]): string[] =>
  pieces.slice(1).map((piece, index) => `${pieces[index]}${piece}`)

const differ = (left: string, right: string): boolean =>
  DIGIT.test(left.slice(-1)) !== DIGIT.test(right.slice(0, 1))

/** Runs of Han text, and of names that only one space stands between. */
function runsOf(text: string): Run[] {
  const runs: Run[] = []
  let end = 0
  let names: string[][] | undefined
  for (const match of text.matchAll(PIECES)) {
    const [piece] = match
    const gap = text.slice(end, match.index)
    end = match.index + piece.length
    if (HAN_START.test(piece)) {
      runs.push({ han: [...piece] })
      names = undefined
      continue
    }
    // A decimal point would end the word in the index; an underscore is part of it.
    const part = piece.replace('.', '_').slice(0, PART_LENGTH_MAX)
    if (names && gap === ' ') names.push([part])
    else if (names && (gap === '' || JOINER.test(gap))) names.at(-1)?.push(part)
    else runs.push({ parts: names = [[part]] })
  }
  return runs
}
