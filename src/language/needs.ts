/**
 * Which kinds of goods answer a need that is told without their names: 家里蚊子多, losing my keys.
 * A small retrieval over what the taxonomy says of each kind, phrase by phrase: pairs of Chinese
 * characters and stems of English words, of which the rare ones count most.
 */
import { taxonomy, type KnownKind } from '../goods/taxonomy.ts'
import { audiencesIn } from './audience.ts'
import { fold } from './fold.ts'
import { FREE_OF } from './read/attributes.ts'
import { RECIPIENTS } from './read/people.ts'
import { POLITE } from './read/told.ts'
import { FILLERS, OCCASIONS } from './read/words.ts'

/** What a hit is worth by where it stands. */
const FIELDS = { needs: 1, names: 0.7, scenes: 0.35, features: 0.35 } as const
/** How far a long phrase counts less than a short one; 0 is not at all. */
const LENGTH_SHARE = 0.5
/** How soon a token that many phrases of a kind have counts no more. */
const SATURATION = 5
const CHARACTER = 0.5
const WORD_LENGTH_MIN = 3
/** Whom and when it is for is no need. */
const FILLER = new Set([...FILLERS, ...OCCASIONS, ...RECIPIENTS])

/** Flat lists: an object for each of its hundred thousand words would take four times as much. */
interface Index {
  /** Token → its place in `starts`, which says where the kinds that have it begin. */
  readonly tokens: ReadonlyMap<string, number>
  readonly starts: Int32Array
  readonly kindOf: Uint16Array
  /** How much the token says for the kind. */
  readonly values: Float32Array
  readonly kinds: readonly string[]
}

let index: Index | undefined

/** Made once. */
export function prepareNeeds(): Index {
  return index ??= makeIndex([...taxonomy().kinds.values()])
}

function makeIndex(kinds: readonly KnownKind[]): Index {
  const phrases = kinds.flatMap((kind, at) => phrasesOf(kind).map(({ text, field }) =>
    ({ at, field, tokens: [...tokensOf(fold(text)).keys()] })))
  const mean = phrases.reduce((sum, { tokens }) => sum + tokens.length, 0) / phrases.length
  const often = new Map<string, { readonly kinds: number[], readonly counts: number[] }>()
  for (const { at, field, tokens } of phrases) {
    const worth = field / (1 - LENGTH_SHARE + LENGTH_SHARE * Math.max(1, tokens.length) / mean)
    for (const token of tokens) {
      const known = often.get(token)
      // Phrases of a kind stand together.
      const last = (known?.kinds.length ?? 0) - 1
      if (!known) often.set(token, { kinds: [at], counts: [worth] })
      else if (known.kinds[last] === at) known.counts[last] = (known.counts[last] ?? 0) + worth
      else {
        known.kinds.push(at)
        known.counts.push(worth)
      }
    }
  }
  const tokens = new Map<string, number>()
  const starts = [0]
  const kindOf: number[] = []
  const values: number[] = []
  for (const [token, known] of often) {
    const rarity = Math.log(kinds.length / known.kinds.length)
    tokens.set(token, tokens.size)
    for (const kind of known.kinds) kindOf.push(kind)
    for (const count of known.counts) values.push(rarity * saturated(count))
    starts.push(kindOf.length)
  }
  return {
    tokens, starts: Int32Array.from(starts), kindOf: Uint16Array.from(kindOf),
    values: Float32Array.from(values), kinds: kinds.map(({ kind }) => kind),
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

/** Kind → how well it answers, without bound; only what is hit, in the order of the taxonomy. */
export function needScores(text: string): Map<string, number> {
  const { tokens, starts, kindOf, values, kinds } = prepareNeeds()
  const sums = new Float32Array(kinds.length)
  // What goods are without says nothing of what they are for.
  for (const [token, weight] of tokensOf(text.replace(POLITE, ' ').replace(FREE_OF, ' '))) {
    const at = tokens.get(token)
    if (at === undefined) continue
    for (let place = starts[at] ?? 0; place < (starts[at + 1] ?? 0); place += 1) {
      const kind = kindOf[place] ?? 0
      sums[kind] = (sums[kind] ?? 0) + weight * (values[place] ?? 0)
    }
  }
  const scores = new Map<string, number>()
  for (const [at, kind] of kinds.entries()) {
    const sum = sums[at] ?? 0
    if (sum > 0) scores.set(kind, sum)
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

const OF_SOMEBODY = /^(?:的|家的?)?(?:老是?|总是?|一直|经常|有点|好像|天天|又)?/
/** 我家, 家里 may stand before. */
const SOMEBODY_FROM_MAX = 2
const SAID_LENGTH_MAX = 6
const CANDIDATES = 12

/**
 * The scores of the kinds whose needs have the very words of a short text, beside whom it is said
 * of: 便秘 of 老人便秘. Undefined for any other text.
 */
export function needSaid(
  text: string, scores: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> | undefined {
  const [somebody] = audiencesIn(text)
  if (!somebody || somebody.start > SOMEBODY_FROM_MAX) return undefined
  const said = text.slice(somebody.end).replace(OF_SOMEBODY, '')
  if (!/^\p{Script=Han}{2,}$/u.test(said) || said.length > SAID_LENGTH_MAX) return undefined
  const known = taxonomy().kinds
  const found = [...scores].sort(([, one], [, other]) => other - one).slice(0, CANDIDATES)
    .filter(([kind]) => known.get(kind)?.needs?.some((need) => fold(need).includes(said)))
  return found.length > 0 ? new Map(found) : undefined
}
