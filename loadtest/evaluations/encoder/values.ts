/**
 * What `train_values.py` trains the network of `language/value-encoder.ts` on: ways to say the
 * values of goods, and labelled lines with the values that they ask for.
 */
import { readFileSync } from 'node:fs'
import { taxonomy, wholeCategories, type KnownKind } from '../../../src/goods/taxonomy.ts'
import { fold } from '../../../src/language/fold.ts'
import type { Wish } from '../../../src/language/understanding.ts'
import { readingOf, understand } from '../../../src/language/understand.ts'
import { attributesOf } from '../../../src/language/values.ts'
import type { Line } from '../unseen/check.ts'
import { folded, namesOf, roundLines } from './texts.ts'

/** Kind, attribute, value, and how shoppers say it, by tabs. */
const PHRASES = new URL('value-phrases.tsv', import.meta.url)
/** Of features, which have none. */
const NO_ATTRIBUTE = ''
/** Numbers with their units are read by rules. */
const isText = (value: string): boolean => /[\p{Script=Han}a-z]/iu.test(value)

/** Values of one attribute, or one feature, by their numbers. */
interface Group { readonly attribute: string, readonly ids: readonly number[] }
interface KindValues { readonly groups: readonly Group[], readonly names: readonly string[] }

/** One way to say a value, and the kinds of which it says which values. */
export interface ValuePhrase {
  readonly said: string
  readonly of: readonly (readonly [kind: string, ids: readonly number[]])[]
}

/** A labelled line: groups that it asks for values of, and those that it may speak of. */
export interface ValueLine {
  readonly set: string
  readonly line: string
  readonly text: string
  readonly kind: string
  readonly wanted: readonly (readonly [group: number, ids: readonly number[]])[]
  readonly unsure: readonly number[]
  /** What was demanded and no rule reads. */
  readonly hard: readonly number[]
}

/** Attribute → its values, in the order of their numbers. */
export const attributes = new Map<string, string[]>()
export const kinds = new Map<string, KindValues>()
const numbers = new Map<string, number>()

function readKinds(): void {
  const all = [...taxonomy().kinds.values()].map((kind) => ({ kind, groups: groupsOf(kind) }))
  for (const { attribute, values } of all.flatMap(({ groups }) => groups)) {
    const known = attributes.get(attribute) ?? []
    attributes.set(attribute, [...new Set([...known, ...values])])
  }
  let number = 0
  for (const [attribute, values] of attributes) {
    for (const value of values) numbers.set(keyOf(attribute, value), number++)
  }
  for (const { kind, groups } of all) {
    kinds.set(kind.kind, { names: namesOf(kind), groups: groups.map(({ attribute, values }) =>
      ({ attribute, ids: values.map((value) => numbers.get(keyOf(attribute, value))!) })) })
  }
}

const keyOf = (attribute: string, value: string): string => `${attribute}\t${value}`

const groupsOf = (kind: KnownKind): { attribute: string, values: string[] }[] => [
  ...attributesOf(kind).map(({ name, values }) =>
    ({ attribute: name, values: values.map(fold).filter(isText) })),
  ...kind.features.map((feature) => ({ attribute: NO_ATTRIBUTE, values: [fold(feature)] })),
].filter(({ values }) => values.length > 0)

/** Each value as it is written, by its other names, and as shoppers say it. */
export function* valuePhrases(): Generator<ValuePhrase> {
  for (const { kinds: list, value_names: names = {}, value_phrases: ways = {} }
    of wholeCategories()) {
    const owners = new Map<string, Map<string, number[]>>()
    for (const { kind } of list) {
      for (const { ids } of kinds.get(kind)?.groups ?? []) {
        for (const id of ids) addOwner(owners, textOf(id), kind, id)
      }
    }
    for (const [value, said] of [...Object.entries(names), ...Object.entries(ways)]) {
      const of = [...owners.get(fold(value)) ?? []]
      for (const one of said) if (of.length > 0) yield { said: folded(one), of }
    }
    for (const [value, of] of owners) for (let at = 0; at < 2; at += 1) {
      yield { said: value, of: [...of] }
    }
  }
  yield* ownPhrases()
}

function addOwner(
  owners: Map<string, Map<string, number[]>>, text: string, kind: string, id: number,
): void {
  const of = owners.get(text) ?? new Map<string, number[]>()
  of.set(kind, [...of.get(kind) ?? [], id])
  owners.set(text, of)
}

const texts: string[] = []
const textOf = (id: number): string => {
  if (texts.length === 0) texts.push(...[...attributes.values()].flat())
  return texts[id]!
}

/** Those in the file are said of that kind, and of all with the value. */
function* ownPhrases(): Generator<ValuePhrase> {
  const owners = new Map<number, string[]>()
  for (const [kind, { groups }] of kinds) for (const { ids } of groups) for (const id of ids) {
    owners.set(id, [...owners.get(id) ?? [], kind])
  }
  for (const line of readFileSync(PHRASES, 'utf8').split('\n').filter(Boolean)) {
    const [kind = '', attribute = '', value = '', ...said] = line.split('\t')
    const id = numbers.get(keyOf(attribute, fold(value)))
    if (id === undefined) continue
    const of = [kind, ...owners.get(id) ?? []].slice(0, 4).map((one) => [one, [id]] as const)
    for (const one of said) yield { said: folded(one), of }
  }
}

export const valueLines = (): ValueLine[] =>
  roundLines().flatMap(([set, line]) => lineOf(set, line) ?? [])

function lineOf(set: string, { say, expect }: Line): ValueLine | undefined {
  const [kind = ''] = expect.kinds ?? []
  const groups = kinds.get(kind)?.groups
  if (!groups || expect.none === true || expect.first === 0) return undefined
  const { text } = readingOf(say)
  const understood = understand(say)
  const wanted = groupsRead([...understood.must, ...understood.prefer, ...understood.named], kind)
  const unsure = new Set(groupsRead(understood.must_not, kind).keys())
  const hard: number[] = []
  for (const demand of expect.has ?? []) {
    const found = demanded(new RegExp(demand, 'i'), groups)
    const stated = [...found.keys()].filter((at) => groups[at]!.attribute !== NO_ATTRIBUTE)
    const [at, ...others] = stated.length > 0 ? stated : [...found.keys()]
    for (const one of found.keys()) if (one !== at) unsure.add(one)
    if (at === undefined) continue
    if (others.length > 0) unsure.add(at)
    else if (!found.get(at)!.some((id) => wanted.get(at)?.includes(id))) {
      wanted.set(at, found.get(at)!)
      hard.push(at)
    }
  }
  for (const refused of expect.lacks ?? []) {
    for (const at of demanded(new RegExp(refused, 'i'), groups).keys()) unsure.add(at)
  }
  for (const [at, { ids }] of groups.entries()) {
    if (!wanted.has(at) && ids.some((id) => sharesRun(textOf(id), text))) unsure.add(at)
  }
  return { set, line: say, text, kind, wanted: [...wanted], hard,
    unsure: [...unsure].filter((at) => !wanted.has(at)) }
}

/** Groups and their values that rules read. */
function groupsRead(wishes: readonly Wish[], kind: string): Map<number, readonly number[]> {
  const found = new Map<number, readonly number[]>()
  const groups = kinds.get(kind)?.groups ?? []
  for (const { values, isSupposed } of wishes) {
    for (const { attribute, text } of isSupposed ? [] : values?.get(kind) ?? []) {
      const id = numbers.get(keyOf(attribute ?? NO_ATTRIBUTE, text)) ?? -1
      const at = groups.findIndex(({ ids }) => ids.includes(id))
      if (at >= 0) found.set(at, [...found.get(at) ?? [], id])
    }
  }
  return found
}

/** Values that meet a demand, but for attributes of which all do. */
function demanded(demand: RegExp, groups: readonly Group[]): Map<number, readonly number[]> {
  const found = groups.map(({ attribute, ids }, at) => [at, ids.filter((id) =>
    demand.test(`${attribute}：${textOf(id)}`) || demand.test(textOf(id)))] as const)
  return new Map(found.filter(([at, ids]) => ids.length > 0
    && (groups[at]!.attribute === NO_ATTRIBUTE || ids.length < groups[at]!.ids.length)))
}

const sharesRun = (value: string, text: string): boolean =>
  Array.from({ length: value.length - 1 }, (_, at) => value.slice(at, at + 2))
    .some((run) => text.includes(run))

readKinds()
