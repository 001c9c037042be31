/**
 * What is said in plain speech beside the goods, and what nobody read: 家里狗毛多 of a vacuum cleaner
 * means one for homes with pets. A soft wish orders goods and is told where it is met; it hides
 * nothing, and no note says that it is missing.
 */
import { likelyKinds, valuesByKind } from '../likely-kinds.ts'
import { audiencesSaid, isAudienceWord } from '../audience.ts'
import {
  isComplaint, isForWhom, isManner, plainValues, plainWordsIn, valuesMeant,
} from '../plain-words.ts'
import { synonymsOf } from '../synonyms.ts'
import type { Guess, Value, Values } from '../understanding.ts'
import { clauseAround, overlaps, type Place } from './claims.ts'
import { byStart, type Draft, type DraftWish } from './draft.ts'
import { BETWEEN, freeAround, takeWords } from './own-words.ts'
import type { Found } from './phrases.ts'

/** Kinds that are so much less likely than the first are not read by. */
const SHARE_MIN = 0.3
const KINDS_MAX = 5
/** 从不打游戏, "no pets": the word is denied; 不占地 denies itself. */
const DENIED = new RegExp('(?:[不没别非无勿甭免]|用不着)[^,;。!? 的]{0,3}$'
  + '|(?<![a-z])(?:no|not|never|without|nor|non|nothing)[ -](?:[a-z]+ )?$|n\'t (?:[a-z]+ )?$')
const DENYING = /^(?:[不没别]|not |no |won't |never |without |can't )/

/** Adds soft wishes for what the words may mean of the goods. */
export function readSoftValues(draft: Draft, kinds: readonly Guess<string>[]): void {
  const likely = likelyKinds(kinds, SHARE_MIN, KINDS_MAX)
  const [first] = likely
  if (first === undefined) return
  const { prefer } = draft
  prefer.splice(0, prefer.length, ...prefer.map((wish) => softOf(draft, wish, likely) ?? wish))
  wishAgainst(draft, likely)
  for (const { phrase, ...place } of [...plainWordsIn(draft.text), ...oldIn(draft.text)]) {
    if (isDenied(draft.text, place, phrase)) continue
    const values = valuesByKind(likely, (kind) => isForWhom(phrase)
      ? stated(valuesMeant(kind, phrase)) : valuesMeant(kind, phrase))
    if (values.size > 0 && !isForWhom(phrase)) addSoft(draft, first, place, values)
    else for (const one of byAttribute(values)) addSuited(draft, first, place, one)
    if (isManner(phrase)) wishQuality(draft, place)
  }
  prefer.sort(byStart)
}

/** 体面 and 拿得出手 are no words for the cheapest. */
function wishQuality(draft: Draft, place: Place): void {
  draft.mode = { ...draft.mode, mode: draft.mode.mode ?? 'quality',
    spans: [...draft.mode.spans, place] }
  takeWords(draft, place)
}

/** 苏打 and 咸味 of biscuits are two wishes: neither alone is what a diabetic may eat. */
function byAttribute(values: Values): Values[] {
  const names = new Set([...values.values()].flat().map(({ attribute }) => attribute))
  return [...names].map((name) => new Map([...values].map(([kind, all]) =>
    [kind, all.filter(({ attribute }) => attribute === name)] as const)
    .filter(([, all]) => all.length > 0)))
}

/** 老人 of an attribute says more than 老人听戏, which may stand beside 学生. */
function stated(values: readonly Value[]): readonly Value[] {
  const ofAttributes = values.filter(({ attribute }) => attribute !== null)
  return ofAttributes.length > 0 ? ofAttributes : values
}

/** 七十岁 tells of somebody old. */
const oldIn = (text: string): Found[] => audiencesSaid(text)
  .filter(({ audience }) => audience === 'elderly')
  .map(({ start, end }) => ({ start, end, phrase: '老人' }))

/** 养宠家庭 is not for every home. */
const ANYWHERE = /^(?:家里?|家用|家庭|居家|日常|生活|孩子|home)$/
/** 学习 of a tablet for lessons: a scene that some of the goods are for. */
function softOf(
  { text }: Draft, wish: DraftWish, kinds: readonly string[],
): DraftWish | undefined {
  const { places: [place], values: known } = wish
  const word = place && text.slice(place.start, place.end).trim()
  if (!word || known || isAudienceWord(word)) return undefined
  const words = synonymsOf(word)
  const values = valuesByKind(kinds, (kind) => [...new Set([...valuesMeant(kind, word),
    ...plainValues(kind).filter((one) => one.attribute === null && (words.includes(one.text)
      || (!ANYWHERE.test(word) && word.length > 1 && one.text.includes(word))))])])
  return values.size === 0 ? undefined : { ...wish, values, isSupposed: true, isSoft: true }
}

/** 别打滑 refuses a trouble, and nothing of what is made against it. */
function wishAgainst({ text, mustNot, prefer, keywords }: Draft, kinds: readonly string[]): void {
  for (const wish of mustNot.splice(0)) {
    const [place] = wish.places
    const word = place ? text.slice(place.start, place.end).trim() : ''
    const values = valuesByKind(isComplaint(word) ? kinds : [],
      (kind) => valuesMeant(kind, word))
    if (values.size === 0) {
      mustNot.push(wish)
      continue
    }
    prefer.push({ ...wish, values, isSupposed: true, isSoft: true })
    keywords.splice(0, keywords.length, ...keywords.filter(({ role, start, end }) =>
      role !== 'word' || end !== wish.start || end - start > 1))
  }
}

const isDenied = (text: string, { start }: Place, phrase: string): boolean =>
  !isComplaint(phrase) && !DENYING.test(phrase) && DENIED.test(text.slice(0, start))

/** 给爷爷买收音机: whoever it is for was read, and 老人 of some radios was not. */
function addSuited(draft: Draft, kind: string, place: Place, values: Values): void {
  const { heads, more, mustNot, must, prefer, suited, keywords } = draft
  const within = (one: Place): boolean => overlaps(one, place)
  // 血糖高 refuses sugar, and wishes for less of it.
  const isRefused = mustNot.some(within) && !must.some(within)
  if (isRefused || [...heads, ...more, ...keywords.filter(isFirm)].some(within)
    || hasSame([...must, ...prefer, ...suited], kind, values)) return
  suited.push({ ...place, places: [place], values, isSupposed: true, isSoft: true })
}

const isFirm = ({ role }: Draft['keywords'][number]): boolean =>
  role === 'brand' || role === 'model'

function addSoft(draft: Draft, kind: string, place: Place, values: Values): void {
  const { text, must, mustNot, prefer } = draft
  const within = (one: Place): boolean => overlaps(one, place)
  const isRead = [...draft.heads, ...draft.more, ...draft.clauses, ...mustNot, ...draft.mode.spans,
    ...draft.ignored.filter(({ why }) => why !== 'filler'),
    ...draft.keywords.filter(isFirm)].some(within)
  const known = [...must, ...prefer].find((wish) => [wish, ...wish.places].some(within))
  if (isRead) return
  // 两只猫 are no two of the goods.
  draft.quantities.splice(0, draft.quantities.length,
    ...draft.quantities.filter((one) => !overlaps(one, place)))
  if (hasSame([...must, ...prefer], kind, values)) return
  if (known) {
    // "For college homework" was read as what it suits.
    const list = must.includes(known) ? must : prefer
    if (!isOpen(known, kind) || !values.has(kind)) return
    list[list.indexOf(known)] = { ...known, isSupposed: true,
      ...list === prefer && { isSoft: true },
      values: new Map([...values, ...known.values ?? []]) }
    return
  }
  const taken = [...draft.heads, ...draft.more, ...draft.clauses, ...must, ...mustNot, ...prefer,
    ...draft.quantities, ...draft.ignored.filter(({ why }) => why !== 'filler'),
    ...draft.keywords.filter(isFirm)]
  const whole = freeAround(text, clauseAround(text, place, BETWEEN), place, taken)
  prefer.push({ ...place, places: [place], values, isSupposed: true, isSoft: true })
  takeWords(draft, whole)
  takeNames(draft, place)
}

/** 游戏 of 打游戏 names no goods that are wanted. */
function takeNames({ keywords, heads, more }: Draft, place: Place): void {
  const rest = keywords.filter((one) => one.role !== 'kind' || !overlaps(one, place)
    || [...heads, ...more].some((name) => overlaps(name, one)))
  keywords.splice(0, keywords.length, ...rest)
}

/** Of a wish no value of the goods is known, nor a number. */
const isOpen = ({ values, measure, words, implied }: DraftWish, kind: string): boolean =>
  !measure && !words && !implied && !values?.has(kind)

/** One is enough of what says the same twice: 下雨, 淋雨. */
const hasSame = (wishes: readonly DraftWish[], kind: string, values: Values): boolean =>
  wishes.some((wish) => (values.get(kind) ?? []).some((value) =>
    wish.values?.get(kind)?.some(({ text }) => text === value.text)))
