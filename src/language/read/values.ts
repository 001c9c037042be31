/**
 * Once it is known which goods are meant, what is said of them is looked up among the values that
 * such goods can have: wishes and refusals get the values that they name, and a word that nobody
 * read becomes a wish where it names one.
 */
import { taxonomy } from '../../goods/taxonomy.ts'
import { fold } from '../fold.ts'
import type { Guess } from '../understanding.ts'
import { valuesNamed, type NamedValues, type Value, type Values } from '../values.ts'
import { overlaps, type Place } from './claims.ts'
import { isComplaint } from './complaints.ts'
import { byStart, type Draft, type DraftWish } from './draft.ts'

const HAN = /\p{Script=Han}/u
/** Kinds that are so much less likely than the first are not read by. */
const SHARE_MIN = 0.3
const KINDS_MAX = 8

/** 墙上不能打孔: what goods must not need. */
const CANNOT = /(?:不能|不可以|不让|不许|不准|没法|无法|不想|不方便|懒得)$/

/** 没香味 is a wish for what is 无香. */
const NONE = /^(?:没|不|无|零|0|别|一点)/

/** One place and what it names, by kind. */
interface Said extends Place {
  readonly values: Map<string, readonly Value[]>
}

/** Adds to the wishes what they mean; returns what the names of the goods say of them. */
export function resolveValues(draft: Draft, kinds: readonly Guess<string>[]): DraftWish[] {
  const named: DraftWish[] = []
  for (const said of valuesIn(draft, kinds).sort(byStart)) resolve(draft, said, named)
  for (const list of [draft.must, draft.keywords, draft.prefer]) list.sort(byStart)
  return named
}

/** Whether a value of the goods that are named is complained of: 鞋柜，颗粒板的有味. */
export const areTroubled = (draft: Draft, kinds: readonly Guess<string>[]): boolean =>
  valuesIn(draft, kinds).some((said) => isComplaint(draft.text, said))

function valuesIn(draft: Draft, kinds: readonly Guess<string>[]): Said[] {
  const least = (kinds[0]?.confidence ?? 0) * SHARE_MIN
  const found: Said[] = []
  const text = readable(draft)
  const isAlone = (start: number, end: number): boolean => standsAlone(draft, start, end)
  for (const { value: kind } of kinds.filter(({ confidence }) => confidence >= least)
    .slice(0, KINDS_MAX)) {
    for (const one of valuesNamed(kind, text, isAlone)) {
      const isSaid = draft.mustNot.some((wish) => overlaps(wish, one)) || !isNameOf(kind, one)
      if (isSaid) addTo(found, kind, one)
    }
  }
  return found
}

/** 塑料的, 木砧板, 别要竹的: a character that is a word by itself. */
function standsAlone({ text, names }: Draft, start: number, end: number): boolean {
  const [before, after] = [text.charAt(start - 1), text.charAt(end)]
  return (!HAN.test(before) || /[要是的用含有]/.test(before))
    && (!HAN.test(after) || after === '的' || names.some((name) => name.start === end))
}

/** 绿茶 names the goods, which are not told apart by it; "leather" tells belts apart. */
const isNameOf = (kind: string, { phrase }: NamedValues): boolean => {
  const { name_zh = '', broader = [] } = taxonomy().kinds.get(kind) ?? {}
  return fold(name_zh).includes(phrase)
    || broader.some((word) => fold(word) === phrase)
}

function addTo(found: Said[], kind: string, { start, end, values }: NamedValues): void {
  const same = found.find((one) => overlaps(one, { start, end }))
  if (!same) found.push({ start, end, values: new Map([[kind, values]]) })
  else if (!same.values.has(kind)) same.values.set(kind, values)
}

/** Without what is a price, a brand, a number of pieces or somebody. */
function readable({ text, clauses, quantities, keywords, aside }: Draft): string {
  const taken: readonly Place[] = [...clauses, ...quantities,
    ...keywords.filter(({ role }) => role === 'brand'),
    ...aside.filter(({ why }) => why !== 'filler')]
  return taken.reduce((rest, { start, end }) =>
    rest.slice(0, start) + '\u0000'.repeat(end - start) + rest.slice(end), text)
}

const isFeature = ({ values }: Said): boolean =>
  [...values.values()].every((list) => list.every(({ attribute }) => attribute === null))

function resolve(draft: Draft, said: Said, named: DraftWish[]): void {
  const { must, mustNot, prefer, heads, more } = draft
  const within = (place: Place): boolean => overlaps(place, said)
  const { start, end, values } = said
  const wish = { start, end, places: [{ start, end }], values }
  const isNone = NONE.test(draft.text.slice(start, end))
  // "Non stick" is no refusal of what sticks.
  const denied = mustNot.findIndex((one) => (isNone && start <= one.start && end >= one.end)
    || one.places.some((place) => place.start > one.start
      && start <= one.start && draft.text.slice(end, place.end).trim() === ''))
  if (denied >= 0) {
    mustNot.splice(denied, 1)
    must.push(wish)
    return
  }
  const measured = must.find((one) => one.measure && within(one))
  // 304 of 304不锈钢 is no number by itself.
  if (measured && end - start <= measured.end - measured.start) return
  if (CANNOT.test(draft.text.slice(0, start))) {
    for (const list of [must, prefer]) take(list, said)
    take(draft.keywords, said)
    mustNot.push(wish)
    return
  }
  if (giveTo(draft, mustNot, said)) return
  if (giveTo(draft, must, said)) {
    // 非牛皮 was read as one word.
    const at = must.findIndex((one) => within(one) && draft.text.charAt(start - 1) === '非')
    if (at >= 0) {
      mustNot.push(...must.splice(at, 1).map((one) => ({ ...one, places: [{ start, end }] })))
    }
    return
  }
  const preferred = prefer.findIndex(within)
  if (preferred >= 0) {
    const [one] = isFeature(said) ? [] : prefer.splice(preferred, 1)
    if (one) must.push({ ...one, values })
    return
  }
  if ([...heads, ...more].some(within)) {
    if (!isFeature(said)) named.push(wish)
  } else if (takeWords(draft, said)) must.push(wish)
}

/** Takes the place from words that nobody read; says whether there are any. */
function takeWords({ keywords, aside }: Draft, said: Said): boolean {
  const isWord = take(keywords, said)
  const isFiller = (!isFeature(said) || isWord) && take(aside, said)
  return isWord || isFiller
}

function take<T extends Place>(list: T[], said: Place): boolean {
  const rest = list.flatMap((one) => overlaps(one, said)
    ? around(one, said).map((place) => ({ ...one, ...place })) : [one])
  const isTaken = list.some((one) => overlaps(one, said))
  list.splice(0, list.length, ...rest)
  return isTaken
}

function giveTo(draft: Draft, wishes: DraftWish[], said: Said): boolean {
  const at = wishes.findIndex(({ places, implied, ...place }) =>
    places.some((one) => overlaps(one, said)) || (implied && overlaps(place, said)))
  const wish = wishes[at]
  if (!wish) return false
  const next = wish.values && split(draft.text, wish, said)
  if (next) {
    wishes.splice(at, 1, ...next)
    return true
  }
  // 焦糖色, of which only 糖色 was read.
  takeWords(draft, said)
  const others = [...draft.must, ...draft.mustNot, ...draft.prefer].filter((one) => one !== wish)
  const isFree = !others.some((one) => overlaps(one, said))
  const whole = isFree ? { start: Math.min(wish.start, said.start),
    end: Math.max(wish.end, said.end) } : {}
  const places = isFree && wish.places.length === 1 ? [joint(wish.places[0] ?? said, said)]
    : wish.places
  wishes[at] = { ...wish, ...whole, places, values: merged(wish.values, said.values) }
  return true
}

const EITHER = /或|还是|\/|(?<![a-z])or(?![a-z])/

/** "Small breed puppies" are two wishes; of two values of one attribute either does. */
function split(text: string, wish: DraftWish, said: Said): DraftWish[] | undefined {
  const isSame = [...said.values].some(([kind, values]) => values.some(({ attribute }) =>
    wish.values?.get(kind)?.some((one) => one.attribute === attribute)))
  const { start, end, values } = said
  const isParted = !isSame && start > wish.start && end <= wish.end
    && !EITHER.test(text.slice(wish.start, wish.end))
  if (!isParted) return undefined
  const first = wish.places.map((place) => ({ ...place, end: Math.min(place.end, start) }))
    .filter((place) => place.end > place.start)
  return [{ ...wish, end: start, places: first },
    { start, end: wish.end, places: [{ start, end }], values }]
}

const joint = (one: Place, other: Place): Place =>
  ({ start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) })

/** 红色或蓝色 is met by either. */
function merged(one: Values | undefined, other: Values): Values {
  if (!one) return other
  const kinds = new Set([...one.keys(), ...other.keys()])
  return new Map([...kinds].map((kind) =>
    [kind, [...one.get(kind) ?? [], ...other.get(kind) ?? []]]))
}

/** What is left of a place before and behind another. */
const around = (whole: Place, part: Place): Place[] => [
  { start: whole.start, end: Math.min(whole.end, part.start) },
  { start: Math.max(whole.start, part.end), end: whole.end },
].filter(({ start, end }) => end > start)
