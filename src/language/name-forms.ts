/** In which forms a name of a value is said: in both numbers, in part, as being without it. */
import { saysPlainly } from './contains-word.ts'
import { cutHan } from './segment.ts'
import { spellingsOf } from './spellings.ts'

const HAN = /\p{Script=Han}/u
const RUNS = /\p{Script=Han}+|[a-z0-9][a-z0-9.+-]*/gu
const PIECE_WORDS_MAX = 5

/** 中长款 is not 长款, nor 半入耳式 入耳式, nor ice silk silk. */
const LESS = new RegExp('(?:[半中低微仿次]|^类|(?<![a-z])(?:faux|fake|imitation|artificial|ice|semi'
  + '|off|half|medium|not|less|un|low)[ -])$')

export function isIn(text: string, phrase: string): boolean {
  if (text === phrase) return true
  const at = text.indexOf(phrase)
  return at >= 0 && saysPlainly(text, phrase) && !LESS.test(text.slice(0, at))
}

const LATIN_NAME = /^[a-z][a-z -]+[a-z]$/

/** 无香 and 不辣: without what. */
const WITHOUT = /^[无不零免未](?:添加|加|含)?(\p{Script=Han}{1,3}?)味?$/u
const CUES_OF_NONE = ['没', '没有', '没加', '没放', '不加', '不放', '不带', '不含', '无', '零', '0', '一点不',
  '一点都不', '完全不']

/** 没加糖 of 无糖, 一点辣都不能有 of 不辣. */
function waysToSayNone(name: string): string[] {
  const [, thing] = WITHOUT.exec(name) ?? []
  return thing === undefined ? [] : [...CUES_OF_NONE.map((cue) => cue + thing),
    ...['都不能有', '都没有', '都不要', '都不能', '也不能有', '也不要'].map((cue) => `一点${thing}${cue}`)]
    .flatMap((way) => [way, way.replace(thing, `${thing}味`)])
}

/** Of an English way to say it both numbers, in each spelling. */
export const numbersOf = (way: string): string[] => !LATIN_NAME.test(way) ? [way]
  : spellingsOf(way).flatMap((one) => [one, one.endsWith('s') ? one.slice(0, -1) : `${one}s`])

/** Smoked and smoke, both numbers of an English name, and of a long one each two words and more. */
export function formsOf(name: string): string[] {
  if (!LATIN_NAME.test(name)) {
    return [name, ...waysToSayNone(name), ...name.includes('-') ? [name.replaceAll('-', '')] : []]
  }
  const texts = [name, name.replaceAll('-', ' '), name.replaceAll('-', ''), ...wordRunsOf(name, 2)]
    .flatMap(spellingsOf)
  return texts.flatMap((text) => [text, text.endsWith('s') ? text.slice(0, -1)
    : `${text}${/(?:s|x|ch|sh)$/.test(text) ? 'es' : 's'}`,
    ...text.endsWith('ed') ? [text.slice(0, -1), text.slice(0, -2)] : []])
}

/** Words of a value and what they make together: 304不锈钢, 不锈钢内胆, 内胆. */
export function wordRunsOf(text: string, least = 1): string[] {
  const words = [...text.matchAll(RUNS)].flatMap(({ 0: run, index }) => {
    let start = index
    return (HAN.test(run) ? cutHan([...run]).map((word) => word.join('')) : [run]).map((word) => {
      const place = { start, end: start + word.length }
      start = place.end
      return place
    })
  })
  const pieces: string[] = []
  for (const [at, { start }] of words.entries()) {
    for (const { end } of words.slice(at + least - 1, at + PIECE_WORDS_MAX)) {
      const piece = text.slice(start, end)
      if (piece.length < 2 || !isIn(text, piece)) continue
      pieces.push(piece)
      if (piece.includes('-')) pieces.push(piece.replaceAll('-', ''))
    }
  }
  return pieces
}
