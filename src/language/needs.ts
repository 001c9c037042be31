/**
 * Which kinds of goods answer a need that is told without their names: 家里蚊子多, losing my keys.
 * A small index over what the taxonomy says of each kind: pairs of Chinese characters and Latin
 * words, of which the rare ones count most.
 */
import { taxonomy } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { FILLERS, OCCASIONS, RECIPIENTS } from './read/words.ts'

const WEIGHTS = { needs: 3, names: 2, scenes: 1, features: 1 } as const
/** Whom and when it is for is no need. */
const FILLER = new Set([...FILLERS, ...OCCASIONS, ...RECIPIENTS])
/** The share of all kinds from which on a token says nothing. */
const COMMON_SHARE = 0.08
const WORD_LENGTH_MIN = 3

type Postings = ReadonlyMap<string, ReadonlyMap<string, number>>

let index: Postings | undefined

/** Made once, in about 100 ms. */
function needIndex(): Postings {
  if (index) return index
  const made = new Map<string, Map<string, number>>()
  const kinds = taxonomy().kinds
  for (const { kind, name_zh, name_en, aliases, needs = [], scenes, features } of kinds.values()) {
    const fields = { needs, names: [name_zh, name_en, ...aliases], scenes, features }
    for (const [name, phrases] of Object.entries(fields)) {
      const weight = WEIGHTS[name as keyof typeof WEIGHTS]
      for (const token of new Set(phrases.flatMap((phrase) => tokensOf(fold(phrase))))) {
        const known = made.get(token) ?? new Map<string, number>()
        made.set(token, known)
        known.set(kind, Math.max(known.get(kind) ?? 0, weight))
      }
    }
  }
  for (const [token, postings] of made) {
    if (postings.size > kinds.size * COMMON_SHARE) made.delete(token)
  }
  return index = made
}

/** Kind → how well it answers, without bound; only what is hit. */
export function needScores(text: string): ReadonlyMap<string, number> {
  const all = taxonomy().kinds.size
  const scores = new Map<string, number>()
  for (const token of new Set(tokensOf(text))) {
    const postings = needIndex().get(token)
    if (!postings) continue
    const rare = Math.log(all / postings.size)
    for (const [kind, weight] of postings) scores.set(kind, (scores.get(kind) ?? 0) + rare * weight)
  }
  return scores
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  for (const [run] of text.matchAll(/[a-z]+|\p{Script=Han}+/gu)) {
    if (/^[a-z]/.test(run)) {
      if (run.length >= WORD_LENGTH_MIN && !FILLER.has(run)) tokens.push(stemOf(run))
    } else {
      for (let at = 0; at + 1 < run.length; at += 1) {
        const pair = run.slice(at, at + 2)
        if (!FILLER.has(pair)) tokens.push(pair)
      }
    }
  }
  return tokens
}

/** losing, lost and loses are not worth more than this. */
const stemOf = (word: string): string => word.length > 4
  ? word.replace(/(?:ing|ed|es|s|ly)$/, '') : word
