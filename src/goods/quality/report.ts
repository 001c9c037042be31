/** The figures as text. */
import { figuresOf, type Figures, type Score } from './measure.ts'
import { CLASSES } from './query-set.ts'

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
