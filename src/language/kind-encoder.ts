/**
 * How likely each kind is what a text wants, by a small network that was trained on texts of which
 * the kinds are known (`loadtest/evaluations/encoder`). Of what the layers of `text-encoder.ts`
 * give for each piece, the greatest of each number and four weighted means make one vector, and
 * its products with those of the kinds, as shares of one, are the chances.
 */
import { readFileSync } from 'node:fs'
import { Type, type Static } from 'typebox'
import { ConfigError, readConfigFile } from '../config.ts'
import { taxonomy } from '../goods/taxonomy.ts'
import { checkConfigFile } from '../validate.ts'
import { COLUMNS_AT_ONCE, inGroups } from './products.ts'
import { remembered } from './recent.ts'
import {
  floats, LAYER_MATRICES, layersOf, Matrix, normalize, TokenTexts, TOKENS_MAX, readTokens,
  tableOf, tokensIn, Vector, vectorOf, Width, type Layers, type Table, type Token,
} from './text-encoder.ts'

const JSON_FILE = 'kind-encoder.json'
const WEIGHTS = new URL('../../config/kind-encoder.bin', import.meta.url)

const EncoderFile = Type.Object({
  width: Width,
  matrices: Type.Object({ ...LAYER_MATRICES, output: Matrix, kinds: Matrix }),
  vectors: Type.Object({ first: Vector, second: Vector, attention: Vector, kinds: Vector }),
  pieces: TokenTexts,
  kinds: Type.Array(Type.String({ minLength: 1, maxLength: 60 })),
})
export type EncoderFile = Static<typeof EncoderFile>

const MEANS = 4
/** A text is asked for by several readers. */
const RECENT_MAX = 16
const BEST_MAX = 5

export interface KindChances {
  /** The natural logarithm of its chance. */
  of(kind: string): number
  /** The likeliest first. */
  readonly best: readonly string[]
}

/** Logarithms of chances: below the first all count alike, from the second on one is sure. */
export const HARDLY_MEANT = -7
export const SURELY_MEANT = Math.log(0.9)

export type ChancesOf = (text: string) => KindChances

export const kindChances: ChancesOf = remembered(RECENT_MAX, (text: string): KindChances =>
  chancesBy(encoder(), text))

export function chancesBy(network: Encoder, text: string): KindChances {
  const { kinds, placeOf } = network
  const chances = logarithms(network, tokensIn(text, network.pieces))
  const best = placesOfBest(chances).map((place) => kinds[place] ?? '')
  return {
    best,
    of: (kind) => chances[placeOf.get(kind) ?? -1] ?? -Infinity,
  }
}

export interface Encoder extends Layers {
  readonly kinds: readonly string[]
  readonly placeOf: ReadonlyMap<string, number>
  /** In rows. */
  readonly own: Readonly<Record<'output' | 'kinds' | 'bias' | 'attention', Float32Array>>
  /** What one text is worked out in. */
  readonly found: Readonly<Record<'pooled' | 'wanted' | 'sums' | 'said' | 'weights', Float32Array>>
}

let loaded: Encoder | undefined
export const prepareKindEncoder = (): void => { encoder() }
const encoder = (): Encoder => loaded ??= encoderOf(
  readConfigFile(JSON_FILE) as EncoderFile, readFileSync(WEIGHTS))

/** A mistake in the file stops the start with one sentence. */
export function checkKindEncoder(): void {
  checkConfigFile(JSON_FILE, EncoderFile)
  const unknown = encoder().kinds.find((kind) => !taxonomy().kinds.has(kind))
  if (unknown !== undefined) throw new ConfigError(`config/${JSON_FILE}: no kind ${unknown}.`)
}

export function encoderOf(file: EncoderFile, weights: Uint8Array): Encoder {
  const { width, matrices, vectors, kinds } = file
  const bytes = Uint8Array.from(weights).buffer
  const columns = inGroups(kinds.length)
  const layers = layersOf(file, bytes,
    (MEANS + 1) * width * width + columns * (width + 1) + (MEANS + 2) * inGroups(width)
      + (width + TOKENS_MAX) * COLUMNS_AT_ONCE + MEANS * TOKENS_MAX)
  const { products: { reserve } } = layers
  const table = tableOf(bytes, width)
  return {
    ...layers, kinds, placeOf: new Map(kinds.map((kind, place) => [kind, place])),
    own: { output: floats(layers.products, table(matrices.output), width),
      kinds: turned(table(matrices.kinds), width, reserve(columns * width)),
      bias: vectorOf(bytes)(vectors.kinds),
      attention: inColumns(vectorOf(bytes)(vectors.attention), reserve(COLUMNS_AT_ONCE * width)) },
    found: { pooled: reserve((MEANS + 1) * width), wanted: reserve(width),
      sums: reserve(columns), said: reserve(TOKENS_MAX * COLUMNS_AT_ONCE),
      weights: reserve(MEANS * TOKENS_MAX) },
  }
}

/** Rows of as many columns as there are means, as those of a product. */
function inColumns(from: Float32Array, all: Float32Array): Float32Array {
  for (const [at, value] of from.entries()) {
    all[Math.floor(at / MEANS) * COLUMNS_AT_ONCE + at % MEANS] = value
  }
  return all
}

/** Its rows as columns. */
function turned(from: Table, width: number, all: Float32Array): Float32Array {
  const columns = all.length / width
  for (const [at, value] of from.values.entries()) {
    const row = Math.floor(at / width)
    all[(at % width) * columns + row] = value * from.scales[row]!
  }
  return all
}

const placesOfBest = (chances: Float32Array): number[] => {
  const best: number[] = []
  for (let place = 0; place < chances.length; place += 1) {
    const chance = chances[place]!
    if (best.length === BEST_MAX && chance <= chances[best[BEST_MAX - 1]!]!) continue
    let at = best.length
    while (at > 0 && chances[best[at - 1]!]! < chance) at -= 1
    best.splice(at, 0, place)
    if (best.length > BEST_MAX) best.pop()
  }
  return best
}

/** Of the chances of all kinds, in their order. */
function logarithms(network: Encoder, tokens: readonly Token[]): Float32Array {
  const { width, own, kinds, products: { add }, found: { pooled, wanted, sums } } = network
  readTokens(network, tokens)
  pool(network, tokens.length)
  wanted.fill(0)
  add({ numbers: pooled, step: 0, rows: 1, length: pooled.length, matrix: own.output,
    columns: width, sums: wanted })
  normalize(wanted, 0, width)
  sums.set(own.bias)
  add({ numbers: wanted, step: 0, rows: 1, length: width, matrix: own.kinds,
    columns: sums.length, sums })
  return shares(sums.slice(0, kinds.length))
}

/** What is so much less likely than the likeliest adds nothing that float32 can hold. */
const FAR = 24

/** Logarithms of what each is of all, where these are logarithms of any multiple. */
function shares(sums: Float32Array): Float32Array {
  // An iterator would make an object of each of two thousand numbers.
  let most = -Infinity
  for (let at = 0; at < sums.length; at += 1) if (sums[at]! > most) most = sums[at]!
  let all = 0
  for (let at = 0; at < sums.length; at += 1) {
    if (sums[at]! > most - FAR) all += Math.exp(sums[at]! - most)
  }
  const total = most + Math.log(all)
  for (let at = 0; at < sums.length; at += 1) sums[at]! -= total
  return sums
}

/** The greatest of each number over all rows, and four means weighted by what rows say. */
function pool(network: Encoder, count: number): void {
  const { width, work: { rows }, found: { pooled, weights }, products: { add } } = network
  pooled.fill(0)
  if (count > 0) pooled.fill(-Infinity, 0, width)
  for (let row = 1; row <= count; row += 1) {
    for (let at = 0; at < width; at += 1) {
      pooled[at] = Math.max(pooled[at]!, rows[row * width + at]!)
    }
  }
  weigh(network, count)
  add({ numbers: weights, step: TOKENS_MAX, rows: MEANS, length: count,
    matrix: rows.subarray(width), columns: width, sums: pooled.subarray(width) })
}

/** How much each row counts for each mean. */
function weigh({ width, own, work: { rows }, products: { add }, found }: Encoder, count: number) {
  const { said, weights } = found
  said.fill(0)
  add({ numbers: rows.subarray(width), step: width, rows: count, length: width,
    matrix: own.attention, columns: COLUMNS_AT_ONCE, sums: said })
  for (let mean = 0; mean < MEANS; mean += 1) {
    const row = weights.subarray(mean * TOKENS_MAX, mean * TOKENS_MAX + count)
    for (let at = 0; at < count; at += 1) row[at] = said[at * COLUMNS_AT_ONCE + mean]!
    shares(row)
    for (let at = 0; at < count; at += 1) row[at] = Math.exp(row[at]!)
  }
}
