/** Reading what platforms send: JSON, schemas, rows. Fields may be absent or null at any time. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Static, type TSchema, Type } from 'typebox'
import { SourceError } from './contract.ts'

export const maybe = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** Ids come as numbers or text; long numbers were made text by `parseJson`. */
export const Id = Type.Union([Type.String({ maxLength: 200 }), Type.Integer()])

/** Codes that are numbers in some answers and text in others. */
export const Code = Type.Union([Type.String({ maxLength: 64 }), Type.Number()])

/** Text of an id; null for the nothings that platforms send: absent, null, "", 0, "0". */
export const idOrNull = (id: string | number | null | undefined): string | null =>
  id === undefined || id === null || id === '' || Number(id) === 0 ? null : String(id)

/** A list, or one that an object of a single typed key wraps. */
export function listOf(value: unknown, ...keys: readonly string[]): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return null
  for (const key of keys) {
    const inner = (value as Readonly<Record<string, unknown>>)[key]
    if (Array.isArray(inner)) return inner
    if (typeof inner === 'object' && inner !== null) return [inner]
  }
  return null
}

// First problem only: nobody reads the others, and a hostile answer could have very many.
const ajv = new Ajv2020({ allErrors: false, strict: true, ownProperties: true })

export type Fits<T> = (value: unknown) => value is T

/** Compiles once, at load; nothing from a wire is used before it fits its schema. */
export const fits = <T extends TSchema>(schema: T): Fits<Static<T>> =>
  ajv.compile(schema) as unknown as Fits<Static<T>>

/** From this many on, rows that are all bad are not bad luck but another format. */
const ALL_BAD_MIN = 3

export interface Kept<N> {
  readonly kept: N[]
  readonly dropped: number
}

/** Maps the rows that fit; a bad one costs only itself. `map` may refuse a row with null. */
export function keepRows<R, N>(
  source: string, rows: readonly unknown[], row: Fits<R>, map: (row: R) => N | null,
): Kept<N> {
  const kept: N[] = []
  for (const candidate of rows) {
    const mapped = row(candidate) ? map(candidate) : null
    if (mapped !== null) kept.push(mapped)
  }
  if (kept.length === 0 && rows.length >= ALL_BAD_MIN) throw new SourceError(source, 'bad_answer')
  return { kept, dropped: rows.length - kept.length }
}

const LONG = /\d{16}/

/**
 * JSON whose long whole numbers stay exact: platforms' ids pass 2^53, where numbers lose digits.
 * Whole numbers of sixteen digits or more come out as text.
 */
export function parseWireJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return LONG.test(text) ? JSON.parse(quoteLongNumbers(text)) : value
}

const NEXT = /"|-?\d{16,}(?![\d.eE])/g

/** Only for valid JSON: every quote that opens has one that closes. */
function quoteLongNumbers(text: string): string {
  const parts: string[] = []
  let copied = 0
  NEXT.lastIndex = 0
  for (let found = NEXT.exec(text); found; found = NEXT.exec(text)) {
    if (found[0] === '"') {
      NEXT.lastIndex = endOfString(text, found.index + 1)
    } else if (!/[\d.eE+]/.test(text[found.index - 1] ?? '')) {
      parts.push(text.slice(copied, found.index), `"${found[0]}"`)
      copied = NEXT.lastIndex
    }
  }
  return parts.join('') + text.slice(copied)
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
}

/** An object with names, or null for any other value. */
export const record = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? value as Readonly<Record<string, unknown>> : null
