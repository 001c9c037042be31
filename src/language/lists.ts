/**
 * Names that make a list: all of them are wanted, whatever is learned of single names, or the last
 * noun is that of all of them.
 */
import { CLAUSE_END } from './read/background.ts'
import { isColour } from './facts/appearance.ts'
import { masked, type Place } from './read/claims.ts'
import { byStart, TAKEN, type Draft } from './read/draft.ts'
import { hasAttribute, isPartOf, isSaidOf } from './read/heads.ts'
import { isJoint, MATCHED, withoutJoints } from './read/joints.ts'
import { hasOwnName, isWholeName, type Name } from './read/names.ts'
import { withoutPoliteness } from './read/phrasing.ts'

const HAN = /\p{Script=Han}/u
const LISTED = /^[ 、,]+$/
/** Says of all that they are wanted; not 都齐了. */
const OF_ALL = /^ ?(?:一起|一并|一块儿?|都(?=[要想买来需得给拿换缺没各]|有[没吗]|$|[ ;,.!?])|各|两样|三样|全部|什么的|这些|那些|之类|等等?)/
/** "Hat and scarf set" is one thing; of three, or with an article, each is one. */
const LATIN_PARTED = /[,/+;]|(?:and|plus|also) (?:an?|some|the|one|two|three|my) |\d/

/** 酱油 醋 盐, 跑鞋和袜子: names with nothing but what joins or counts them around and between. */
export function isListed(draft: Draft, told: ReadonlySet<Name> = new Set()): boolean {
  const { text, heads, more, modifiers } = draft
  const names = [...heads, ...more, ...modifiers].filter((name) => !told.has(name)).sort(byStart)
  const [first, last] = [names[0], names.at(-1)]
  if (!first || !last || names.length < 2
    || !names.every((one) => isWholeName(one.key) || one.key.length === 1)) return false
  const counted = masked(text, [...draft.quantities,
    ...draft.ignored.filter(({ why }) => ASIDE.has(why))], TAKEN)
  const said = masked(counted, [...draft.clauses,
    ...draft.must.filter((wish) => wish.measure !== undefined || isColoured(text, wish)),
    ...draft.keywords.filter(({ role, ...place }) => role === 'word' && isColoured(text, place)),
  ], TAKEN)
  const behind = said.slice(last.end)
  if (!endsOpen(said.slice(0, first.start))
    || !(beginsOpen(behind) || (names.length > 2 && behind.startsWith(' ')))) return false
  const isHan = HAN.test(first.key + last.key)
  const gaps = names.slice(1).map(({ start }, at) => ({ start: names[at]?.end, end: start }))
  // 鱼竿鱼漂鱼钩各来一样
  const isRow = isHan && names.length > 2 && OF_ALL.test(behind)
    && gaps.every(({ start, end }) => start === end)
  const isJoined = gaps.every(({ start, end }) => joins(said.slice(start, end), isHan, gaps.length)
    || (isHan && COUNTED.test(counted.slice(start, end))))
  const isMatched = gaps.some(({ start, end }) => isMatch(said.slice(start, end)))
  return isJoined ? isMatched || !isOneThing(first, last)
    : isRow || (isHan && gaps.every(({ start, end }) => LISTED.test(text.slice(start, end)))
      && !areRelated(names))
}

/** 白衬衫配深蓝领带: the colour of each is said before it. */
const isColoured = (text: string, { start, end }: Place): boolean =>
  isColour(text.slice(start, end).trim().replace(/的$/, ''))

/** Not 书包文具都买齐了, which they have. */
const ALL_BOUGHT = /(?:[帮给替][我咱]们?|一起|一块儿?|一并)[^;,.。!?]{0,4}(?:[买备配凑拿带]|置办)[齐全]/

/** 贴春联发红包，一块儿买齐: whatever is done with them. */
export function areAllBought({ text, heads, more, modifiers }: Draft): boolean {
  const names = [...heads, ...more, ...modifiers]
  const at = text.search(ALL_BOUGHT)
  return names.filter(({ end }) => end <= at).length > 1
    && names.every(({ end }) => !/^(?:的|要?用的)/.test(text.slice(end - 1))
      && !/^要?用?的/.test(text.slice(end)))
}

/** 再来个睡袋: asked for beside what was named before. */
const ADDED = new RegExp('(?:再|还|另外|顺便|顺带|顺手|外加|同时)(?:也|想|要|得|需要|给我|帮我|顺便)*(?:[来买要拿带配整弄加添]|捎)'
  + '[一两二三几]?[点些个份盒瓶条把只件包袋双本套张箱支块副卷]?$')
/** A tent for 2 people and a lantern; not "for a phone and a tablet". */
const AND_A = new RegExp('^(?! (?:with|has|that|which|including)(?![a-z]))[^;.!?]* (?:and|plus) '
  + '(?:an?|some|two|three|\\0+) (?:[a-z]+ )?$')

/** 脚垫还有行车记录仪: nothing else stands between the two. */
const AND_ALSO = /^(?:还有|以及|外加|另加|再加上?)(?:一?[个只把张条台瓶袋包盒份双块套支])?$/

/** Whether the name is that of further goods by the words beside it. */
export function isAdded({ text, heads, more, modifiers, quantities }: Draft, name: Name): boolean {
  const all = [...heads, ...more, ...modifiers]
  if (HAN.test(name.key)) {
    return ADDED.test(text.slice(0, name.start)) || all.some((other) => other.start < name.start
      ? AND_ALSO.test(text.slice(other.end, name.start))
      : AND_ALSO.test(text.slice(name.end, other.start)))
  }
  const names = all.filter(({ end }) => end <= name.start)
  const [before] = names.sort((one, other) => other.end - one.end)
  return before !== undefined && heads.includes(before) && !text.startsWith(' of ', name.end)
    && AND_A.test(masked(text, quantities, TAKEN).slice(before.end, name.start))
}

/** 碗6个 盘子几个 */
const COUNTED = new RegExp(`^(?:${TAKEN}+|几个) $`)
/** What may be said of goods in a list. */
const ASIDE = new Set(['recipient', 'mode', 'correction'])

const isMatch = (gap: string): boolean => MATCHED.test(gap.replaceAll(TAKEN, ''))

const joins = (gap: string, isHan: boolean, count: number): boolean => isHan
  ? isMatch(gap) || isJoint(gap)
  : isJoint(gap) && (count > 1 || LATIN_PARTED.test(gap))

/** Nothing stands before them in their clause but what asks for them. */
const endsOpen = (before: string): boolean =>
  withoutJoints(withoutPoliteness(before.split(CLAUSE_END).at(-1) ?? '')).trim() === ''

const beginsOpen = (after: string): boolean => CLAUSE_END.test(after.charAt(0))
  || OF_ALL.test(after) || withoutJoints(after.split(CLAUSE_END)[0] ?? '').trim() === ''

/** 手机和平板支架: the last noun is that of the first as well; 奶瓶和奶嘴 share none. */
function isOneThing(first: Name, last: Name): boolean {
  const isHan = HAN.test(last.key)
  const [parts, by] = isHan ? [[...last.key], ''] : [last.key.split(' '), ' ']
  return parts.some((_, at) => at > 0 && (!isHan || at < parts.length - 1)
    && isWholeName([first.key, ...parts.slice(at)].join(by)))
}

const areRelated = (names: readonly Name[]): boolean =>
  names.some((one) => names.some((other) => one !== other
    && (isPartOf(one, other) || isSaidOf(one, other) || hasAttribute(one, other.key)
      || one.senses.some(({ kind }) => other.senses.some((sense) => sense.kind === kind)))))

/** 张小泉 剪刀: a maker's name stands for its knives, and says whose the goods behind it are. */
export function dropMakers(draft: Draft): void {
  const names = [...draft.heads, ...draft.more, ...draft.modifiers]
  const makers = new Set(names.filter(({ key, line, end }) => key === line
    && names.some((name) => BESIDE.test(draft.text.slice(end, Math.max(end, name.start)))
      && name.start >= end && hasOwnName(name))))
  const isOther = (name: Name): boolean => !makers.has(name)
  const [head, ...more] = [...draft.heads, ...draft.more].filter(isOther)
  if (makers.size === 0 || !head) return
  Object.assign(draft, { heads: draft.heads.some(isOther) ? draft.heads.filter(isOther) : [head],
    more: draft.heads.some(isOther) ? draft.more.filter(isOther) : more,
    modifiers: [...draft.modifiers.filter(isOther), ...makers] })
}

const BESIDE = /^ ?的?$/

const BOTH = /^ ?(?:和|与|跟|及|、|or|and|\/) ?$/

/** 手机和平板支架: what the last noun is for stands before it twice. */
export function dropShared(draft: Draft): void {
  const names = [...draft.heads, ...draft.more, ...draft.modifiers].sort(byStart)
  const at = names.findIndex((name, index) => index > 0
    && BOTH.test(draft.text.slice(names[index - 1]?.end, name.start))
    && isOneThing(names[index - 1] as Name, name))
  const [one, name] = [names[at - 1], names[at]]
  if (!one || !name) return
  const isOther = (other: Name): boolean => other !== one && other !== name
  Object.assign(draft, { heads: [name], more: draft.more.filter(isOther),
    modifiers: [...draft.modifiers.filter(isOther), one] })
}
