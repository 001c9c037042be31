/**
 * The first layers of a small network over a text, which those of kinds and of values share: each
 * piece of a word has a vector, to which those of its pair and triple with its neighbours are
 * added, and two convolutions mix neighbours.
 */
import { Type, type Static } from 'typebox'
import { inGroups, products, type Products } from './products.ts'

const Size = Type.Integer({ minimum: 0, maximum: 2 ** 24 })
/** Rows of int8 with one float32 each that scales it; `at` and `scales` in bytes. */
export const Matrix = Type.Object({ at: Size, rows: Size, scales: Size })
export type Matrix = Static<typeof Matrix>
/** Of float32. */
export const Vector = Type.Object({ at: Size, size: Size })
export type Vector = Static<typeof Vector>
export const Width = Type.Integer({ minimum: 4, maximum: 512, multipleOf: 16 })
export const LAYER_MATRICES = {
  pieces: Matrix, pairs: Matrix, triples: Matrix, first: Matrix, second: Matrix,
} as const
/** Their vectors are those from the third on: nothing and what is unknown stand before. */
export const TokenTexts = Type.Array(Type.String({ minLength: 1, maxLength: 40 }))

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

export interface Table { readonly values: Int8Array, readonly scales: Float32Array }

export interface Layers {
  readonly width: number
  readonly pieces: ReadonlyMap<string, number>
  readonly tables: Readonly<Record<'pieces' | 'pairs' | 'triples', Table>>
  readonly products: Products
  /** Read for every text, and so kept as floats; in rows. */
  readonly weights: Readonly<Record<'first' | 'second', Float32Array>>
  readonly biases: Readonly<Record<'first' | 'second', Float32Array>>
  /** What one text is worked out in. */
  readonly work: Readonly<Record<'rows' | 'even' | 'mixed', Float32Array>>
}

export interface LayersFile {
  readonly width: number
  readonly matrices: Readonly<Record<keyof typeof LAYER_MATRICES, Matrix>>
  readonly vectors: Readonly<Record<'first' | 'second', Vector>>
  readonly pieces: readonly string[]
}

export const tableOf = (bytes: ArrayBuffer, width: number) =>
  ({ at, rows, scales }: Matrix): Table =>
    ({ values: new Int8Array(bytes, at, rows * width),
      scales: new Float32Array(bytes, scales, rows) })

export const vectorOf = (bytes: ArrayBuffer) => ({ at, size }: Vector): Float32Array =>
  new Float32Array(bytes, at, size)

/** With room for so many further numbers. */
export function layersOf(file: LayersFile, bytes: ArrayBuffer, further: number): Layers {
  const { width, matrices, vectors } = file
  const rows = (TOKENS_MAX + 2) * width
  const own = products(6 * width * width + 3 * inGroups(rows) + further)
  const table = tableOf(bytes, width)
  return {
    width, products: own,
    pieces: new Map(file.pieces.map((piece, at) => [piece, at + FIRST_PIECE])),
    tables: { pieces: table(matrices.pieces), pairs: table(matrices.pairs),
      triples: table(matrices.triples) },
    weights: { first: floats(own, table(matrices.first), width),
      second: floats(own, table(matrices.second), width) },
    biases: { first: vectorOf(bytes)(vectors.first), second: vectorOf(bytes)(vectors.second) },
    work: { rows: own.reserve(rows), even: own.reserve(rows), mixed: own.reserve(rows) },
  }
}

export function floats(own: Products, from: Table, width: number): Float32Array {
  const all = own.reserve(from.scales.length * width)
  for (let row = 0; row < from.scales.length; row += 1) addRow(all, row * width, from, row, width)
  return all
}

/** A piece and where it begins and ends in the text. */
export interface Token { readonly piece: number, readonly start: number, readonly end: number }

/** The longest pieces of each word, from its start. */
export function tokensIn(text: string, known: ReadonlyMap<string, number>): Token[] {
  const tokens: Token[] = []
  for (const { 0: word, index } of text.slice(0, TEXT_MAX).matchAll(WORD)) {
    if (tokens.length >= TOKENS_MAX) break
    // Most words are one character.
    if (word.length === 1) {
      tokens.push({ piece: known.get(word) ?? UNKNOWN, start: index, end: index + 1 })
    } else tokens.push(...piecesOfWord(word, index, known))
  }
  return tokens.slice(0, TOKENS_MAX)
}

/** A word of which a part is unknown is unknown as a whole. */
function piecesOfWord(word: string, from: number, known: ReadonlyMap<string, number>): Token[] {
  const found: Token[] = []
  for (let at = 0; at < word.length;) {
    let end = Math.min(word.length, at + PIECE_MAX)
    let piece: number | undefined
    while (end > at && piece === undefined) {
      piece = known.get(`${at > 0 ? INNER : ''}${word.slice(at, end)}`)
      if (piece === undefined) end -= 1
    }
    if (piece === undefined) return [{ piece: UNKNOWN, start: from, end: from + word.length }]
    found.push({ piece, start: from + at, end: from + end })
    at = end
  }
  return found
}

/** Of each piece what it and its neighbours say, from the second row of `work.rows` on. */
export function readTokens(layers: Layers, tokens: readonly Token[]): void {
  const { width, weights, biases, work: { rows, even } } = layers
  embed(layers, tokens)
  convolve(layers, rows, weights.first, biases.first, tokens.length)
  even.set(rows.subarray(0, (tokens.length + 2) * width))
  for (let row = 1; row <= tokens.length; row += 1) normalize(even, row * width, width)
  convolve(layers, even, weights.second, biases.second, tokens.length)
}

/** Primes by which neighbours are hashed to rows. */
const HASH = { before: 31_337, own: 7919, behind: 104_729 } as const

/** A row of nothing stands before the first piece and one behind the last. */
function embed(
  { width, tables: { pieces, pairs, triples }, work: { rows } }: Layers, tokens: readonly Token[],
): void {
  rows.fill(0, 0, (tokens.length + 2) * width)
  for (const [index, { piece }] of tokens.entries()) {
    const before = tokens[index - 1]?.piece ?? NOTHING
    const pair = piece * HASH.own + (tokens[index + 1]?.piece ?? NOTHING) * HASH.behind
    const to = (index + 1) * width
    addRow(rows, to, pieces, piece, width)
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
export function normalize(rows: Float32Array, from: number, width: number): void {
  let sum = 0
  for (let at = from; at < from + width; at += 1) sum += rows[at]! * rows[at]!
  const factor = 1 / Math.sqrt(sum / width + EVEN)
  for (let at = from; at < from + width; at += 1) rows[at]! *= factor
}

/** Adds to each row what its neighbours and it give, where that is more than nothing. */
function convolve(
  { width, products: { add }, work: { rows, mixed } }: Layers,
  numbers: Float32Array, matrix: Float32Array, bias: Float32Array, count: number,
): void {
  for (let row = 0; row < count; row += 1) mixed.set(bias, row * width)
  add({ numbers, step: width, rows: count, length: 3 * width, matrix, columns: width,
    sums: mixed })
  for (let at = 0; at < count * width; at += 1) {
    if (mixed[at]! > 0) rows[width + at]! += mixed[at]!
  }
}
