/**
 * What joins the names of several goods. Between them stand only signs, words that join, words that
 * buy, and counters; what is said of the goods in between was explained before, and is masked.
 */
import { TAKEN } from './draft.ts'
import { list } from './words.ts'

/** Counts goods. */
export const COUNTER = '[个只件条双瓶盒包袋支把台套根张块本副盏筒卷罐桶箱份对枚提斤些点管朵捆扎]'
/** They join by themselves. */
const JOINERS = [
  ...list('和|与|跟|以及|还有|及|另外|外加|再加|加上|加|再|还|也|顺便|顺带|顺手|捎带|捎上|并且|另要|然后|同时|对了|哦对|、|&|/'),
  '\\+', ...list('and|plus|also|as well as|oh|maybe'),
]
/** They buy, count or lead to the goods. */
const LEADS = [
  `[一几两三二四五]?${COUNTER}`,
  ...list('家里|没了|快没了|没有了|用完了|用光了|吃完了'),
  ...list(`各|来|要|买|拿|带|配|求|找|换|缺|差|想|需|推荐|看看|装|的|款|我|了|都|配套|i|we|me|need|want|get|buy|find|an?|some
    |the|any|one|two|three|four|pairs? of
    |bottles? of|box(?:es)? of|packs? of|tubes? of|cans? of|bags? of|jars? of
    |rolls? of|then`), '\\d+',
]
const LATIN = /^[a-z]/
const either = (words: readonly string[]): string => words.map((word) =>
  LATIN.test(word) || word === '\\d+' ? `(?<![a-z])${word}(?![a-z])` : word).join('|')
const SILENT = `[ ${TAKEN}]`
const SIGN = '[;,.。!]'
const JOINT = new RegExp(`^(?:${SILENT}|${SIGN}|${either(JOINERS)}|${either(LEADS)})*$`)
const JOINER = new RegExp(either(JOINERS))
/** What joins or counts stands somewhere between two names. */
export const PARTING = new RegExp(`${JOINER.source}|[配带含附送]|[一几两三二四五]${COUNTER}`)
const PARTED = new RegExp(`${SIGN}|${either(JOINERS)}`)

/** Whether two names are those of several goods by what stands between them. */
export const isJoint = (gap: string): boolean => JOINT.test(gap) && PARTED.test(gap)

const LEAD = new RegExp(`^(?:${either(JOINERS)}|${either(LEADS)})+$`)

/** 衬衫配领带 */
export const MATCHED = /^ ?(?:配|搭配?) ?$/

/** Something joins, or tells of all of them. */
export const joinsSomewhere = (said: string): boolean =>
  JOINER.test(said) || MATCHED.test(said) || /[各都]|一起|一块/.test(said)

/** A word that only joins, buys or counts. */
export const isLead = (word: string): boolean => LEAD.test(word)

/** And says so in a word, not only by a comma. */
export const joinsOnly = (gap: string): boolean => JOINT.test(gap) && JOINER.test(gap)

const JOINTS = new RegExp(`${either(JOINERS)}|${either(LEADS)}|${SIGN}|[?]|${SILENT}`, 'g')

/** What is said beside them. */
export const withoutJoints = (text: string): string => text.replace(JOINTS, '')

const CUT = new RegExp(`(?:${PARTED.source}|搭?配(?![套料方件]))(?:${SILENT}|${PARTED.source})*`, 'g')

/** Where the second of two goods begins in what stands between them: behind the last that parts. */
export function cutOf(gap: string): Cut {
  const [last] = [...gap.matchAll(CUT)].slice(-1)
  return last === undefined ? { end: gap.length, start: gap.length }
    : { end: last.index, start: last.index + last[0].length }
}

interface Cut {
  /** Where the one ends, and where the other starts. */
  readonly end: number
  readonly start: number
}
