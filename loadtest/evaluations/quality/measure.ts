/** How well the answers fit the labels: nDCG@10, recall@20, and empty answers. */
import { understand } from '../../../src/language/understand.ts'
import { listsOf } from '../../../src/goods/candidates.ts'
import type { RedisClient } from '../../../src/redis/connect.ts'
import { type Result, searchShelf } from '../../../src/goods/search.ts'
import { type Grade, gradeOf, type ItemFacts } from './label.ts'
import { CLASSES, type LabelledQuery, SORT } from './query-set.ts'

export interface Score {
  readonly query: LabelledQuery
  /** Against the best order of all items of the catalogue. */
  readonly ndcg: number
  /** Of the items graded 2 or 3, or of the best there are; 1 when as many as fit are shown. */
  readonly recall: number
  readonly isEmpty: boolean
  /** Whether anything is there to be found; the others only show whether an answer is honest. */
  readonly isScored: boolean
  /** Of a query that nothing answers: no item, or a note of what was given up. */
  readonly isHonest: boolean
  readonly result: Result
  readonly grades: readonly Grade[]
}

const NDCG_DEPTH = 10
const RECALL_DEPTH = 20

export async function scoreQuery(
  shelf: RedisClient, facts: readonly ItemFacts[], query: LabelledQuery,
): Promise<Score> {
  const { q, limits, wanted } = query
  const { category, ...others } = limits
  const result = await searchShelf(shelf, listsOf(shelf), {
    ...others, ...category !== undefined && { categories: [category] },
    understood: understand(q), sort: SORT, offset: 0, count: RECALL_DEPTH,
  })
  const all = new Map<number, Grade>()
  for (const item of wanted ? facts : []) {
    const grade = gradeOf(item, wanted ?? {}, limits)
    if (grade > 0) all.set(item.productId, grade)
  }
  const grades = result.productIds.map((id) => all.get(id) ?? 0)
  const best = [...all.values()].toSorted((a, b) => b - a)
  // With none of the kind in the catalogue, other kinds are no answer that anybody must give.
  const isScored = (best[0] ?? 0) > 1
  return {
    query, result, grades, isScored,
    ndcg: isScored ? gainOf(grades) / gainOf(best) : 0,
    recall: isScored ? recallOf(grades, best) : 0,
    isEmpty: result.productIds.length === 0,
    isHonest: result.productIds.length === 0 || result.relaxed !== undefined,
  }
}

const gainOf = (grades: readonly Grade[]): number => grades.slice(0, NDCG_DEPTH)
  .reduce((sum: number, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)

function recallOf(grades: readonly Grade[], best: readonly Grade[]): number {
  const enough = Math.min(2, best[0] ?? 2)
  const isGood = (grade: Grade): boolean => grade >= enough
  return grades.filter(isGood).length / Math.min(RECALL_DEPTH, best.filter(isGood).length)
}

export interface Figures {
  readonly queries: number
  readonly ndcg: number
  readonly recall: number
  /** Shares: of scored queries that found nothing, of the others that were answered honestly. */
  readonly empty: number
  readonly honest: number
}

export function figuresOf(scores: readonly Score[]): Figures {
  const scored = scores.filter(({ isScored }) => isScored)
  const others = scores.filter(({ isScored }) => !isScored)
  return {
    queries: scores.length,
    ndcg: mean(scored.map(({ ndcg }) => ndcg)),
    recall: mean(scored.map(({ recall }) => recall)),
    empty: mean(scored.map(({ isEmpty }) => Number(isEmpty))),
    honest: mean(others.map(({ isHonest }) => Number(isHonest))),
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

// The figures as text.

export function table(title: string, scores: readonly Score[]): string {
  const rows = CLASSES.map((name) =>
    line(name, figuresOf(scores.filter(({ query }) => query.class === name))))
  return [
    title, 'class       queries  nDCG@10  recall@20    empty   honest', ...rows,
    line('by hand', figuresOf(scores.filter(({ query }) => query.isHandWritten))),
    line('all', figuresOf(scores)), '',
  ].join('\n')
}

const line = (name: string, { queries, ndcg, recall, empty, honest }: Figures): string =>
  [name.padEnd(10), String(queries).padStart(8), cell(ndcg, 9), cell(recall, 11), cell(empty, 9),
    cell(honest, 9)].join('')

const cell = (value: number, width: number): string =>
  (Number.isNaN(value) ? '-' : value.toFixed(3)).padStart(width)

/** Queries that did badly: what was asked, the grades of the first ten, what was given up. */
export const details = (scores: readonly Score[], below: number): string => scores
  .filter(({ isScored, isHonest, ndcg }) => isScored ? ndcg < below : !isHonest)
  .map(({ query, ndcg, recall, grades, result }) => [
    query.class.padEnd(10), ndcg.toFixed(2), recall.toFixed(2), String(result.total).padStart(6),
    grades.slice(0, 10).join('').padEnd(10), query.q, JSON.stringify(query.limits),
    result.relaxed ? JSON.stringify([result.relaxed.kind, ...result.relaxed.dropped]) : '',
  ].join('  ')).join('\n')
