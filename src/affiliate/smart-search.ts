/** cps_smart_search: understand, search all sources at once, rank, and report each source. */
import type { SourceName } from '../../adapters/names.ts'
import type { Item } from '../../adapters/index.ts'
import type { Caller } from '../contract/caller.ts'
import { monotonicMs } from '../contract/time.ts'
import { type Mode, understand } from '../language/understand.ts'
import { collectOffers, NEEDS_KEY, type SourceOutcome } from './collect-offers.ts'
import { buyOf } from './convert.ts'
import { rank } from './result/index.ts'
import type { SourceCalls } from './source-calls.ts'
import type { Sources } from './sources.ts'

export interface SmartSearchInput {
  readonly query: string
  readonly budget_min?: number
  readonly budget_max?: number
  readonly mode?: Mode
  readonly sources?: readonly SourceName[]
  readonly page_size?: number
}

export interface SmartSearchParts {
  readonly sources: Sources
  readonly calls: SourceCalls
  readonly deadlineMs: number
}

const PAGE_SIZE = 8
/** Of the deadline, for what comes after the last answer. */
const RANKING_MS = 40

export async function smartSearch(
  { sources, calls, deadlineMs }: SmartSearchParts, input: SmartSearchInput, caller: Caller,
) {
  const began = monotonicMs()
  const { query, budget_min, budget_max, mode, page_size = PAGE_SIZE } = input
  const understood = understand(query, {
    ...(budget_min !== undefined && { budget_min }),
    ...(budget_max !== undefined && { budget_max }),
    ...(mode !== undefined && { mode }),
  })
  const outcomes = await collectOffers(sources, calls, {
    understood, sources: input.sources, caller, wanted: page_size,
    deadlineMs: Math.max(1, deadlineMs - RANKING_MS - (monotonicMs() - began)),
  })
  const items = outcomes.flatMap(({ found }) => found?.items ?? [])
  const unanswered = outcomes.filter(({ status }) => status !== 'ok' && status !== 'skipped')
    .map(({ source }) => source)
  return {
    ...rank(understood, items, {
      pageSize: page_size, unanswered, needKey: sourcesForKey(outcomes),
      buy: (item) => buyOf(item, (mall) => sources.has(mall as SourceName)),
    }),
    sources: outcomes.map(view),
    partial: unanswered.length > 0,
  }
}

/** Sources that only a key opens, where no other was asked: nothing is known of the goods. */
const sourcesForKey = (outcomes: readonly SourceOutcome[]): readonly SourceName[] =>
  outcomes.some(({ status }) => status !== 'skipped') ? []
    : outcomes.filter(({ note }) => note === NEEDS_KEY).map(({ source }) => source)

const view = ({ source, status, ms, found, note }: SourceOutcome) =>
  ({ source, status, ms, count: found?.items.length ?? 0, ...(note !== undefined && { note }) })

// Preparation: the first search would wait for names, patterns and compiled code.

const SENTENCES = ['200元以内的电热水壶 1.7升 不要塑料', 'two kettles under 300, no plastic']
const ROUNDS = 10

const sample = (source: 'mall_a' | 'mall_b', number: number): Item => ({
  source, id: String(number), title: `示例Sample EK-${100 + number} 电热水壶 1.7L 304不锈钢 白色`,
  brand: '示例 Sample', category: '厨房电器', shop: '示例旗舰店', images: [],
  price: {
    list_price: 9900 + number, coupon: null, conditions: [], freight: null,
    payable: 9900 + number,
  },
  special: null, sales: 100, rating: 4.5, reviews: null, url: null, coupon_url: null,
  commission: null,
})

/** Takes about half a second: for a process that waits for something else. */
export function prepareSearch(): void {
  const items = Array.from({ length: 40 }, (_, at) =>
    sample(at % 2 === 0 ? 'mall_a' : 'mall_b', Math.floor(at / 2)))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const sentence of SENTENCES) {
      rank(understand(sentence), items, { pageSize: 8, buy: buyOf })
    }
  }
}
