/**
 * What counts as saying a value in words of one's own: 自己 is no 自发粉, 熬夜 no 午夜黑. The network
 * reads characters, and one that two words share tells little of either.
 */
import type { Value } from '../understanding.ts'
import type { SaidValues } from '../value-encoder.ts'
import { cutKnown } from '../segment.ts'
import { clauseAround, type Place } from './claims.ts'
import { PEOPLE } from './people.ts'
import { list } from './words.ts'

/** Latin words by which no value is said, whatever stands around them. */
const EMPTY_LATIN = list(`a|an|the|to|of|for|in|on|at|by|or|and|but|no
  |not|only|any|some|with|please|this|that|these|those|is|are|be|it|its|i|me|my|we|us|our|you|your
  |he|she|his|her|their|do|does|can|could|would|should|want|need|have|has|got|get|buy
  |like|likes|love|loves|enjoys|who|what|which|how|why|when|where
  |old|year|years|month|months`)
/** And those of Han: of sentences, of when, and of nothing in particular. */
const EMPTY_HAN = list(`自己|我们|他们|你们|大家|那个|这个|那儿|这儿|那里|这里|之类|什么|怎么|多少|都|也|还|再|又
  |和|了|而且|但是|因为|所以|如果|不如|已经|还是|可以|到底|随便|一般|需要|想要|准备|打算|继续|帮忙
  |平时|每天|天天|最近|上次|这次|下次|上回|这回|第一次|去年|周末|周一|周二|周三|周四|周五|周六|周日|下周|上周
  |单位|公司|中医|东西|送给|在家|街头|小区|饭馆|请求|用户`)
/** Who gets goods is told by the words for whom they are made. */
const GROWN: ReadonlySet<string> = new Set(['mother', 'father', 'woman', 'man', 'colleague', 'boss',
  'teacher', 'friend'])
const PERSONS = PEOPLE.filter(({ gift }) => gift !== undefined && GROWN.has(gift))
  .flatMap(({ words }) => words).filter((word) => /^\p{Script=Han}{2}/u.test(word))

const LATIN: ReadonlySet<string> = new Set(EMPTY_LATIN)
const HAN_WORDS: ReadonlySet<string> = new Set([...EMPTY_HAN, ...PERSONS])
const HAN = /\p{Script=Han}/u
/** 小饭馆, 老同学. */
const SIZED = /[大小老]$/
/** What is called so is no value by a character of it: 《三体》 is no 三字经; nor is 那类. */
const CALLED = /《[^《》]*》|[这那哪每][类种款样些]/g

/** Where words stand that say no value. */
export function emptyWords(text: string): Place[] {
  let end = 0
  const words = cutKnown(text).flatMap((word) => {
    const start = end
    end += word.length
    if (!HAN_WORDS.has(word)) return []
    return [{ start: word.length > 1 && SIZED.test(text.slice(0, start)) ? start - 1 : start, end }]
  })
  return [...words, ...Array.from(text.matchAll(CALLED), ({ 0: said, index }) =>
    ({ start: index, end: index + said.length }))]
}

export const isEmpty = (word: string): boolean => LATIN.has(word)

/** Of which colours are made, and how they are. */
const COLOURED = /[黑白红绿蓝黄紫粉灰棕褐橙橘金银铜青咖杏米彩透墨藏浅深亮暗裸暖冷色]/u
/** What is two is a pair, and what tells nothing is shared by anything. */
const plain = (text: string): string => text.replace(/[两俩二2]/g, '双').replace(/[一上下用的]/g, '')

/** 读小学 is an age. */
const AGE = /\d[岁月]/
/** From this chance on a value is said in words that have nothing of it. */
const UNLIKE = 0.7

/** Whether what stands there may say it. */
export function maySay(text: string, said: SaidValues, signs: RegExp): boolean {
  if (!HAN.test(text.slice(said.start, said.end))) return true
  const values = plain(said.values.map((value) => value.text).join(''))
  const { start, end } = clauseAround(text, said, signs)
  const shared = (words: string): string[] =>
    [...plain(words)].filter((one) => HAN.test(one) && values.includes(one))
  if (said.chance < UNLIKE && !isFeature(said.values) && HAN.test(values) && !AGE.test(values)
    && shared(text.slice(start, end)).length === 0) return false
  return !/色/.test(said.values[0]?.attribute ?? '') || isShade(text, said, shared)
}

const isFeature = ([first]: readonly Value[]): boolean => first?.attribute === null

/** 夜 of 熬夜 is nothing of 午夜黑, though 奶油 of 奶油色 is a colour. */
function isShade(text: string, said: Place, shared: (words: string) => string[]): boolean {
  const word = wordAround(text, said)
  const [only, more] = shared(text.slice(word.start, word.end))
  return only === undefined || more !== undefined || COLOURED.test(only)
    || COLOURED.test(text.charAt(word.end))
}

function wordAround(text: string, { start: at }: Place): Place {
  let end = 0
  for (const word of cutKnown(text)) {
    const start = end
    end += word.length
    if (end > at) return { start, end }
  }
  return { start: at, end: at + 1 }
}

/** 刷毛 of 牙刷毛巾: what begins in one word and ends in another is none. */
export function crossesWords(text: string, { start, end }: Place): boolean {
  if (!HAN.test(text.charAt(start)) || end - start < 2) return false
  const [first, last] = [wordAround(text, { start, end: start + 1 }),
    wordAround(text, { start: end - 1, end })]
  return first.start < start && last.end > end && last.start > first.start
}
