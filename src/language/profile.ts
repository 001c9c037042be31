/** Everything that the taxonomy says of a kind: a word of a sentence is looked for in it. */
import { taxonomy, valuesOf, type Attribute } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { valuesIn, type Value } from './measures.ts'
import { prepared } from './prepared.ts'

export interface Profile {
  /** All of it, parted by bars. */
  readonly text: string
  readonly features: string
  /** Of its attributes, folded. */
  readonly values: ReadonlySet<string>
  readonly scenes: string
  readonly attributes: readonly AttributeValues[]
}

export interface AttributeValues {
  /** In both languages. */
  readonly names: readonly string[]
  readonly values: readonly Value[]
  /** The number that a value begins with, as it is written → that value. */
  readonly written: ReadonlyMap<number, Value>
}

/** Categories whose G is storage. */
export const DEVICES: ReadonlySet<number> = new Set([1, 2, 3])

const profiles = new Map<string, Profile>()

export function profileOf(kind: string): Profile {
  const known = profiles.get(kind)
  if (known) return known
  const profile = prepared(`profile ${kind}`, () => makeProfile(kind))
  profiles.set(kind, profile)
  return profile
}

export function makeProfile(kind: string): Profile {
  const found = taxonomy().kinds.get(kind)
  const attributes = found?.attributes ?? []
  const values = attributes.flatMap(({ values: list = [] }) => list)
  const features = fold([...values, ...found?.features ?? [], ...found?.packs ?? []].join('|'))
  const scenes = fold((found?.scenes ?? []).join('|'))
  const names = found
    ? [found.name_zh, found.name_en, ...found.aliases, ...found.other_names ?? []] : []
  return {
    features, scenes, values: new Set(values.map((value) => fold(String(value)))),
    text: [fold([...names, ...attributes.map(({ name_zh }) => name_zh)].join('|')), features,
      scenes].join('|'),
    attributes: attributes.map((one) => attributeOf(one, DEVICES.has(found?.category_id ?? 0))),
  }
}

/** 圆形180cm. */
const SHAPED = /(?<=^\p{Script=Han}{1,3})\d+(?=cm$)/u

function attributeOf(attribute: Attribute, isDevice: boolean): AttributeValues {
  const { name_zh, name_en, unit = '' } = attribute
  const written = new Map<number, Value>()
  const values = valuesOf(attribute).flatMap((value) => {
    const text = fold(`${value}${unit}`)
    const found = valuesIn(text, isDevice).flatMap((one) => one.values)
    const number = (/^\d+(?:\.\d+)?/.exec(text) ?? SHAPED.exec(text))?.[0]
    if (number !== undefined && found[0]) written.set(Number(number), found[0])
    return found
  })
  return { names: [fold(name_zh), fold(name_en)], values, written }
}

/** What a number without a unit is among the values of these kinds: 20000 of a power bank. */
export function valueOf(kinds: readonly string[], number: number): Value | undefined {
  for (const kind of kinds) {
    for (const { written } of profileOf(kind).attributes) {
      const value = written.get(number)
      if (value) return value
    }
  }
  return undefined
}

/** Whether such goods state values in the unit. */
export const haveUnit = (kinds: readonly string[], unit: string): boolean => kinds.some((kind) =>
  profileOf(kind).attributes.some(({ values }) => values.some((one) => one.unit === unit)))

/** 内存 of a computer, which every one states. */
export const namesAttribute = (kind: string, word: string): boolean =>
  profileOf(kind).attributes.some(({ names }) => names.some((name) => name.includes(word)))

/** The attribute that is called so: 腰围 of jeans is a size, 防水 of tents millimetres. */
export function attributeNamed(kinds: readonly string[], name: string):
  AttributeValues | undefined {
  for (const kind of kinds) {
    const found = profileOf(kind).attributes.find(({ names, values }) => values.length > 0
      && names.some((one) => one.includes(name)))
    if (found) return found
  }
  return undefined
}

/** The numbers that goods state in the unit, in their order. */
export const numbersIn = (values: AttributeValues['values'], unit: string): readonly number[] =>
  [...new Set(values.filter((one) => one.unit === unit).map(({ low }) => low))]
    .sort((one, other) => one - other)

/** Values that a bare number stands for: 316 is 316不锈钢, 2032 CR2032. */
export function valuesWith(kinds: readonly string[], number: string): string[] {
  const pattern = new RegExp(`^[a-z]*${number}(?![\\d.])`)
  return [...new Set(kinds.flatMap((kind) =>
    [...profileOf(kind).values].filter((value) => pattern.test(value))))]
}

/** The value of the unit, where the goods have it. */
export const valueIn = (kinds: readonly string[], unit: string, number: number):
  Value | undefined => kinds.flatMap((kind) => profileOf(kind).attributes
  .flatMap(({ values }) => values))
  .find((value) => value.unit === unit && value.low === number && value.high === number)
