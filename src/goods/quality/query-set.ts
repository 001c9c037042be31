/**
 * The labelled queries: generated ones and hand-written ones. They depend on the seed alone, so
 * that everybody scores the same set. A third is set aside by its hash: what tunes the search may
 * look at the other two thirds only.
 */
import { createHash } from 'node:crypto'
import type { Sort } from '../query.ts'
import { generatedQueries } from './generated.ts'
import { handWritten } from './hand-written.ts'
import type { Limits, Wanted } from './label.ts'

export const CLASSES = [
  'kind', 'synonym', 'attribute', 'model', 'typo', 'two', 'price', 'script', 'phrase', 'nothing',
] as const
export type QueryClass = (typeof CLASSES)[number]

export interface LabelledQuery {
  readonly q: string
  readonly class: QueryClass
  /** Without one the right answer is empty, or says what it gave up. */
  readonly wanted?: Wanted
  readonly limits: Limits
  readonly isHandWritten: boolean
}

export type Part = 'tuned' | 'aside'

export const SORT: Sort = 'relevance'

export function partOf({ q, limits }: LabelledQuery): Part {
  const [byte = 0] = createHash('sha256').update(JSON.stringify([q, limits])).digest()
  return byte % 3 === 0 ? 'aside' : 'tuned'
}

/** Each query once, however it came about. */
export function querySet(seed: string): LabelledQuery[] {
  const queries = new Map<string, LabelledQuery>()
  for (const query of [...handWritten(), ...generatedQueries(seed)]) {
    const key = JSON.stringify([query.q, query.limits])
    if (!queries.has(key)) queries.set(key, query)
  }
  return [...queries.values()]
}
