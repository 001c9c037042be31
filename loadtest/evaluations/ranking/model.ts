/** A log-linear choice among the kinds of a sentence, fitted by AdaGrad with decay. */
import type { Feature } from '../../../src/language/name-features.ts'

export interface Candidate {
  readonly isRight: boolean
  readonly features: readonly Feature[]
}

export interface Example {
  readonly weight: number
  readonly candidates: readonly Candidate[]
}

interface Row { readonly isRight: boolean, readonly at: Int32Array, readonly value: Float64Array }

/** What stands beside names is used from so many lines on. */
const CONTEXT_MIN = 4
const CONTEXT = /^[abAB]:/
const ROUNDS = 12
const RATE = 0.15
const DECAY = { context: 2, other: 0.3 } as const
/** Weights below this are left out. */
const WEIGHT_MIN = 0.05

/** Name of a feature → its weight. */
export function fittedWeights(examples: readonly Example[]): Map<string, number> {
  const counts = countsOf(examples)
  const places = new Map<string, number>()
  for (const [name, count] of counts) {
    if (!CONTEXT.test(name) || count >= CONTEXT_MIN) places.set(name, places.size)
  }
  const decay = Float64Array.from(places.keys(), (name) =>
    (CONTEXT.test(name) ? DECAY.context : DECAY.other) / (counts.get(name) ?? 1))
  const rows = examples.filter(({ candidates }) => candidates.some(({ isRight }) => isRight)
    && candidates.some(({ isRight }) => !isRight))
    .map(({ weight, candidates }) =>
      ({ weight, rows: candidates.map((one) => rowOf(one, places)) }))
  const fitted = fit(rows, decay)
  return new Map([...places].map(([name, at]): [string, number] =>
    [name, Math.round((fitted[at] ?? 0) * 100) / 100])
    .filter(([, weight]) => Math.abs(weight) >= WEIGHT_MIN))
}

function countsOf(examples: readonly Example[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { candidates } of examples) {
    const names = new Set(candidates.flatMap(({ features }) => features.map(([name]) => name)))
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

function rowOf({ isRight, features }: Candidate, places: ReadonlyMap<string, number>): Row {
  const known = features.flatMap(([name, value]) => {
    const at = places.get(name)
    return at === undefined ? [] : [[at, value] as const]
  })
  return { isRight, at: Int32Array.from(known, ([at]) => at),
    value: Float64Array.from(known, ([, value]) => value) }
}

type Choice = { readonly weight: number, readonly rows: readonly Row[] }

function fit(examples: readonly Choice[], decay: Float64Array): Float64Array {
  const weights = new Float64Array(decay.length)
  const squares = new Float64Array(decay.length).fill(0.1)
  const gradient = new Float64Array(decay.length)
  const random = createRandom()
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const example of shuffled(examples, random)) {
      const touched = addGradient(example, weights, gradient)
      for (const at of touched) {
        const slope = gradient[at]! + decay[at]! * weights[at]!
        gradient[at] = 0
        squares[at] = squares[at]! + slope * slope
        weights[at] = weights[at]! - RATE * slope / Math.sqrt(squares[at]!)
      }
    }
  }
  return weights
}

/** Of the logarithm of how likely one of the right kinds is; returns the features it touched. */
function addGradient(
  { weight, rows }: Choice, weights: Float64Array, gradient: Float64Array,
): number[] {
  const sums = rows.map(({ at, value }) =>
    at.reduce((sum, place, index) => sum + weights[place]! * value[index]!, 0))
  const most = Math.max(...sums)
  const shares = sums.map((sum) => Math.exp(sum - most))
  const all = shares.reduce((sum, share) => sum + share, 0)
  const right = shares.reduce((sum, share, index) => sum + (rows[index]!.isRight ? share : 0), 0)
  const touched: number[] = []
  for (const [index, { isRight, at, value }] of rows.entries()) {
    const slope = (shares[index]! / all - (isRight ? shares[index]! / right : 0)) * weight
    if (Math.abs(slope) < 1e-4) continue
    for (const [place, feature] of at.entries()) {
      if (gradient[feature] === 0) touched.push(feature)
      gradient[feature] = gradient[feature]! + slope * value[place]!
    }
  }
  return touched
}

/** The same order in every run. */
function createRandom(): () => number {
  let seed = 1
  return () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list]
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[copy[at], copy[other]] = [copy[other]!, copy[at]!]
  }
  return copy
}
