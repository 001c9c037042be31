/**
 * Sizes that are told by whom or what the goods are for: 双人 of what lies on beds, 小房间 of what
 * cleans air, 金毛 of a dog's bed, 大袋 of what is sold by weight, 轻便 of what states its weight.
 */
import { likelyKinds, valuesByKind } from '../likely-kinds.ts'
import { fold } from '../fold.ts'
import { taxonomy } from '../../goods/taxonomy.ts'
import { haveUnit, profileOf } from '../profile.ts'
import type { Guess, Measure, Value, Values } from '../understanding.ts'
import { attributesOf, valuesCalled } from '../values.ts'
import { overlaps, type Place } from './claims.ts'
import { byStart, type Draft } from './draft.ts'
import { HALF, sizeOf } from './size-words.ts'
import { list } from './words.ts'

const SHARE_MIN = 0.3
const KINDS_MAX = 4

export function readSizesFor(draft: Draft, kinds: readonly Guess<string>[]): void {
  const likely = likelyKinds(kinds, SHARE_MIN, KINDS_MAX)
  const [first] = likely
  if (first === undefined) return
  for (const { said, valuesOf } of TOLD) {
    const place = placeOf(draft, said)
    if (!place) continue
    const values = valuesByKind(likely, (kind) => valuesOf(kind, place.groups))
    const isNamed = overlapsAny(draft.heads, place) && valuesCalled(first, place.word).length > 0
    if (values.size > 0 && !isNamed) wishFor(draft, first, place, { values })
  }
  for (const { said, name, units, isSmall } of MEASURED) {
    const place = placeOf(draft, said)
    const measure = place && valuesCalled(first, place.word).length === 0
      ? sizeOf(first, isSmall(place.word), HALF, [[name, units]]) : undefined
    if (place && measure) wishFor(draft, first, place, { measure })
  }
  const rooms = placeOf(draft, ROOMS)
  const area = rooms && areaOf(first, rooms.groups['few'] !== undefined)
  if (rooms && area) wishFor(draft, first, rooms, { measure: area })
  wishShoes(draft, first)
  draft.must.sort(byStart)
}

/** About how long children's feet are at each age, in centimetres. */
const FEET = [11, 12.5, 14, 15.5, 16.5, 17.5, 18.3, 19, 19.7, 20.5, 21.3, 22.2, 23] as const
const MONTHS = 12
/** A child's foot may be so much smaller or larger; in European sizes. */
const AROUND = 1.5
const sizeOfFoot = (centimetres: number): number => centimetres * 1.5 + 2

/** 六岁 of shoes: what children of that age wear comes first. */
function wishShoes({ must, prefer }: Draft, kind: string): void {
  const age = must.find(({ measure }) => measure?.unit === 'month')
  const years = Math.floor((age?.measure?.low ?? Infinity) / MONTHS)
  const foot = FEET[years]
  if (!age || foot === undefined || !haveUnit([kind], 'shoe')
    || must.some(({ measure }) => measure?.unit === 'shoe')) return
  const { start, end } = age
  prefer.push({ start, end, places: [{ start, end }], isSoft: true, measure: {
    low: Math.floor(sizeOfFoot(foot) - AROUND), high: Math.ceil(sizeOfFoot(foot) + AROUND),
    unit: 'shoe' } })
}

interface Said extends Place {
  readonly word: string
  readonly groups: Readonly<Record<string, string | undefined>>
}

/** What is refused or names the goods tells no size of others. */
function placeOf({ text, heads, more, mustNot, clauses }: Draft, said: RegExp): Said | undefined {
  const found = said.exec(text)
  if (!found) return undefined
  const place = { start: found.index, end: found.index + found[0].length }
  const isTaken = overlapsAny([...mustNot, ...clauses], place)
    // 泰迪 of 泰迪狗窝 stands in the name.
    || (found.groups?.['breed'] === undefined && overlapsAny([...heads, ...more], place))
  return isTaken ? undefined : { ...place, word: found[0], groups: found.groups ?? {} }
}

const overlapsAny = (places: readonly Place[], place: Place): boolean =>
  places.some((one) => overlaps(one, place))

/** How large the animal is says more than which it is. */
const ANIMAL = /^(?:[猫狗犬]|猫狗通?用?)$/

/** Puts the wish where the words are; what others know of them of the first kind stays. */
function wishFor(
  draft: Draft, kind: string, { start, end }: Place,
  { values, measure }: { values?: Values, measure?: Measure },
): void {
  const { must, prefer, keywords, ignored } = draft
  const place = { start, end }
  const at = must.findIndex((one) => overlaps(one, place))
  const known = must[at]
  if (known) {
    const { measure: stated, values: named, ...rest } = known
    // 双人 counts people, where such goods are made for so many.
    const isStated = stated && (stated.unit !== 'person' || haveUnit([kind], 'person'))
    const own = named?.get(kind) ?? []
    // 独立小包 says more of 小包 than how much is in it.
    const word = draft.text.slice(start, end).replace(/[的装]$/, '')
    const isKnown = measure ? own.some(({ text }) => text.includes(word))
      : own.some(({ attribute, text }) => attribute !== null && !ANIMAL.test(text))
    if (isStated || isKnown) return
    const others = [...named ?? []].filter(([one]) => one !== kind)
    const all = new Map([...values ?? [], ...others])
    must[at] = { ...rest, ...all.size > 0 && { values: all }, ...measure && { measure } }
    return
  }
  prefer.splice(0, prefer.length, ...prefer.filter((one) => !overlaps(one, place)))
  ignored.splice(0, ignored.length, ...ignored.filter((one) => !overlaps(one, place)))
  keywords.splice(0, keywords.length, ...keywords.filter((one) =>
    one.role !== 'word' || !overlaps(one, place)))
  must.push({ ...place, places: [place], ...values && { values }, ...measure && { measure } })
}

interface Told {
  readonly said: RegExp
  readonly valuesOf: (kind: string, groups: Said['groups']) => readonly Value[]
}

const BED = /床|被|毯|席|褥|蚊帐|三件套|四件套/
/** Beds of children and animals, and what lies on floors. */
const NO_BED = /婴|儿童|幼儿|宠物|地毯|爬行|车|床头|飘窗/
/** Covers hang down on both sides. */
const COVER = /被|(?<!电热)毯|床单|床盖/
const WIDTH = /^(\d+(?:\.\d+)?)(?:米床|[×x*]\d+(?:\.\d+)?(cm|米))/
/** How wide they are at most for one, and at least for two, in centimetres. */
const WIDTHS = { cover: { one: 160, two: 180 }, bed: { one: 135, two: 150 } } as const

const small = list('泰迪|比熊|博美|吉娃娃|约克夏|雪纳瑞|马尔济斯|贵宾|西施|腊肠|toy poodle|poodle|chihuahua'
  + '|pomeranian|bichon|yorkie|maltese|shih tzu|dachshund|小型[犬狗]|(?:small|tiny|little) dog')
const medium = list('柯基|柴犬|法斗|法牛|比格|边牧|可卡|斗牛犬|田园犬|corgi|beagle|shiba|french bulldog|frenchie'
  + '|border collie|cocker spaniel|bulldog|中型[犬狗]|medium(?:[- ]sized?)? dog')
const large = list('金毛|拉布拉多|哈士奇|二哈|德牧|萨摩耶|萨摩|阿拉斯加|罗威纳|杜宾|古牧|golden retriever|golden|labrador'
  + '|lab|husky|german shepherd|samoyed|malamute|great dane|rottweiler|大型[犬狗]|大狗狗?'
  + '|(?:big|large|giant) dog')
const latin = (words: readonly string[]): string => words.map((word) =>
  /[a-z]/.test(word) ? `(?<![a-z])${word}s?(?![a-z])` : word).join('|')

/** Of 10斤内 and 50斤内 the sizes for such dogs. */
const POUNDS = /(\d+)斤内/
const DOGS: readonly (readonly [breeds: RegExp, size: string, from: number, to: number])[] = [
  [new RegExp(latin(small)), '小型犬', 6, 25], [new RegExp(latin(medium)), '中型犬', 25, 50],
  [new RegExp(latin(large)), '大型犬', 50, Infinity],
]
const FOR_ALL = /^(?:全犬种|通用)$/

const ROOM = '房间?|卧室|屋子?|单间|宿舍|书房|bedroom|room|flat|apartment|space|studio|dorm'
const ROOMS = new RegExp(`(?<few>小(?:${ROOM})|(?:房间|卧室|屋子)(?:很|比较|有点|不太)?小`
  + `|(?<![a-z])(?:small|tiny|little) (?:${ROOM})(?![a-z]))|大(?:客厅|房间|平层|卧室)`
  + '|(?:客厅|房间|屋子)(?:很|比较|特别)?大|(?<![a-z])(?:large|big|huge|open plan)'
  + ' (?:living room|room|space|bedroom)(?![a-z])')

const TOLD: readonly Told[] = [
  { said: new RegExp('(?<one>单人|(?<![a-z])single(?: bed| size)?(?![a-z-]))|双人'
    + '|(?<![a-z])double(?: bed| size)(?![a-z])'),
    valuesOf: (kind, { one }) => widthsOf(kind, one !== undefined) },
  { said: new RegExp(`(?<breed>${latin([...small, ...medium, ...large])})`),
    valuesOf: (kind, { breed = '' }) => dogsOf(kind, breed) },
]

const textsOf = (kind: string): { name: string, values: readonly string[] }[] => {
  const found = taxonomy().kinds.get(kind)
  return found ? attributesOf(found) : []
}

function widthsOf(kind: string, isSingle: boolean): readonly Value[] {
  const name = taxonomy().kinds.get(kind)?.name_zh ?? ''
  if (!BED.test(name) || NO_BED.test(name)) return []
  const { one, two } = COVER.test(name) ? WIDTHS.cover : WIDTHS.bed
  return textsOf(kind).flatMap(({ name: attribute, values }) => values.flatMap((value) => {
    const [, number, unit] = WIDTH.exec(fold(value)) ?? []
    const width = Number(number) * (unit === 'cm' ? 1 : 100)
    return number !== undefined && (isSingle ? width <= one : width >= two)
      ? [{ text: fold(value), attribute }] : []
  }))
}

function dogsOf(kind: string, breed: string): readonly Value[] {
  const [, size, from = 0, to = 0] = DOGS.find(([breeds]) => breeds.test(breed)) ?? []
  if (size === undefined) return []
  return textsOf(kind).flatMap(({ name: attribute, values }) => {
    const texts = values.map((value) => fold(value))
    const isSized = texts.includes(size)
    return texts.filter((text) => {
      const pounds = Number(POUNDS.exec(text)?.[1])
      return (isSized && (text === size || FOR_ALL.test(text) || text.includes(breed)))
        || (pounds >= from && pounds <= to)
    }).map((text) => ({ text, attribute }))
  })
}

interface Measured {
  readonly said: RegExp
  readonly name: RegExp
  readonly units: readonly string[]
  readonly isSmall: (word: string) => boolean
}

const PACK = '[袋包桶瓶罐盒箱支]'
const MEASURED: readonly Measured[] = [
  { said: new RegExp(`大${PACK}(?:装|的)?|量大的?|小${PACK}(?:装|的)?(?<!独立小包|独立小包装)`
    + '|(?<![a-z])(?:big|large|huge|small|little|family|bulk)(?:[ -]size)? ?(?:bags?|bottles?'
    + '|packs?|sacks?|tubs?|jars?)(?![a-z])'),
  name: /净含量|净重/, units: ['g', 'ml'], isSmall: (word) => /小|small|little/.test(word) },
  { said: new RegExp('(?:特别|很|超级?|最)?能装(?:得?下)?(?:(?:很|好|特别|超级?|非常)?多)?'
    + '(?:东西|衣服|物品)?(?=$|的|[ ,;。!?])|装得(?:下)?(?:很|好|特别)?多(?:东西)?'
    + '|(?<![a-z])(?:roomy|spacious|(?:holds?|fits?) (?:a lot|lots|plenty)'
    + '(?: of (?:stuff|things))?)(?![a-z])'),
  name: /容量|容积/, units: ['ml'], isSmall: () => false },
  { said: new RegExp('轻身|轻便|轻巧|(?:轻|不重|不沉)(?:一?点|些)?的?(?=$|[ ,;。!?])|别太[重沉]'
    + '|(?<![a-z])(?:lightweight|light weight|not (?:too )?heavy|lighter)(?![a-z])'),
  name: /^(?!.*[承载负含]).*重/, units: ['g'], isSmall: () => true },
]

/** The least or the largest of the areas that goods are made for. */
function areaOf(kind: string, isSmall: boolean): Measure | undefined {
  const { values = [] } = profileOf(kind).attributes.find(({ names }) =>
    names.some((name) => name.includes('面积'))) ?? {}
  const areas = values.toSorted((one, other) => one.low - other.low || one.high - other.high)
  const area = isSmall ? areas[0] : areas.at(-1)
  if (!area || areas.length < 2) return undefined
  const { low, high, unit } = area
  return low < high ? { low, high: Number.isFinite(high) ? high : null, unit }
    : isSmall ? { low: null, high, unit } : { low, high: null, unit }
}
