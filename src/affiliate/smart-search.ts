/** cps_smart_search: understand, ask all at once, rank, and say what each source had to say. */
import { monotonicMs } from '../contract/time.ts'
import type { Caller } from '../contract/caller.ts'
import type { Ask } from './ask.ts'
import { buyOf } from './buy.ts'
import type { Outcome } from './fan-out.ts'
import { gatherOffers } from './gather.ts'
import { rank } from './result.ts'
import type { SourceName, Sources } from './sources.ts'
import { understand, type Mode } from '../language/understand.ts'

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
  readonly ask: Ask
  readonly deadlineMs: number
}

const PAGE_SIZE = 8
/** Of the deadline, for what comes after the last answer. */
const RANKING_MS = 40

export async function smartSearch(
  { sources, ask, deadlineMs }: SmartSearchParts, input: SmartSearchInput, caller: Caller,
) {
  const began = monotonicMs()
  const { query, budget_min, budget_max, mode, page_size = PAGE_SIZE } = input
  const understood = understand(query, {
    ...(budget_min !== undefined && { budget_min }),
    ...(budget_max !== undefined && { budget_max }),
    ...(mode !== undefined && { mode }),
  })
  const outcomes = await gatherOffers(sources, ask, {
    understood, sources: input.sources, caller, wanted: page_size,
    deadlineMs: Math.max(1, deadlineMs - RANKING_MS - (monotonicMs() - began)),
  })
  const items = outcomes.flatMap(({ found }) => found?.items ?? [])
  const unanswered = outcomes.filter(({ status }) => status !== 'ok' && status !== 'skipped')
    .map(({ source }) => source)
  return {
    ...rank(understood, items, {
      pageSize: page_size, unanswered,
      buy: (item) => buyOf(item, (mall) => sources.has(mall as SourceName)),
    }),
    sources: outcomes.map(view),
    partial: unanswered.length > 0,
  }
}

const view = ({ source, status, ms, found, note }: Outcome) =>
  ({ source, status, ms, count: found?.items.length ?? 0, ...(note !== undefined && { note }) })
