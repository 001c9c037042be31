/**
 * Where the words of a Han run end. Only queries are cut: texts are indexed by pairs of
 * characters, which hold every word, so a better dictionary needs no new index.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Jieba } from '@node-rs/jieba'
import { remembered } from './recent.ts'

/**
 * Rare words and compounds are left out: a compound would have to stand in a title as it is, its
 * words may stand apart; and the dictionary takes 15 MB instead of 46.
 */
const FREQUENCY_MIN = 10
const WORD_BYTES_MAX = 12
const NEWLINE = 0x0a
const SPACE = 0x20
const DIGIT_0 = 0x30

let jieba: Jieba | undefined

const require = createRequire(import.meta.url)

/** Loaded by who searches; what imports a catalogue needs no dictionary and starts sooner. */
function dictionary(): Jieba {
  if (jieba) return jieba
  const { Jieba } = require('@node-rs/jieba') as typeof import('@node-rs/jieba')
  // The package's own loader reads a second file, too, and keeps the 11 MB of both for good.
  const words = join(dirname(require.resolve('@node-rs/jieba/dict.js')), 'dict.txt')
  return jieba = Jieba.withDict(commonWords(readFileSync(words)))
}

/** Lines are `word frequency kind`. Bytes are copied: as strings they took 60 MB for a moment. */
function commonWords(all: Uint8Array): Buffer {
  const kept = Buffer.allocUnsafe(all.length)
  let length = 0
  for (let start = 0; start < all.length;) {
    const newline = all.indexOf(NEWLINE, start)
    const end = newline < 0 ? all.length : newline + 1
    const space = all.indexOf(SPACE, start)
    let frequency = 0
    for (let at = space + 1; at < end && (all[at] ?? 0) >= DIGIT_0; at += 1) {
      frequency = frequency * 10 + (all[at] ?? 0) - DIGIT_0
    }
    if (space - start <= WORD_BYTES_MAX && frequency >= FREQUENCY_MIN) {
      kept.set(all.subarray(start, end), length)
      length += end - start
    }
    start = end
  }
  return kept.subarray(0, length)
}

/** Loads the dictionary, which takes about a tenth of a second, before the first query needs it. */
export const prepareSegmenter = (): void => { dictionary() }

/** The words of a run, as lists of characters; nothing is left out. */
export function cutHan(
  run: readonly string[], isFiller: (word: string) => boolean = () => false,
): string[][] {
  if (run.length <= 2 && !run.some(isFiller)) return [[...run]]
  const words: string[][] = []
  let singles: string[] | undefined
  for (const text of dictionary().cut(run.join(''), true)) {
    const word = [...text]
    if (word.length > 1 || isFiller(text)) {
      words.push(word)
      singles = undefined
    } else if (singles) {
      // Neighbours that the dictionary does not know are one word to the person who wrote them.
      singles.push(text)
    } else {
      words.push(singles = word)
    }
  }
  return words
}

/** The parts of a sentence are cut again and again, and words of goods come again. */
const RECENT_MAX = 500

/** As the dictionary alone cuts it: what it does not know falls into characters. */
export const cutKnown: (text: string) => readonly string[] =
  remembered(RECENT_MAX, (text) => dictionary().cut(text, false))

interface TaggedWord {
  readonly text: string
  readonly tag: string
}

/** With the part of speech of each: `n` is a noun, `x` a word that is not known. */
export const taggedWords: (text: string) => readonly TaggedWord[] =
  remembered(RECENT_MAX, (text) =>
    dictionary().tag(text, true).map(({ word, tag }) => ({ text: word, tag })))

/** Verbs, adverbs, conjunctions, particles and pronouns: words of sentences, and of no names. */
const SPEECH = /^(?:v|vd|d|c|p|u[a-z]?|r|y|df|zg)$/

export const isSpeech = (word: string): boolean =>
  taggedWords(word).every(({ tag }) => SPEECH.test(tag))
