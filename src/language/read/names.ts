/** The names of kinds of goods and of brands in a sentence, and how sure it is which kind it is. */
import { searchWords } from '../../goods/kinds.ts'
import { fold } from '../fold.ts'
import { cutHan } from '../segment.ts'
import { taxonomy } from '../../goods/taxonomy.ts'
import type { Place } from './claims.ts'
import { isInsideWord, phrases, type Phrases } from './phrases.ts'
import { BRANDS, NO_NOUN_WORDS } from './words.ts'

export interface Sense {
  readonly kind: string
  /** 1 for the name itself; less for another word for it, or the end of its name. */
  readonly weight: number
  /** What stands before the end of the name: 老人 in 老人手机, where 手机 was read. */
  readonly rest: string
}

export interface Name extends Place {
  readonly key: string
  readonly senses: readonly Sense[]
}

const WEIGHTS = { name: 1, alias: 0.9, nameEnd: 0.6, aliasEnd: 0.35 } as const
const SPACES_MAX = 2
/** Ends of names that say nothing of the goods. */
const NO_NOUNS = new Set(NO_NOUN_WORDS)

interface Index {
  readonly senses: ReadonlyMap<string, readonly Sense[]>
  readonly whole: ReadonlySet<string>
  /** How long the longest name is that ends in these two characters. */
  readonly lengths: ReadonlyMap<string, number>
  readonly brands: Phrases
}

let index: Index | undefined

/** Made once. */
export function nameIndex(): Index {
  if (index) return index
  const senses = new Map<string, Map<string, Sense>>()
  const whole = new Set<string>()
  const lengths = new Map<string, number>()
  const add = (key: string, sense: Sense): void => {
    lengths.set(key.slice(-2), Math.max(lengths.get(key.slice(-2)) ?? 0, key.length))
    const kinds = senses.get(key) ?? new Map<string, Sense>()
    senses.set(key, kinds)
    const known = kinds.get(sense.kind)
    if (!known || known.weight < sense.weight) kinds.set(sense.kind, sense)
  }
  for (const { kind, name_zh, name_en, aliases } of taxonomy().kinds.values()) {
    const mains = [name_zh, name_en]
    for (const name of [...mains, ...aliases, ...searchWords().kinds[kind] ?? []]) {
      const key = keyOf(fold(name))
      const isMain = mains.includes(name)
      whole.add(key)
      for (const end of [key, ...endsOf(key)]) {
        const weight = end === key ? isMain ? WEIGHTS.name : WEIGHTS.alias
          : isMain ? WEIGHTS.nameEnd : WEIGHTS.aliasEnd
        const rest = key.slice(0, key.length - end.length).trim()
        for (const form of numbersOf(end)) add(form, { kind, weight, rest })
      }
    }
  }
  return index = {
    senses: new Map([...senses].map(([key, kinds]) => [key, [...kinds.values()]])),
    whole, lengths,
    brands: phrases([...BRANDS, ...taxonomy().categories.flatMap(({ brands }) =>
      brands.flatMap(({ zh, latin }) => [fold(zh), fold(latin)]))]),
  }
}

/** Nouns with which a name ends: whole words, of at least two Han characters. */
function endsOf(key: string): string[] {
  const words = /^\p{Script=Han}+$/u.test(key) ? cutHan([...key]).map((word) => word.join(''))
    : key.split(/(?<= )|(?<=[^\p{Script=Han}])(?=\p{Script=Han})/u)
  return words.slice(1).map((_, at) => words.slice(at + 1).join(''))
    .filter((end) => end.length >= 2 && !numbersOf(end).some((form) => NO_NOUNS.has(form)))
}

/** Spaces between Han characters, or beside them, are a matter of taste. */
const keyOf = (text: string): string => text.includes(' ')
  ? text.replace(/ +(?=\p{Script=Han})|(?<=\p{Script=Han}) +/gu, '') : text

/** The longest that end at each place, from right to left: the noun ends a name. */
export function namesIn(text: string): Name[] {
  const found: Name[] = []
  for (let end = text.length; end > 0;) {
    const name = nameBefore(text, end)
    if (name) found.unshift(name)
    end = name ? name.start : end - 1
  }
  return found
}

function nameBefore(text: string, end: number): Name | undefined {
  const { senses, lengths } = nameIndex()
  const longest = lengths.get(text.charAt(end - 2) === ' '
    ? text.charAt(end - 3) + text.charAt(end - 1) : text.slice(end - 2, end))
  if (!longest || isInsideWord(text, end)) return undefined
  // As many spaces as a name has parts may stand in it.
  for (let start = Math.max(0, end - longest - SPACES_MAX); start < end; start += 1) {
    if (isInsideWord(text, start) || text.charAt(start) === ' ') continue
    const key = keyOf(text.slice(start, end))
    const found = senses.get(key)
    if (found) return { start, end, key, senses: found }
  }
  return undefined
}

/** English nouns are also found in their other number. */
function numbersOf(noun: string): string[] {
  if (!/[a-z]{3}$/.test(noun)) return [noun]
  if (/(?:s|x|ch|sh)es$/.test(noun)) return [noun, noun.slice(0, -2)]
  if (/[^s]s$/.test(noun)) return [noun, noun.slice(0, -1)]
  return [noun, noun + (/(?:s|x|ch|sh)$/.test(noun) ? 'es' : 's')]
}

export const isWholeName = (key: string): boolean => nameIndex().whole.has(keyOf(key))
