/**
 * What goods of a kind can be, by every name that a shopper has for it: 打孔 and rod pocket for
 * 打孔罗马杆, 不锈钢 for 304不锈钢内胆. A word of a sentence means the values that it names, and
 * goods are judged by the value that they have, not by the letters of a title.
 */
import { taxonomy, type KnownKind, wholeCategories } from '../goods/taxonomy.ts'
import { isAudienceWord } from './audience.ts'
import { fold } from './fold.ts'
import { APPEARANCE } from './groups.ts'
import { getLexicon } from './lexicon.ts'
import { prepared } from './prepared.ts'
import {
  type Found, type PhraseData, phraseData, phrases, type Phrases, phrasesOf, textsOf,
} from './read/phrases.ts'
import { isFiller } from './read/rest.ts'
import { list } from './read/words.ts'
import { says } from './contains-word.ts'
import { formsOf, isIn, numbersOf, wordRunsOf } from './name-forms.ts'
import { SAME_EVERYWHERE } from './synonyms.ts'
import type { Value, Values } from './understanding.ts'
import {
  codedNames, fixedBy, formsOfValue, hasOf, lackedBy, tellingWords, type Lacked,
} from './value-forms.ts'
import { addColours } from './value-colours.ts'
import { mayNameValue } from './value-sieve.ts'
import { VALUE_WORDS } from './value-words.ts'

interface KindValues {
  readonly stated: readonly Value[]
  readonly phrases: Phrases
  readonly namedBy: (phrase: string) => readonly Value[]
}

/** A kind takes half a millisecond to read and some 8 KB: all of the taxonomy are kept. */
const known = new Map<KnownKind, KindValues>()

/** No attribute of a kind is called so. */
export const PACKS = 'packs'
const STEEL = /^\d{3}(?:不锈)?钢/
/** Whom goods are for is read by itself. */
const AUDIENCE_ATTRIBUTE = /性别/
/** Pieces of values that tell nothing apart. */
const PLAIN = new Set(list(`普通|标准|常规|基础|款式|专用|通用|可用|适用|不易|方便|单个|套装|组合|系列|以上|以下|类型|规格|方便|更省|也可用
  |cm|mm|ml|kg|mah|hz|type|style|size|color|colour|free|pack|model|version|only|with|inch|grade
  |made`))

/** What a text is called where one of its words has other names whatever the goods. */
function otherNames(
  groups: readonly { readonly words: readonly string[], readonly names: readonly string[] }[],
): (text: string) => readonly string[] {
  const namesOfWord = new Map<string, string[]>()
  for (const { words, names } of groups) {
    for (const word of words) namesOfWord.set(word, [...namesOfWord.get(word) ?? [], ...names])
  }
  const found = phrases(namesOfWord.keys())
  return (text) => found.find(text).filter(({ phrase }) => isIn(text, phrase))
    .flatMap(({ phrase }) => namesOfWord.get(phrase) ?? [])
}

/** 防水 is another name of 全身水洗, and so is what 防水 is called in English. */
const alsoCalled = (names: readonly string[]): string[] => names.map(fold)
  .filter((name) => WORDS_OF_VALUES.has(name)).flatMap(SAME_VALUES)
  // 大的 tells a size, which others read.
  .filter((name) => name.replace(/的$/, '').length > 1 && !/^[a-z]{1,4}$/.test(name))

const SAME_WORDS = otherNames(SAME_EVERYWHERE.map((words) =>
  ({ words: words.filter((word) => word.length > 1), names: words })))
const SAME_LOOK = otherNames(APPEARANCE.map(({ members, names }) => ({ words: members, names })))
const SAME_VALUES = otherNames(VALUE_WORDS.map(([words, names]) => ({ words, names })))
const WORDS_OF_VALUES: ReadonlySet<string> = new Set(VALUE_WORDS.flatMap(([words]) => words))

/** Undefined for what is no kind. */
function valuesOfKind(kind: string): KindValues | undefined {
  const found = taxonomy().kinds.get(kind)
  if (!found) return undefined
  let values = known.get(found)
  if (!values) known.set(found, values = valuesOfData(
    prepared(`values ${kind}`, () => makeValues(found))))
  return values
}

const isText = (value: string | number): value is string =>
  typeof value === 'string' && /[\p{Script=Han}a-z]|^\d\/\d$/iu.test(value)

/** It without what calls functions. */
interface ValuesData {
  readonly stated: readonly Value[]
  readonly phrases: PhraseData
  /** What phrases mean: most of them one value, which needs no list. */
  readonly meanings: readonly (Value | readonly Value[])[]
  /** Of each phrase which of them it has. */
  readonly meaningOf: Uint16Array
}

export function makeValues(kind: KnownKind): ValuesData {
  const { value_names: names = {}, value_phrases: ways = {} } =
    wholeCategories()[kind.category_id - 1] ?? {}
  const named = new Map<string, readonly Value[]>()
  const stated: Value[] = []
  /** Most names have one value: they share its list. */
  const add = (name: string, alone: readonly [Value], isSure = false): void => {
    const [value] = alone
    const phrase = name.endsWith('的') ? name.slice(0, -1) : name
    const known = named.get(phrase)
    if (known?.includes(value) || phrase === '') return
    if (!isSure && (isFiller(phrase) || PLAIN.has(phrase))) return
    // 304 is a steel; other numbers are read with their units.
    if (/^\d+$/.test(phrase) && !STEEL.test(value.text)) return
    named.set(phrase, known ? [...known, value] : alone)
  }
  // Every one of coffee capsules is a capsule.
  const ownName = fold(`${kind.name_zh} ${kind.name_en}`)
  for (const { name, values } of attributesOf(kind)) {
    const texts = values.map((value) => fold(value))
    /** 细闪 is "fine glitter"; who says glitter means it where not all values are some. */
    const nouns = new Map<string, Set<readonly [Value]>>()
    for (const [at, text] of texts.entries()) {
      const value = { text, attribute: name }
      const alone = [value] as const
      stated.push(value)
      for (const name of namesOf(text, names[values[at] ?? ''] ?? [])) {
        for (const form of formsOf(name)) add(form, alone)
        // Non magnetic is not magnetic.
        for (const word of tellingWords(name).filter((one) => isIn(name, one)
          && !isAudienceWord(one))) {
          nouns.set(word, (nouns.get(word) ?? new Set()).add(alone))
        }
      }
      for (const way of ways[values[at] ?? ''] ?? []) for (const form of numbersOf(fold(way))) {
        add(form, alone)
      }
      for (const form of SAME_VALUES(text)) if (!says(ownName, form)) add(form, alone, true)
      const said = [names, ways].flatMap((called) => called[values[at] ?? ''] ?? [])
      for (const form of alsoCalled(said)) if (!says(ownName, form)) add(form, alone)
      for (const form of formsOfValue(text)) add(form, alone)
      for (const form of codedNames(text, kind)) add(form, alone)
      for (const piece of wordRunsOf(text)) {
        // 供电 of POE供电 is what all of them tell.
        if (name.includes(piece)) continue
        if (texts.length < 2 || !texts.every((one) => one.includes(piece))) add(piece, alone)
      }
    }
    for (const [noun, called] of nouns) {
      if (called.size < texts.length) for (const alone of called) add(noun, alone)
    }
    addLacked(stated.slice(-texts.length), add)
    addMoving(stated.slice(-texts.length), add)
  }
  addLonger(named, stated)
  keepNamed(named)
  addShared(named, stated)
  addFeatures(kind, named, add, ways)
  const lists = [...new Set(named.values())]
  const placeOf = new Map(lists.map((values, place) => [values, place]))
  return { stated, phrases: phraseData(named.keys()),
    meanings: lists.map((values) => (values.length === 1 && values[0]) || values),
    meaningOf: Uint16Array.from(named.values(), (values) => placeOf.get(values) ?? 0) }
}

function valuesOfData({ stated, phrases: data, meanings, meaningOf }: ValuesData): KindValues {
  const found = phrasesOf(data)
  return { stated, phrases: found,
    namedBy(phrase) {
      const meaning = meanings[meaningOf[found.placeOf(phrase)] ?? -1] ?? []
      return 'text' in meaning ? [meaning] : meaning
    } }
}

/** 带变速 means none of 单速, and 能调 not what is 固定. */
function addMoving(
  values: readonly Value[], add: (phrase: string, alone: readonly [Value]) => void,
): void {
  for (const value of values) {
    const fixed = fixedBy(value.text)
    const ways = fixed?.ways.map((way) => `${value.attribute ?? ''}${way}`)
      .concat(fixed.ways) ?? []
    for (const way of ways) for (const other of values) if (other !== value) add(way, [other])
  }
  const singles = values.filter(({ text }) => /^单\p{Script=Han}$/u.test(text))
  const [single] = singles
  const name = single?.attribute ?? ''
  const isNamed = single !== undefined && name.length > 1 && name.includes(single.text.slice(1))
  if (!isNamed || singles.length > 1) return
  for (const way of ['不带', '不要', '没有', '没', '无']) add(way + name, [single])
  for (const value of values) if (value !== single) add(name, [value])
}

/** Where one value is without something, the others are with it: 带盖 and 无盖. */
function addLacked(
  values: readonly Value[], add: (phrase: string, alone: readonly [Value]) => void,
): void {
  for (const value of values) {
    const lacked = lackedBy(value.text, value.attribute ?? '')
    if (!lacked) continue
    for (const way of lacked.ways) add(way, [value])
    const others = values.filter(({ text }) => text !== value.text && !lackedBy(text))
    const having = others.filter(({ text }) => isIn(text, lacked.names[0] ?? ''))
    const meant = having.length > 0 ? having : lacked.isWhole ? others : []
    for (const name of lacked.names) for (const other of meant) add(name, [other])
  }
}

function addLonger(named: Map<string, readonly Value[]>, stated: readonly Value[]): void {
  const known = phrases(named.keys())
  // A longer value that has a shorter one in it does as well: 酯类全合成 is 全合成.
  for (const value of stated) {
    for (const phrase of known.within(value.text)) {
      const values = named.get(phrase) ?? []
      if (phrase.length > 1 && !values.includes(value) && isIn(value.text, phrase)) {
        named.set(phrase, [...values, value])
      }
    }
  }
  // "Cotton" is 纯棉, and 加厚纯棉 with it.
  for (const [phrase, values] of named) {
    const [value] = values
    if (value && values.length === 1 && /^[a-z]+$/.test(phrase)) {
      named.set(phrase, named.get(value.text) ?? values)
    }
  }
  addColours(named, stated)
  // Who says the whole name of one value means no other that is also called so.
  for (const { text } of stated) {
    const values = named.get(text) ?? []
    const attributes = new Set(values.filter((value) => value.text === text)
      .map(({ attribute }) => attribute))
    const meant = values.filter((value) => isIn(value.text, text)
      && attributes.has(value.attribute))
    if (meant.length > 0) named.set(text, meant)
  }
}

/** From so many characters on a name tells an attribute by its letters. */
const WORD_MIN = 3

/** Attributes of values that have the name in them. */
const attributesSaying = (phrase: string, values: readonly Value[]): (string | null)[] =>
  values.filter(({ text }) => isIn(text, phrase)).map(({ attribute }) => attribute)

/**
 * 厚实 tells the 厚度 of clothes, and not that they are of 加厚纯棉; 全自动 that a machine is 全自动意式,
 * and not that its milk is.
 */
function keepNamed(named: Map<string, readonly Value[]>): void {
  for (const [phrase, values] of named) {
    if (values.length < 2 || values.some(({ text }) => text === phrase)) continue
    const own = values.filter(({ attribute }) => [...attribute ?? ''].some((character) =>
      MEASURED.includes(character) && phrase.includes(character)))
    const saying = phrase.length < WORD_MIN ? [] : attributesSaying(phrase, values)
    const meant = own.length > 0 ? own
      : values.filter(({ attribute }) => saying.includes(attribute))
    if (meant.length > 0) named.set(phrase, meant)
  }
}

/** Characters of what is measured, that name an attribute: 厚度, 长短, 辣度. */
const MEASURED = '厚长高宽软硬辣甜'

const SHARED = /通用|两用|均可|皆可|都可|双用/
/** What is for all is for each of the others: 全犬种 for a small dog. */
const FOR_ALL = /^(?:通用型?|(?:家庭|全家|全球|全平台)通用|全(?:家|阶段|犬种|猫种|孕期|龄段?|年龄段?)|所有肤质)$/
const CORE = /[款式型装]$/

/** 猫狗通用 is for cats, too. */
function addShared(named: Map<string, readonly Value[]>, stated: readonly Value[]): void {
  for (const shared of stated.filter(isShared)) {
    const isForAll = FOR_ALL.test(shared.text)
    const parts = new Set(stated.filter((value) => value.attribute === shared.attribute
      && value !== shared && (isForAll || shared.text.includes(value.text.replace(CORE, '')))))
    if (parts.size === 0) continue
    for (const [phrase, values] of named) {
      if (!values.includes(shared) && values.some((value) => parts.has(value))) {
        named.set(phrase, [...values, shared])
      }
    }
  }
}

/** 竹 is what 竹编 and 竹制 are of. */
const MADE = ['编', '制', '质', '做']
const OWN_LOOK = new Map(APPEARANCE.flatMap(({ names }) => names.map((name) =>
  [name, [...names, ...MADE.map((made) => name + made)]] as const)))

const namesOf = (text: string, names: readonly string[]): Set<string> =>
  new Set([text, ...names.map(fold), ...SAME_LOOK(text), ...OWN_LOOK.get(text) ?? [],
    ...SAME_WORDS(text), ...brandNames(text)])

/** Cartridges for 惠普 are for HP. */
function brandNames(text: string): string[] {
  const brand = getLexicon().brandOf.get(text)
  return brand ? [brand.name, brand.latin].map(fold) : []
}

interface TextAttribute {
  /** Folded. */
  readonly name: string
  readonly values: readonly string[]
}

export const attributesOf = ({ attributes, packs = [] }: KnownKind): TextAttribute[] => [
  ...attributes.flatMap(({ name_zh, values = [] }) =>
    values.some(isText) && !AUDIENCE_ATTRIBUTE.test(name_zh)
      ? [{ name: fold(name_zh), values: values.filter(isText) }] : []),
  ...packs.length > 0 ? [{ name: fold(PACKS), values: packs }] : [],
]

/** A feature that has no other name than a value is not what is meant: 铝合金 of its handle. */
function addFeatures(
  { features }: KnownKind, named: ReadonlyMap<string, readonly Value[]>,
  add: (phrase: string, alone: readonly [Value]) => void,
  ways: Readonly<Record<string, readonly string[]>>,
): void {
  const isTaken = new Set(named.keys())
  const taken = phrases(isTaken)
  for (const feature of features) {
    const text = fold(feature)
    const alone = [{ text, attribute: null }] as const
    add(text, alone)
    // What it says of a value means the value: 带usb is no 自带usb快充.
    const forms = (ways[feature] ?? []).map(fold).filter((way) => taken.find(way).length === 0)
      .flatMap(numbersOf)
    for (const name of [...forms, ...SAME_WORDS(text), ...wordRunsOf(text)]) {
      if (!isTaken.has(name)) add(name, alone)
    }
  }
}

/** Whether a word is the name of a value that tells goods of the kind apart. */
export const namesValue = (kind: string, word: string): boolean => mayNameValue(kind, word)
  && (valuesOfKind(kind)?.namedBy(word).some(tellsApart) ?? false)

/** The values that the whole word names. */
export const valuesCalled = (kind: string, word: string): readonly Value[] =>
  mayNameValue(kind, word) ? valuesOfKind(kind)?.namedBy(word) ?? [] : []

const tellsApart = ({ attribute }: Value): boolean => attribute !== null

/** The names of values that tell goods of the kind apart. */
export const valueNames = ({ phrases, meanings, meaningOf }: ValuesData): string[] =>
  textsOf(phrases).filter((_, place) =>
    [meanings[meaningOf[place] ?? 0] ?? []].flat().some(tellsApart))

export interface NamedValues extends Found {
  readonly values: readonly Value[]
}

/** Names of values that stand in a text; `isName` tells where a single character may stand. */
export function valuesNamed(
  kind: string, text: string, isAlone: (start: number, end: number) => boolean,
): NamedValues[] {
  const read = valuesOfKind(kind)
  return read?.phrases.find(text)
    // The s of men's is no size.
    .filter(({ start, end }) => end - start > 1
      || (text.charAt(start - 1) !== '\'' && isAlone(start, end)))
    .map((found) => ({ values: read.namedBy(found.phrase), ...found }))
    .filter(({ start, values }) => !DENIED.test(text.slice(0, start))
      || (text.charAt(start - 1) === '去' && values.some(isPlace))) ?? []
}

/** 去伦敦 goes there. */
const isPlace = ({ attribute }: Value): boolean => /地|国|产/.test(attribute ?? '')

/**
 * Who refuses 含氟 wants none of it, and no 低氟 either, where goods can be without; who refuses
 * 深烘 wants no 中深烘, and who refuses 高领 no 半高领.
 */
export function refusedWith(kind: string, values: readonly Value[]): readonly Value[] {
  const named = valuesOfKind(kind)?.stated ?? []
  const more = named.filter((lacking) => {
    const lacked = lackedBy(lacking.text)
    return lacked?.isWhole && values.some((value) => value.attribute === lacking.attribute
      && /^[含有带]/.test(value.text) && hasOf(value.text, lacked))
  }).flatMap((lacking) => named.filter((value) => value.attribute === lacking.attribute
    && value !== lacking && hasOf(value.text, lackedBy(lacking.text) as Lacked)))
  const middle = named.filter(({ text, attribute }) => GRADED.test(text) && values.some((value) =>
    value.attribute === attribute && text.slice(1) === value.text))
  return [...new Set([...values, ...more, ...middle])]
}

/** What is refused by the values that a refusal names, of each kind. */
export const refusedValues = (named: Values): Values => new Map([...named].map(([kind, values]) => {
  const own = values.filter((value) => !isShared(value))
  return [kind, refusedWith(kind, own.length > 0 ? own : values)]
}))

/** Who has pain from 入耳 may well want 半入耳. */
const GRADED = /^[中半微](?![入年月])/

/** What goods of the kind are that say to be without something: 无涂层蜂窝纹 for 涂层. */
export const valuesWithout = (kind: string, thing: string): readonly Value[] =>
  valuesOfKind(kind)?.stated.filter(({ text, attribute }) =>
    lackedBy(text, attribute ?? '')?.names.includes(thing)) ?? []

/** What is for all is not refused with what is for some. */
export const isShared = ({ text }: Value): boolean => SHARED.test(text) || FOR_ALL.test(text)

/** 无涂层 is no coating; 非 refuses, which is read by itself. */
const DENIED = /(?:[无免抗防去]|(?<!\d)[0零])$/
