/** What is demanded in words that no goods have: 再贵老公要念我. */
import { profileOf } from '../profile.ts'
import { taggedWords } from '../segment.ts'
import type { Guess } from '../understanding.ts'
import { isKnownWord } from '../vocabulary.ts'
import { attributesIn } from './attributes.ts'
import { byStart, type Draft } from './draft.ts'

const DEMANDED = /^(?:就|都|也|再|还|能|要|可以|带|有)+/
const COUNTED = /[\d一二两三四五六七八九十百]/
/** 要疯, where 带锁, 男 and 铁 say much. */
const VAGUE = /^[就都也再还要会最啥]/

/** It is no wish, and told as not understood. */
export function dropUnsaid(
  { text, must, keywords }: Draft, kinds: readonly Guess<string>[],
): void {
  for (const wish of must.splice(0)) {
    // With its cue: 盖子 of 带盖子.
    const words = wish.measure || wish.values || wish.words ? []
      : wish.places.map(({ start, end }, at) => text.slice(at > 0 ? start : wish.start, end).trim())
    if (kinds.length === 0 || words.length === 0 || !words.every((word) => isUnsaid(word, kinds))) {
      must.push(wish)
      continue
    }
    keywords.push(...wish.places.map(({ start, end }) => ({ start, end, role: 'word' as const })))
  }
  keywords.sort(byStart)
}

/** Neither a word of any goods nor what goods are like. */
function isUnsaid(said: string, kinds: readonly Guess<string>[]): boolean {
  const word = said.replace(DEMANDED, '')
  const isShort = word.length < 2 && !VAGUE.test(said)
  return !isShort && !isPart(said) && !COUNTED.test(word) && /^\p{Script=Han}+$/u.test(said)
    && !isKnownWord(word) && !isLike(word.replace(/^不/, ''))
    && !kinds.some(({ value }) => word !== '' && profileOf(value).text.includes(word))
}

/** 带笔筒, 有后座: a thing that they should have. */
function isPart(said: string): boolean {
  const [, thing] = /^要?[带有](?!点|啥|什么)(.{1,3})$/.exec(said) ?? []
  const words = thing === undefined ? [] : taggedWords(thing)
  return words.length === 1 && /^[nx]/.test(words[0]?.tag ?? '')
}

const isLike = (word: string): boolean => attributesIn(word).some(({ start, end }) =>
  end - start === word.length)
