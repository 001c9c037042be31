/**
 * Which kinds of goods answer a need that is told without their names: 家里蚊子多, losing my keys.
 * A small retrieval over what the taxonomy says of each kind, phrase by phrase: pairs of Chinese
 * characters and stems of English words, of which the rare ones count most.
 */
import { type Kind, taxonomy, wholeCategories } from '../goods/taxonomy.ts'
import { audiencesIn } from './audience.ts'
import { fold } from './fold.ts'
import { FREE_OF } from './read/attributes.ts'
import { RECIPIENTS } from './read/people.ts'
import { CHATTER, POLITE } from './read/phrasing.ts'
import { FILLERS, OCCASIONS } from './read/words.ts'
import { prepared } from './prepared.ts'
import { remembered } from './recent.ts'
import { situations } from './situations.ts'
import { TokenTable, type TokenData } from './token-table.ts'

/** What a hit is worth by where it stands. */
const FIELDS = { needs: 1, names: 0.7, scenes: 0.35, features: 0.35 } as const
/** How far a long phrase counts less than a short one; 0 is not at all. */
const LENGTH_SHARE = 0.4
/** How soon a token that many phrases of a kind have counts no more. */
const SATURATION = 1.5
/** Situations: from which score on they count, how much, and how much less each further kind. */
const SITUATION = { least: 16, share: 0.6, fall: 0.04, told: 27 } as const
const CHARACTER = 1
const WORD_LENGTH_MIN = 3
/** What answers less well than this share of the best is left out. */
const SHARE_LEAST = 0.15
/** Whom and when it is for is no need. */
const FILLER = new Set([...FILLERS, ...OCCASIONS, ...RECIPIENTS])

/** What one thing is told by, each phrase with what a hit in it is worth. */
type Document = readonly { readonly text: string, readonly field: number }[]

/** Flat lists: an object for each of its hundred thousand words would take four times as much. */
interface IndexData {
  /** Token → its place in `starts`, which says where the documents that have it begin. */
  readonly tokens: TokenData
  readonly starts: Int32Array
  readonly documentOf: Uint16Array
  /** How much the token says for the document. */
  readonly values: Float32Array
  readonly size: number
}

interface Index extends Omit<IndexData, 'tokens'> {
  readonly tokens: TokenTable
}

interface Needs {
  readonly kinds: readonly string[]
  readonly placeOf: ReadonlyMap<string, number>
  readonly ofKinds: Index
  readonly situations: readonly (readonly string[])[]
  readonly ofSituations: Index
}

let known: Needs | undefined

/** Made once. */
export function prepareNeeds(): Needs {
  if (known) return known
  const kinds = [...taxonomy().kinds.keys()]
  const [ofKinds, ofSituations] = prepared('needs', makeNeeds).map((data): Index =>
    ({ ...data, tokens: new TokenTable(data.tokens) })) as [Index, Index]
  return known = {
    kinds, placeOf: new Map(kinds.map((kind, place) => [kind, place])), ofKinds,
    situations: situations().needs.map((one) => one.kinds), ofSituations,
  }
}

const wholeKinds = (): Kind[] => wholeCategories().flatMap(({ kinds }) => kinds)

/** Kind → what is told of it without its name, folded; line by line. */
export const makeNeedTexts = (): ReadonlyMap<string, string> =>
  new Map(wholeKinds().map(({ kind, needs = [] }) => [kind, needs.map(fold).join('\n')]))

let needTexts: ReadonlyMap<string, string> | undefined

const needTextOf = (kind: string): string => prepared(`needs ${kind}`,
  () => (needTexts ??= makeNeedTexts()).get(kind) ?? '')

/** Of kinds, and of situations. */
export function makeNeeds(): IndexData[] {
  const ofKinds = makeIndex(wholeKinds().map(phrasesOf))
  const ofSituations = makeIndex(situations().needs.map(({ said }) =>
    said.map((text) => ({ text, field: FIELDS.needs }))), ofKinds)
  return [ofKinds, ofSituations].map((index) => ({ ...index, tokens: index.tokens.data }))
}

/** What is common in `larger` is common here: of few documents none says that 第一次 is. */
function makeIndex(documents: readonly Document[], larger?: Index): Index {
  const tokens = new TokenTable()
  /** The tokens of all phrases, one behind the other. */
  const said: number[] = []
  const phrases = documents.flatMap((document, at) => document.map(({ text, field }) => {
    for (const token of tokensOf(fold(text)).keys()) said.push(tokens.add(token))
    return { at, field, end: said.length }
  }))
  const postings = new Postings(tokens.size, said.length)
  const mean = said.length / phrases.length
  let from = 0
  for (const { at, field, end } of phrases) {
    const worth = field / (1 - LENGTH_SHARE + LENGTH_SHARE * Math.max(1, end - from) / mean)
    for (; from < end; from += 1) postings.add(said[from] ?? 0, at, worth)
  }
  const starts = new Int32Array(tokens.size + 1)
  for (let token = 0; token < tokens.size; token += 1) {
    starts[token + 1] = (starts[token] ?? 0) + (postings.counts[token] ?? 0)
  }
  const documentOf = new Uint16Array(starts[tokens.size] ?? 0)
  const values = new Float32Array(documentOf.length)
  for (const [name, token] of tokens) {
    const rarity = Math.min(Math.log(documents.length / (postings.counts[token] ?? 1)),
      rarityIn(larger, name))
    let place = starts[token + 1] ?? 0
    postings.each(token, (document, worth) => {
      place -= 1
      documentOf[place] = document
      values[place] = rarity * saturated(worth)
    })
  }
  return { tokens, starts, documentOf, values, size: documents.length }
}

/** Which documents have a token, and what it is worth in each: chains in lists of numbers. */
class Postings {
  /** Of each token, how many documents have it. */
  readonly counts: Int32Array
  private readonly lastOf: Int32Array
  private readonly before: Int32Array
  private readonly documentOf: Uint16Array
  private readonly worthOf: Float64Array
  private size = 0

  constructor(tokens: number, most: number) {
    this.counts = new Int32Array(tokens)
    this.lastOf = new Int32Array(tokens).fill(-1)
    this.before = new Int32Array(most)
    this.documentOf = new Uint16Array(most)
    this.worthOf = new Float64Array(most)
  }

  /** Phrases of a document stand together. */
  add(token: number, document: number, worth: number): void {
    const last = this.lastOf[token] ?? -1
    if (last >= 0 && this.documentOf[last] === document) {
      this.worthOf[last] = (this.worthOf[last] ?? 0) + worth
      return
    }
    this.before[this.size] = last
    this.documentOf[this.size] = document
    this.worthOf[this.size] = worth
    this.lastOf[token] = this.size
    this.counts[token] = (this.counts[token] ?? 0) + 1
    this.size += 1
  }

  /** The last document first. */
  each(token: number, use: (document: number, worth: number) => void): void {
    for (let at = this.lastOf[token] ?? -1; at >= 0; at = this.before[at] ?? -1) {
      use(this.documentOf[at] ?? 0, this.worthOf[at] ?? 0)
    }
  }
}

function rarityIn(index: Index | undefined, token: string): number {
  const at = index?.tokens.get(token)
  return index === undefined || at === undefined ? Infinity
    : Math.log(index.size / ((index.starts[at + 1] ?? 0) - (index.starts[at] ?? 0)))
}

/** Scenes and features are single words: all of a kind's are one phrase. */
const phrasesOf = (
  { name_zh, name_en, aliases, other_names = [], needs = [], scenes, features }: Kind,
): Document => [
  ...needs.map((text) => ({ text, field: FIELDS.needs })),
  ...[name_zh, name_en, ...aliases, ...other_names].map((text) => ({ text, field: FIELDS.names })),
  { text: scenes.join(' '), field: FIELDS.scenes },
  { text: features.join(' '), field: FIELDS.features },
]

/** Of the texts of one sentence. */
const RECENT_MAX = 4

/** How well each kind answers the text, without bound; of those that are hit. */
export const needScores = remembered(RECENT_MAX, (text) => scoresOf(text))

/** Kinds with a score each, in the taxonomy's order. Of thousands a Map took longer to make. */
export class NeedScores implements Iterable<[kind: string, score: number]> {
  private readonly scores: Float32Array | Float64Array
  /** Only what is above it counts. */
  private readonly least: number
  /** 0 where nothing is hit. */
  readonly best: number

  constructor(scores: Float32Array | Float64Array, least?: number) {
    let best = 0
    for (let at = 0; at < scores.length; at += 1) {
      const score = scores[at] ?? 0
      if (score > best) best = score
    }
    this.scores = scores
    // A share of a single character is no answer.
    this.least = least ?? best * SHARE_LEAST
    this.best = best > this.least ? best : 0
  }

  get(kind: string): number | undefined {
    const score = this.scores[prepareNeeds().placeOf.get(kind) ?? -1] ?? 0
    return score > this.least ? score : undefined
  }

  *[Symbol.iterator](): Generator<[kind: string, score: number]> {
    const { kinds } = prepareNeeds()
    for (let at = 0; at < this.scores.length; at += 1) {
      const score = this.scores[at] ?? 0
      if (score > this.least) yield [kinds[at] ?? '', score]
    }
  }

  /** The best, of equal ones the first. */
  highest(count: number): [kind: string, score: number][] {
    const { scores } = this
    const places: number[] = []
    let least = this.least
    for (let place = 0; place < scores.length; place += 1) {
      const score = scores[place] ?? 0
      if (score <= least) continue
      let at = Math.min(places.length, count - 1)
      for (; at > 0 && (scores[places[at - 1] ?? 0] ?? 0) < score; at -= 1) {
        places[at] = places[at - 1] ?? 0
      }
      places[at] = place
      if (places.length === count) least = scores[places[count - 1] ?? 0] ?? 0
    }
    const { kinds } = prepareNeeds()
    return places.map((place) => [kinds[place] ?? '', scores[place] ?? 0])
  }

  /** Without some kinds, and with others worth only a share. */
  without(kinds: Iterable<string>, others: Iterable<string>, share: number): NeedScores {
    const scores = Float64Array.from(this.scores)
    const { placeOf } = prepareNeeds()
    for (const kind of others) {
      const score = this.get(kind)
      if (score !== undefined) scores[placeOf.get(kind) ?? -1] = score * share
    }
    for (const kind of kinds) scores[placeOf.get(kind) ?? -1] = 0
    return new NeedScores(scores, this.least)
  }
}

function scoresOf(text: string): NeedScores {
  const { placeOf, ofKinds } = prepareNeeds()
  // What goods are without says nothing of what they are for.
  const tokens = tokensOf(text.replace(POLITE, ' ').replace(CHATTER, ' ').replace(FREE_OF, ' '))
  const sums = sumsOf(ofKinds, tokens)
  for (const [kind, help] of helpedIn(tokens)) {
    const place = placeOf.get(kind) ?? -1
    sums[place] = (sums[place] ?? 0) + help
  }
  return new NeedScores(sums)
}

/** Whether a situation is told so that it can be nothing else. */
export const describesSituation = (text: string): boolean =>
  sumsOf(prepareNeeds().ofSituations, tokensOf(text.replace(POLITE, ' ')))
    .some((sum) => sum >= SITUATION.told)

/** Kind → what it is worth by the situations that are told, of which it helps in the best one. */
function helpedIn(tokens: ReadonlyMap<string, number>): Map<string, number> {
  const { situations: known, ofSituations } = prepareNeeds()
  const helped = new Map<string, number>()
  const sums = sumsOf(ofSituations, tokens)
  for (let at = 0; at < sums.length; at += 1) {
    const sum = sums[at] ?? 0
    if (sum < SITUATION.least) continue
    for (const [place, kind] of (known[at] ?? []).entries()) {
      const worth = sum * SITUATION.share * (1 - place * SITUATION.fall)
      helped.set(kind, Math.max(worth, helped.get(kind) ?? 0))
    }
  }
  return helped
}

function sumsOf(
  { tokens: known, starts, documentOf, values, size }: Index, tokens: ReadonlyMap<string, number>,
): Float32Array {
  const sums = new Float32Array(size)
  for (const [token, weight] of tokens) {
    const at = known.get(token)
    if (at === undefined) continue
    for (let place = starts[at] ?? 0; place < (starts[at + 1] ?? 0); place += 1) {
      const document = documentOf[place] ?? 0
      sums[document] = (sums[document] ?? 0) + weight * (values[place] ?? 0)
    }
  }
  return sums
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
  text: string, scores: NeedScores,
): ReadonlyMap<string, number> | undefined {
  const [somebody] = audiencesIn(text)
  if (!somebody || somebody.start > SOMEBODY_FROM_MAX) return undefined
  const said = text.slice(somebody.end).replace(OF_SOMEBODY, '')
  if (!/^\p{Script=Han}{2,}$/u.test(said) || said.length > SAID_LENGTH_MAX) return undefined
  const found = scores.highest(CANDIDATES).filter(([kind]) => needTextOf(kind).includes(said))
  return found.length > 0 ? new Map(found) : undefined
}
