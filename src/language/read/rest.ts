/** What is left when everything known is taken: words of goods, and words of no meaning. */
import { cutHan } from '../segment.ts'
import { profileOf } from '../profile.ts'
import type { Place } from './claims.ts'
import { endsGoods } from './compound.ts'
import { TAKEN } from './draft.ts'
import { phrases } from './phrases.ts'
import { FILLERS } from './words.ts'

const FILLER = new Set(FILLERS)
/** 买条, 来双: a verb with the counter of the goods. */
const BUY_ONE = /^(?:[买来要选挑找换送整弄搞带拎拿捎][一两几]?)?[个条件双款台把套只瓶盒支张本部块顶辆副包袋根]$/
const FILLER_PHRASES = phrases(FILLERS.filter((word) => word.length > 1))
const LATIN = String.raw`(?!\p{Script=Han})`
const PIECES = new RegExp(String.raw`(\p{Script=Han}+)|(${LATIN}[\p{L}\p{N}]`
  + String.raw`(?:${LATIN}[\p{L}\p{N}\p{M}.'&+_-])*(?<![.'_-]))`, 'gu')
const NAME_GAP = /^[ -]$/
const HAN = /^\p{Script=Han}/u

export type RestRole = 'word' | 'model' | 'must' | 'prefer'

export interface RestWord extends Place {
  readonly role: RestRole
}

export const isFiller = (word: string): boolean => FILLER.has(word)

/** `text` has its taken characters masked; `kinds` may be meant. */
export function restWords(text: string, kinds: readonly string[]): RestWord[] {
  const words: RestWord[] = []
  for (const match of text.matchAll(PIECES)) {
    const [, run] = match
    // 套 of 雨伞套 counts nothing.
    if (run?.length === 1 && isNounAt(text, match.index)) {
      words.push({ start: match.index, end: match.index + 1, role: 'word' })
    } else if (run !== undefined) words.push(...hanWords(run, match.index, kinds))
    else addLatin(text, words, match[0], match.index)
  }
  return words
}

/** What ends the text behind something that was read. */
const isNounAt = (text: string, at: number): boolean =>
  text.charAt(at - 1) === TAKEN && at + 1 === text.length && endsGoods(text.charAt(at))

/** Latin words side by side are one name: iphone 15 pro. */
function addLatin(text: string, words: RestWord[], word: string, start: number): void {
  if (FILLER.has(word) && !/\d/.test(word)) return
  const end = start + word.length
  const last = words.at(-1)
  const isModel = /\d/.test(word)
  if (last && /[a-z0-9]/.test(text.charAt(last.end - 1))
    && NAME_GAP.test(text.slice(last.end, start))) {
    words[words.length - 1] = { start: last.start, end,
      role: isModel || last.role === 'model' ? 'model' : 'word' }
  } else if (word.length > 1 || isModel) {
    words.push({ start, end, role: isModel ? 'model' : 'word' })
  }
}

function hanWords(run: string, from: number, kinds: readonly string[]): RestWord[] {
  const words: RestWord[] = []
  const fillers = FILLER_PHRASES.find(run)
  let at = 0
  for (const filler of [...fillers, { start: run.length, end: run.length }]) {
    words.push(...cutWords(run.slice(at, filler.start), from + at, kinds))
    at = filler.end
  }
  return words
}

/** Neighbours that stay together are one word, as they were written. */
function cutWords(run: string, from: number, kinds: readonly string[]): RestWord[] {
  if (run === '') return []
  const words: RestWord[] = []
  let start = from
  for (const characters of cutHan([...run], isFiller)) {
    const word = characters.join('')
    const end = start + word.length
    const last = words.at(-1)
    if (!FILLER.has(word) && HAN.test(word) && !BUY_ONE.test(word)) {
      const role = roleOf(word, kinds)
      if (last && last.end === start && last.role === 'word' && role === 'word') {
        words[words.length - 1] = { ...last, end }
      } else words.push({ start, end, role })
    }
    start = end
  }
  return words.map((one) => ({ ...one,
    end: one.end - (LITTLE.exec(run.slice(one.start - from, one.end - from))?.[0].length ?? 0) }))
}

/** 点 of 功率小点 says nothing more than 功率小. */
const LITTLE = /(?<=.[大小高低长短厚薄重轻])(?:点儿?|些)$/

/** A word that the taxonomy has among the features of these goods is a wish for it. */
function roleOf(word: string, kinds: readonly string[]): RestRole {
  if (word.length < 2) return 'word'
  for (const kind of kinds) {
    const { features, scenes } = profileOf(kind)
    if (features.includes(word)) return 'must'
    if (scenes.includes(word)) return 'prefer'
  }
  return 'word'
}
