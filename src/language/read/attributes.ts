/** Features that stand in a sentence by themselves: materials, colours, what the goods can do. */
import { fold } from '../fold.ts'
import { COLOURS, FEATURES, MATERIALS } from './attribute-words.ts'
import { overlaps, type Place } from './claims.ts'
import { phrases } from './phrases.ts'

const VOCABULARY = phrases([...MATERIALS, ...COLOURS, ...FEATURES].map(fold))
const MATERIAL = phrases(MATERIALS.map(fold))
const HAN = /\p{Script=Han}/u
/** 无糖, 防溅, 可水洗: with one of these a word is a feature, whatever the word. */
const PREFIXED = new RegExp(
  String.raw`(?<!\p{Script=Han})(?:[无免零防抗可非不低高带]|`
  + String.raw`(?<!\d)0)(?:(?![的无零])\p{Script=Han}){1,3}(?=$|[ ;,.。、!?的])`, 'gu')
const NEITHER = /^(?:不要|不想|不用|可以|不是|高端|不贵|不错|不过|无所|可能|不含|带个)/
const OR = /^ ?(?:或者?是?|\/|or|、或) ?$/
const CERTIFIED = /(?<![a-z0-9])[a-z0-9]{1,8} ?(?:认证|级?防水|级?防尘|certified)/g
const COLOUR = new RegExp('[正大深浅暗亮淡嫩墨藏军酒玫天宝湖海雾烟奶米]{0,2}[红橙黄绿青蓝紫灰黑白粉棕金银]'
  + '(?:颜?色系?|色调|[调系](?=的|款|$|[ ,.;]))'
  + '|(?:[偏发泛]|有点|带点)[红橙黄绿青蓝紫灰黑白粉棕](?=的|$|[ ,.;])|([粉红蓝绿白黑灰紫])\\1(?=的)', 'g')
/** Gluten-free: what goods are without. */
export const FREE_OF = /(?<![a-z0-9])[a-z]{2,16}[- ]free(?![a-z0-9])/g

/** In a text whose taken characters are masked. */
export function attributesIn(text: string): Place[] {
  const places: Place[] = VOCABULARY.find(text).filter((place) => isWord(text, place))
  for (const pattern of [PREFIXED, FREE_OF, CERTIFIED, COLOUR]) {
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (!NEITHER.test(found)) places.push({ start: index, end: index + found.length })
    }
  }
  // The longest first: ip68防水 before 防水.
  places.sort((left, right) => right.end - right.start - left.end + left.start)
  return places.filter((place, index) => !places.slice(0, index)
    .some((longer) => overlaps(longer, place)))
    .sort((left, right) => left.start - right.start)
}

/** One character is a feature where it stands alone: 铁的, not 地铁. */
function isWord(text: string, { start, end }: Place): boolean {
  if (end - start > 1 || !HAN.test(text.charAt(start))) return true
  const [before, after] = [text.charAt(start - 1), text.charAt(end)]
  return !HAN.test(before) && (!HAN.test(after) || after === '的')
}

/** The material after 100%, as a part of the same wish. */
export const materialAt = (text: string, start: number): Place | undefined =>
  MATERIAL.at(text, start)

/** The feature that begins here: 一级能效, where 一级 was read. */
export const featureAt = (text: string, start: number): Place | undefined =>
  VOCABULARY.at(text, start)

/** Features joined by "or" are one wish. */
export function joined(text: string, places: readonly Place[]): Place[][] {
  const groups: Place[][] = []
  for (const place of places) {
    const last = groups.at(-1)?.at(-1)
    const between = last ? withoutOf(text.slice(last.end, place.start)) : undefined
    if (between !== undefined && OR.test(between)) groups.at(-1)?.push(place)
    else groups.push([place])
  }
  return groups
}

const withoutOf = (between: string): string => between.replace(/^的/, '')
