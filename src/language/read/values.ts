/**
 * Once it is known which goods are meant, what is said of them is looked up among the values that
 * such goods can have: wishes and refusals get the values that they name, and a word that nobody
 * read becomes a wish where it names one.
 */
import { likelyKinds, valuesByKind } from '../likely-kinds.ts'
import { taxonomy } from '../../goods/taxonomy.ts'
import { isAudienceWord } from '../audience.ts'
import { fold } from '../fold.ts'
import { cutKnown } from '../segment.ts'
import { isPartOfColour } from '../value-colours.ts'
import { haveUnit } from '../profile.ts'
import type { Guess, Value, Values } from '../understanding.ts'
import { refusedValues, valuesNamed, valuesWithout, type NamedValues } from '../values.ts'
import { overlaps, type Place } from './claims.ts'
import { isOnlySuch } from './demands.ts'
import { isComplaint } from './polarity.ts'
import { joinedChoices } from './choices.ts'
import { byStart, type Draft, type DraftWish } from './draft.ts'
import { crossesWords } from './evidence.ts'
import { brandsIn, countedIn, occasionsIn, readable } from './readable.ts'
import { isPartOfGroup } from './refusals.ts'
import { audienceNamed, forAge, isOfAll } from './suited-values.ts'
import { namesIn, type Name } from './names.ts'

const HAN = /\p{Script=Han}/u
/** Kinds that are so much less likely than the first are not read by. */
const SHARE_MIN = 0.3
const KINDS_MAX = 8

/** 墙上不能打孔: what goods must not need. */
const CANNOT = new RegExp('(?:(?:不能|不可以|不让|不许|不准|没法|无法|不想|不方便|懒得|不用|不需要|无需|不必'
  + '|用不着|不愿意?)(?:自己|再|另外)?(?:带|有|配|换|装|插|接|放|用|吃|喝|穿|碰|戴|买|睡|沾)?'
  + '|不(?:太|怎么|大)?(?:爱|喜欢|想|敢|肯)(?:吃|喝|用|穿|看|玩|戴|买)?(?:带|有|加|放)?'
  + '|不(?:吃|喝|穿|戴|碰|买|看)(?:带|有|加|放|用)?|(?<![a-z])non[ -]?'
  + '|[闻吃喝用碰戴穿受睡坐沾]不(?:了|得|惯|来))(?:一?(?:丁点|丁|点|丝|毫)儿?|任何|什么)?$')
/** 不插电的, 非机械. */
const DENIED = /(?<![要好是想])[不非]$/

const FREE_OF = /^[ -]free$/
const DENIES = /^(?:不含有?|不添加|无添加|零添加|未添加|不加|无|零|0)$/

/** 没香味 is a wish for what is 无香. */
const NONE = /^(?:没|不|无|零|0|别|非|一点|完全|(?:no|not|non|without|zero|free)[ -])/

/** Whether something that tells the goods apart is said beside their names. */
export const areDistinguished = (draft: Draft, kinds: readonly Guess<string>[]): boolean =>
  valuesIn(draft, kinds.slice(0, 1)).some((said) => !isFeature(said)
    && !draft.names.some((name) => overlaps(name, said) && name.senses.some(({ kind }) =>
      kind === kinds[0]?.value)))

const REFUSED = /^(?:不要|不想要|别要)/
/** 型 of 不要清凉型. */
const SORT = /^(?:的?(?:型|款|味|式|类|那种)?的?)$/
/** What is named at a place, by kind. */
interface Said extends Place {
  readonly values: Map<string, readonly Value[]>
}

/** Adds to the wishes what they mean; returns what the names of the goods say of them. */
export function resolveValues(draft: Draft, kinds: readonly Guess<string>[]): DraftWish[] {
  const named: DraftWish[] = []
  const likely = likelyKinds(kinds, SHARE_MIN, KINDS_MAX)
  for (const said of valuesIn(draft, kinds).sort(byStart)) resolve(draft, said, named)
  named.push(...draft.heads.flatMap((head) => audienceNamed(draft.text, head, likely)))
  const joined = joinedTouching(draft.text, draft.must.sort(byStart))
  draft.must.splice(0, draft.must.length, ...joinedChoices(draft.text, joined)
    .map((wish) => forAge(draft.text, wish, likely)))
  for (const list of [draft.must, draft.keywords, draft.prefer]) list.sort(byStart)
  draft.mustNot.splice(0, draft.mustNot.length, ...draft.mustNot.map(asRefused))
  // "Bamboo cotton wipes": what is said beside the name goes before what it says itself.
  return named.filter((wish) => !isOfAll(wish, likely[0])
    && !draft.must.some((one) => isInstead(one, wish.values)))
}

/** 透明塑料 is one thing: what touches another word is the value that both name. */
function joinedTouching(text: string, wishes: readonly DraftWish[]): DraftWish[] {
  const found: DraftWish[] = []
  for (const wish of wishes) {
    const last = found.at(-1)
    const isTouching = last?.values && wish.values && !last.measure && !wish.measure
      && text.slice(last.end, wish.start) === ''
    const both = isTouching && last.values && wish.values ? common(last.values, wish.values) : null
    if (last && both) {
      found[found.length - 1] = { ...last, end: wish.end, values: both,
        places: [joint(last.places[0] ?? last, wish.places[0] ?? wish)] }
    } else found.push(wish)
  }
  return found
}

/** What both name, where every kind of the first has something in common. */
function common(one: Values, other: Values): Values | null {
  const both = new Map([...one].map(([kind, values]) =>
    [kind, values.filter((value) => other.get(kind)?.includes(value))] as const))
  const [first] = [...both.values()]
  return first && first.length > 0 ? both : null
}

/** 有涂层的不考虑: what says to be without it is wished, whatever others say of theirs. */
export function wishWithout(draft: Draft, kinds: readonly Guess<string>[]): void {
  const likely = likelyKinds(kinds, SHARE_MIN, KINDS_MAX)
  for (const { places: [place], start, end, values: refused } of draft.mustNot) {
    if (!place || refused) continue
    const thing = draft.text.slice(place.start, place.end).trim()
    // 加糖的不要 wishes what is without sugar.
    const things = [thing, thing.replace(/^(?:加了?|含有?|放了?|带|有)(?=.)/, '')]
    const values = valuesByKind(likely, (kind) =>
      [...new Set(things.flatMap((one) => valuesWithout(kind, one)))])
    if (values.size === 0) continue
    draft.must.push({ start, end, places: [place], words: [`无${thing}`], values })
  }
  draft.must.sort(byStart)
}

const asRefused = (wish: DraftWish): DraftWish =>
  wish.values ? { ...wish, values: refusedValues(wish.values) } : wish

function isInstead(wish: DraftWish, named: Values | undefined): boolean {
  return [...wish.values ?? []].some(([kind, values]) => {
    const own = named?.get(kind) ?? []
    return own.length > 0 && own.every(({ attribute }) => values.some((one) =>
      one.attribute === attribute)) && !values.some((one) => own.includes(one))
  })
}

/** Whether a value of the goods that are named is complained of: 鞋柜，颗粒板的有味. */
export const haveProblem = (draft: Draft, kinds: readonly Guess<string>[]): boolean =>
  valuesIn(draft, kinds).some((said) => isComplaint(draft.text, said))

function valuesIn(draft: Draft, kinds: readonly Guess<string>[]): Said[] {
  const found: Said[] = []
  const text = readable(draft)
  const isAlone = (start: number, end: number): boolean => standsAlone(draft, start, end)
  for (const kind of likelyKinds(kinds, SHARE_MIN, KINDS_MAX)) {
    for (const one of [...countedIn(draft, kind, isAlone), ...brandsIn(draft, kind, isAlone),
      ...occasionsIn(draft, kind, isAlone), ...valuesNamed(kind, text, isAlone)]) {
      const isSaid = draft.mustNot.some((wish) => overlaps(wish, one))
        || !isNameOf(kind, one) || isWishedApart(draft, one)
      const isCut = cutsWord(draft, one) || isPartOfColour(draft.text, draft.must, one)
        || isPartOfGroup(draft, one) || crossesWords(draft.text, one)
      if (isSaid && !isCut) addTo(found, kind, one)
    }
  }
  return found
}

/** 学生 of 小学生书包 is no word of its own. */
function cutsWord({ text, heads }: Draft, { start }: Place): boolean {
  const head = heads.find((name) => name.start < start && name.end > start)
  if (!head || !HAN.test(text.charAt(start))) return false
  let end = head.start
  for (const word of cutKnown(text.slice(head.start, head.end))) {
    const from = end
    end += word.length
    if (from < start && end > start) return end < head.end
  }
  return false
}

/** 铝锅: what is made of it. */
const THING = /^[锅壶杯盆碗盘桌柜床椅凳架箱包鞋衣裤被枕席垫板刀勺筷杆管框壳盒瓶桶梳扇帘](?!\p{Script=Han})/u

/** 塑料的, 木砧板, 别要竹的: a character that is a word by itself. */
function standsAlone({ text, names, heads }: Draft, start: number, end: number): boolean {
  const [before, after] = [text.charAt(start - 1), text.charAt(end)]
  if (end - start === 1 && heads.some((head) => isSaidIn(text, head, { start, end }))) return true
  return (!HAN.test(before) || /[要是的用含有]/.test(before)
    // 换一条皮的.
    || (after === '的' && /[一几两三][条个只双件把款根]$/.test(text.slice(0, start))))
    && (!HAN.test(after) || after === '的' || THING.test(text.slice(end, end + 2))
      || names.some((name) => name.start === end))
}

/** 绿茶 names the goods, which are not told apart by it; "leather" tells belts apart. */
const isNameOf = (kind: string, { phrase, values }: NamedValues): boolean => {
  const { name_zh = '', name_en = '', broader = [] } = taxonomy().kinds.get(kind) ?? {}
  // Of 婴儿润肤乳, which are called 面霜 as well, some are 面霜 and others not.
  const isValue = values.some(({ text, attribute }) => attribute !== null && text === phrase)
  return fold(name_zh).includes(phrase) || [name_en, ...isValue ? [] : broader].some((word) =>
    fold(word) === phrase || fold(word).endsWith(` ${phrase}`))
}

/** 真羊肉 of 羊肉串要真羊肉 is said apart from the name. */
const isWishedApart = ({ must, heads }: Draft, one: NamedValues): boolean =>
  must.some((wish) => overlaps(wish, one)) && !heads.some((head) => overlaps(head, one))
    && one.values.some(({ text, attribute }) => attribute !== null && text === one.phrase)

/** 白 of 男士白衬衫, which are 男士衬衫. */
function isSaidIn(text: string, head: Name, { start, end }: Place): boolean {
  if (head.start > start || head.end <= end) return false
  const rest = text.slice(head.start, start) + text.slice(end, head.end)
  return isName(rest.replace(/ ?[男女]$/, ''), head)
}

const isName = (text: string, { senses }: Name): boolean => text.length > 1
  && namesIn(text).some((one) => one.start === 0 && one.end === text.length
    && one.senses.some(({ kind }) => kind === senses[0]?.kind))

function addTo(found: Said[], kind: string, { start, end, values }: NamedValues): void {
  const same = found.find((one) => overlaps(one, { start, end }))
  if (!same) found.push({ start, end, values: new Map([[kind, values]]) })
  else if (!same.values.has(kind)) same.values.set(kind, values)
}

const isFeature = ({ values }: Said): boolean =>
  [...values.values()].every((list) => list.every(({ attribute }) => attribute === null))

function resolve(draft: Draft, said: Said, named: DraftWish[]): void {
  const { must, mustNot, prefer, heads, more } = draft
  const within = (place: Place): boolean => overlaps(place, said)
  take(draft.quantities, said)
  const { start, end, values } = said
  const wish = { start, end, places: [{ start, end }], values }
  const isNone = NONE.test(draft.text.slice(start, end))
  // 两轮的不稳不要: what stands before a complaint is what is refused.
  const troubled = mustNot.findIndex((one) => isTroubleOf(draft.text, one, said))
  if (troubled >= 0) {
    for (const list of [must, prefer]) take(list, said)
    take(draft.keywords, said)
    mustNot[troubled] = { ...wish, end: mustNot[troubled]?.end ?? end }
    return
  }
  // Who eats not 一点辣 wants nothing hot, and who refuses "soy milk" refuses no milk.
  if (isRefusedWith(draft, said)) return
  // "Non stick" is no refusal of what sticks.
  const denied = mustNot.findIndex((one) => (isNone && start <= one.start
    && SORT.test(draft.text.slice(end, one.end)))
    || one.places.some((place) => place.start > one.start
      && start <= one.start && draft.text.slice(end, place.end).trim() === ''))
  if (denied >= 0) {
    // 不要清凉型 wishes what is 无清凉, and refuses the others all the same.
    if (!REFUSED.test(draft.text.slice(start, end))) mustNot.splice(denied, 1)
    must.push(wish)
    return
  }
  const measured = must.find((one) => one.measure && within(one))
  // 304 of 304不锈钢 is no number by itself; 两层 is, and 双层 as well.
  if (measured && end - start <= measured.end - measured.start) {
    const isWhole = measured.places.some((one) => one.start >= start && one.end <= end)
    // Where the goods state the measure, it says more: 2XL has XL in it.
    const unknown = new Map([...values].filter(([kind]) =>
      !haveUnit([kind], measured.measure?.unit ?? '')))
    if (isWhole && !measured.values && unknown.size > 0) {
      must[must.indexOf(measured)] = { ...measured, values: unknown }
    }
    return
  }
  if (cannotBe(draft, said)) {
    mustNot.push(wish)
    return
  }
  if (giveTo(draft, mustNot, said)) return
  if (giveTo(draft, must, said)) {
    // 非牛皮 was read as one word, as were 不含鸡肉 and "chicken-free".
    const at = must.findIndex((one) => within(one) && !isNone
      && (DENIES.test(draft.text.slice(one.start, start)) || draft.text.charAt(start - 1) === '非'
        || FREE_OF.test(draft.text.slice(end, one.end))))
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
    if (!isFeature(said) || isMore(draft, said)) named.push(wish)
  } else if (takeWords(draft, said)) must.push(wish)
}

/** 墙上不能打孔: takes what must not be from what was wished. */
function cannotBe(draft: Draft, said: Said): boolean {
  const { text, names, must, mustNot, prefer, keywords } = draft
  const { start, end } = said
  const before = text.slice(0, start)
  if (mustNot.some(({ places }) => places.some((place) => overlaps(place, said)))
    || isOnlySuch(text, said)) return false
  // Not 粘锅 of 不粘锅.
  const isDenied = CANNOT.test(before) || (DENIED.test(before)
    && !names.some((name) => name.start < start && name.end >= end))
  if (!isDenied) return false
  for (const list of [must, prefer]) {
    // 不 of 不插电 is left of what was read as one wish.
    const rest = list.filter((one) =>
      !(overlaps(one, said) && one.end === end && start - one.start < 2))
    list.splice(0, list.length, ...rest)
    take(list, said)
  }
  take(keywords, said)
  return true
}

/** Whether it only ends the name of refused goods, or says how little of them is too much. */
const isRefusedWith = ({ text, mustNot, names }: Draft, { start, end }: Place): boolean =>
  mustNot.some(({ places }) => places.some((place) => place.end === end && (place.start < start
    ? names.some((name) => name.start === place.start && name.end === end)
    : /^(?:一(?:丁?点|丝|毫)|半点)儿?$/.test(text.slice(start, place.start)))))

/** 静音 of 静音鼠标 says more than 鼠标; 烧水 of 烧水壶 is the name. */
function isMore({ text, heads, more }: Draft, { start, end, values }: Said): boolean {
  const name = [...heads, ...more].find((one) => one.start <= start && one.end >= end)
  if (!name) return false
  const rest = (text.slice(name.start, start) + text.slice(end, name.end)).trim()
  const isRestName = rest.length > 1 && namesIn(rest).some((one) => one.start === 0
    && one.end === rest.length && one.senses.some(({ kind }) => values.has(kind)))
  return isRestName && !isAudienceWord(text.slice(start, end))
}

const TROUBLE = new RegExp('^[味的]*(?:不(?![要想用])|没[味劲用]|[太会有很又还]|容易|[闻吃喝穿戴用摸看坐睡][^ ,;。]?[不着起]'
  + '|[^ ,;。不]{1,3}[差慢吵重硬薄贵痒扎勒断坏裂漏松臭])')

const isTroubleOf = (text: string, { start, values, places }: DraftWish, said: Said): boolean =>
  values === undefined && places[0]?.start === start && start >= said.end
    && /^(?:的|味的?|款的?|那种)?$/.test(text.slice(said.end, start))
    && TROUBLE.test(text.slice(start))

/** Takes the place from words that nobody read; says whether there are any. */
function takeWords({ keywords, ignored }: Draft, said: Said): boolean {
  const isWord = take(keywords, said)
  const isFiller = (!isFeature(said) || isWord) && take(ignored, said)
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
  // 大一匹 says more than 一匹.
  const { measure, ...named } = wish
  const isMore = measure && said.start <= wish.start && said.end >= wish.end
    && said.end - said.start > wish.end - wish.start
  wishes[at] = { ...isMore ? named : wish, ...whole, places,
    values: merged(wish.values, said.values) }
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
  return new Map([...kinds].map((kind) => {
    const [values, more] = [one.get(kind) ?? [], other.get(kind) ?? []]
    // IPX5防水 is one of those that are waterproof.
    const both = values.filter((value) => more.includes(value))
    return [kind, both.length > 0 ? both : [...values, ...more]]
  }))
}

/** What is left of a place before and behind another. */
const around = (whole: Place, part: Place): Place[] => [
  { start: whole.start, end: Math.min(whole.end, part.start) },
  { start: Math.max(whole.start, part.end), end: whole.end },
].filter(({ start, end }) => end > start)
