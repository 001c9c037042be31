/** Measures of what is told, beside those of the goods: 近视两百度, 五升的锅太大，要2升的. */
import { likelyKinds } from '../likely-kinds.ts'
import { haveMeasure } from '../feasible.ts'
import { profileOf } from '../profile.ts'
import type { Guess, Measure } from '../understanding.ts'
import { CLAUSE_END, lastClause } from './background.ts'
import type { Place } from './claims.ts'
import type { Draft, DraftWish } from './draft.ts'

/** Straight before a measure it is wanted. */
const WISHED = new RegExp('(?:[要买换来求找挑选入添配整弄搞订需用带含能装放]|至少|起码|有没有)'
  + '(?:[一两]?[个台件双条只款把部张副套块瓶根顶辆架袋箱盒种支床点些]|的|那种|大概|约|能|是|有)*$'
  + '|(?<![a-z])(?:need|want|prefer|like|for|buy|get|order|after|find|make it|be|is|are'
  + '|at least|about)'
  + '(?: (?:an?|the|some|about|around|at least))* ?$')
/** 1500片也行. */
const WISHED_BEHIND = /^的?[装款]?(?:也|都|就|最)?(?:行|可以|好|够(?!不)|成|ok|合适)/
/** Of what is had now. */
const LACKING = new RegExp('不够|够不[到着]|不到|太[大小长短重轻薄厚高低矮宽窄]|[提拿搬举]不动|[装放穿盖塞]不[下了上]|原来|以前|之前|现在用|家里的?|'
  + '嫌|[坏破碎断旧]了|(?<![a-z])(?:too (?:small|big|large|short|long|heavy|little)|not enough'
  + '|old one|broke)')
/** Of people, and of what they did. */
const OF_PEOPLE = /身高|体重|近视|[我他她]|(?<![a-z])(?:i|we|he|she)(?![a-z])/
/** Of what lasts, unless it is said of the goods. */
const TIMES = new Set(['year', '天', 'hour', 'min', 'grade', 'km', '步'])
const CALENDAR = 1900
const LASTING = /质保|保修|保质|续航|待机|warranty|guarantee|battery/
const SPENT = /(?:[用戴穿骑开养住过跑走坐等睡站]了?|结婚|认识|工作)$/
/** How old who gets it is tells of the goods in other ways. */
const AGE = 'month'
const LENGTHS = new Set(['mm', 'inch'])
/** Kinds so much less likely than the first do not count. */
const HALF = 0.5

type Measured = DraftWish & { readonly measure: Measure }
const isMeasured = (wish: DraftWish): wish is Measured => wish.measure !== undefined

/** Of two measures of one dimension, what is wished stands before what is told. */
export function dropMentioned(draft: Draft): void {
  const all = draft.must.filter(isMeasured).filter(({ measure }) => measure.unit !== AGE)
  // How thick a mattress is says nothing of how wide its sheet is.
  const dimensionOf = ({ measure, start, end }: Measured): string => LENGTHS.has(measure.unit)
    ? `length ${/[厚高深]/.exec(draft.text.slice(start, end))?.[0]}` : measure.unit
  const isLess = (wish: Measured): boolean => isTold(draft, wish) || isLacking(draft, wish)
  drop(draft, (wish) => isMeasured(wish) && all.includes(wish) && isLess(wish)
    && all.some((other) => other !== wish && !isLess(other)
      && dimensionOf(other) === dimensionOf(wish)))
}

/** 四十年没见 and 跑二十里就没电 are no measures of the goods, where these state none such. */
export function dropForeign(
  draft: Draft, goods: readonly (readonly Guess<string>[])[],
  asStated: (measure: Measure) => Measure,
): void {
  const likely = goods.flatMap((kinds) => likelyKinds(kinds, HALF))
  if (likely.length === 0) return
  const isStated = (kind: string, wish: Measured): boolean =>
    haveMeasure(kind, asStated(wish.measure))
    || profileOf(kind).text.includes(draft.text.slice(wish.start, wish.end).trim())
  drop(draft, (wish) => isMeasured(wish) && wish.measure.unit !== AGE
    && !(wish.values && wish.values.size > 0) && isTold(draft, wish)
    && !likely.some((kind) => isStated(kind, wish)))
}

function drop({ must, ignored }: Draft, isDropped: (wish: DraftWish) => boolean): void {
  const dropped = new Set(must.filter(isDropped))
  if (dropped.size === 0) return
  must.splice(0, must.length, ...must.filter((wish) => !dropped.has(wish)))
  ignored.push(...[...dropped].map(({ start, end }) => ({ start, end, why: 'filler' as const })))
}

function clauseOf({ text }: Draft, { start, end }: Place): Place {
  const behind = text.slice(end).search(CLAUSE_END)
  return { start: lastClause(text, start), end: behind < 0 ? text.length : end + behind }
}

const isWished = (text: string, clause: Place, { start, end }: Place): boolean =>
  WISHED.test(text.slice(clause.start, start)) || WISHED_BEHIND.test(text.slice(end, clause.end))

/** Apart from the goods, from a wish and from other features. */
function isTold(draft: Draft, wish: DraftWish): boolean {
  const { text, heads, more, keywords } = draft
  const clause = clauseOf(draft, wish)
  const isHere = ({ start, end }: Place): boolean => start >= clause.start && end <= clause.end
  if (isWished(text, clause, wish)) return false
  const isTime = wish.measure !== undefined && TIMES.has(wish.measure.unit)
    && (wish.measure.low ?? 0) < CALENDAR && !LASTING.test(text.slice(clause.start, clause.end))
  if (isTime && SPENT.test(text.slice(clause.start, wish.start))) return true
  const names = [...heads, ...more]
  if (names.some(isHere)) return false
  // 我一米七八，一百四十斤.
  const from = Math.max(0, ...names.map(({ end }) => end).filter((end) => end <= clause.start))
  return isTime || keywords.some(isHere) || OF_PEOPLE.test(text.slice(from, clause.end))
}

function isLacking(draft: Draft, wish: DraftWish): boolean {
  const clause = clauseOf(draft, wish)
  return !isWished(draft.text, clause, wish)
    && LACKING.test(draft.text.slice(clause.start, clause.end))
}
