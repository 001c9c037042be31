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
import { remembered } from './recent.ts'

const JSON_FILE = 'kind-encoder.json'
const WEIGHTS = new URL('../../config/kind-encoder.bin', import.meta.url)

const Size = Type.Integer({ minimum: 0, maximum: 2 ** 24 })
/** Rows of int8 with one float32 each that scales it; `at` and `scales` in bytes. */
const Matrix = Type.Object({ at: Size, rows: Size, scales: Size })
/** Of float32. */
const Vector = Type.Object({ at: Size, size: Size })
const EncoderFile = Type.Object({
  width: Type.Integer({ minimum: 4, maximum: 512, multipleOf: 4 }),
  matrices: Type.Object({ pieces: Matrix, pairs: Matrix, triples: Matrix, first: Matrix,
    second: Matrix, output: Matrix, kinds: Matrix }),
  vectors: Type.Object({ first: Vector, second: Vector, attention: Vector, kinds: Vector }),
  /** Their vectors are those from the third on: nothing and what is unknown stand before. */
  pieces: Type.Array(Type.String({ minLength: 1, maxLength: 40 })),
  kinds: Type.Array(Type.String({ minLength: 1, maxLength: 60 })),
})
type EncoderFile = Static<typeof EncoderFile>

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
const RECENT_MAX = 8
const BEST_MAX = 5

export interface KindChances {
  /** The natural logarithm of its chance. */
  of(kind: string): number
  /** The likeliest first. */
  readonly best: readonly string[]
}

export const kindChances = remembered(RECENT_MAX, (text: string): KindChances => {
  const { kinds, placeOf } = encoder()
  const chances = logarithms(tokensOf(text))
  const best = placesOfBest(chances).map((place) => kinds[place] ?? '')
  return {
    best,
    of: (kind) => chances[placeOf.get(kind) ?? -1] ?? -Infinity,
  }
})

interface Table { readonly values: Int8Array, readonly scales: Float32Array }

interface Encoder {
  readonly width: number
  readonly pieces: ReadonlyMap<string, number>
  readonly kinds: readonly string[]
  readonly placeOf: ReadonlyMap<string, number>
  readonly tables: Readonly<Record<'pieces' | 'pairs' | 'triples', Table>>
  /** Read for every piece, and so kept as floats; in rows. */
  readonly weights: Readonly<Record<'first' | 'second' | 'output' | 'kinds', Float32Array>>
  readonly biases: Readonly<Record<'first' | 'second' | 'kinds', Float32Array>>
  readonly attention: Float32Array
}

let loaded: Encoder | undefined
export const prepareKindEncoder = (): void => { encoder() }
const encoder = (): Encoder => loaded ??= read()

/** A mistake in the file stops the start with one sentence. */
export function checkKindEncoder(): void {
  const [problem] = problemsOf(EncoderFile, readConfigFile(JSON_FILE))
  if (problem) throw new ConfigError(`config/${JSON_FILE}: ${problem.path} ${problem.problem}.`)
  const unknown = encoder().kinds.find((kind) => !taxonomy().kinds.has(kind))
  if (unknown !== undefined) throw new ConfigError(`config/${JSON_FILE}: no kind ${unknown}.`)
}

function read(): Encoder {
  const file = readConfigFile(JSON_FILE) as EncoderFile
  const { width, matrices, vectors, pieces, kinds } = file
  const bytes = Uint8Array.from(readFileSync(WEIGHTS)).buffer
  const table = ({ at, rows, scales }: Static<typeof Matrix>): Table =>
    ({ values: new Int8Array(bytes, at, rows * width),
      scales: new Float32Array(bytes, scales, rows) })
  const floats = (matrix: Static<typeof Matrix>): Float32Array => {
    const { values, scales } = table(matrix)
    return Float32Array.from(values, (value, at) => value * (scales[Math.floor(at / width)] ?? 0))
  }
  const vector = ({ at, size }: Static<typeof Vector>): Float32Array =>
    new Float32Array(bytes, at, size)
  return {
    width, kinds,
    pieces: new Map(pieces.map((piece, at) => [piece, at + FIRST_PIECE])),
    placeOf: new Map(kinds.map((kind, place) => [kind, place])),
    tables: { pieces: table(matrices.pieces), pairs: table(matrices.pairs),
      triples: table(matrices.triples) },
    weights: { first: floats(matrices.first), second: floats(matrices.second),
      output: floats(matrices.output), kinds: floats(matrices.kinds) },
    biases: { first: vector(vectors.first), second: vector(vectors.second),
      kinds: vector(vectors.kinds) },
    attention: vector(vectors.attention),
  }
}

/** Numbers of the word pieces of a folded text. */
export const tokensOf = (text: string): number[] => tokensIn(text, encoder().pieces)

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
function logarithms(tokens: readonly number[]): Float32Array {
  const { width, weights, biases } = encoder()
  const count = tokens.length
  // A row of nothing before the first piece and one behind the last.
  const rows = embedded(tokens)
  const mixed = new Float32Array(rows.length)
  convolve(rows, rows, mixed, weights.first, biases.first, count)
  const even = rows.slice()
  for (let row = 1; row <= count; row += 1) normalize(even, row * width, width)
  convolve(even, rows, mixed, weights.second, biases.second, count)
  const pooled = poolOf(rows, count)
  const wanted = new Float32Array(width)
  addProduct(pooled, 0, pooled.length, weights.output, wanted, 0)
  normalize(wanted, 0, width)
  const sums = biases.kinds.slice()
  for (let kind = 0; kind < sums.length; kind += 1) {
    let sum = 0
    for (let at = 0, from = kind * width; at < width; at += 1, from += 1) {
      sum += wanted[at]! * weights.kinds[from]!
    }
    sums[kind]! += sum
  }
  const most = sums.reduce((top, sum) => Math.max(top, sum), -Infinity)
  const total = most + Math.log(sums.reduce((all, sum) => all + Math.exp(sum - most), 0))
  return sums.map((sum) => sum - total)
}

/** Primes by which neighbours are hashed to rows. */
const HASH = { before: 31_337, own: 7919, behind: 104_729 } as const

function embedded(tokens: readonly number[]): Float32Array {
  const { width, tables: { pieces, pairs, triples } } = encoder()
  const rows = new Float32Array((tokens.length + 2) * width)
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
  return rows
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
  from: Float32Array, rows: Float32Array, mixed: Float32Array, weights: Float32Array,
  bias: Float32Array, count: number,
): void {
  const width = bias.length
  for (let row = 1; row <= count; row += 1) {
    mixed.set(bias, row * width)
    addProduct(from, (row - 1) * width, 3 * width, weights, mixed, row * width)
  }
  for (let at = width; at < (count + 1) * width; at += 1) {
    if (mixed[at]! > 0) rows[at]! += mixed[at]!
  }
}

/** Adds a vector times a matrix that has a row for each of its numbers; four at a time. */
function addProduct(
  vector: Float32Array, from: number, length: number, matrix: Float32Array,
  sums: Float32Array, to: number,
): void {
  const width = matrix.length / length
  for (let at = 0; at < length; at += 4) {
    const one = vector[from + at]!
    const two = vector[from + at + 1]!
    const three = vector[from + at + 2]!
    const four = vector[from + at + 3]!
    if (one === 0 && two === 0 && three === 0 && four === 0) continue
    const row = at * width
    for (let column = 0; column < width; column += 1) {
      const place = row + column
      sums[to + column]! += one * matrix[place]! + two * matrix[place + width]!
        + three * matrix[place + 2 * width]! + four * matrix[place + 3 * width]!
    }
  }
}

/** The greatest of each number over all rows, and four means weighted by what rows say. */
function poolOf(rows: Float32Array, count: number): Float32Array {
  const { width, attention } = encoder()
  const pooled = new Float32Array((MEANS + 1) * width)
  if (count > 0) pooled.fill(-Infinity, 0, width)
  for (let row = 1; row <= count; row += 1) {
    for (let at = 0; at < width; at += 1) {
      pooled[at] = Math.max(pooled[at]!, rows[row * width + at]!)
    }
  }
  for (let mean = 0; mean < MEANS; mean += 1) {
    const shares = sharesOf(rows, count, attention, mean)
    for (let row = 1; row <= count; row += 1) {
      for (let at = 0; at < width; at += 1) {
        pooled[(mean + 1) * width + at]! += shares[row - 1]! * rows[row * width + at]!
      }
    }
  }
  return pooled
}

function sharesOf(
  rows: Float32Array, count: number, attention: Float32Array, mean: number,
): Float32Array {
  const width = attention.length / MEANS
  const shares = new Float32Array(count)
  for (let row = 0; row < count; row += 1) {
    for (let at = 0; at < width; at += 1) {
      shares[row]! += rows[(row + 1) * width + at]! * attention[at * MEANS + mean]!
    }
  }
  const most = shares.reduce((top, share) => Math.max(top, share), -Infinity)
  const sum = shares.reduce((all, share) => all + Math.exp(share - most), 0)
  return shares.map((share) => Math.exp(share - most) / sum)
}
