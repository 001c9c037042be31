/** The words of a query as the tokens that the index has. */
import { atomsOf, isJoin, runsOf, type Atom } from '../language/atoms.ts'
import { cutHan } from '../language/segment.ts'

/** It stands in a text that has all its tokens, or any where one is enough. */
export interface QueryWord {
  readonly text: string
  readonly tokens: readonly string[]
  readonly any: boolean
  /** Or all of these: CZ-B19 is typed without its hyphen. */
  readonly or?: readonly string[]
}

/** `text` is folded; `before` and `after` are what it stands between. Each word once. */
export function queryWords(text: string, before = '', after = ''): QueryWord[] {
  const atoms = atomsOf(text)
  const words = runsOf(atoms).flatMap(({ start, end, isHan }) => {
    const run = atoms.slice(start, end)
    if (!isHan) return latinWords(run)
    return hanWords(run.map((atom) => atom.text),
      start === 0 ? lastHan(before) : '', end === atoms.length ? firstHan(after) : '')
  })
  return [...new Map(words.map((word) => [word.text, word])).values()]
}

const lastHan = (text: string): string => /\p{Script=Han}$/u.exec(text)?.[0] ?? ''
const firstHan = (text: string): string => /^\p{Script=Han}/u.exec(text)?.[0] ?? ''

function hanWords(run: readonly string[], before: string, after: string): QueryWord[] {
  let at = 0
  return cutHan(run).map((characters): QueryWord => {
    const [previous, next] = [run[at - 1] ?? before, run[at + characters.length] ?? after]
    at += characters.length
    const text = characters.join('')
    if (characters.length > 1) return { text, tokens: pairsOf(characters), any: false }
    // By itself in a title, else as it stands here.
    const tokens = [text, ...previous ? [previous + text] : [], ...next ? [text + next] : []]
    return { text, tokens, any: tokens.length > 1 }
  })
}

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
    const [letters = '', digits] = parts
    const isModel = digits !== undefined && parts.length === 2 && /^[a-z]{2,}$/.test(letters)
    return { text: parts.join(''), tokens: pairsOf(parts), any: false,
      ...(isModel && { or: [letters, letters.slice(-1) + digits] }) }
  })
}

const pairsOf = (pieces: readonly string[]): string[] => pieces.length < 2 ? [...pieces]
  : [...new Set(pieces.slice(1).map((piece, index) => `${pieces[index]}${piece}`))]
