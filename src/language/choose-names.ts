/**
 * Which of the goods that a sentence names are wanted: a log-linear yes or no for each name beside
 * others (`name-features.ts`), fitted by `npm run ranking`. Rules say it first, and are one of the
 * things that count.
 */
import { type Feature, occurrencesIn } from './name-features.ts'
import {
  HARDLY_MEANT, type ChancesOf, type KindChances, kindChances,
} from './kind-encoder.ts'
import { CLAUSE_END, isInPassing } from './read/background.ts'
import { overlaps } from './read/claims.ts'
import { byStart, type Draft } from './read/draft.ts'
import { isPartOf } from './read/heads.ts'
import { PARTING } from './read/joints.ts'
import { meansKind, type Name } from './read/names.ts'
import { withoutPoliteness } from './read/phrasing.ts'
import { NAMED } from './lexicon.ts'
import { areAllBought, dropMakers, dropShared, isAdded, isListed } from './lists.ts'
import { portionsOf } from './portions.ts'
import { namesValue } from './values.ts'
import { type Weights, weightsIn } from './weights.ts'

const HAN = /\p{Script=Han}/u
/** From this sum on a name is wanted; for a second one it has to be surer. */
const WANTED = 0
const SECOND = 1
/** And surer still where nothing parts them: 自行车坐垫 is one thing, 衬衫领带 are two. */
const GLUED = 1.8
/** What rules take for goods as well is no more than not denied. */
const RULED = -1
/** What is asked for beside others in so many words has little that speaks for it else. */
const ADDED = -6
/** What rules take first, where another one of theirs is likelier. */
const HEAD = -1.5
/** From this sum on a name is wanted whatever rules doubt. */
const SURE = 4
/** How much more likely than the first by rules another one is, to be wanted in its place. */
const AHEAD = 1.5

/** Fitted to lines of which it is known what is wanted. */
export const nameWeights = weightsIn('name-weights.json')

/** Each name beside others with what counts; nothing of a sentence with one name. */
export function namesBeside(
  draft: Draft, chancesOf: ChancesOf,
): readonly (readonly [Name, readonly Feature[]])[] {
  const { text, heads, more, modifiers } = draft
  if (heads.length + more.length + modifiers.length < 2) return []
  const chances = chancesOf(withoutPoliteness(text))
  const all = occurrencesIn(text, draft)
  const likely = new Map(all.map(({ name }) => [name, chanceOf(name, chances)]))
  return all.map(({ name, features }) => [name, [...features, ...chanceFeatures(name, likely)]])
}

/**
 * Logarithms: from which on a chance is likely or possible, and how far one may be ahead of
 * another: of several goods that are wanted the network picks one.
 */
const CHANCE = { likely: Math.log(0.5), possible: Math.log(0.1), beside: 3 } as const

/** That of the likeliest kind that the name may mean. */
const chanceOf = ({ senses }: Name, chances: KindChances): number =>
  Math.max(HARDLY_MEANT, ...senses.map(({ kind }) => chances.of(kind)))

function chanceFeatures(name: Name, chances: ReadonlyMap<Name, number>): Feature[] {
  const own = chances.get(name) ?? HARDLY_MEANT
  const others = Math.max(HARDLY_MEANT,
    ...[...chances].filter(([other]) => other !== name).map(([, chance]) => chance))
  const level = own > CHANCE.likely ? 'likely' : own > CHANCE.possible ? 'possible' : 'unlikely'
  const beside = Math.max(-CHANCE.beside, Math.min(CHANCE.beside, own - others))
  return [['chance', own], ['chance beside', beside], [`chance:${level}`, 1],
    [`chance:${level}/${others > CHANCE.likely ? 'other likely' : 'none likely'}`, 1]]
}

/** Puts the names that are wanted first, and takes others out of what is wanted as well. */
export function chooseNames(
  draft: Draft, weights: Weights = nameWeights.read(), chancesOf: ChancesOf = kindChances,
): void {
  dropValues(draft)
  dropAdjectives(draft)
  dropShared(draft)
  dropMakers(draft)
  const told = demoteTold(draft)
  const sums = new Map(namesBeside(draft, chancesOf).filter(([name]) => !told.has(name))
    .map(([name, features]) => [name,
      features.reduce((sum, [key, value]) => sum + (weights.get(key) ?? 0) * value, 0)]))
  const isList = isListed(draft, told) || areAllBought(draft)
  const [first] = [...sums].filter(([, sum]) => isList || sum > WANTED)
    .sort(([, one], [, other]) => other - one)
  if (!first) return
  const more = [...sums].filter(([name, sum]) => name !== first[0]
    && (isList || sum > leastOf(draft, name, first[0]))
    && (isOther(name, first[0]) || isAdded(draft, name))
    && !(draft.heads.includes(name) && draft.heads.includes(first[0])))
  const likely = withBetween(draft, [first, ...more].map(([name]) => name).sort(byStart))
  const wanted = likely.filter((name) => isList || (!isHeld(draft.text, name)
    && !likely.some((part) => isOnlyFor(draft, part, name))))
  if (wanted.length === 0) return
  if (wanted.length > 1) {
    const all = [...wanted, ...describedIn(draft, wanted, chancesOf)].sort(byStart)
    Object.assign(draft, { heads: all.slice(0, 1), more: all.slice(1),
      isDoubtful: false, isMentioned: false })
  } else if (draft.more.length > 0) {
    const [head] = draft.heads
    const isHead = head !== undefined && (sums.get(head) ?? 0) > first[1] - AHEAD
    Object.assign(draft, { heads: isHead ? [head] : wanted, more: [] })
  } else if (first[1] > SURE && draft.heads.length === 1
    && (draft.heads[0] === first[0] || (sums.get(draft.heads[0]!) ?? WANTED) < WANTED)) {
    Object.assign(draft, { heads: wanted, isDoubtful: false, isMentioned: false })
  } else return
  const kept = new Set([...draft.heads, ...draft.more])
  draft.modifiers = [...told, ...sums.keys()].filter((name) => !kept.has(name))
}

/** 猫粮猫砂还有航空箱: a name that stands in a row of wanted ones is wanted as well. */
const IN_ROW = /^(?:[、,和跟与及 ]|还[有要]|再来|[一两二三四五六七八九十\d]*[个只把张条台瓶袋包盒份双块套支斤])*$/

function withBetween({ text, heads, more, modifiers }: Draft, wanted: readonly Name[]): Name[] {
  const names = [...heads, ...more, ...modifiers].sort(byStart)
  const isJoined = (one: Name | undefined, other: Name | undefined): boolean =>
    one !== undefined && other !== undefined && HAN.test(one.key)
      && IN_ROW.test(text.slice(one.end, other.start))
  const isWanted = (name: Name | undefined): boolean =>
    name !== undefined && wanted.includes(name)
  return names.filter((name, at) => isWanted(name) || (name.key.length > 1
    && wanted.every((one) => isOther(one, name))
    && isWanted(names[at - 1]) && isJoined(names[at - 1], name)
    && isWanted(names[at + 1]) && isJoined(name, names[at + 1])))
}

/** Logarithms: how likely goods without a name are by their portion, and by the sentence. */
const DESCRIBED = { portion: Math.log(0.8), sentence: -6 } as const
const HAVE = new RegExp('坏|丢|掉了|有了|没了|够|已经|不要|不用|别|太|旧|老是'
  + "|(?<![a-z])(?:already|have|not|no|lost|my|broke)(?![a-z])")

/** 月饼一盒, 白酒一瓶, 再来点水果面上扎绸带的那种: goods that a list describes. */
function describedIn(draft: Draft, wanted: readonly Name[], chancesOf: ChancesOf): Name[] {
  const whole = chancesOf(withoutPoliteness(draft.text))
  const found = portionsOf(draft, chancesOf).flatMap(({ start, end, chances }): Name[] => {
    const [kind = ''] = chances.best
    const isLikely = chances.of(kind) > DESCRIBED.portion && whole.of(kind) > DESCRIBED.sentence
    const name = { start, end, key: draft.text.slice(start, end).trim(),
      senses: [{ kind, weight: NAMED, rest: '' }] }
    return isLikely && !HAVE.test(name.key) && !wanted.some((other) =>
      overlaps(other, name) || meansKind(other, kind)) ? [name] : []
  })
  return found.filter((name, at) => !found.slice(0, at).some((other) =>
    meansKind(other, name.senses[0]?.kind)))
}

/** How sure it must be that another name is wanted as well. */
function leastOf(draft: Draft, name: Name, first: Name): number {
  if (draft.more.includes(name)) return RULED
  if (isAdded(draft, name)) return ADDED
  const isBeside = draft.more.includes(first) || isAdded(draft, first)
  return isBeside && draft.heads.includes(name) ? HEAD
    : isParted(draft, name, first) ? SECOND : GLUED
}

/** iphone 15 钢化膜: what a part is for is no goods beside it, unless something joins them. */
function isOnlyFor(draft: Draft, part: Name, whole: Name): boolean {
  return part !== whole && isPartOf(part, whole) && !isParted(draft, part, whole, false)
}

/** Whether what joins, counts or ends a clause stands between two names, or a space. */
function isParted(
  { text, quantities }: Draft, one: Name, other: Name, isBySpace = true,
): boolean {
  const [from, to] = one.start < other.start ? [one, other] : [other, one]
  const gap = text.slice(from.end, to.start)
  // The last of several English nouns is the goods.
  const isSpaced = isBySpace && gap.includes(' ') && HAN.test(from.key + to.key)
  return isSpaced || CLAUSE_END.test(gap) || PARTING.test(gap)
    || quantities.some(({ start }) => start >= from.end && start < to.start)
}

/** 放得下15.6寸的笔记本: it goes into what is wanted. */
const HOLDS = /(?:放|装|塞|容)(?:得|的)?(?:下|进)[^;,.。!?]{0,8}$|能(?:放|装)[^;,.。!?]{0,8}$/
/** 插排, 线要5米: the length of a part of it. */
const PART_SIZE = /^线(?=[要长得]{1,2}[\d一二两三四五六七八九十])/

const isHeld = (text: string, { start, key }: Name): boolean => HOLDS.test(text.slice(0, start))
  || (key === '线' && start > 0 && PART_SIZE.test(text.slice(start)))

/** "Light" and "safe" behind these say how the goods are. */
const ADJECTIVE = /^(?:light|safe)$/
const SAID_OF = /(?:[,;.]|(?<![a-z])(?:something|really|very|so|too|is|be|are|its|it's|and|but)) $/

function dropAdjectives(draft: Draft): void {
  const isGoods = ({ key, start }: Name): boolean => !ADJECTIVE.test(key)
    || !SAID_OF.test(draft.text.slice(0, start))
  const names = [...draft.heads, ...draft.more, ...draft.modifiers]
  if (names.every(isGoods) || !names.some(isGoods)) return
  const heads = names.filter(isGoods).slice(0, 1)
  const isOther = (name: Name): boolean => isGoods(name) && !heads.includes(name)
  Object.assign(draft, { heads, more: draft.more.filter(isOther),
    modifiers: draft.modifiers.filter(isOther) })
}

/** 旗袍，料子要好: what is told of the goods, or of a plan, describes at most. */
function demoteTold(draft: Draft): ReadonlySet<Name> {
  const names = [...draft.heads, ...draft.more, ...draft.modifiers].sort(byStart)
  const told = new Set(names.filter((name) =>
    isInPassing(draft.text, name, names.filter((other) => other !== name))))
  if (told.size === 0 || told.size === names.length) return new Set()
  const wanted = (list: readonly Name[]): Name[] => list.filter((name) => !told.has(name))
  const [heads, more] = [wanted(draft.heads), wanted(draft.more)]
  const first = heads.length > 0 ? heads : more.length > 0 ? more.splice(0, 1)
    : wanted(names).slice(0, 1)
  Object.assign(draft, { heads: first, more,
    modifiers: names.filter((name) => !first.includes(name) && !more.includes(name)) })
  return told
}

/** 箱子带密码锁: a value of the goods that stand before it is no further goods. */
function dropValues(draft: Draft): void {
  const names = [...draft.heads, ...draft.more, ...draft.modifiers].sort(byStart)
  for (const [at, name] of names.entries()) {
    const owner = names[at - 1]
    const isValue = owner && WITH.test(draft.text.slice(owner.end, name.start))
      && owner.senses.some(({ kind, weight }) => weight >= NAMED && namesValue(kind, name.key))
    if (!isValue) continue
    const isOther = (one: Name): boolean => one !== name
    Object.assign(draft, {
      heads: draft.heads.includes(name) ? [owner] : draft.heads,
      more: draft.more.filter(isOther),
      modifiers: draft.modifiers.filter((one) => isOther(one) && one !== owner),
    })
    return
  }
}

const WITH = /^[, ]?(?:的|能|要|得|最好)*(?:带有?|配有?|含有?)$/

/** Of the same goods by two names one is enough; 喜被四件套 is what both may mean. */
const isOther = (one: Name, other: Name): boolean =>
  one.senses[0]?.kind !== other.senses[0]?.kind
    && !((one.end === other.start || other.end === one.start)
      && one.senses.some(({ kind }) => other.senses[0]?.kind === kind))
