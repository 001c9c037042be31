/**
 * A sentence for several goods as one sentence for each: its own words, and what is said of all,
 * which stands before the first or is said to be of all.
 */
import type { Draft } from './read/draft.ts'
import { cutOf } from './read/joints.ts'
import type { Place } from './read/claims.ts'
import type { Name } from './read/names.ts'
import { isAudienceWord } from './audience.ts'
import type { Span, Understanding } from './understanding.ts'

const CLAUSE_END = /[;,.。!?]/
/** Begins what is said of all the goods, behind the last of them. */
const OF_ALL = new RegExp('[;,.。!? ](?=(?:一?共|总共|加起来|合计|合起来|全部|都|统统|总|预算|价格'
  + '|both|all|together|altogether|in total|total|budget)(?!了?[好行]))', 'g')

export interface Share {
  readonly name: Name
  /** In the folded text, the first before the second. */
  readonly places: readonly Place[]
  /** Whether one budget is told for all of them. */
  readonly isBudgetShared: boolean
}

/** One for each of the goods, in the order of the sentence. */
export function sharesOf({ text, heads, more, clauses, ignored }: Draft): Share[] {
  const names = [...heads.slice(0, 1), ...more].sort((one, other) => one.start - other.start)
  const [first] = names
  const last = names.at(-1)
  if (!first || !last || names.length < 2) return []
  const cuts = names.slice(1).map((name, at) => {
    const { end: from } = names[at] as Place
    const { start, end } = cutOf(text.slice(from, name.start))
    return { start: from + start, end: from + end }
  })
  const begin = clauseStart(text, first.start)
  const end = last.end + (text.slice(last.end).search(OF_ALL) + 1 || text.length - last.end)
  const others = ignored.filter(({ why, ...place }) =>
    why === 'recipient' && place.start >= begin && place.end <= first.start)
  const money = clauses.filter(({ isStrong }) => isStrong).length || clauses.length
  const isBudgetShared = money < 2 || clauses.some(({ per }) => per === 'total')
  return names.map((name, at): Share => {
    const own = { start: cuts[at - 1]?.start ?? begin, end: cuts[at]?.end ?? end }
    return { name, isBudgetShared, places: [{ start: 0, end: begin }, ...at > 0 ? others : [], own,
      { start: end, end: text.length }].filter((place) => place.start < place.end) }
  })
}

/** 想吃火锅，要牛肉卷: what another name means more, and of which nothing is said, is wanted once. */
export function withoutTwice<T extends Pick<Understanding, 'kinds' | 'must' | 'keywords'>>(
  parts: readonly T[], shares: readonly Share[],
): readonly T[] {
  const weightOf = (at: number, kind: string | undefined): number => Math.max(0,
    ...(shares[at]?.name.senses ?? []).filter((one) => one.kind === kind)
      .map(({ weight }) => weight))
  return parts.filter(({ kinds: [first], must, keywords }, at) => first === undefined
    || must.length > 0 || keywords.some(({ role }) => role !== 'kind')
    || !parts.some(({ kinds: [other] }, to) => other?.value === first.value
      && weightOf(to, other.value) > weightOf(at, first.value)))
}

function clauseStart(text: string, at: number): number {
  let start = at
  while (start > 0 && !CLAUSE_END.test(text.charAt(start - 1))) start -= 1
  return start
}

/** 孙子要足球和鞋: whom all of it is for, where no part names its own. */
export function forTheSame(
  whole: Understanding, parts: readonly Understanding[],
): readonly Understanding[] {
  if (parts.slice(1).some((part) => peopleIn(part).length > 0)) return parts
  const people = peopleIn(whole)
  return parts.map((part) => peopleIn(part).length > 0 ? part : { ...part,
    keywords: [...part.keywords, ...whole.keywords.filter((one) => people.includes(one))],
    ignored: [...part.ignored, ...whole.ignored.filter((one) => people.includes(one))] })
}

const peopleIn = ({ keywords, ignored }: Understanding): Span[] => [
  ...keywords.filter(({ role, folded }) => role === 'word' && isAudienceWord(folded)),
  ...ignored.filter(({ why }) => why === 'recipient'),
]
