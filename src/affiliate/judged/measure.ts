/** Ranks each judged sentence over the simulated sources and scores the order. */
import type { Item } from '../../../adapters/contract.ts'
import { universeProduct } from '../../goods/universe.ts'
import { mallKeywords } from '../keywords.ts'
import { rank } from '../result.ts'
import { planOf } from '../../language/fit.ts'
import { understand } from '../../language/understand.ts'
import { gradeOf, ndcg, type Grade } from './grade.ts'
import { SEED, type World } from './items.ts'
import type { JudgedSentence } from './sentences.ts'

export interface Measured {
  readonly sentence: JudgedSentence
  /** Null where the sources found nothing that is worth anything. */
  readonly ndcg: number | null
  /** Of the order in which the sources answer. */
  readonly before: number | null
  readonly first: Grade
  /** Products that stand in the answer more than once. */
  readonly repeated: number
}

const DEPTH = 10
const OVER_BUDGET = 1.3

export function measure(world: World, sentence: JudgedSentence): Measured {
  const understood = understand(sentence.say)
  const max = understood.budget?.max
  const items = mallKeywords(understood, planOf(understood)).flatMap((q) =>
    world.search(q, max == null ? undefined : Math.ceil(max * OVER_BUDGET)))
  const answer = rank(understood, items, { pageSize: DEPTH,
    buy: () => ({ tool: null, arguments: {}, purchase_url: null }) })
  const grade = (id: string, fen: number): Grade =>
    gradeOf(universeProduct(SEED, Number(id)), fen, sentence.wanted)
  const seen = new Set<string>()
  let repeated = 0
  const grades = answer.items.map(({ item_id, price }) => {
    const id = item_id.slice(item_id.indexOf(':') + 1)
    if (seen.has(id)) repeated += 1
    const value = seen.has(id) ? 0 : grade(id, price.payable)
    seen.add(id)
    return value
  })
  const all = [...cheapest(items)].map(([id, fen]) => grade(id, fen))
  return {
    sentence, repeated, first: grades[0] ?? 0,
    ndcg: ndcg(grades, all, DEPTH),
    before: ndcg([...new Map(items.map(({ id, price }) => [id, price.payable]))]
      .map(([id, fen]) => grade(id, fen)), all, DEPTH),
  }
}

/** What each product costs where it is cheapest. */
function cheapest(items: readonly Item[]): Map<string, number> {
  const prices = new Map<string, number>()
  for (const { id, price } of items) {
    prices.set(id, Math.min(prices.get(id) ?? Infinity, price.payable))
  }
  return prices
}

export const mean = (values: readonly (number | null)[]): number => {
  const known = values.filter((value) => value !== null)
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
}
