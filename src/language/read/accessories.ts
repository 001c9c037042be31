/** Goods that are named by what they belong to: iphone 15 壳, 手机的壳, a case for my iPad. */
import { partsOf, taxonomy } from '../../goods/taxonomy.ts'
import { isAudienceWord } from '../audience.ts'
import { fold } from '../fold.ts'
import { getLexicon, keyOf, NAMED, type Sense } from '../lexicon.ts'
import { overlaps } from './claims.ts'
import type { Name } from './names.ts'

const MODEL = new RegExp(String.raw`^[ -]?(?:\d{1,4}[a-z]?(?![a-z0-9]))?`
  + '(?: ?(?:pro|max|plus|ultra|mini|air|se|fe)(?![a-z]))*')

/** iPad stands for a tablet of Apple's, and an iPad case for one of tablets. */
export function linesIn(text: string): Name[] {
  const { brands, lines } = getLexicon()
  // iphone15 is written without a space, too.
  const found = [...brands.find(text), ...brands.find(text.replace(/\d/g, ' '))]
    .filter((one, at, all) => all.findIndex((other) => overlaps(one, other)) === at)
  return found.flatMap(({ phrase, start, end }): Name[] => {
    const line = lines.get(phrase)
    if (!line) return []
    const model = MODEL.exec(text.slice(end, end + 24))?.[0].trimEnd().length ?? 0
    const name: Name = { start, end: end + model, key: phrase, line: line.brand,
      senses: [{ kind: line.kind, weight: 1, rest: '' }] }
    return [name, ...accessoryOf(text, name)]
  })
}

const ACCESSORY_LENGTH_MAX = 16
/** 饮料 整箱: how goods are packed is none of what belongs to them. */
const PACKED = /^整|装$|^[大小]?[箱盒包袋瓶罐桶]$|^礼盒$/
const BEHIND = new RegExp(
  String.raw`^(?:(?:[;,。 ]|\p{Script=Han}){0,6}[个条张根只块套副把款](?!子)|[的用 ]|专用`
  + String.raw`|\d+(?:\.\d)?(?:英?寸|mm|厘米|毫米|cm))*`
  + String.raw`([a-z]{3,}s?(?: [a-z]{3,})?|\p{Script=Han}{1,4})`, 'u')
/** 平板买好了，想贴个膜: said of goods that were named before. */
const WANTED = new RegExp(String.raw`(?:要|缺|差|买|换|配|贴|装|加|求|来`
  + String.raw`|(?<![a-z])(?:need|want|any|get|replace|looking for))`
  + String.raw`(?:了|过|一|两)?[个条张根只块套副把款件支]?(?: ?(?:an?|some|new|the|its|one)(?![a-z]))*`
  + String.raw` ?([a-z]{3,}(?: [a-z]{3,})?|\p{Script=Han}{1,4})`, 'gu')
/** 买个平板，再配个键盘 buys both. */
const BOUGHT = /(?:[买要想求找]|推荐|(?<![a-z])(?:need|want|buy|get|looking for))[^;,.。!?]{0,8}$/
const WANTED_LENGTH_MAX = 40
const AHEAD = /([a-z]{3,})s? (?:for|to fit) (?:my |an? |the )?$/

/** iphone 15 壳 is a 手机壳, and a case for iphone 15 a phone case. */
export function accessoryOf(text: string, name: Name): Name[] {
  const after = BEHIND.exec(text.slice(name.end, name.end + ACCESSORY_LENGTH_MAX))
  const before = text.endsWith(' ', name.start) ? AHEAD.exec(text.slice(0, name.start)) : null
  const nouns = name.senses.flatMap(({ kind }) => namesOfKinds().get(kind) ?? [])
  const place = (start: number, word: string): Name[] => {
    const isFor = isAudienceWord(word) && isHan(word.charCodeAt(0))
    if (word === '' || PACKED.test(word) || isFor || isSameGoods(word, name)) return []
    const found = [word, word.replace(/(?<=.)子$/, '')]
      .map((noun) => sensesCalled(nouns, noun, name))
      .find(({ length }) => length > 0) ?? []
    return found.length === 0 ? []
      : [{ start, end: start + word.length, key: word, senses: found }]
  }
  const behind = after?.[1] ?? ''
  const ahead = before?.[1] ?? ''
  const from = name.end + (after?.[0].length ?? 0) - behind.length
  const near = [...nounsIn(behind, text.slice(name.end + (after?.[0].length ?? 0)))
    .map(([at, word]) => place(from + at, word)).find(({ length }) => length > 0) ?? [],
  ...place(before?.index ?? 0, ahead)]
  return near.length > 0 || BOUGHT.test(text.slice(0, name.start)) ? near
    : wantedFor(text, name, place)
}

/** 捷安特 自行车: the goods themselves. */
const isSameGoods = (word: string, { senses }: Name): boolean =>
  (getLexicon().senses.get(keyOf(word)) ?? []).some(({ kind, weight }) =>
    weight >= NAMED && senses.some((one) => one.kind === kind))

const END = /^(?:$|[ ;,.。!?吗呢吧])/

/**
 * What may name an accessory, and where: a Latin word whole; of Chinese characters the longest that
 * stand first, or where the clause ends the longest that stand last, as 壳 of 透明壳 does.
 */
function nounsIn(word: string, rest: string): [at: number, noun: string][] {
  if (/^(?:[a-z]|$)/.test(word)) return [[0, word]]
  const lengths = Array.from({ length: word.length }, (_, at) => word.length - at)
  // 箱子带密码锁 has a lock, and no strap.
  const first = lengths.filter((length) => length > 1 || !/^带./.test(word))
  return [...first.map((length): [number, string] => [0, word.slice(0, length)]),
    ...END.test(rest) ? lengths.slice(1).map((length): [number, string] =>
      [word.length - length, word.slice(-length)]) : []]
}

/** A crib and a mattress for it. */
const FOR_IT = new RegExp('^ ?,? (?:and|plus) (?:an? |some |the |\\0+ )?([a-z]{3,}(?: [a-z]{3,})?)'
  + ' (?:for (?:it|them)|(?:that|which) fits?(?: it)?|to (?:fit|go with) it)(?![a-z])')

/** The noun behind what wants it: the whole word, less of its end, or less of its start. */
function wantedFor(
  text: string, name: Name, place: (start: number, word: string) => Name[],
): Name[] {
  const rest = text.slice(name.end, name.end + WANTED_LENGTH_MAX)
  const beside = FOR_IT.exec(rest)
  if (beside?.[1] !== undefined) {
    const start = name.end + beside[0].indexOf(beside[1])
    const [found] = place(start, beside[1])
    if (found) return [{ ...found, of: name }]
  }
  for (const { 0: said, 1: word = '', index } of rest.matchAll(WANTED)) {
    const start = name.end + index + said.length - word.length
    const pieces = /^[a-z]/.test(word) ? [word, word.split(' ')[0] ?? '']
      : [4, 3, 2, 1].filter((length) => length <= word.length)
        .map((length) => word.slice(0, length))
    const [found] = pieces.flatMap((piece) => place(start, piece))
    if (found) return [{ ...found, of: name }]
  }
  return []
}

const HAN = { first: 0x4e00, last: 0x9fff } as const
const isHan = (code: number): boolean => code >= HAN.first && code <= HAN.last

function sensesCalled(nouns: readonly string[], word: string, name: Name): readonly Sense[] {
  const { senses, lengths } = getLexicon()
  const endsNames = word.length < 2 || lengths.has(word.slice(-2))
  const named: Sense[] = []
  if (endsNames) {
    for (const noun of nouns) {
      const joined = senses.get(keyOf(noun + word)) ?? []
      // Beside a Han character a space is nothing.
      const spaced = isHan(noun.charCodeAt(noun.length - 1)) || isHan(word.charCodeAt(0)) ? joined
        : senses.get(keyOf(`${noun} ${word}`)) ?? []
      if (joined.length + spaced.length > 0) named.push(...joined, ...spaced)
    }
  }
  return named.length > 0 ? named : partsCalled(word, name)
}

let names: ReadonlyMap<string, readonly string[]> | undefined

/** Kind → what it is called, folded. */
export const namesOfKinds = (): ReadonlyMap<string, readonly string[]> =>
  names ??= new Map([...taxonomy().kinds.values()].map(({ kind, name_zh, name_en, aliases }) =>
    [kind, [name_zh, name_en, ...aliases].map((name) => fold(name))]))

/** Weaker than a name: 包 of 耳机包 is how a name of the 耳机保护套 ends. */
const CALLED_SO = 0.8

/** Accessories of the goods, one of whose names ends so. */
function partsCalled(word: string, { senses }: Name): Sense[] {
  return [...partsOf(senses.map(({ kind }) => kind))]
    .filter((kind) => namesOfKinds().get(kind)?.some((name) => endsWith(name, word)))
    .sort(byPlace)
    .map((kind) => ({ kind, weight: CALLED_SO, rest: '' }))
}

/** In the order of the taxonomy. */
function byPlace(left: string, right: string): number {
  const [one, other] = [left, right].map((kind) => taxonomy().kinds.get(kind))
  return one && other ? one.category_id - other.category_id || one.place - other.place : 0
}

const endsWith = (name: string, word: string): boolean =>
  name.length > word.length && name.endsWith(/^[a-z]/.test(word) ? ` ${word}` : word)
