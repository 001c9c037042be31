/**
 * Values of the goods that are said in words of the shopper's own, which no list has: 叶子会缩回去
 * of a ceiling fan is 隐形扇叶. A network says which are likely and where; what others have read
 * there, and attributes of which a value is read, stay as they are.
 */
import { likelyKinds } from '../likely-kinds.ts'
import { isAudienceWord } from '../audience.ts'
import { groupOf } from '../groups.ts'
import type { Guess, Value } from '../understanding.ts'
import { colouredAlike } from '../value-colours.ts'
import { valuesSaid, type SaidValues } from '../value-encoder.ts'
import { isShared, PACKS } from '../values.ts'
import { clauseAround, overlaps, type Place } from './claims.ts'
import { byStart, type Draft, type DraftWish } from './draft.ts'
import { emptyWords, isEmpty, maySay } from './evidence.ts'
import { withoutPoliteness } from './phrasing.ts'

/** Chances from which on each is taken: which of several values, …, a feature in unread words. */
const LIKELY = {
  one: 0.2, value: 0.5, feature: 0.8, number: 0.75, refused: 0.5, soft: 0.4,
} as const
/** Kinds that are so much less likely than the first are not read by. */
const SHARE_MIN = 0.5
const KINDS_MAX = 3
const SINGLE = /^(?:单\p{Script=Han}(?:装|独立)?$|一[对双副套]|1)/u
/** For whom goods are is read by itself. */
const AUDIENCE = /性别/
/** Spaces part no words of English. */
export const BETWEEN = /[,;。!?…~]|\.(?!\d)|(?<![a-z0-9]) | (?![a-z0-9])/g
/** Who says so may refuse what stands beside it. */
const NEGATION = new RegExp('[不别非没无拒免除勿莫忌甭嫌烦厌]|pass|n\'t|free(?![a-z])'
  + '|(?<![a-z])(?:no|not|without|never|nothing|none|except|hates?|refuse|cannot|un[a-z]+|less)'
  + '(?![a-z])')

/** 三款猫粮 says nothing of 三文鱼. */
const COUNTS = /^[一二两三四五六七八九十几][款种家样]$/

/** Adds to wishes and refusals the values that are likely said; `named` are those of the names. */
export function readOwnWords(
  draft: Draft, kinds: readonly Guess<string>[], named: readonly DraftWish[] = [],
): void {
  for (const kind of likelyKinds(kinds, SHARE_MIN, KINDS_MAX)) {
    readRefusals(draft, kind)
    for (const said of saidOf(draft, kind)) {
      const values = colouredAlike(wordAt(draft, said), said.values)
      // 能打 of 能打奶泡的咖啡机 says what the name has said.
      const same = named.find((wish) => overlaps(wish, said) && wish.values?.get(kind)?.some(
        (one) => values.some(({ text }) => text === one.text)))
      if (same) takeWords(draft, same)
      else if (values.length > 0) add(draft, kind, { ...said, values })
    }
  }
  draft.must.sort(byStart)
  draft.prefer.sort(byStart)
}

/** As a wish was read there, or as it stands. */
function wordAt({ text, must }: Draft, said: Place): string {
  const [{ start, end } = said] = must.filter((wish) => overlaps(wish, said))
    .flatMap(({ places }) => places)
  return text.slice(start, end).trim()
}

/** Politeness asks for nothing. */
function saidOf(draft: Draft, kind: string): SaidValues[] {
  const told = withoutPoliteness(draft.text)
  const from = Math.max(0, draft.text.indexOf(told))
  const placed = <T extends Place>(one: T): T =>
    ({ ...one, start: one.start + from, end: one.end + from })
  const taken = takenIn(draft, kind)
  const empty = emptyWords(told)
  return valuesSaid(kind, told, LIKELY.one, (token) =>
    !isEmpty(told.slice(token.start, token.end))
      && !empty.some((place) => overlaps(place, token))
      && !COUNTS.test(told.slice(token.start, token.end + 1))
      && !taken.some((place) => overlaps(place, placed(token)))).map(placed)
}

/** 没洞眼的 is a wish for what is 无孔. */
const LACKING = /^(?:没有?|无|不)/
const LACKED = /^(?:无|不|免|非|零|0)/

/** A refusal of which nobody knows what it names: the values that it likely does. */
function readRefusals({ text, must, mustNot }: Draft, kind: string): void {
  for (const wish of mustNot.splice(0)) {
    const { places: [place], values } = wish
    const isRead = must.some((one) => overlaps(one, wish))
    const word = place && !isRead && isOpen(wish, kind) ? text.slice(place.start, place.end) : ''
    // Of what is in goods they say that it is not.
    const said = groupOf(word.trim()) ? '' : word
    const [most] = valuesSaid(kind, said, LIKELY.refused)
      .filter(({ values: [value] }) => value?.attribute != null)
      .sort((one, other) => other.chance - one.chance)
    const isWish = most !== undefined && LACKING.test(said)
    const found = most ? { ...wish, values: new Map([...values ?? [], [kind, most.values]]) } : wish
    if (isWish) must.push({ ...found, isSupposed: true })
    else mustNot.push(found)
  }
}

/** Of a wish only words are known, which no value of the goods has. */
const isOpen = ({ values, measure, words, implied }: DraftWish, kind: string): boolean =>
  !measure && !words && !implied
    && (values?.get(kind) ?? []).every(({ attribute }) => attribute === null)

/** What others read and know. */
const takenIn = (draft: Draft, kind: string): Place[] => [
  ...draft.heads, ...draft.more, ...draft.clauses, ...draft.mustNot, ...draft.mode.spans,
  ...draft.keywords.filter(({ role }) => role !== 'word'),
  ...draft.ignored.filter(({ why }) => why !== 'filler'),
  ...[...draft.must, ...draft.prefer].filter((wish) => !isOpen(wish, kind))
    .flatMap((wish) => [wish, ...wish.places]),
]

function add(draft: Draft, kind: string, said: SaidValues): void {
  const { text, must, mustNot, prefer } = draft
  const [first] = said.values
  const isFeature = first?.attribute === null
  if (!first || AUDIENCE.test(first.attribute ?? '')) return
  const wishes = [...must, ...mustNot, ...prefer]
  const known = wishes.find(({ values }) => isOfSame(values?.get(kind) ?? [], first))
  if (known) {
    narrow(must, known, kind, said)
    return
  }
  const isCounted = [...draft.numbers, ...draft.quantities].some((one) => overlaps(one, said))
  // 两瓶洗发水 is how many are bought, of whatever pack.
  if (isCounted && first.attribute === PACKS) return
  // 一盒 says nothing of the goods but that they are single.
  if (!SINGLE.test(first.text) && draft.quantities.some((one) =>
    one.count === 1 && overlaps(one, said))) return
  const least = isFeature ? LIKELY.feature : isCounted ? LIKELY.number : LIKELY.value
  // Of words that nobody read a likely feature orders goods, and says nothing of others.
  const isSoft = said.chance < least && isFeature && said.chance >= LIKELY.soft
    && draft.keywords.some((one) => one.role === 'word' && overlaps(one, said))
  if (said.chance < least && !isSoft) return
  const open = must.find((wish) => overlaps(wish, said) && isOpen(wish, kind)
    && !wish.places.every((place) => isAudienceWord(text.slice(place.start, place.end))))
  if (open) {
    must[must.indexOf(open)] = { ...open, isSupposed: true,
      values: new Map([...open.values ?? [], [kind, said.values]]) }
    return
  }
  const counts = draft.quantities.filter((one) => !overlaps(one, said))
  const taken = [...takenIn(draft, kind), ...counts,
    ...wishes.flatMap((wish) => [wish, ...wish.places])]
  if (taken.some((place) => overlaps(place, said)) || !maySay(text, said, BETWEEN)) return
  const clause = clauseAround(text, said, BETWEEN)
  // 不掉漆的 may be 防刮; 拖着线的不要 is refused.
  const isDenied = NEGATION.test(text.slice(said.end, clause.end))
    || (NEGATION.test(text.slice(clause.start, said.end)) && !LACKED.test(first.text))
  if (isDenied) return
  const place = freeAround(text, clause, said, taken)
  const values = new Map([[kind, said.values]])
  const wish = { ...place, places: [place], isSupposed: true as const, values }
  if (isSoft) prefer.push({ ...wish, isSoft })
  else must.push(wish)
  takeWords(draft, place)
  draft.quantities.splice(0, draft.quantities.length, ...counts)
}

/** 遥控器能对着它讲话: of the values that 遥控 may mean, one is likely. */
function narrow(must: DraftWish[], wish: DraftWish, kind: string, { values }: SaidValues): void {
  const known = wish.values?.get(kind) ?? []
  const both = known.filter((one) => isShared(one)
    || values.some(({ text }) => text === one.text))
  if (both.every(isShared) || both.length === known.length || wish.isStrict
    || wish.places.length > 1 || !must.includes(wish)) return
  must[must.indexOf(wish)] = { ...wish, values: new Map([...wish.values ?? [], [kind, both]]) }
}

const isOfSame = (values: readonly Value[], { attribute, text }: Value): boolean =>
  values.some((one) => one.attribute === attribute && (attribute !== null || one.text === text))

/** The part of the clause that nobody else has. */
export function freeAround(
  text: string, clause: Place, said: Place, taken: readonly Place[],
): Place {
  const start = Math.max(clause.start, ...taken.filter(({ end }) => end <= said.start)
    .map(({ end }) => end))
  const end = Math.min(clause.end, ...taken.filter((one) => one.start >= said.end)
    .map((one) => one.start))
  return { start: start + (start < said.start && text.charAt(start) === '的' ? 1 : 0), end }
}

export function takeWords({ keywords, ignored }: Draft, place: Place): void {
  const rest = keywords.filter((one) => one.role !== 'word' || !overlaps(one, place))
  keywords.splice(0, keywords.length, ...rest)
  const others = ignored.filter((one) => one.why !== 'filler' || !overlaps(one, place))
  ignored.splice(0, ignored.length, ...others)
}
