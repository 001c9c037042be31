/**
 * The order of the kinds that a sentence may mean, learned from sentences: a log-linear model over
 * `kind-features.ts`, fitted by `npm run ranking` to lines that say which kinds are right.
 */
import { candidatesOf, type RankRequest } from './kind-features.ts'
import type { Feature } from './name-features.ts'
import { meansKind } from './read/names.ts'
import { isBare } from './read/phrasing.ts'
import type { Guess } from './understanding.ts'
import { type Weights, weightsIn } from './weights.ts'

/** What is left of how sure the others are: too little to be shown where the order is by price. */
const OTHERS = 0.4
/** How sure a kind is that the rules did not find, and how well it must answer the need. */
const CONFIDENCE = 0.5
const NEED_MIN = 16
/** What a chance is worth beside the weights, and the least that counts. */
const CHANCE = { worth: 0.7, least: -7 } as const
/** How much more than what the rules are sure of another kind must weigh. */
const SURELY = 3
const CERTAIN = 0.9
/** How much more what is not named at all must weigh than the plain name of other goods. */
const AHEAD = 1

/** Fitted to lines of which the kinds are known. */
export const kindWeights = weightsIn('kind-weights.json')

/** The kinds by rules, and before them the one that weighs most. */
export function ranked(
  request: RankRequest, weights: Weights = kindWeights.read(),
): readonly Guess<string>[] {
  const { ruled } = request
  const [first] = ruled
  const { best, most, byRules } = likeliest(request, weights)
  if (best === undefined || best === first?.value) return ruled
  if (isPlain(request) && !isNamed(request, best) && most < byRules + AHEAD) return ruled
  if (!first) {
    return (request.needs.get(best) ?? 0) < NEED_MIN ? []
      : [{ value: best, confidence: CONFIDENCE }]
  }
  return withFirst(best, ruled)
}

/** What the rules are sure of, and before it another kind that weighs far more. */
export function surely(
  request: RankRequest, weights: Weights = kindWeights.read(),
): readonly Guess<string>[] {
  const { ruled } = request
  const [first] = ruled
  const { best, most, byRules } = likeliest(request, weights)
  return !first || best === undefined || best === first.value || most < byRules + SURELY ? ruled
    : withFirst(best, ruled)
}

/** The kind in the place of the first, and the others after it. */
const withFirst = (kind: string, ruled: readonly Guess<string>[]): readonly Guess<string>[] =>
  [{ value: kind, confidence: ruled[0]?.confidence ?? CONFIDENCE },
    ...ruled.filter(({ value }) => value !== kind)
      .map(({ value, confidence }) => ({ value, confidence: confidence * OTHERS }))]

const isNamed = (
  { found: { heads, more, modifiers } }: RankRequest, kind: string | undefined,
): boolean => [heads, more, modifiers].flat().some((name) => meansKind(name, kind))

/** A bare name of one kind needs no chances, which take most of the time of such a search. */
const isCertain = ({ text, ruled, named }: RankRequest): boolean => isBare(text)
  && (named[0]?.confidence ?? 0) >= CERTAIN && ruled[0]?.value === named[0]?.value

/** 行李箱 不要黑的，容易拿错 names what it wants, and no luggage tag. */
const isPlain = ({ ruled, named, found }: RankRequest): boolean => !found.isDoubtful
  && !found.isMentioned && ruled.length > 0 && named[0]?.value === ruled[0]?.value

interface Likeliest {
  readonly best: string | undefined
  readonly most: number
  /** What the first kind by rules weighs. */
  readonly byRules: number
}

function likeliest(request: RankRequest, weights: Weights): Likeliest {
  const first = request.ruled[0]?.value
  let sum = 0
  const add = (name: string, value: number): void => { sum += (weights.get(name) ?? 0) * value }
  const sums = new Map<readonly Feature[], number>()
  const sumOf = (features: readonly Feature[]): number => {
    let known = sums.get(features)
    if (known === undefined) {
      sum = 0
      for (const [name, value] of features) add(name, value)
      sums.set(features, known = sum)
    }
    return known
  }
  let [best, most, byRules]: [string | undefined, number, number] =
    [undefined, -Infinity, -Infinity]
  const chances = isCertain(request) ? undefined : request.chances
  const candidates = candidatesOf(request, chances?.best)
  for (const kind of candidates.kinds) {
    const shared = candidates.shared(kind)
    const ofName = shared ? sumOf(shared) : 0
    sum = 0
    candidates.describe(kind, add)
    const total = sum + ofName
      + (chances ? CHANCE.worth * Math.max(chances.of(kind), CHANCE.least) : 0)
    if (total > most) [best, most] = [kind, total]
    if (kind === first) byRules = total
  }
  return { best, most, byRules }
}
