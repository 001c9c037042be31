/** What goods, brands and product lines are called. Made once, from the taxonomy. */
import { taxonomy } from '../goods/taxonomy.ts'
import { isAudienceWord } from './audience.ts'
import { fold } from './fold.ts'
import { prepared } from './prepared.ts'
import { type PhraseData, phraseData, type Phrases, phrasesOf } from './read/phrases.ts'
import { PEOPLE, wordsFor } from './read/people.ts'
import { KNOWN_BRANDS, NO_NOUN_WORDS, OCCASIONS } from './read/words.ts'
import { cutHan } from './segment.ts'
import { spellingsOf } from './spellings.ts'
import { type Sense, senseData, type SenseData, SenseTable } from './sense-table.ts'

export type { Sense } from './sense-table.ts'

/** From this weight on a name means the kind, and is no end of another name. */
export const NAMED = 0.68
/** And from this on it is that of the kind itself. */
export const OWN_NAME = 0.9

/** Kinds of which it is the own name. */
export const ownKinds = (senses: readonly Sense[]): string[] =>
  senses.filter(({ weight }) => weight >= OWN_NAME).map(({ kind }) => kind)

/** 冰箱 of a 多门冰箱 before that of a freezer, which is only counted among them. */
const WEIGHTS = {
  name: 1, alias: 0.95, aliasOfSet: 0.91, broader: 0.7, broaderOnly: NAMED, nameEnd: 0.6,
  aliasEnd: 0.35,
} as const
/** Words for anything. */
const GENERIC = new Set(['套餐', '配件', '零件', '工具', '机器', '设备', '耗材', '用品', '东西', '产品', '系列', '套装',
  '组合', '小样', '专用', '家用', '神器', 'accessories', 'parts', 'tools', 'stuff'])
const NO_NOUNS = new Set(NO_NOUN_WORDS)
/** Last characters that are nouns by themselves where they stand alone: 裤 男. */
const SHORT_NOUNS = '表椅桌帽被裤裙袜面鞋灯酒茶锅杯包伞笔床碗刀膜套线球头垫架壳盖网盒箱桶柜盘壶瓶镜梳枕毯琴窝'
/** A gift may be anything, and people are no goods. */
const NO_NAMES = new Set([...OCCASIONS, ...PEOPLE.flatMap(wordsFor)])

export interface Brand {
  /** One for all names of the brand. */
  readonly key: string
  /** The name under which it is told, and that in English. */
  readonly name: string
  readonly latin: string
  readonly isSold: boolean
  readonly categories: ReadonlySet<number>
}

export interface Lexicon {
  readonly senses: SenseTable
  /** Whole names and wider words, not their ends. */
  readonly whole: { readonly has: (name: string) => boolean }
  /** How long the longest name is that ends in these two characters. */
  readonly lengths: ReadonlyMap<string, number>
  /** False where no name begins with these two characters; seldom true where none does. */
  readonly mayBegin: (first: string, second: string) => boolean
  readonly brands: Phrases
  readonly brandOf: ReadonlyMap<string, Brand>
  /** ipad → its brand and kind. */
  readonly lines: ReadonlyMap<string, { readonly brand: string, readonly kind: string }>
}

let lexicon: Lexicon | undefined

export function getLexicon(): Lexicon {
  if (lexicon) return lexicon
  const { beginnings, brands, names, ...data } = prepared('lexicon', makeLexicon)
  const senses = new SenseTable(names, [...taxonomy().kinds.keys()])
  return lexicon = { ...data, senses, whole: { has: (name) => senses.isWhole(name) },
    mayBegin: begins(beginnings), brands: phrasesOf(brands) }
}

let nearNames: ReadonlySet<string> | undefined

/** Whether it names goods that are not sold, and not those that it stands for: 沙发套 of a 沙发垫. */
export const isNearName = (key: string): boolean => (nearNames ??= new Set(
  [...taxonomy().kinds.values()].flatMap(({ near_names = [] }) => near_names)
    .flatMap((name) => formsOf(keyOf(fold(name)))))).has(key)

/** It without what calls functions. */
interface LexiconData extends Pick<Lexicon, 'lengths' | 'brandOf' | 'lines'> {
  readonly names: SenseData
  /** A byte for each hash of two characters. */
  readonly beginnings: Uint8Array
  readonly brands: PhraseData
}

export function makeLexicon(): LexiconData {
  const { senses, ...names } = readNames()
  return { ...names, ...readBrands(senses) }
}

type Senses = ReadonlyMap<string, readonly Sense[]>

function readNames(): Pick<LexiconData, 'names' | 'lengths' | 'beginnings'> & { senses: Senses } {
  const senses = new Map<string, Sense[]>()
  const whole = new Set<string>()
  const ends: { key: string, sense: Sense }[] = []
  const add = (key: string, sense: Sense): void => {
    const list = senses.get(key)
    if (!list) {
      senses.set(key, [sense])
      return
    }
    const at = list.findIndex(({ kind }) => kind === sense.kind)
    if (at < 0) list.push(sense)
    else if ((list[at]?.weight ?? 0) < sense.weight) list[at] = sense
  }
  for (const one of taxonomy().kinds.values()) {
    const { kind, name_zh, name_en, aliases, other_names = [], near_names = [],
      broader: wider = [] } = one
    const noun = name_zh.replace(/子$/, '').slice(-1)
    const broader = SHORT_NOUNS.includes(noun) ? [...wider, noun] : wider
    const mains = [name_zh, name_en]
    for (const name of [...mains, ...aliases, ...other_names, ...near_names, ...broader]) {
      const key = keyOf(fold(name))
      if (NO_NAMES.has(key) || GENERIC.has(key)) continue
      const isMain = mains.includes(name)
      const isBroader = broader.includes(name)
      const weight = isMain ? WEIGHTS.name : !isBroader ? WEIGHTS.alias
        : mains.some((main) => fold(main).endsWith(key) || nounOf(main) === key)
          ? WEIGHTS.broader : WEIGHTS.broaderOnly
      for (const form of formsOf(key)) {
        whole.add(form)
        add(form, { kind, weight, rest: '' })
      }
      if (isBroader || !(mains.includes(name) || aliases.includes(name)
        || other_names.includes(name))) continue
      for (const end of endsOf(key)) {
        const rest = key.slice(0, key.length - end.length).trim()
        const sense = { kind, weight: isMain ? WEIGHTS.nameEnd : WEIGHTS.aliasEnd, rest }
        for (const form of numbersOf(end)) ends.push({ key: form, sense })
      }
    }
  }
  preferParts(senses)
  const kindsOfEnd = new Map<string, Set<string>>()
  for (const { key, sense } of ends) {
    kindsOfEnd.set(key, (kindsOfEnd.get(key) ?? new Set()).add(sense.kind))
  }
  for (const { key, sense } of ends) {
    // The end of one name alone is no noun: 架子 of 猫架子.
    if (whole.has(key) || (kindsOfEnd.get(key)?.size ?? 0) > 1) add(key, sense)
  }
  const lengths = new Map<string, number>()
  for (const key of senses.keys()) {
    lengths.set(key.slice(-2), Math.max(lengths.get(key.slice(-2)) ?? 0, key.length))
  }
  return { names: senseData(senses, whole, [...taxonomy().kinds.keys()]), lengths, senses,
    beginnings: beginningsOf(senses.keys()) }
}

const SET = /套装$|件套$|套件$/

/** 秋裤 are some 保暖裤 before they are a 套装 in which they are. */
function preferParts(senses: ReadonlyMap<string, Sense[]>): void {
  const nameOf = ({ kind }: Sense): string => taxonomy().kinds.get(kind)?.name_zh ?? ''
  for (const [key, list] of senses) {
    const own = list.filter(({ weight }) => weight >= OWN_NAME)
    if (own.length < 2 || SET.test(key)
      || !own.some((sense) => nounOf(nameOf(sense)) === nounOf(key))) continue
    for (const [at, sense] of list.entries()) {
      const isSet = sense.weight === WEIGHTS.alias && SET.test(nameOf(sense))
      if (isSet) list[at] = { ...sense, weight: WEIGHTS.aliasOfSet }
    }
  }
}

const nounOf = (name: string): string => name.replace(/(?<=.)子$/, '').slice(-1)

const BEGINNINGS = 1 << 17

const hashOf = (first: string, second: string): number =>
  (first.charCodeAt(0) * 631 + second.charCodeAt(0)) & BEGINNINGS - 1

function beginningsOf(names: Iterable<string>): Uint8Array {
  const known = new Uint8Array(BEGINNINGS)
  for (const name of names) known[hashOf(name.charAt(0), name.charAt(1))] = 1
  return known
}

const begins = (beginnings: Uint8Array): Lexicon['mayBegin'] =>
  (first, second) => beginnings[hashOf(first, second)] === 1

const ACRONYM_LENGTH_MAX = 3

/** Apple, JBL; the first name where none is in Latin letters. */
function latinOf(names: readonly string[]): string {
  const latin = names.find((name) => /^[a-z][\x20-\x7e]*$/i.test(name))
  return latin === undefined ? names[0] ?? ''
    : latin.length <= ACRONYM_LENGTH_MAX ? latin.toUpperCase()
      : latin.replace(/^[a-z]/, (letter) => letter.toUpperCase())
}

/** How much of 海天酱油 names its goods, of a shelf on which the brand is. */
export function goodsLength(
  brand: string, categories: ReadonlySet<number>, senses: Pick<Senses, 'get'>,
): number {
  return [5, 4, 3, 2, 1].find((length) => brand.length > length + 1
    && senses.get(brand.slice(-length))?.some(({ kind, weight }) => weight >= NAMED
      && categories.has(taxonomy().kinds.get(kind)?.category_id ?? 0))) ?? 0
}

function readBrands(senses: Senses): Pick<LexiconData, 'brands' | 'brandOf' | 'lines'> {
  const brandOf = new Map<string, Brand & { categories: Set<number> }>()
  const lines = new Map<string, { brand: string, kind: string }>()
  const { categories, kinds } = taxonomy()
  const add = (names: readonly string[], isSold: boolean, category?: number): void => {
    const keys = names.map(fold)
    const known = keys.map((key) => brandOf.get(key)).find((one) => one !== undefined)
    const brand = known ?? {
      key: keys.at(-1) ?? '', name: names[0] ?? '', latin: latinOf(names), isSold,
      categories: new Set<number>(),
    }
    if (category !== undefined) brand.categories.add(category)
    for (const key of keys) brandOf.set(key, brand)
  }
  for (const { category_id, brands } of categories) {
    for (const { zh, latin } of brands) add([zh, latin], true, category_id)
  }
  for (const pair of KNOWN_BRANDS) add(pair, false)
  for (const { category_id, other_brands = [], product_lines = {} } of categories) {
    for (const names of other_brands) add(names, false, category_id)
    for (const [line, { brand, kind }] of Object.entries(product_lines)) {
      if (kinds.has(kind)) lines.set(fold(line), { brand: fold(brand), kind })
    }
  }
  const brands = phraseData([...brandOf.keys(), ...lines.keys()])
  // By itself 永久 or 大王 is a word of sentences, and found only before its goods.
  for (const [name, brand] of brandOf) {
    const length = goodsLength(name, brand.categories, senses)
    const own = name.slice(0, name.length - length)
    const latin = brand.latin === name ? own : brand.latin
    if (!brandOf.has(own)) brandOf.set(own, { ...brand, name: own, latin })
  }
  return { brandOf, lines, brands }
}

const DESCRIBES = /^[猫狗犬鸟鱼兔龟男女童车床牛羊猪鸡鸭红白黑绿大小老新干湿冷热电]$/

/** Nouns with which a name ends: whole words, of at least two Han characters. */
function endsOf(key: string): string[] {
  // The noun of "sandals for women" stands before.
  if (/(?<![a-z])(?:for|of|with|and|in|to)(?![a-z])/.test(key)) return []
  const words = /^\p{Script=Han}+$/u.test(key) ? cutHan([...key]).map((word) => word.join(''))
    : key.split(/(?<= )|(?<=[^\p{Script=Han}])(?=\p{Script=Han})/u)
  return words.slice(1).map((_, at) => words.slice(at + 1).join(''))
    // One character before it may make another word of it: 烘手机 is no 手机.
    .filter((end) => {
      const rest = key.slice(0, key.length - end.length)
      // 裤男 of 五分裤男 is no name.
      return end.length >= 2 && !/^[式型款]|^.[男女]$/.test(end) && !NO_NAMES.has(end)
        && !isAudienceWord(end) && (rest.length >= 2 || DESCRIBES.test(rest))
        && !numbersOf(end).some((form) => NO_NOUNS.has(form))
    })
}

/** Spaces between Han characters, or beside them, and hyphens are a matter of taste. */
export const keyOf = (text: string): string => {
  const plain = text.includes('-') ? text.replace(/(?<=[a-z0-9])-(?=[a-z0-9])/g, ' ') : text
  return plain.includes(' ')
    ? plain.replace(/ +(?=\p{Script=Han})|(?<=\p{Script=Han}) +/gu, '') : plain
}

/** 手机架 is also called 手机架子. */
const WITH_ZI = /\p{Script=Han}[架桌椅箱盒袋瓶罐杯柜帽鞋裤裙刷垫毯壶扇镜笼绳夹铲勺盘剪钳梳带套壳罩盖篮筐帘]$/u

/** And 鸽粮 also 鸽粮食. */
const formsOf = (name: string): string[] => WITH_ZI.test(name) ? [name, `${name}子`]
  : name.endsWith('粮') ? [name, `${name}食`] : numbersOf(name)

/** English nouns are also found in their other number, and their other spelling. */
export const numbersOf = (noun: string): string[] =>
  /[a-z]{3}/.test(noun) ? spellingsOf(noun).flatMap(bothNumbers) : [noun]

function bothNumbers(noun: string): string[] {
  if (!/[a-z]{3}$/.test(noun)) return [noun]
  if (/[^aeiou]ies$/.test(noun)) return [noun, `${noun.slice(0, -3)}y`]
  if (/[^aeiou]y$/.test(noun)) return [noun, `${noun.slice(0, -1)}ies`]
  if (/(?:s|x|ch|sh)es$/.test(noun)) return [noun, noun.slice(0, -2)]
  // "Up" is no UPS.
  if (/^[a-z]{2}s$/.test(noun)) return [noun]
  // Who says "flat" or "short" names none.
  if (/(?:^| )(?:flats|shorts|tights|briefs|slacks|overalls)$/.test(noun)) return [noun]
  if (/[^s]s$/.test(noun)) return [noun, noun.slice(0, -1)]
  return [noun, noun + (/(?:s|x|ch|sh)$/.test(noun) ? 'es' : 's')]
}
