/** How the goods of a sentence are named: in which role, where, and between which words. */
import { categoryOf } from '../goods/taxonomy.ts'
import { NAMED } from './lexicon.ts'
import { CLAUSE_END, lastClause } from './read/background.ts'
import { masked, overlaps } from './read/claims.ts'
import type { Draft } from './read/draft.ts'
import { hasAttribute, isPartOf, isSaidOf, weightOf } from './read/heads.ts'
import { isJoint, joinsOnly, withoutJoints } from './read/joints.ts'
import type { Name } from './read/names.ts'
import { hasComplaint } from './read/polarity.ts'
import { standingOf } from './read/standing.ts'

export type Feature = readonly [name: string, value: number]

export interface Occurrence {
  readonly name: Name
  readonly role: 'head' | 'more' | 'modifier'
  readonly features: readonly Feature[]
}

const HAN = /\p{Script=Han}/u

/** Each name with what is said around it, in the order of the text. */
export function occurrencesIn(text: string, found: Draft): Occurrence[] {
  const all = [...found.heads.map((name) => ({ name, role: 'head' as const })),
    ...found.more.map((name) => ({ name, role: 'more' as const })),
    ...found.modifiers.map((name) => ({ name, role: 'modifier' as const }))]
    .sort((left, right) => left.name.start - right.name.start)
  const names = all.map(({ name }) => name)
  const much = all.length > 1 ? elseIn(found, names) : 0
  return all.map(({ name, role }, at) => {
    const features: Feature[] = [[`role:${role}`, 1], ['standing', standingOf(text, name)]]
    addPlace(features, { text, name, role, at, count: all.length })
    if (found.mustNot.some((wish) => overlaps(wish, name))) features.push(['refused', 1])
    if (hasComplaint(text, name)) features.push(['complaint', 1])
    addContext(features, text, name)
    if (all.length > 1) features.push([`else:${much}`, 1], ...neighbours(found, names, at, much))
    return { name, role, features }
  })
}

interface Placed extends Pick<Occurrence, 'name' | 'role'> {
  readonly text: string
  readonly at: number
  readonly count: number
}

/** Which of the names it is, in which clause, and how long. */
function addPlace(features: Feature[], { text, name, role, at, count }: Placed): void {
  const { start, end, key } = name
  features.push([HAN.test(key) ? `length:${Math.min(key.length, 5)}`
    : `length:${Math.min(key.split(' ').length, 3)} words`, 1])
  if (count > 1) features.push([`role:${role}/many`, 1])
  if (count > 1 && at === count - 1) features.push(['last', 1])
  if (count > 1 && at === 0) features.push(['first', 1])
  const next = text.slice(end).search(CLAUSE_END)
  const isLast = next < 0 || next + end >= text.length - 1
  if (count < 2 && isLast) return
  features.push([isLast ? 'clause:last' : 'clause:not last', 1])
  if (lastClause(text, start) === 0) features.push(['clause:first', 1])
}

const NEAR_HAN = 8
const AFTER_MAX = 24
const LETTERS = /[^a-z'\p{Script=Han}]+/u

/** `b` and `a`: just before and behind the name; `B` and `A`: anywhere near it in its clause. */
function addContext(features: Feature[], text: string, { start, end, key }: Name): void {
  const before = text.slice(lastClause(text, start), start)
  const after = text.slice(end, end + AFTER_MAX)
  const names = HAN.test(key) ? hanContext(before, after) : latinContext(before, after)
  for (const name of names) features.push([name, 1])
}

function hanContext(before: string, after: string): Set<string> {
  const names = new Set<string>()
  for (const length of [1, 2, 3]) {
    names.add(before.length >= length ? `b:${before.slice(-length)}` : `b:^${before}`)
    names.add(after.length >= length ? `a:${after.slice(0, length)}` : `a:${after}$`)
  }
  const behind = after.slice(0, NEAR_HAN).split(CLAUSE_END)[0] ?? ''
  for (const [label, near] of [['B', before.slice(-NEAR_HAN)], ['A', behind]] as const) {
    for (let at = 0; at < near.length; at += 1) {
      names.add(`${label}:${near.charAt(at)}`)
      if (at + 1 < near.length) names.add(`${label}:${near.slice(at, at + 2)}`)
    }
  }
  return names
}

function latinContext(before: string, after: string): Set<string> {
  const lead = before.split(LETTERS).filter((word) => word !== '')
  const tail = after.split(LETTERS).filter((word) => word !== '')
  const isEnd = CLAUSE_END.test(after.charAt(0))
  return new Set([
    `b:${lead.at(-1) ?? '^'}`, `b:${lead.slice(-2).join(' ') || '^'}_`,
    `a:${isEnd ? '.' : tail[0] ?? '$'}`, `a:${tail.slice(0, 2).join(' ') || '$'}_`,
    ...lead.slice(-4).map((word) => `B:${word}`), ...tail.slice(0, 3).map((word) => `A:${word}`),
  ])
}

/** Beside which other names it stands, for whether it is wanted together with them. */
function neighbours(
  { text, quantities, must }: Draft, names: readonly Name[], at: number, much: number,
): Feature[] {
  const name = names[at] as Name
  const features: Feature[] = [[`names:${Math.min(names.length, 4)}`, 1], ['beside', 1],
    [`place:${at === 0 ? 'first' : at === names.length - 1 ? 'last' : 'between'}`, 1]]
  const others = { before: names[at - 1], after: names[at + 1] }
  for (const [side, other] of Object.entries(others)) {
    if (!other) continue
    const [one, two] = side === 'before' ? [other, name] : [name, other]
    const gap = text.slice(one.end, two.start)
    for (const feature of gapFeatures(gap)) features.push([`${side}:${feature}`, 1])
    const between = gapClass(gap)
    const relations = relationsOf(name, other)
    for (const relation of relations) {
      features.push([`${relation} ${side}`, 1], [`${relation} ${side}/${between}`, 1])
    }
    if (!relations.some((relation) => BELONGING.has(relation))) {
      features.push([`unrelated ${side}/${between}`, 1],
        [`unrelated ${side}/${between}/${much}`, 1])
    }
  }
  if (quantities.some(({ end }) => isNear(end, name.start))) features.push(['counted before', 1])
  if (quantities.some(({ start }) => isNear(name.end, start))) features.push(['counted behind', 1])
  const measures = must.filter(({ measure }) => measure !== undefined)
  if (measures.some(({ start, end }) => isNear(end, name.start) || isNear(name.end, start)
    || overlaps({ start, end }, name))) features.push(['measured', 1])
  features.push(['most', weightOf(name)], [`senses:${Math.min(name.senses.length, 4)}`, 1])
  return features
}

const ELSE_MAX = 4

/** How much is said beside the names, how many of them and what joins them. */
function elseIn({ text, quantities }: Draft, names: readonly Name[]): number {
  const rest = withoutJoints(masked(text, [...names, ...quantities]))
  return Math.min(Math.ceil(rest.length / 2), ELSE_MAX)
}

/** By these the one belongs to the other. */
const BELONGING: ReadonlySet<string> = new Set(['part of', 'whole of', 'said of', 'said by',
  'attribute of', 'attribute by', 'same as'])

/** What one name has to do with the next to it. */
const relationsOf = (name: Name, other: Name): readonly string[] => [
  ...isPartOf(name, other) ? ['part of'] : [], ...isPartOf(other, name) ? ['whole of'] : [],
  ...isSaidOf(other, name) ? ['said of'] : [], ...isSaidOf(name, other) ? ['said by'] : [],
  ...hasAttribute(other, name.key) ? ['attribute of'] : [],
  ...hasAttribute(name, other.key) ? ['attribute by'] : [],
  ...isSameKind(name, other) ? ['same as'] : [],
  ...isOnOneShelf(name, other) ? ['on the shelf of'] : [],
  ...weightOf(name) >= NAMED && weightOf(other) >= NAMED ? ['own beside own'] : [],
]

const isOnOneShelf = (one: Name, other: Name): boolean =>
  categoryOf(one.senses[0]?.kind ?? '') === categoryOf(other.senses[0]?.kind ?? '')

const gapClass = (gap: string): string => gap === '' ? 'glued' : gap.trim() === '' ? 'space'
  : joinsOnly(gap) ? 'joined' : CLAUSE_END.test(gap) ? 'clause' : 'words'

const isNear = (end: number, start: number): boolean => start >= end && start - end < 2

const isSameKind = (one: Name, other: Name): boolean => one.senses.some(({ kind, weight }) =>
  weight >= NAMED && other.senses.some((sense) => sense.kind === kind && sense.weight >= NAMED))

const GAP_LENGTH = 4

function gapFeatures(gap: string): string[] {
  const said = gap.trim()
  return [
    gap === '' ? 'glued' : said === '' ? 'space' : `length:${Math.min(said.length, 12) >> 1}`,
    ...CLAUSE_END.test(gap) ? ['clause'] : [],
    ...isJoint(gap) ? ['joint'] : [], ...joinsOnly(gap) ? ['joined'] : [],
    ...said !== '' && said.length <= GAP_LENGTH ? [`is ${said}`] : [],
    ...said !== '' ? [`starts ${said.charAt(0)}`, `ends ${said.slice(-1)}`] : [],
  ]
}
