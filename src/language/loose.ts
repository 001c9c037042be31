/** Whether characters of a sentence belong to no word, so that they may be slips. */
import { taxonomy } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { phrases } from './read/phrases.ts'
import { isFiller } from './read/rest.ts'
import { cutKnown, isSpeech, taggedWords } from './segment.ts'

/** 箱 of 2箱牛奶 is no slip for 鲜. */
export const COUNTER = /^[个条件双款台把套只瓶盒支张本部块顶辆副包袋根箱罐桶斤]?$/

const HAN_VALUE = /^\p{Script=Han}{2,}$/u
let values: ReturnType<typeof phrases> | undefined

/** What goods state, of two characters and more: 晨露香 is a scent, and 露香 in it no slip. */
const valuesOfGoods = () => values ??= phrases([...taxonomy().kinds.values()]
  .flatMap(({ attributes, features }) => [
    ...features, ...attributes.flatMap((attribute) => attribute.values ?? []).map(String),
  ]).map(fold).filter((text) => HAN_VALUE.test(text)))

/** Its characters are in no word, and those beside them are, or are words of sentences. */
export function isLoose(text: string, { start, end }: { start: number, end: number }): boolean {
  const before = /\p{Script=Han}*$/u.exec(text.slice(Math.max(0, start - 4), start))?.[0] ?? ''
  const behind = /^\p{Script=Han}*/u.exec(text.slice(end, end + 4))?.[0] ?? ''
  const isValue = valuesOfGoods().find(before + text.slice(start, end) + behind)
    .some((one) => one.start < before.length + end - start && one.end > before.length)
  if (isValue) return false
  const pieces = cutKnown(before + text.slice(start, end) + behind)
  let at = start - before.length
  return pieces.every((piece) => {
    const [from, to] = [at, at += piece.length]
    if (to <= start - 1 || from > end) return true
    if (from >= start && to <= end) return piece.length === 1
    return (to <= start || from >= end)
      && (piece.length > 1 || isSaying(piece) || isSpeech(piece))
  })
}

/** 过 of 炒过 and 点 of 买点 are words of sentences. */
export const isSaying = (one: string): boolean => isFiller(one) || /^[款版型装式]$/.test(one)
  || (one !== '' && COUNTER.test(one))
  || /^(?:d|c|p|u[a-z]?|r|y|f|m)/.test(taggedWords(one)[0]?.tag ?? '')
