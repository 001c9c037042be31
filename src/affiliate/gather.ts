/** The sources that a sentence concerns, asked at once: what each found, and why some were not. */
import type { SearchQuery } from '../../adapters/index.ts'
import { SOURCES } from '../operations/affiliate-fields.ts'
import type { Caller } from '../operations/define.ts'
import type { Ask } from './ask.ts'
import { askAll, type Outcome } from './fan-out.ts'
import { mallKeywords } from './keywords.ts'
import type { SourceName, Sources } from './sources.ts'
import { searchText, type Understanding } from '../language/understand.ts'

export interface Gathering {
  readonly understood: Understanding
  /** What the caller named; all that may have something otherwise. */
  readonly sources: readonly SourceName[] | undefined
  readonly caller: Caller
  readonly deadlineMs: number
}

const PAGE_SIZE = 30
const QUERY_LENGTH_MAX = 100
/** An offer a little over the budget is worth showing as one that was nearly it. */
const OVER_BUDGET = 1.3

/** In the order of SOURCES, so that nothing depends on who answers first. */
export async function gatherOffers(
  sources: Sources, ask: Ask, { understood, sources: named, caller, deadlineMs }: Gathering,
): Promise<readonly Outcome[]> {
  const skipped = new Map<SourceName, string>()
  const asked = SOURCES.filter((name) => {
    const why = whyNot(name, sources, named, understood, caller)
    if (why !== undefined) skipped.set(name, why)
    return why === undefined
  })
  const outcomes = new Map((await askAll(asked.map((name) => ({
    source: name,
    ask: (ms) => ask.search(name, queryFor(name, sources, understood), caller, ms),
  })), deadlineMs)).map((outcome) => [outcome.source, outcome]))
  return SOURCES.map((source) => outcomes.get(source)
    ?? { source, status: 'skipped', ms: 0, found: null, note: skipped.get(source) ?? '' })
}

function whyNot(
  name: SourceName, sources: Sources, named: readonly SourceName[] | undefined,
  { food }: Understanding, { agent }: Caller,
): string | undefined {
  if (named && !named.includes(name)) return 'was not among the sources asked for'
  if (!sources.has(name)) return 'is not configured'
  if (name === 'food' && !named && food === null) return 'is asked for meals and delivery only'
  if (name !== 'food' && !named && food?.meant === 'yes') return 'does not deliver meals'
  return agent === null && name !== 'shelf' ? 'needs an API key' : undefined
}

function queryFor(name: SourceName, sources: Sources, understood: Understanding): SearchQuery {
  const pageSizeMax = sources.get(name)?.capabilities.pageSizeMax ?? PAGE_SIZE
  const { budget, sentence } = understood
  const words = name === 'shelf' ? searchText(understood) : mallKeywords(understood)
  return {
    q: (words || sentence).slice(0, QUERY_LENGTH_MAX),
    page: 1,
    pageSize: Math.min(PAGE_SIZE, pageSizeMax),
    ...(budget?.max != null && { priceMax: Math.ceil(budget.max * OVER_BUDGET) }),
  }
}
