/**
 * 越辣越好, 最大的, "the spicier the better", "as big as possible": the values of the goods that
 * have most of what is liked.
 */
import { taxonomy, valuesOf } from '../../goods/taxonomy.ts'
import { fold } from '../fold.ts'
import { attributeNamed, numbersIn, profileOf, type AttributeValues } from '../profile.ts'
import type { Guess, Measure, Value } from '../understanding.ts'
import { overlaps, type Place } from './claims.ts'
import type { Draft } from './draft.ts'
import { list } from './words.ts'

/** What tells how much of it goods have, in English words, and of which attributes in numbers. */
interface Liking {
  readonly han: RegExp
  readonly latin: RegExp
  /** Their names, the surest first. */
  readonly numbers?: readonly RegExp[]
  readonly isLess?: true
  /** What values say of it. */
  readonly words: readonly string[]
}

const liking = (
  han: string, latin: string, words: string, numbers: readonly RegExp[] = [], isLess = false,
): Liking => ({ han: new RegExp(`^(?:${han})$`), latin: new RegExp(`^(?:${latin})$`), numbers,
  words: list(words), ...isLess && { isLess: true } })

const SIZE = [/容量|容积/, /尺寸|口径|直径|大小|规格|面积/, /长度/, /重量/]
const LIKINGS: readonly Liking[] = [
  liking('大', 'big|large|huge', '大号|大码|大', SIZE),
  liking('小', 'small|little|tiny|compact', '小号|小码|迷你|小', SIZE, true),
  liking('长', 'long', '长款|长', [/长/]), liking('短', 'short', '短款|短', [/长/], true),
  liking('高', 'high|tall', '高', [/高/]), liking('[矮低]', 'low', '低|矮', [/高/], true),
  liking('厚实?', 'thick', '加厚|厚|加绒', [/厚/, /克重/]),
  liking('薄', 'thin', '超薄|薄', [/厚/, /克重/], true),
  liking('重', 'heavy', '重型|重', [/重/]), liking('轻便?', 'light', '超轻|轻', [/重/], true),
  liking('宽', 'wide', '宽', [/宽|口径/]), liking('窄', 'narrow', '窄', [/宽|口径/], true),
  liking('粗', 'thick', '粗', [/直径|线径/]), liking('细', 'thin|fine', '细', [/直径|线径/], true),
  liking('[远久长]', 'far|lasting', '长续航|超长续航', [/续航|待机|使用时间|时长/]),
  liking('快', 'fast|quick', '高速|快速', [/时速|速度|转速/]),
  liking('多', 'many|much', '多', [/片数|件数|支数|数量|份数|色数|组数|格数|层数|人数/]),
  liking('亮|强|猛|有劲', 'bright|strong|powerful', '高亮|强', [/流明|亮度/, /功率/, /阻力|吸力/]),
  liking('辣', 'spic[yi]|hot', '辣'), liking('臭', 'stink[yi]|smell[yi]|pungent|funk[yi]', '臭'),
  liking('甜', 'sweet', '甜'), liking('酸', 'sour', '酸'), liking('深', 'dark', '深'),
  liking('浅', 'pale', '浅'), liking('静音?|安静', 'quiet|silent', '静音|静'),
  liking('软和?', 'soft', '软'), liking('硬', 'hard|firm', '硬'), liking('浓', 'strong', '浓'),
]

const HAN = new RegExp('(\\p{Script=Han}{2,4})?(?:得|要)?越(\\p{Script=Han}{1,2})越'
  + '(?:好|香|过瘾|爽|带劲|妙|行|喜欢|爱|开心|舒服|给力|巴适|安逸)'
  + '|(\\p{Script=Han}{2,4})?最(\\p{Script=Han}{1,2})的(?:那[种款个]|一[种款个])?'
  // 跑得远点的, 续航久一些.
  + '|(?:[跑用飞开骑照射走站扫吹吸拍撑放]得|(续航|待机|时间)(?:要|能)?)更?(\\p{Script=Han})(?:一?点儿?|一?些)', 'gu')
const LATIN = new RegExp('(?<![a-z])(?:the )?([a-z]+?)(?:ier|er) the (?:better|merrier)(?![a-z])'
  + '|(?<![a-z])as ([a-z]+) as (?:possible|(?:they|it) (?:come|get)s?|you (?:have|can|\'ve got))'
  + '|(?<![a-z])(?:the )?([a-z]+?)(?:iest|est)(?: (?!you|of|in|on|one|and)([a-z]+))?(?![a-z])', 'g')
/** 评价最高的 says nothing of the goods' own height. */
const NO_SIZE = /(?:评价|评分|销量|口碑|价格?|人气|热度|好评|质量|品质|档次|等级|配置|性能|颜值|要求)$/
/** Doubled and dropped letters: bigger, larger. */
const stemsOf = (word: string): string[] =>
  [word, `${word}e`, `${word}y`, word.replace(/([a-z])\1$/, '$1')]
/** So many of the values in which such goods are made, where the more the better. */
const SHARE = 1 / 5
const VALUES_MIN = 3
/** How much of it a value says that it has, the most first; none is plain. */
const DEGREES = ['爆', '变态', '特', '超', '极', '重', '加', '高', '', '偏', '中', '轻', '微', '低', '少',
  '不', '无']

/** What values say in Chinese of what an English word tells: sweet is 甜. */
export const wordsLiked = (word: string): readonly string[] =>
  LIKINGS.find(({ latin }) => stemsOf(word).some((stem) => latin.test(stem)))?.words ?? []

interface Found extends Place {
  /** 最大的, and not 越大越好. */
  readonly isMost: boolean
  readonly liked: readonly Liking[]
  /** What is said to be the most: 容量 of 容量越大越好. */
  readonly of?: string
}

/** Adds what is liked most to the wishes, where such goods differ in it. */
export function readSuperlatives(draft: Draft, kinds: readonly Guess<string>[]): void {
  const kind = kinds[0]?.value
  if (kind === undefined) return
  for (const found of likingsIn(draft)) {
    const measure = measureOf(kind, found)
    const values = measure ? [] : valuesFor(kind, found)
    if (!measure && values.length === 0) continue
    const { start, end } = found
    for (const list of [draft.must, draft.prefer]) {
      list.splice(0, list.length, ...list.filter((one) => !overlaps(one, found)))
    }
    draft.keywords.splice(0, draft.keywords.length, ...draft.keywords.filter((one) =>
      one.role !== 'word' || !overlaps(one, found)))
    draft.must.push({ start, end, places: [{ start, end }],
      ...measure ? { measure } : { values: new Map([[kind, values]]) } })
  }
}

function likingsIn({ text, names, mode, mustNot }: Draft): Found[] {
  return [...latinIn(text), ...hanIn(text, names)].filter((found) => found.liked.length > 0
    && ![...mode.spans, ...mode.denied, ...mustNot].some((one) => overlaps(one, found)))
}

const latinIn = (text: string): Found[] => [...text.matchAll(LATIN)].map((found) => {
  const { 0: said, 1: more, 2: as, 3: most, 4: of, index } = found
  const stems = stemsOf(more ?? as ?? most ?? '')
  return { start: index, end: index + said.length, isMost: most !== undefined,
    ...of !== undefined && { of },
    liked: LIKINGS.filter(({ latin }) => stems.some((stem) => latin.test(stem))) }
})

const hanIn = (text: string, names: readonly Place[]): Found[] =>
  [...text.matchAll(HAN)].flatMap((found) => {
    const { 0: said, 1: of = found[3] ?? found[5], 2: more, 4: most, 6: rather, index } = found
    const end = index + said.length
    const isEnd = /^(?:$|[^\p{Script=Han}])/u.test(text.slice(end))
      || names.some(({ start }) => start === end)
    if ((most !== undefined && !isEnd) || NO_SIZE.test(of ?? '')) return []
    return [{ start: index + Math.max(0, said.search(/得?越|最/)), end, isMost: most !== undefined,
      ...of !== undefined && { of },
      liked: LIKINGS.filter(({ han }) => han.test(more ?? most ?? rather ?? '')) }]
  })

function measureOf(kind: string, { liked, of, isMost }: Found): Measure | undefined {
  const named = of === undefined ? undefined : namedBy(kind, of)
  for (const { numbers = [], isLess } of liked) {
    const attributes = named ? [named] : numbers.flatMap((name) =>
      profileOf(kind).attributes.filter(({ names }) => name.test(names[0] ?? '')))
    for (const { values } of attributes) {
      const unit = values[0]?.unit
      const known = unit === undefined ? [] : numbersIn(values, unit)
      if (unit === undefined || known.length < VALUES_MIN) continue
      const last = known.length - 1
      const from = isMost ? 0 : Math.max(1, Math.floor(last * SHARE))
      return isLess ? { low: null, high: known[from] ?? null, unit }
        : { low: known[last - from] ?? null, high: null, unit }
    }
  }
  return undefined
}

/** 屏幕尺寸 and 容量: the longest end of what stands before it that names an attribute. */
function namedBy(kind: string, said: string): AttributeValues | undefined {
  if (/^[a-z]/.test(said)) return attributeNamed([kind], said)
  for (let from = 0; from + 2 <= said.length; from += 1) {
    const found = attributeNamed([kind], said.slice(from))
    if (found) return found
  }
  return undefined
}

/** Those that have the most of it, of the attribute that tells most of it. */
function valuesFor(kind: string, { liked }: Found): readonly Value[] {
  let best: readonly Value[] = []
  let most = 0
  for (const attribute of taxonomy().kinds.get(kind)?.attributes ?? []) {
    const all = valuesOf(attribute).map((value) => fold(String(value)))
    for (const { words } of liked) {
      const degrees = all.map((text) => ({ text, degree: degreeOf(text, words) }))
        .filter(({ degree }) => degree < Infinity)
      const share = degrees.length / all.length
      if (share <= most) continue
      most = share
      const least = Math.min(...degrees.map(({ degree }) => degree))
      best = degrees.filter(({ degree }) => degree === least)
        .map(({ text }) => ({ text, attribute: attribute.name_zh }))
    }
  }
  return best
}

function degreeOf(text: string, words: readonly string[]): number {
  const word = words.find((one) => text.includes(one))
  if (word === undefined) return Infinity
  const before = text.slice(0, text.indexOf(word))
  const degree = DEGREES.findIndex((one) => one !== '' && before.endsWith(one))
  return degree >= 0 ? degree : DEGREES.indexOf('')
}
