/**
 * Which values of goods a text says in whatever words, by a small network that was trained on how
 * shoppers say them (`loadtest/evaluations/encoder`): 能喊着换台 of a television is 语音遥控. What
 * the layers of `text-encoder.ts` give for each piece is multiplied with the vector of each value
 * of the goods; the greatest product says how likely the value is, and where it is said.
 */
import { readFileSync } from 'node:fs'
import { Type, type Static } from 'typebox'
import { readConfigFile } from '../config.ts'
import { taxonomy } from '../goods/taxonomy.ts'
import { checkConfigFile } from '../validate.ts'
import { fold } from './fold.ts'
import { inGroups } from './products.ts'
import { remembered } from './recent.ts'
import {
  LAYER_MATRICES, layersOf, Matrix, normalize, readTokens, tableOf, tokensIn, TOKENS_MAX,
  TokenTexts, Vector, vectorOf, Width, type Layers, type Table, type Token,
} from './text-encoder.ts'
import type { Value } from './understanding.ts'
import { attributesOf } from './values.ts'

const JSON_FILE = 'value-encoder.json'
const WEIGHTS = new URL('../../config/value-encoder.bin', import.meta.url)

const EncoderFile = Type.Object({
  width: Width,
  matrices: Type.Object({ ...LAYER_MATRICES, values: Matrix }),
  vectors: Type.Object({ first: Vector, second: Vector, values: Vector }),
  pieces: TokenTexts,
  /** What no value of an attribute has to exceed. */
  none: Type.Number(),
  /** Attribute → its values, folded, of all kinds; features are those of an empty one. */
  values: Type.Record(Type.String({ maxLength: 60 }),
    Type.Array(Type.String({ minLength: 1, maxLength: 60 }))),
})
type EncoderFile = Static<typeof EncoderFile>

/** Values of a kind; further ones are not looked for. */
const VALUES_MAX = 256
/** Values of at least this share of the likeliest one are said with it. */
const ALIKE = 0.7
const RECENT_MAX = 8
const KINDS_MAX = 400

export interface SaidValues {
  /** Of one attribute, or a feature; the likeliest first. */
  readonly values: readonly Value[]
  /** That one of them is said, and not another of the attribute or none. */
  readonly chance: number
  /** Of the piece that says it most. */
  readonly start: number
  readonly end: number
}

interface Encoder extends Layers {
  readonly none: number
  readonly values: Table
  readonly biases: Layers['biases'] & { readonly values: Float32Array }
  readonly rowOf: (attribute: string, text: string) => number | undefined
  readonly matrix: Float32Array
  readonly sums: Float32Array
}

let loaded: Encoder | undefined
export const prepareValueEncoder = (): void => { encoder() }
const encoder = (): Encoder => loaded ??= encoderOf(
  readConfigFile(JSON_FILE) as EncoderFile, readFileSync(WEIGHTS))

export const checkValueEncoder = (): void => { checkConfigFile(JSON_FILE, EncoderFile) }

function encoderOf(file: EncoderFile, weights: Uint8Array): Encoder {
  const { width, matrices, vectors, none } = file
  const bytes = Uint8Array.from(weights).buffer
  const layers = layersOf(file, bytes, VALUES_MAX * width + TOKENS_MAX * VALUES_MAX)
  const { products: { reserve } } = layers
  return {
    ...layers, none, values: tableOf(bytes, width)(matrices.values), rowOf: rowsOf(file.values),
    biases: { ...layers.biases, values: vectorOf(bytes)(vectors.values) },
    matrix: reserve(VALUES_MAX * width), sums: reserve(TOKENS_MAX * VALUES_MAX),
  }
}

/** In the order of the file. */
function rowsOf(values: EncoderFile['values']): Encoder['rowOf'] {
  const rows = new Map<string, ReadonlyMap<string, number>>()
  let first = 0
  for (const [attribute, texts] of Object.entries(values)) {
    const from = first
    rows.set(attribute, new Map(texts.map((text, at) => [text, from + at])))
    first += texts.length
  }
  return (attribute, text) => rows.get(attribute)?.get(text)
}

interface Known { readonly value: Value, readonly row: number, readonly column: number }

/** The values of a kind that the network knows: those of each attribute, and each feature. */
const knownValues = remembered(KINDS_MAX, (kind: string): readonly (readonly Known[])[] => {
  const found = taxonomy().kinds.get(kind)
  if (!found) return []
  const { rowOf } = encoder()
  let columns = 0
  const knownOf = (texts: readonly string[], attribute: string | null): Known[] =>
    texts.flatMap((one) => {
      const text = fold(one)
      const row = rowOf(attribute ?? '', text)
      if (row === undefined || columns === VALUES_MAX) return []
      columns += 1
      return [{ value: { text, attribute }, row, column: columns - 1 }]
    })
  return [...attributesOf(found).map(({ name, values }) => knownOf(values, name)),
    ...found.features.map((feature) => knownOf([feature], null))].filter(({ length }) => length > 0)
})

interface Read { readonly tokens: readonly Token[], readonly rows: Float32Array }

const readText = remembered(RECENT_MAX, (text: string): Read => {
  const network = encoder()
  const { width, work: { rows } } = network
  const tokens = tokensIn(text, network.pieces)
  readTokens(network, tokens)
  for (let row = 1; row <= tokens.length; row += 1) normalize(rows, row * width, width)
  return { tokens, rows: rows.slice(width, (tokens.length + 1) * width) }
})

/** Of each attribute the likeliest, and each feature, where no less likely than `least`. */
export function valuesSaid(
  kind: string, text: string, least: number, isFree: (token: Token) => boolean = () => true,
): SaidValues[] {
  const groups = knownValues(kind)
  const { tokens, rows } = readText(text)
  const places = [...tokens.keys()].filter((place) => isFree(tokens[place]!))
  if (groups.length === 0 || places.length === 0) return []
  const network = encoder()
  const known = groups.flat()
  const columns = inGroups(known.length)
  multiply(network, known, rows, tokens.length, columns)
  const greatest = greatestOf(network, known, places, columns)
  return groups.flatMap((group) => bestOf(network, group, greatest, tokens, least) ?? [])
}

/** Products of all pieces with all values, in rows of pieces. */
function multiply(
  { width, values, matrix, sums, work, products: { add } }: Encoder,
  known: readonly Known[], rows: Float32Array, count: number, columns: number,
): void {
  matrix.fill(0, 0, width * columns)
  for (const { row, column } of known) {
    const scale = values.scales[row]!
    for (let at = 0; at < width; at += 1) {
      matrix[at * columns + column] = values.values[row * width + at]! * scale
    }
  }
  sums.fill(0, 0, count * columns)
  work.rows.set(rows)
  add({ numbers: work.rows, step: width, rows: count, length: width, matrix, columns, sums })
}

/** Of each value how much it is said where it is said most, and the token there. */
interface Greatest { readonly weights: Float64Array, readonly tokens: Uint8Array }

function greatestOf(
  { sums, biases }: Encoder, known: readonly Known[], places: readonly number[], columns: number,
): Greatest {
  const weights = new Float64Array(columns).fill(-Infinity)
  const tokens = new Uint8Array(columns)
  for (const place of places) {
    for (let column = 0; column < columns; column += 1) {
      const sum = sums[place * columns + column]!
      if (sum > weights[column]!) {
        weights[column] = sum
        tokens[column] = place
      }
    }
  }
  for (const { row, column } of known) {
    weights[column] = Math.exp(weights[column]! + biases.values[row]!)
  }
  return { weights, tokens }
}

function bestOf(
  { none }: Encoder, group: readonly Known[], greatest: Greatest, tokens: readonly Token[],
  least: number,
): SaidValues | undefined {
  let [most, all, place] = [0, Math.exp(none), 0]
  for (const { column } of group) {
    const weight = greatest.weights[column]!
    all += weight
    if (weight > most) [most, place] = [weight, greatest.tokens[column]!]
  }
  // Those that are alike are not more than there are.
  if (most * group.length < least * all) return undefined
  const best = group.filter(({ column }) => greatest.weights[column]! >= most * ALIKE)
    .sort((one, other) => greatest.weights[other.column]! - greatest.weights[one.column]!)
  const chance = best.reduce((sum, { column }) => sum + greatest.weights[column]!, 0) / all
  const { start, end } = tokens[place]!
  return chance < least ? undefined : { values: best.map(({ value }) => value), chance, start, end }
}
