/**
 * A sentence in portions: what stands between signs, words that join, and counts of one and of
 * other goods. Each may tell of goods by itself, whether it names them or not.
 */
import type { ChancesOf, KindChances } from './kind-encoder.ts'
import type { Place } from './read/claims.ts'
import { byStart, type Draft } from './read/draft.ts'
import { COUNTER } from './read/joints.ts'
import { withoutPoliteness } from './read/phrasing.ts'

export interface Portion extends Place {
  /** How likely each kind is by the portion alone. */
  readonly chances: KindChances
}

const PORTIONS_MAX = 8
const SIGN = /[;,.。!?:、+/&]/
const JOINS = new RegExp(`${SIGN.source}|以及|还有|再[来加要买给整配拿弄]?|另外|外加|加上|顺便|顺带|顺手|捎带|捎上|并且|然后|同时`
  + '|还[要想得]|也要|配上|[和跟与及]|(?<![a-z])(?:and|plus|also|as well as|then|with)(?![a-z])', 'g')
const LEAD = new RegExp(`^(?: |${JOINS.source})+`)
/** A sign alone tells nothing. */
const TOLD = /[\p{Script=Han}a-z]/u
const DECIMAL = /\d\.\d/

/** Nothing of a sentence that is one portion. */
export function portionsOf(draft: Draft, chancesOf: ChancesOf): readonly Portion[] {
  const { text } = draft
  const cuts = [0, ...cutsIn(draft), text.length]
  const portions = cuts.slice(1).flatMap((end, at): Portion[] => {
    const start = cuts[at] as number
    const lead = LEAD.exec(text.slice(start, end))?.[0].length ?? 0
    const said = withoutPoliteness(text.slice(start + lead, end)).trim()
    return TOLD.test(said) ? [{ start: start + lead, end, chances: chancesOf(said) }] : []
  }).slice(0, PORTIONS_MAX)
  return portions.length > 1 ? portions : []
}

function cutsIn(draft: Draft): number[] {
  const { text } = draft
  const cuts = [...text.matchAll(JOINS)].map(({ index }) => index).filter((at) => at > 0
    && !DECIMAL.test(text.slice(at - 1, at + 2)) && !isInName(draft, at))
  return [...new Set([...cuts, ...countCuts(draft)])].sort((one, other) => one - other)
}

const isInName = ({ names }: Draft, at: number): boolean =>
  names.some(({ start, end }) => start < at && at < end)

const COUNT = new RegExp('[一两二三四五六七八九十百半几\\d]+'
  + `(?:${COUNTER}|[杯片板样组床辆幅打串盆棵米])`, 'u')
const COUNTED = new RegExp(`^ ?${COUNT.source}`, 'u')

/** 烧烤架一个折叠桌一张, 两个保鲜盒五包湿巾: where a count stands between names, one ends there. */
function countCuts({ text, names }: Draft): number[] {
  const all = names.toSorted(byStart)
  const isBehind = COUNTED.test(text.slice(all.at(-1)?.end ?? 0))
  return all.slice(1).flatMap(({ start: next }, at): number[] => {
    const from = all[at]?.end ?? 0
    const gap = text.slice(from, next)
    const found = gap.search(JOINS) < 0 ? COUNT.exec(gap) : null
    return !found ? [] : [from + found.index + (isBehind ? found[0].length : 0)]
  })
}
