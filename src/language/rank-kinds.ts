/**
 * The order of the kinds that a sentence may mean, learned from sentences: a log-linear model over
 * `kind-features.ts`, fitted by `npm run ranking` to lines that say which kinds are right.
 */
import { Type, type Static } from 'typebox'
import { ConfigError, readConfigFile } from '../config.ts'
import { problemsOf } from '../validate.ts'
import { featuresOf, type Feature, type RankRequest } from './kind-features.ts'
import { meansKind } from './read/names.ts'
import type { Guess } from './understanding.ts'

/** How much more another kind has to weigh than the first by rules; one that is not named, than
 * one that is. */
const AHEAD = { named: 0.4, needed: 1.4 } as const
/** What is left of how sure the others are: too little to be shown where the order is by price. */
const OTHERS = 0.4
/** How sure a kind is that the rules did not find. */
const CONFIDENCE = 0.5

/** Name of a feature → its weight. */
const WeightsFile = Type.Record(Type.String({ minLength: 1, maxLength: 80 }), Type.Number())

const FILE = 'kind-weights.json'
export type Weights = ReadonlyMap<string, number>

let loaded: Weights | undefined

/** Read once; whoever starts the service checks it. */
export const kindWeights = (): Weights =>
  loaded ??= new Map(Object.entries(readConfigFile(FILE) as Static<typeof WeightsFile>))

/** A mistake in the file stops the start with one sentence. */
export function checkKindWeights(): void {
  const [problem] = problemsOf(WeightsFile, readConfigFile(FILE))
  if (problem) throw new ConfigError(`config/${FILE}: ${problem.path} ${problem.problem}.`)
}

/** The kinds by rules, and before them the one that weighs clearly more. */
export function ranked(
  request: RankRequest, weights: Weights = kindWeights(),
): readonly Guess<string>[] {
  const { ruled } = request
  const [first] = ruled
  const { best, most, byRules } = likeliest(request, weights, first?.value)
  const isNamed = request.named[0]?.value === first?.value
  const ahead = isNamed && !isNamedAnywhere(request, best) ? AHEAD.needed : AHEAD.named
  if (best === undefined || best === first?.value || most < byRules + ahead) return ruled
  return [{ value: best, confidence: first?.confidence ?? CONFIDENCE },
    ...ruled.filter(({ value }) => value !== best)
      .map(({ value, confidence }) => ({ value, confidence: confidence * OTHERS }))]
}

const isNamedAnywhere = (
  { found: { heads, more, modifiers } }: RankRequest, kind: string | undefined,
): boolean => [heads, more, modifiers].flat().some((name) => meansKind(name, kind))

interface Likeliest {
  readonly best: string | undefined
  readonly most: number
  /** What the first kind by rules weighs. */
  readonly byRules: number
}

function likeliest(
  request: RankRequest, weights: Weights, first: string | undefined,
): Likeliest {
  const sums = new Map<readonly Feature[], number>()
  const sumOf = (features: readonly Feature[]): number => {
    let sum = sums.get(features)
    if (sum !== undefined) return sum
    sum = 0
    for (const [name, value] of features) sum += (weights.get(name) ?? 0) * value
    sums.set(features, sum)
    return sum
  }
  let [best, most, byRules]: [string | undefined, number, number] =
    [undefined, -Infinity, -Infinity]
  for (const [kind, lists] of featuresOf(request)) {
    const sum = lists.reduce((total, features) => total + sumOf(features), 0)
    if (sum > most) [best, most] = [kind, sum]
    if (kind === first) byRules = sum
  }
  return { best, most, byRules }
}
