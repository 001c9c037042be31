/**
 * Which kinds of goods answer a need that is told without their names: 家里蚊子多, losing my keys.
 * A small retrieval over what the taxonomy says of each kind, phrase by phrase: pairs of Chinese
 * characters and stems of English words, of which the rare ones count most.
 */
import { taxonomy, type KnownKind } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { RECIPIENTS } from './read/people.ts'
import { POLITE } from './read/told.ts'
import { FILLERS, OCCASIONS } from './read/words.ts'

/** What a hit is worth by where it stands. */
const FIELDS = { needs: 1, names: 0.7, scenes: 0.35, features: 0.35 } as const
/** How much of a kind's score all its phrases together make; the rest is its best phrase. */
const SUM_SHARE = 0.7
/** How far a long phrase counts less than a short one; 0 is not at all. */
const LENGTH_SHARE = 0.5
/** How soon a token that many phrases of a kind have counts no more. */
const SATURATION = 1.2
const CHARACTER = 0.5
/** The share of all kinds from which on a token says nothing. */
const COMMON_SHARE = 0.12
const WORD_LENGTH_MIN = 3
/** Whom and when it is for is no need. */
const FILLER = new Set([...FILLERS, ...OCCASIONS, ...RECIPIENTS])

/** Flat lists: an object for each of its hundred thousand words would take four times as much. */
interface Index {
  /** Token → its place in `rarity`, and in `starts`, which says where its phrases begin. */
  readonly tokens: ReadonlyMap<string, number>
  readonly rarity: Float64Array
  readonly starts: Int32Array
  readonly phrases: Int32Array
  /** Of each phrase, its kind and what a hit is worth. */
  readonly kindOf: Int32Array
  readonly worth: Float32Array
  readonly kinds: readonly string[]
  /** What one text hits; all zero between two. */
  readonly hits: Float32Array
  readonly bests: Float32Array
  readonly sums: Float32Array
}

let index: Index | undefined

/** Made once. */
export function prepareNeeds(): Index {
  return index ??= makeIndex([...taxonomy().kinds.values()])
}

function makeIndex(kinds: readonly KnownKind[]): Index {
  const kindOf: number[] = []
  const fields: number[] = []
  const lengths: number[] = []
  const places = new Map<string, number[]>()
  for (const [at, kind] of kinds.entries()) {
    for (const { text, field } of phrasesOf(kind)) {
      const tokens = tokensOf(fold(text))
      for (const token of tokens.keys()) {
        const list = places.get(token)
        if (list) list.push(kindOf.length)
        else places.set(token, [kindOf.length])
      }
      kindOf.push(at)
      fields.push(field)
      lengths.push(tokens.size)
    }
  }
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return {
    ...tokenLists(places, kindOf, kinds.length),
    kinds: kinds.map(({ kind }) => kind),
    kindOf: Int32Array.from(kindOf),
    worth: Float32Array.from(fields, (field, at) =>
      field / (1 - LENGTH_SHARE + LENGTH_SHARE * Math.max(1, lengths[at] ?? 0) / mean)),
    hits: new Float32Array(kindOf.length),
    bests: new Float32Array(kinds.length), sums: new Float32Array(kinds.length),
  }
}

/** Of a token the kinds stand in order, and so do its phrases of one kind. */
function tokenLists(
  places: ReadonlyMap<string, readonly number[]>, kindOf: readonly number[], kinds: number,
): Pick<Index, 'tokens' | 'rarity' | 'starts' | 'phrases'> {
  const tokens = new Map<string, number>()
  const rarity: number[] = []
  const starts = [0]
  const phrases: number[] = []
  for (const [token, list] of places) {
    const spread = list.filter((phrase, at) => kindOf[phrase] !== kindOf[list[at - 1] ?? -1]).length
    if (spread > kinds * COMMON_SHARE) continue
    tokens.set(token, rarity.length)
    rarity.push(Math.log(kinds / spread))
    for (const phrase of list) phrases.push(phrase)
    starts.push(phrases.length)
  }
  return { tokens, rarity: Float64Array.from(rarity), starts: Int32Array.from(starts),
    phrases: Int32Array.from(phrases) }
}

/** Scenes and features are single words: all of a kind's are one phrase. */
const phrasesOf = (
  { name_zh, name_en, aliases, other_names = [], needs = [], scenes, features }: KnownKind,
) => [
  ...needs.map((text) => ({ text, field: FIELDS.needs })),
  ...[name_zh, name_en, ...aliases, ...other_names].map((text) => ({ text, field: FIELDS.names })),
  { text: scenes.join(' '), field: FIELDS.scenes },
  { text: features.join(' '), field: FIELDS.features },
]

/** Kind → how well it answers, without bound; only what is hit, in the order of the taxonomy. */
export function needScores(text: string): ReadonlyMap<string, number> {
  const { tokens, kinds, hits, bests, sums, starts, phrases } = prepareNeeds()
  const found = [...tokensOf(text.replace(POLITE, ' '))].flatMap(([token, weight]) => {
    const at = tokens.get(token)
    return at === undefined ? [] : [{ at, weight }]
  })
  for (const { at, weight } of found) addHits(at, weight)
  const scores = new Map<string, number>()
  for (const [at, kind] of kinds.entries()) {
    const sum = sums[at] ?? 0
    if (sum > 0) scores.set(kind, SUM_SHARE * sum + (1 - SUM_SHARE) * (bests[at] ?? 0))
  }
  for (const { at } of found) {
    for (let place = starts[at] ?? 0; place < (starts[at + 1] ?? 0); place += 1) {
      hits[phrases[place] ?? 0] = 0
    }
  }
  bests.fill(0)
  sums.fill(0)
  return scores
}

function addHits(token: number, weight: number): void {
  const { rarity, starts, phrases, kindOf, worth, hits, bests, sums } = prepareNeeds()
  const rare = (rarity[token] ?? 0) * weight
  // Phrases of a kind stand together: the more of them have it, the more it is about it.
  let [kind, often] = [0, 0]
  for (let place = starts[token] ?? 0; place < (starts[token + 1] ?? 0); place += 1) {
    const phrase = phrases[place] ?? 0
    const value = worth[phrase] ?? 0
    const whole = hits[phrase] = (hits[phrase] ?? 0) + rare * value
    const of = kindOf[phrase] ?? 0
    if (whole > (bests[of] ?? 0)) bests[of] = whole
    if (of !== kind) {
      sums[kind] = (sums[kind] ?? 0) + rare * saturated(often)
      ;[kind, often] = [of, 0]
    }
    often += value
  }
  sums[kind] = (sums[kind] ?? 0) + rare * saturated(often)
}

const saturated = (often: number): number =>
  often * (1 + SATURATION) / (often + SATURATION)

/** Token → how much it counts: a character less than two, a word more. */
function tokensOf(text: string): Map<string, number> {
  const tokens = new Map<string, number>()
  const add = (token: string, weight: number): void => {
    if (!FILLER.has(token)) tokens.set(token, Math.max(tokens.get(token) ?? 0, weight))
  }
  for (const [run] of text.matchAll(/[a-z]+|\p{Script=Han}+/gu)) {
    if (/^[a-z]/.test(run)) {
      if (run.length >= WORD_LENGTH_MIN && !FILLER.has(run)) add(stemOf(run), 1)
      continue
    }
    for (let at = 0; at < run.length; at += 1) {
      add(run.charAt(at), CHARACTER)
      if (at + 1 < run.length) add(run.slice(at, at + 2), 1)
    }
  }
  return tokens
}

/** losing, lost and loses are not worth more than this. */
const stemOf = (word: string): string => word.length > 4
  ? word.replace(/(?:ing|ed|es|s|ly)$/, '') : word
