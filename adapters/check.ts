/** Schemas at work: nothing from a wire is used, and nothing leaves, before it fits its schema. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Static, TSchema } from 'typebox'
import { SourceError } from './failure.ts'

// First problem only: nobody is told the others, and a hostile answer could have very many.
const ajv = new Ajv2020({ allErrors: false, strict: true, ownProperties: true })

export type Fits<T> = (value: unknown) => value is T

/** Compiles once, at load. */
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
