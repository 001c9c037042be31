/** Texts of which the kinds are known: phrases of taxonomy and situations, and labelled lines. */
import { existsSync, readdirSync } from 'node:fs'
import { taxonomy, wholeCategories, type KnownKind } from '../../../src/goods/taxonomy.ts'
import { withoutPoliteness } from '../../../src/language/read/phrasing.ts'
import { read } from '../../../src/language/read/reading.ts'
import { situations } from '../../../src/language/situations.ts'
import { readingOf } from '../../../src/language/understand.ts'
import { readJsonl } from '../jsonl.ts'
import type { Line } from '../unseen/check.ts'

export interface Text {
  /** Where it is from: `name`, `need`, `made told`, `27/sentences`, … */
  readonly set: string
  readonly text: string
  /** All that are right. */
  readonly kinds: readonly string[]
  /** Of several goods that are wanted at once, which each kind is: 0 for the first. */
  readonly goods?: readonly number[]
  /** The labelled line that it is, or is made of: both are trained on, or neither. */
  readonly line?: string
}

interface Told {
  readonly say: string
  readonly kinds?: readonly string[]
  readonly goods?: readonly (readonly string[])[]
}

/** What people call goods, beside their names in the taxonomy. */
interface Named { readonly say: string, readonly kinds: readonly string[] }

const UNSEEN = new URL('../unseen/', import.meta.url)
const RANKING = new URL('../ranking/', import.meta.url)
const SETS = ['sentences', 'searches'] as const
/** What is left of a line without its name has to tell something. */
const MASKED_LENGTH_MIN = 8
const HAN = /\p{Script=Han}/u

export const isChinese = (text: string): boolean => HAN.test(text)
/** In one spelling, as the network reads a sentence. */
export const folded = (text: string): string => read(text).text

export const namesOf = (kind: KnownKind): string[] => [...new Set(
  [kind.name_zh, kind.name_en, ...kind.aliases, ...kind.other_names ?? []].map(folded))]

const NEEDS = new Map(wholeCategories().flatMap(({ kinds }) =>
  kinds.map(({ kind, needs = [] }): [string, readonly string[]] => [kind, needs])))
export const needsOf = ({ kind }: KnownKind): string[] => (NEEDS.get(kind) ?? []).map(folded)

/** Each once, with the kinds of all who have it. */
export function phrases(): Text[] {
  const found = new Map<string, { set: string, kinds: Set<string> }>()
  const add = (set: string, text: string, kinds: readonly string[]): void => {
    const one = found.get(text) ?? { set, kinds: new Set<string>() }
    for (const kind of kinds) one.kinds.add(kind)
    found.set(text, one)
  }
  for (const kind of taxonomy().kinds.values()) {
    for (const name of namesOf(kind)) add('name', name, [kind.kind])
    for (const need of needsOf(kind)) add('need', need, [kind.kind])
  }
  for (const { say, kinds } of readJsonl<Named>(new URL('names.jsonl', import.meta.url))) {
    add('name', folded(say), kinds)
  }
  for (const set of ['needs', 'likes'] as const) {
    for (const { said, kinds } of situations()[set]) {
      for (const one of said) add(set, folded(one), kinds)
    }
  }
  return [...found].map(([text, { set, kinds }]) => ({ set, text, kinds: [...kinds] }))
}

function textOf({ say, kinds = [], goods = [kinds] }: Told, set: string): Text {
  const places = new Map(goods.flatMap((one, at) => one.map((kind) => [kind, at] as const)))
  return {
    set, line: say, text: withoutPoliteness(readingOf(say).text), kinds: [...places.keys()],
    ...goods.length > 1 && { goods: [...places.values()] },
  }
}

let labelled: Text[] | undefined

/** All labelled lines, as a node gives them to the network. */
export const lines = (): Text[] => labelled ??= [...linesOfRounds(), ...linesOfRanking()]
  .filter(({ kinds }) => kinds.length > 0)

/** Labelled lines of all rounds and further sets, with the name of each set. */
export const roundLines = (): (readonly [set: string, line: Line])[] =>
  readdirSync(UNSEEN, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => SETS.map((set) => `${name}/${set}`))
    .filter((set) => existsSync(new URL(`${set}.jsonl`, UNSEEN)))
    .flatMap((set) => readJsonl<Line>(new URL(`${set}.jsonl`, UNSEEN))
      .map((line) => [set, line] as const))

const linesOfRounds = (): Text[] => roundLines()
  .filter(([, { expect }]) => expect.none !== true && expect.first !== 0)
  .map(([set, { say, expect }]) => textOf({ say, ...expect }, set))

const linesOfRanking = (): Text[] => readdirSync(RANKING)
  .filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) => readJsonl<Told>(new URL(name, RANKING))
    .map((line) => textOf(line, `ranking/${name.replace('.jsonl', '')}`)))

/** Lines without the name of what they want: what they tell of it has to say it. */
export function* maskedLines(): Generator<Text> {
  const { kinds } = taxonomy()
  for (const { set, text, kinds: wanted, goods, line } of lines()) {
    const names = wanted.flatMap((one) => namesOf(kinds.get(one)!))
      .toSorted((left, right) => right.length - left.length)
    const masked = names.reduce((rest, name) => rest.replaceAll(name, ''), text)
    if (masked !== text && masked.length >= MASKED_LENGTH_MIN) {
      yield { set: `masked ${set}`, line: line ?? text, text: masked, kinds: wanted,
        ...goods && { goods } }
    }
  }
}
