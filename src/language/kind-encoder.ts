/**
 * How likely each kind is what a text wants, by a small network that was trained on texts of which
 * the kinds are known (`loadtest/evaluations/encoder`). Each piece of a word has a vector, to which
 * those of its pair and triple with its neighbours are added; two convolutions mix neighbours; the
 * greatest of each number and four weighted means make one vector, and its products with those of
 * the kinds, as shares of one, are the chances.
 */
import { readFileSync } from 'node:fs'
import { Type, type Static } from 'typebox'
import { ConfigError, readConfigFile } from '../config.ts'
import { taxonomy } from '../goods/taxonomy.ts'
import { problemsOf } from '../validate.ts'
import { inGroups, products, type Products } from './products.ts'
import { remembered } from './recent.ts'

const JSON_FILE = 'kind-encoder.json'
const WEIGHTS = new URL('../../config/kind-encoder.bin', import.meta.url)

const Size = Type.Integer({ minimum: 0, maximum: 2 ** 24 })
/** Rows of int8 with one float32 each that scales it; `at` and `scales` in bytes. */
const Matrix = Type.Object({ at: Size, rows: Size, scales: Size })
/** Of float32. */
const Vector = Type.Object({ at: Size, size: Size })
const EncoderFile = Type.Object({
  width: Type.Integer({ minimum: 4, maximum: 512, multipleOf: 16 }),
  matrices: Type.Object({ pieces: Matrix, pairs: Matrix, triples: Matrix, first: Matrix,
    second: Matrix, output: Matrix, kinds: Matrix }),
  vectors: Type.Object({ first: Vector, second: Vector, attention: Vector, kinds: Vector }),
  /** Their vectors are those from the third on: nothing and what is unknown stand before. */
  pieces: Type.Array(Type.String({ minLength: 1, maxLength: 40 })),
  kinds: Type.Array(Type.String({ minLength: 1, maxLength: 60 })),
})
export type EncoderFile = Static<typeof EncoderFile>

/** Vectors that stand before those of the pieces. */
const NOTHING = 0
const UNKNOWN = 1
const FIRST_PIECE = 2
/** A piece that begins no word is marked so. */
const INNER = '##'
const WORD = new RegExp('\\p{Script=Han}|[\\p{P}$+<=>^`|~]'
  + '|[^\\s\\p{Script=Han}\\p{P}$+<=>^`|~]+', 'gu')
export const TOKENS_MAX = 48
const TEXT_MAX = 400
const PIECE_MAX = 24
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

interface Table { readonly values: Int8Array, readonly scales: Float32Array }

export interface Encoder {
  readonly width: number
  readonly pieces: ReadonlyMap<string, number>
  readonly kinds: readonly string[]
  readonly placeOf: ReadonlyMap<string, number>
  readonly tables: Readonly<Record<'pieces' | 'pairs' | 'triples', Table>>
  readonly products: Products
  /** Read for every text, and so kept as floats; in rows. */
  readonly weights: Readonly<Record<'first' | 'second' | 'output' | 'kinds', Float32Array>>
  readonly biases: Readonly<Record<'first' | 'second' | 'kinds', Float32Array>>
  readonly attention: Float32Array
  /** What one text is worked out in. */
  readonly work: Readonly<Record<'rows' | 'even' | 'mixed' | 'pooled' | 'wanted' | 'sums',
    Float32Array>>
}

let loaded: Encoder | undefined
export const prepareKindEncoder = (): void => { encoder() }
const encoder = (): Encoder => loaded ??= encoderOf(
  readConfigFile(JSON_FILE) as EncoderFile, readFileSync(WEIGHTS))

/** A mistake in the file stops the start with one sentence. */
export function checkKindEncoder(): void {
  const [problem] = problemsOf(EncoderFile, readConfigFile(JSON_FILE))
  if (problem) throw new ConfigError(`config/${JSON_FILE}: ${problem.path} ${problem.problem}.`)
  const unknown = encoder().kinds.find((kind) => !taxonomy().kinds.has(kind))
  if (unknown !== undefined) throw new ConfigError(`config/${JSON_FILE}: no kind ${unknown}.`)
}

export function encoderOf(file: EncoderFile, weights: Uint8Array): Encoder {
  const { width, matrices, vectors, pieces, kinds } = file
  const bytes = Uint8Array.from(weights).buffer
  const table = ({ at, rows, scales }: Static<typeof Matrix>): Table =>
    ({ values: new Int8Array(bytes, at, rows * width),
      scales: new Float32Array(bytes, scales, rows) })
  const vector = ({ at, size }: Static<typeof Vector>): Float32Array =>
    new Float32Array(bytes, at, size)
  const columns = inGroups(kinds.length)
  const rows = (TOKENS_MAX + 2) * width
  const own = products((6 + MEANS + 1) * width * width + columns * (width + 1) + 3 * rows
    + (MEANS + 3) * width)
  const floats = (matrix: Static<typeof Matrix>): Float32Array => {
    const all = own.reserve(matrix.rows * width)
    addRows(all, table(matrix), width)
    return all
  }
  return {
    width, kinds, products: own,
    pieces: new Map(pieces.map((piece, at) => [piece, at + FIRST_PIECE])),
    placeOf: new Map(kinds.map((kind, place) => [kind, place])),
    tables: { pieces: table(matrices.pieces), pairs: table(matrices.pairs),
      triples: table(matrices.triples) },
    weights: { first: floats(matrices.first), second: floats(matrices.second),
      output: floats(matrices.output),
      kinds: turned(table(matrices.kinds), width, own.reserve(columns * width)) },
    biases: { first: vector(vectors.first), second: vector(vectors.second),
      kinds: vector(vectors.kinds) },
    attention: vector(vectors.attention),
    work: { rows: own.reserve(rows), even: own.reserve(rows), mixed: own.reserve(rows),
      pooled: own.reserve((MEANS + 1) * width), wanted: own.reserve(width),
      sums: own.reserve(columns) },
  }
}

function addRows(all: Float32Array, from: Table, width: number): void {
  for (let row = 0; row < from.scales.length; row += 1) addRow(all, row * width, from, row, width)
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

/** The longest pieces of each word, from its start. */
export const tokensIn = (text: string, known: ReadonlyMap<string, number>): number[] =>
  Array.from(text.slice(0, TEXT_MAX).matchAll(WORD), ([word]) => piecesOfWord(word, known)).flat()
    .slice(0, TOKENS_MAX)

/** A word of which a part is unknown is unknown as a whole. */
function piecesOfWord(word: string, known: ReadonlyMap<string, number>): number[] {
  const found: number[] = []
  for (let at = 0; at < word.length;) {
    let end = Math.min(word.length, at + PIECE_MAX)
    let token: number | undefined
    while (end > at && token === undefined) {
      token = known.get(`${at > 0 ? INNER : ''}${word.slice(at, end)}`)
      if (token === undefined) end -= 1
    }
    if (token === undefined) return [UNKNOWN]
    found.push(token)
    at = end
  }
  return found
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
function logarithms(network: Encoder, tokens: readonly number[]): Float32Array {
  const { width, weights, biases, kinds, products: { add }, work } = network
  const { rows, even, pooled, wanted, sums } = work
  const count = tokens.length
  embed(network, tokens)
  convolve(network, rows, weights.first, biases.first, count)
  even.set(rows)
  for (let row = 1; row <= count; row += 1) normalize(even, row * width, width)
  convolve(network, even, weights.second, biases.second, count)
  pool(network, count)
  wanted.fill(0)
  add({ numbers: pooled, step: 0, rows: 1, length: pooled.length, matrix: weights.output,
    columns: width, sums: wanted })
  normalize(wanted, 0, width)
  sums.set(biases.kinds)
  add({ numbers: wanted, step: 0, rows: 1, length: width, matrix: weights.kinds,
    columns: sums.length, sums })
  return shares(sums.slice(0, kinds.length))
}

/** Logarithms of what each is of all, where these are logarithms of any multiple. */
function shares(sums: Float32Array): Float32Array {
  let most = -Infinity
  for (const sum of sums) if (sum > most) most = sum
  let all = 0
  for (const sum of sums) all += Math.exp(sum - most)
  const total = most + Math.log(all)
  for (let at = 0; at < sums.length; at += 1) sums[at]! -= total
  return sums
}

/** Primes by which neighbours are hashed to rows. */
const HASH = { before: 31_337, own: 7919, behind: 104_729 } as const

/** A row of nothing stands before the first piece and one behind the last. */
function embed(
  { width, tables: { pieces, pairs, triples }, work: { rows } }: Encoder,
  tokens: readonly number[],
): void {
  rows.fill(0, 0, (tokens.length + 2) * width)
  for (const [index, token] of tokens.entries()) {
    const [before = NOTHING, behind = NOTHING] = [tokens[index - 1], tokens[index + 1]]
    const pair = token * HASH.own + behind * HASH.behind
    const to = (index + 1) * width
    addRow(rows, to, pieces, token, width)
    // Row 0 is of nothing.
    addRow(rows, to, pairs, pair % (pairs.scales.length - 1) + 1, width)
    addRow(rows, to, triples,
      (before * HASH.before + pair) % (triples.scales.length - 1) + 1, width)
    normalize(rows, to, width)
  }
}

function addRow(
  rows: Float32Array, to: number, { values, scales }: Table, row: number, width: number,
): void {
  const scale = scales[row]!
  for (let at = 0, from = row * width; at < width; at += 1, from += 1) {
    rows[to + at]! += values[from]! * scale
  }
}

const EVEN = 1e-6

/** To a mean square of one. */
function normalize(rows: Float32Array, from: number, width: number): void {
  let sum = 0
  for (let at = from; at < from + width; at += 1) sum += rows[at]! * rows[at]!
  const factor = 1 / Math.sqrt(sum / width + EVEN)
  for (let at = from; at < from + width; at += 1) rows[at]! *= factor
}

/** Adds to each row what its neighbours and it give, where that is more than nothing. */
function convolve(
  { width, products: { add }, work: { rows, mixed } }: Encoder,
  numbers: Float32Array, matrix: Float32Array, bias: Float32Array, count: number,
): void {
  for (let row = 0; row < count; row += 1) mixed.set(bias, row * width)
  add({ numbers, step: width, rows: count, length: 3 * width, matrix, columns: width,
    sums: mixed })
  for (let at = 0; at < count * width; at += 1) {
    if (mixed[at]! > 0) rows[width + at]! += mixed[at]!
  }
}

/** The greatest of each number over all rows, and four means weighted by what rows say. */
function pool(network: Encoder, count: number): void {
  const { width, work: { rows, pooled } } = network
  pooled.fill(0)
  if (count > 0) pooled.fill(-Infinity, 0, width)
  for (let row = 1; row <= count; row += 1) {
    for (let at = 0; at < width; at += 1) {
      pooled[at] = Math.max(pooled[at]!, rows[row * width + at]!)
    }
  }
  for (let mean = 0; mean < MEANS; mean += 1) {
    const weights = meanWeights(network, count, mean)
    for (let row = 1; row <= count; row += 1) {
      const weight = weights[row - 1]!
      for (let at = 0; at < width; at += 1) {
        pooled[(mean + 1) * width + at]! += weight * rows[row * width + at]!
      }
    }
  }
}

/** How much each row counts. */
function meanWeights(
  { width, attention, work: { rows } }: Encoder, count: number, mean: number,
): Float32Array {
  const weights = new Float32Array(count)
  for (let row = 0; row < count; row += 1) {
    for (let at = 0; at < width; at += 1) {
      weights[row]! += rows[(row + 1) * width + at]! * attention[at * MEANS + mean]!
    }
  }
  return shares(weights).map(Math.exp)
}
