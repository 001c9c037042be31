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

interface Token { readonly rarity: number, readonly phrases: Int32Array }

interface Index {
  readonly tokens: ReadonlyMap<string, Token>
  /** Of each phrase, its kind and what a hit is worth. */
  readonly kindOf: Int32Array
  readonly worth: Float32Array
  readonly kinds: readonly string[]
}

const UNKNOWN: Token = { rarity: 0, phrases: new Int32Array(0) }

let index: Index | undefined

/** Made once. */
export function prepareNeeds(): Index {
  return index ??= makeIndex([...taxonomy().kinds.values()])
}

interface Phrase { readonly kind: number, readonly field: number, readonly tokens: string[] }

function makeIndex(kinds: readonly KnownKind[]): Index {
  const phrases = kinds.flatMap((kind, at) => phrasesOf(kind).map(({ text, field }): Phrase =>
    ({ kind: at, field, tokens: [...tokensOf(fold(text)).keys()] })))
  const lengths = phrases.map(({ tokens }) => tokens.length)
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  const places = new Map<string, number[]>()
  for (const [at, { tokens }] of phrases.entries()) {
    for (const token of tokens) {
      const list = places.get(token)
      if (list) list.push(at)
      else places.set(token, [at])
    }
  }
  const tokens = new Map<string, Token>()
  for (const [token, list] of places) {
    const spread = new Set(list.map((at) => phrases[at]?.kind)).size
    if (spread > kinds.length * COMMON_SHARE) continue
    tokens.set(token, { rarity: Math.log(kinds.length / spread), phrases: Int32Array.from(list) })
  }
  return {
    tokens, kinds: kinds.map(({ kind }) => kind),
    kindOf: Int32Array.from(phrases, ({ kind }) => kind),
    worth: Float32Array.from(phrases, ({ field, tokens: { length } }) =>
      field / (1 - LENGTH_SHARE + LENGTH_SHARE * Math.max(1, length) / mean)),
  }
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

/** Kind → how well it answers, without bound; only what is hit. */
export function needScores(text: string): ReadonlyMap<string, number> {
  const { tokens, kindOf, worth, kinds } = prepareNeeds()
  const hits = new Float32Array(kindOf.length)
  const bests = new Float32Array(kinds.length)
  const sums = new Float32Array(kinds.length)
  for (const [token, weight] of tokensOf(text.replace(POLITE, ' '))) {
    const { phrases, rarity } = tokens.get(token) ?? UNKNOWN
    // Phrases of a kind stand together: the more of them have it, the more it is about it.
    let [kind, often] = [0, 0]
    for (const phrase of phrases) {
      const value = rarity * weight * (worth[phrase] ?? 0)
      const whole = hits[phrase] = (hits[phrase] ?? 0) + value
      const of = kindOf[phrase] ?? 0
      if (whole > (bests[of] ?? 0)) bests[of] = whole
      if (of !== kind) {
        sums[kind] = (sums[kind] ?? 0) + rarity * weight * saturated(often)
        ;[kind, often] = [of, 0]
      }
      often += worth[phrase] ?? 0
    }
    sums[kind] = (sums[kind] ?? 0) + rarity * weight * saturated(often)
  }
  const scores = new Map<string, number>()
  for (const [at, kind] of kinds.entries()) {
    const sum = sums[at] ?? 0
    if (sum > 0) scores.set(kind, SUM_SHARE * sum + (1 - SUM_SHARE) * (bests[at] ?? 0))
  }
  return scores
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
