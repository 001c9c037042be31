/**
 * What kinds of goods words name. An item carries one token for its kind, and a query that names
 * the kind, by whatever word, asks for that token, too: 尿不湿 finds 纸尿裤, laptop finds 笔记本电脑,
 * and 手机 finds telephones before their cases. Names come from the taxonomy, further ones from
 * config/search-words.json.
 */
import { ConfigError, readConfigFile } from '../config.ts'
import { atomsOf, isJoin, type Atom } from '../language/atoms.ts'
import { fold } from '../language/fold.ts'
import type { CatalogueLine } from './line.ts'
import { kindNames } from './taxonomy.ts'

export interface SearchWords {
  /** Said to be polite or grammatical; they say nothing of the goods. */
  readonly fillers: ReadonlySet<string>
  /** Wishes that raise an item which has them, and that no item needs to have. */
  readonly soft: ReadonlySet<string>
  /** More names of kinds. */
  readonly kinds: Readonly<Record<string, readonly string[]>>
}

interface Names {
  /** A whole name, or the end of one, where Chinese and English have the noun → kinds. */
  readonly nouns: ReadonlyMap<string, ReadonlySet<string>>
  /** Any part of a name → kinds. */
  readonly parts: ReadonlyMap<string, ReadonlySet<string>>
  /** Whole names only. */
  readonly whole: ReadonlyMap<string, ReadonlySet<string>>
  /** Their last characters. */
  readonly ends: ReadonlyMap<string, ReadonlySet<string>>
}

const LATIN_LENGTH_MIN = 3

let words: SearchWords | undefined
let names: Names | undefined

export function searchWords(): SearchWords {
  if (words) return words
  const { fillers, soft, kinds } = readConfigFile('search-words.json') as {
    fillers: string[], soft: string[], kinds: Record<string, string[]>
  }
  const unknown = Object.keys(kinds).find((kind) => !kindNames().has(kind))
  if (unknown) throw new ConfigError(`config/search-words.json: ${unknown} is no kind.`)
  return words = { fillers: new Set(fillers), soft: new Set(soft), kinds }
}

/** Made once, in about 30 ms. */
function allNames(): Names {
  if (names) return names
  const map = (): Map<string, Set<string>> => new Map()
  const made = { nouns: map(), parts: map(), whole: map(), ends: map() }
  const add = (to: Map<string, Set<string>>, key: string, kind: string): void => {
    const kinds = to.get(key)
    if (kinds) kinds.add(kind)
    else to.set(key, new Set([kind]))
  }
  for (const { kind, name_zh, name_en, aliases } of kindNames().values()) {
    for (const name of [name_zh, name_en, ...aliases, ...searchWords().kinds[kind] ?? []]) {
      const atoms = atomsOf(fold(name))
      add(made.whole, keyOf(atoms), kind)
      add(made.ends, atoms.at(-1)?.text ?? '', kind)
      for (let start = 0; start < atoms.length; start += 1) {
        for (let end = start + 1; end <= atoms.length; end += 1) {
          const span = atoms.slice(start, end)
          if (!isWord(span) && span.length < atoms.length) continue
          add(made.parts, keyOf(span), kind)
          if (end === atoms.length) add(made.nouns, keyOf(span), kind)
        }
      }
    }
  }
  return names = made
}

const keyOf = (atoms: readonly Atom[]): string => atoms.map(({ text }) => text).join('')

const isWord = (span: readonly Atom[]): boolean => span.length > 1
  || (span[0]?.type === 'latin' && span[0].text.length >= LATIN_LENGTH_MIN)

/** Reads the names before the first query needs them. */
export const prepareKinds = (): void => { allNames() }

/** One token for each kind; no text has it, since an underscore joins nothing there. */
export const kindToken = (kind: string): string => `k_${kind}`

/** In place of a kind, of items whose kind nobody knows. */
export const NO_KIND = 'none'

export interface Noun {
  readonly start: number
  readonly end: number
}

/** The names of kinds in a text, the longest first where several end at one place. */
export function nounsIn(atoms: readonly Atom[]): Noun[] {
  const found: Noun[] = []
  for (let end = atoms.length; end > 0;) {
    const noun = nounBefore(atoms, end)
    if (noun) found.unshift(noun)
    end = noun ? noun.start : end - 1
  }
  return found
}

function nounBefore(
  atoms: readonly Atom[], end: number, isWhole = false,
): Noun | undefined {
  let longest: Noun | undefined
  let key = ''
  if (isPartOfName(atoms, end)) return undefined
  for (let start = end - 1; start >= 0; start -= 1) {
    // A name may be written with spaces, also where the taxonomy has none.
    if (start < end - 1 && !isNear(atoms[start + 1])) break
    key = (atoms[start]?.text ?? '') + key
    const known = kindsUnder(allNames().nouns, key)
    // Ends of names are nouns, too: where none ends so, no longer one does.
    if (!known && start < end - 1) break
    const isNoun = known && (!isWhole || allNames().whole.has(key))
    if (isNoun && !isPartOfName(atoms, start)) longest = { start, end }
  }
  return longest
}

const isNear = (atom: Atom | undefined): boolean =>
  atom !== undefined && (atom.gap === ' ' || isJoin(atom.gap))

/** Whether the atom continues a Latin name: `pad` in `ipad-pad` is no tablet. */
function isPartOfName(atoms: readonly Atom[], at: number): boolean {
  const [before, atom] = [atoms[at - 1], atoms[at]]
  return before !== undefined && atom !== undefined && isJoin(atom.gap)
    && before.type !== 'han' && atom.type !== 'han'
    && before.type !== 'measure' && atom.type !== 'measure'
}

/** English nouns are also found in their other number. */
const kindsUnder = (among: Names['nouns'], key: string): ReadonlySet<string> | undefined =>
  among.get(key)
  ?? (/[a-z]{3}s$/.test(key) ? among.get(key.slice(0, -1))
    : /[a-z]{3}$/.test(key) ? among.get(`${key}s`) : undefined)

/** Kinds that a word names: those that are called so, and those whose longer name ends so. */
export function kindsNamedBy(
  atoms: readonly Atom[],
): { called: readonly string[], ending: readonly string[] } {
  const key = keyOf(atoms)
  const called = kindsUnder(allNames().whole, key) ?? new Set<string>()
  const ending = kindsUnder(allNames().nouns, key) ?? new Set<string>()
  return { called: [...called], ending: [...ending].filter((kind) => !called.has(kind)) }
}

/** Kinds whose names hold a word, as 拍照手机 holds 拍照: their items are found by it. */
export const kindsWith = (text: string): readonly string[] => [...allNames().parts.get(text) ?? []]

/** Kinds whose names end in a character: 酒, 鞋. */
export const kindsEndingIn = (character: string): readonly string[] =>
  [...allNames().ends.get(character) ?? []]

/** The kind of an item: as its file says, else the last name of a kind in its title. */
export function kindOf(
  { kind, title, category_id }: Pick<CatalogueLine, 'kind' | 'title' | 'category_id'>,
): string | undefined {
  const kinds = kindNames()
  if (kind !== undefined && kinds.has(kind)) return kind
  const atoms = atomsOf(fold(title))
  for (let end = atoms.length; end > 0;) {
    const noun = nounBefore(atoms, end, true)
    const named = noun && allNames().whole.get(keyOf(atoms.slice(noun.start, noun.end)))
    const known = [...named ?? []].find((one) => kinds.get(one)?.category_id === category_id)
    if (known) return known
    end = noun ? noun.start : end - 1
  }
  return undefined
}

/** Whether a phrase of a description only repeats a name of the kind, which its token says. */
export const isNameOf = (kind: string, phrase: string): boolean =>
  kindNames().get(kind)?.aliases.includes(phrase) ?? false
