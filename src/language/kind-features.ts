/**
 * What tells the kinds apart that a sentence may mean: how and where each is named, what stands
 * beside the name, how well it answers what is needed, and whether such goods can be what is said.
 * `rank-kinds.ts` weighs it; the names of features are the keys of its weights.
 */
import { PETS } from '../goods/categories.ts'
import { partsOf, taxonomy, type Audience, type KnownKind } from '../goods/taxonomy.ts'
import { audiencesSaid, SPECIAL_AUDIENCES, suits } from './audience.ts'
import type { Bounds } from './bounds.ts'
import { haveMeasure } from './feasible.ts'
import { HARDLY_MEANT, SURELY_MEANT, type KindChances } from './kind-encoder.ts'
import { profileOf } from './profile.ts'
import type { NeedScores } from './needs.ts'
import { type Feature, occurrencesIn, type Occurrence } from './name-features.ts'
import { namesOfKinds } from './read/accessories.ts'
import type { Draft, DraftWish } from './read/draft.ts'
import { weightOf } from './read/heads.ts'
import { GIVING } from './read/phrasing.ts'
import type { Guess, Measure } from './understanding.ts'
import { namesValue } from './values.ts'

export interface RankRequest {
  readonly text: string
  readonly found: Draft
  /** By rules: the kinds that are meant, the likeliest first. */
  readonly ruled: readonly Guess<string>[]
  /** By their names alone. */
  readonly named: readonly Guess<string>[]
  /** How well kinds answer the text, and what is left of it without the names of goods. */
  readonly needs: () => NeedScores
  readonly rest: () => NeedScores
  /** How likely kinds are by the whole text, whatever rules read in it. */
  readonly chances: () => KindChances
  /** Whether goods of the kind are not wanted. */
  readonly isRefused: (kind: string) => boolean
  /** How firm the rules are. */
  readonly firmness: Firmness
  readonly bounds: Bounds
  readonly measures: readonly Measure[]
  /** What is said beside the names. */
  readonly words: readonly string[]
}

/**
 * Names and needs leave it open; what is wanted is known without its name; what is named is bought
 * at this moment; or it is counted.
 */
export type Firmness = 'open' | 'known' | 'bought' | 'counted'

/** Those that several kinds share are one list. */
export type Features = readonly (readonly Feature[])[]

const NEEDED_MAX = 20
const REST_MAX = 10
const RULED_MAX = 6
const RANK_MAX = 3
/** Weights of names, by which they are sorted into classes. */
const WEIGHTS = [0.3, 0.5, 0.68, 0.85, 0.95]
/** A best score below this says little. */
const SCORE_LEAST = 12
const SCORE_UNIT = 20
const SCORE_MAX = 60
const PLACE_MAX = 150
const HITS_MAX = 4

type Where = 'own' | 'other'
/** What features are called, by how the names stand and whether the kind is named. */
interface Names extends Readonly<Record<'share' | 'level' | 'rest' | 'restLevel' | 'unnamed'
  | 'part' | 'isPart' | 'needNone' | 'chance', string>> {
  /** Of the kinds that are needed most, in their order. */
  readonly ranks: readonly string[]
}

const namesOf = new Map<string, Names>()

/** Made once each: every candidate of every sentence has them. */
function namesFor(state: string, where: Where): Names {
  const key = `${state}/${where}`
  let names = namesOf.get(key)
  if (!names) {
    names = { share: `share/${key}`, level: `level/${key}`, rest: `rest/${key}`,
      restLevel: `restlevel/${key}`, unnamed: `unnamed/${state}`, part: `part/${key}`,
      isPart: `is part/${where}`, chance: `chance/${key}`,
      ranks: Array.from({ length: RANK_MAX + 2 }, (_, rank) => `need:${rank}/${state}`),
      needNone: `need:none/${state}` }
    namesOf.set(key, names)
  }
  return names
}

/** What is the same for all candidates of a sentence. */
interface Scene extends Pick<RankRequest,
  'found' | 'ruled' | 'named' | 'firmness' | 'bounds' | 'measures' | 'words'> {
  readonly needs: NeedScores
  readonly rest: NeedScores
  readonly chances: KindChances
  /** How the names stand: none, mentioned only, doubtful, plain; or a gift is wanted. */
  readonly state: string
  readonly isGift: boolean
  readonly audiences: readonly Audience[]
  readonly names: Readonly<Record<Where, Names>>
  /** Parts of the goods that are named. */
  readonly parts: ReadonlySet<string>
  /** Of the kinds that are named, those made for such people as are told of: a child's bicycle. */
  readonly special: ReadonlySet<string>
  /** Wishes without a measure, and what is refused. */
  readonly wishes: readonly string[]
  readonly refusals: readonly string[]
  readonly needed: readonly (readonly [string, number])[]
  readonly mostNeeded: number
  readonly mostRest: number
  readonly rulesBy: string
}

/** Takes a feature. */
type Take = (name: string, value: number) => void

/** What may be meant. */
export interface Candidates {
  /** Each kind that is named, meant by rules, needed or likely. */
  readonly kinds: Iterable<string>
  /** Gives the features of the kind that are its own, but for what goods of it can be. */
  describe(kind: string, take: Take): void
  /** Gives what goods of the kind can be of what is said, which reads what is known of them. */
  describeGoods(kind: string, take: Take): void
  /** Gives of this the most that any goods can be. */
  describeBest(take: Take): void
  /** Features of the name that it shares with others of that name. */
  shared(kind: string): readonly Feature[] | undefined
}

export function candidatesOf(request: RankRequest): Candidates {
  const { text, found, ruled, named } = request
  const occurrences = bestOccurrences(occurrencesIn(text, found))
  const scene = sceneOf(request, occurrences)
  return {
    kinds: new Set([...occurrences.keys(),
      ...[...named.slice(0, RULED_MAX), ...ruled.slice(0, RULED_MAX)].map(({ value }) => value),
      ...scene.needed.map(([kind]) => kind), ...scene.rest.highest(REST_MAX).map(([kind]) => kind),
      ...scene.chances.best]),
    describe(kind, take) {
      const occurrence = occurrences.get(kind)
      if (occurrence) addName(take, scene, occurrence, kind)
      addRanks(take, scene, kind)
      const where = occurrence ? 'own' : 'other'
      addNeed(take, scene, kind, where)
      addChance(take, scene, kind, where)
      const known = taxonomy().kinds.get(kind)
      if (known) addGoods(take, scene, known, where)
    },
    describeGoods: (kind, take) => addSaid(take, scene, kind),
    describeBest: (take) => addMost(take, scene),
    shared: (kind) => occurrences.get(kind)?.features,
  }
}

/** The features of each candidate. */
export function featuresOf(request: RankRequest): ReadonlyMap<string, Features> {
  const candidates = candidatesOf(request)
  return new Map([...candidates.kinds].map((kind) => {
    const own: Feature[] = []
    const take = (name: string, value: number): void => { own.push([name, value]) }
    candidates.describe(kind, take)
    candidates.describeGoods(kind, take)
    const shared = candidates.shared(kind)
    return [kind, shared ? [own, shared] : [own]] as const
  }))
}

function sceneOf(request: RankRequest, occurrences: ReadonlyMap<string, Occurrence>): Scene {
  const { text, found, ruled, named, firmness, bounds, measures, words } = request
  const [needs, rest] = [request.needs(), request.rest()]
  const isGift = GIVING.test(text)
  const isNamed = occurrences.size > 0
  const needed = needs.highest(NEEDED_MAX)
  const audiences = audiencesSaid(text).map(({ audience }) => audience)
  const by = ruled === named ? 'names' : isNamed ? 'needs' : 'open'
  const state = isGift ? 'gift' : !isNamed ? 'unnamed' : stateOf(found)
  return {
    found, ruled, named, firmness, bounds, measures, words, needs, rest,
    chances: request.chances(), isGift, needed, state,
    names: { own: namesFor(state, 'own'), other: namesFor(state, 'other') },
    audiences,
    special: new Set([...occurrences.keys()].filter((kind) => isSpecial(kind, audiences))),
    parts: partsOf([...occurrences.keys()]),
    wishes: wordsOf(text, [...found.must, ...found.prefer]),
    refusals: wordsOf(text, found.mustNot),
    mostNeeded: needed[0]?.[1] ?? 0, mostRest: rest.best,
    rulesBy: `${by}/${isGift ? 'gift' : firmness}`,
  }
}

const wordsOf = (text: string, wishes: readonly DraftWish[]): string[] =>
  wishes.filter(({ measure }) => !measure).flatMap(({ places }) => places)
    .map(({ start, end }) => text.slice(start, end).trim()).filter((word) => word.length > 1)

function isSpecial(kind: string, audiences: readonly Audience[]): boolean {
  const made = taxonomy().kinds.get(kind)?.audience
  return made !== undefined && SPECIAL_AUDIENCES.has(made)
    && audiences.some((one) => suits(made, one))
}

const stateOf = ({ heads, isMentioned, isDoubtful }: Draft): string => heads.length === 0 ? 'none'
  : isMentioned ? 'mentioned' : isDoubtful ? 'doubtful' : 'plain'

/** Kind → where it is named best. */
function bestOccurrences(all: readonly Occurrence[]): ReadonlyMap<string, Occurrence> {
  const best = new Map<string, { readonly value: number, readonly at: Occurrence }>()
  for (const at of all) {
    for (const { kind, weight } of at.name.senses) {
      const value = weight + (at.role === 'head' ? 0.3 : at.role === 'more' ? 0.2 : 0)
      if (value > (best.get(kind)?.value ?? -1)) best.set(kind, { value, at })
    }
  }
  return new Map([...best].map(([kind, { at }]) => [kind, at]))
}

function addName(take: Take, { found }: Scene, { name }: Occurrence, kind: string): void {
  const weight = name.senses.find((one) => one.kind === kind)?.weight ?? 0
  const level = WEIGHTS.filter((edge) => weight >= edge).length
  take(`weight:${level}`, 1)
  take(`weight:${level}/${stateOf(found)}`, 1)
  take('weight', weight)
  take('below', weightOf(name) - weight)
}

function addRanks(take: Take, { named, ruled, found, rulesBy }: Scene, kind: string): void {
  const byName = named.findIndex(({ value }) => value === kind)
  if (byName >= 0 && byName < RULED_MAX) {
    take(`named:${Math.min(byName, RANK_MAX)}`, 1)
    take(`named/${stateOf(found)}`, shareOf(named, byName))
  }
  const byRule = ruled.findIndex(({ value }) => value === kind)
  if (byRule >= 0 && byRule < RULED_MAX) {
    take(`ruled:${Math.min(byRule, RANK_MAX)}/${rulesBy}`, 1)
    take(`ruled/${rulesBy}`, shareOf(ruled, byRule))
  }
}

const shareOf = (guesses: readonly Guess<string>[], at: number): number =>
  (guesses[at]?.confidence ?? 0) / (guesses[0]?.confidence || 1)

function addNeed(take: Take, scene: Scene, kind: string, where: Where): void {
  const { needs, rest, mostNeeded, mostRest, needed } = scene
  const names = scene.names[where]
  const score = needs.get(kind) ?? 0
  const left = rest.get(kind) ?? 0
  const rank = needed.findIndex(([one]) => one === kind)
  take(names.share, score / Math.max(mostNeeded, SCORE_LEAST))
  take(names.level, Math.min(score, SCORE_MAX) / SCORE_UNIT)
  take(names.rest, left / Math.max(mostRest, SCORE_LEAST))
  take(names.restLevel, Math.min(left, SCORE_MAX) / SCORE_UNIT)
  take(names.ranks[Math.min(rank, RANK_MAX + 1)] ?? names.needNone, 1)
  if (where === 'other') take(names.unnamed, 1)
}

function addChance(
  take: Take, { names, chances, firmness }: Scene, kind: string, where: Where,
): void {
  const chance = chances.of(kind)
  const worth = Math.max(chance, HARDLY_MEANT)
  take(names[where].chance, worth)
  take(`chance/${firmness}`, worth)
  if (kind === chances.best[0]) take(chance > SURELY_MEANT ? 'likeliest/sure' : 'likeliest', 1)
}

/** What such goods are, and cost. */
function addGoods(take: Take, scene: Scene, known: KnownKind, where: Where): void {
  const { bounds: { min, max }, isGift, parts } = scene
  const names = scene.names[where]
  const { kind, price, gift_for, parts_of } = known
  if (price.min > max || price.max < min) take('price', 1)
  if (price.min > max * 2 || price.max * 2 < min) take('price far', 1)
  if (price.min * 2 > max) take('price near', 1)
  if (isGift) take(gift_for ? 'gift' : 'no gift', 1)
  if (parts.has(kind)) take(names.part, 1)
  if (parts_of?.length) take(names.isPart, 1)
  addAudience(take, scene, known)
  if (scene.special.size > 0 && where === 'own') {
    take(scene.special.has(kind) ? 'for such' : 'not for such', 1)
  }
}

/** Whether such goods can be what is said of them. */
function addSaid(
  take: Take, { wishes, refusals, measures, words }: Scene, kind: string,
): void {
  if (wishes.length > 0) {
    take('values', wishes.filter((word) => namesValue(kind, word)).length / wishes.length)
  }
  for (const word of refusals) {
    if (namesOfKinds().get(kind)?.some((name) => name.includes(word))) take('refused name', 1)
    if (namesValue(kind, word)) take('refused value', 1)
  }
  if (measures.length > 0) {
    take('measures',
      measures.filter((measure) => haveMeasure(kind, measure)).length / measures.length)
  }
  if (words.length > 0) {
    const profile = profileOf(kind).text
    const hits = words.filter((word) => word.length > 1 && profile.includes(word)).length
    take('words', Math.min(hits, HITS_MAX))
    take('words share', hits / words.length)
  }
  take('place', Math.min(taxonomy().kinds.get(kind)?.place ?? 0, PLACE_MAX) / PLACE_MAX)
}

/** As goods would have it that can be all of it. */
function addMost(take: Take, { wishes, refusals, measures, words }: Scene): void {
  for (const _ of refusals) take('refused value', 1)
  if (wishes.length > 0) take('values', 1)
  if (measures.length > 0) take('measures', 1)
  if (words.length > 0) {
    take('words', HITS_MAX)
    take('words share', 1)
  }
  take('place', 1)
}

function addAudience(take: Take, { audiences }: Scene, known: KnownKind): void {
  const { audience, category_id } = known
  const [first] = audiences
  if (audience !== undefined) {
    take(first === undefined ? `for:${audience}`
      : audiences.some((one) => suits(audience, one)) ? 'suits' : 'suits not', 1)
  } else if (first !== undefined) take(`any:${first}`, 1)
  if (first === 'cat' || first === 'dog') take(category_id === PETS ? 'pet' : 'no pet', 1)
}
