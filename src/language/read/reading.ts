/** The sentence in one spelling, where every character still knows where it was written. */
import { fold } from '../fold.ts'
import type { Span } from '../understanding.ts'
import { shownBy } from './emoji.ts'

export const SENTENCE_LENGTH_MAX = 200
/** One character can fold to many; a sentence of such characters is not a sentence. */
const FOLDED_LENGTH_MAX = 400
const MARKS_MAX = 4
const PLAIN = /^[!-~]$/
const MARK = /\p{M}/u
const SILENT = /\p{Cf}|\p{Cs}/u
const SPACE = /\s|\p{Cc}/u
const DASH = /[\u2010-\u2015\u2212\u2e3a\u2e3b]/u

export interface Reading {
  readonly sentence: string
  readonly text: string
  readonly isCut: boolean
  /** Where each unit of `text` starts and ends in the sentence. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

export function read(given: string): Reading {
  const characters = Array.from(given.slice(0, SENTENCE_LENGTH_MAX * 2))
  const sentence = characters.slice(0, SENTENCE_LENGTH_MAX).join('')
  const starts: number[] = []
  const ends: number[] = []
  let text = ''
  let at = 0
  for (const cluster of clustersOf(sentence)) {
    const folded = foldOne(cluster)
    for (let unit = 0; unit < folded.length; unit += 1) {
      starts.push(at)
      ends.push(at + cluster.length)
    }
    text += folded
    at += cluster.length
    if (text.length >= FOLDED_LENGTH_MAX) break
  }
  return { sentence, text, isCut: sentence.length < given.length || at < sentence.length,
    starts, ends }
}

function foldOne(cluster: string): string {
  const word = shownBy(cluster)
  if (word !== undefined) return fold(word)
  if (PLAIN.test(cluster)) return cluster.toLowerCase()
  if (SILENT.test(cluster)) return ''
  if (SPACE.test(cluster)) return ' '
  // A full-width comma parts two clauses; folded, it would look like the one in 1,500.
  if (cluster === '，') return ';'
  if (DASH.test(cluster)) return '-'
  const folded = fold(cluster)
  // ㈠ is 一 in brackets, and one word all the same.
  return folded.length > 1 ? folded.replaceAll(/[()\s]/g, '') : folded
}

/** A character with the marks that stand on it. */
function* clustersOf(sentence: string): Generator<string> {
  let cluster = ''
  for (const character of sentence) {
    if (cluster !== '' && MARK.test(character) && cluster.length <= MARKS_MAX) {
      cluster += character
      continue
    }
    if (cluster !== '') yield cluster
    cluster = character
  }
  if (cluster !== '') yield cluster
}

export function spanOf({ sentence, starts, ends }: Reading, start: number, end: number): Span {
  // A character that folds to several belongs to the part that holds the first of them.
  const isInside = start > 0 && starts[start] === starts[start - 1]
  const from = (isInside ? ends : starts)[start] ?? sentence.length
  const to = end > start ? ends[end - 1] ?? sentence.length : from
  // 7号电池 of 5号电池，不对，7号 was written in two places.
  if (to < from) {
    const first = Math.min(...starts.slice(start, end))
    const last = Math.max(...ends.slice(start, end))
    return { start: first, end: last, text: sentence.slice(first, last) }
  }
  return { start: from, end: to, text: sentence.slice(from, to) }
}
