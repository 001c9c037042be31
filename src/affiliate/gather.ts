/** The sources that a sentence concerns, asked at once: what each found, and why some were not. */
import type { Item, SearchQuery, SearchResult } from '../../adapters/index.ts'
import { monotonicMs } from '../contract/time.ts'
import { boundsOf, type Bounds } from '../language/bounds.ts'
import { factsOf } from '../language/facts.ts'
import { fitOf, planOf, wholeValue, type Plan } from '../language/fit.ts'
import { askedOf, goodsOf, type Asked } from '../language/relevance.ts'
import type { Understanding } from '../language/understand.ts'
import { SOURCES } from '../contract/affiliate-fields.ts'
import type { Caller } from '../contract/caller.ts'
import type { Ask } from './ask.ts'
import { askAll, type Outcome } from './fan-out.ts'
import { mallKeywords } from './keywords.ts'
import type { SourceName, Sources } from './sources.ts'

export interface Gathering {
  readonly understood: Understanding
  /** What the caller named; all that may have something otherwise. */
  readonly sources: readonly SourceName[] | undefined
  readonly caller: Caller
  readonly deadlineMs: number
  /** How many items the caller wants to see. */
  readonly wanted: number
}

const PAGE_SIZE = 30
const PAGES_MAX = 3
/** Unit prices are compared over all goods of the kind, on our own shelf at least. */
const UNIT_PAGES_MAX = 12
const QUERY_LENGTH_MAX = 200
const MALL_QUERY_LENGTH_MAX = 100
/** An offer a little over the budget is worth showing as one that was nearly it. */
const OVER_BUDGET = 1.3
/** Less than this does not reach another page. */
const PAGE_MS = 150

/** In the order of SOURCES, so that nothing depends on who answers first. */
export async function gatherOffers(
  sources: Sources, ask: Ask, gathering: Gathering,
): Promise<readonly Outcome[]> {
  const { understood, sources: named, caller, deadlineMs } = gathering
  const skipped = new Map<SourceName, string>()
  const asked = SOURCES.filter((name) => {
    const why = whyNot(name, sources, named, understood, caller)
    if (why !== undefined) skipped.set(name, why)
    return why === undefined
  })
  const { parts } = understood
  const needs = (parts.length > 0 ? parts : [understood]).map((one) =>
    needOf(one, Math.ceil(gathering.wanted / Math.max(1, parts.length))))
  const outcomes = new Map((await askAll(asked.map((name) => ({
    source: name,
    ask: (ms) => askForAll(name, (query, left) => ask.search(name, query, caller, left), needs.map(
      (need) => ({ ...need, isOneOf: needs.length,
        pageSizeMax: sources.get(name)?.capabilities.pageSizeMax ?? PAGE_SIZE }),
    ), ms),
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

interface Need {
  readonly understood: Understanding
  readonly asked: Asked
  readonly plan: Plan
  readonly bounds: Bounds
  readonly wanted: number
}

const needOf = (understood: Understanding, wanted: number): Need => ({
  understood, asked: askedOf(understood), plan: planOf(understood), bounds: boundsOf(understood),
  wanted,
})

interface SourceNeed extends Need {
  readonly pageSizeMax: number
  /** How many goods are wanted. */
  readonly isOneOf: number
}

type Search = (query: SearchQuery, deadlineMs: number) => Promise<SearchResult>

/** Several goods one after the other: the first alone would fill the page. */
async function askForAll(
  name: SourceName, search: Search, needs: readonly SourceNeed[], ms: number,
): Promise<SearchResult> {
  const end = monotonicMs() + ms
  const left = (): number => end - monotonicMs()
  let found: SearchResult | undefined
  for (const need of needs) {
    if (found && left() < PAGE_MS) break
    try {
      const more = await askSource(name, search, need, left)
      found = found ? joined(found, more) : more
    } catch (error) {
      if (!found) throw error
      break
    }
  }
  return found ?? { items: [], total: 0, dropped: 0 }
}

/** Pages until enough items fit, there are no more, or the time for another is over. */
async function askSource(
  name: SourceName, search: Search, need: SourceNeed, left: () => number,
): Promise<SearchResult> {
  let found: SearchResult | undefined
  for (const query of queriesFor(name, need)) {
    if (found && (isEnough(found, need) || left() < PAGE_MS)) break
    try {
      const more = await search(query, left())
      found = found ? joined(found, more) : more
      // A list that is not full has no next page.
      if (query.page > 1 && more.items.length < query.pageSize) break
    } catch (error) {
      // What was found before is worth more than the failure of a further page.
      if (!found) throw error
      break
    }
  }
  return found ?? { items: [], total: 0, dropped: 0 }
}

function* queriesFor(name: SourceName, need: SourceNeed): Generator<SearchQuery> {
  const { understood, bounds, pageSizeMax, isOneOf } = need
  const isShelf = name === 'shelf'
  if (name === 'food') {
    yield* mealQueries(need)
    return
  }
  const texts = isShelf ? [understood.sentence.slice(0, QUERY_LENGTH_MAX)]
    : mallKeywords(understood, need.plan).map((text) => text.slice(0, MALL_QUERY_LENGTH_MAX))
  const pageSize = Math.min(PAGE_SIZE, pageSizeMax)
  // By the sheet or the litre only this side can compare.
  const isByPrice = understood.mode?.value === 'cheapest' && understood.per === null
  const sort = isByPrice ? 'price_asc' as const
    : understood.mode?.value === 'quality' ? 'price_desc' as const : undefined
  const limits = {
    ...(bounds.min > 0 && { priceMin: bounds.min }),
    ...(Number.isFinite(bounds.max) && { priceMax: bounds.max }),
    ...(sort && { sort }),
  }
  const pagesMax = isOneOf > 1 && !isShelf ? 1
    : isShelf && understood.per !== null ? UNIT_PAGES_MAX : PAGES_MAX
  for (const q of isOneOf > 1 ? texts.slice(0, 1) : texts) {
    for (let page = 1; page <= pagesMax; page += 1) {
      yield { q, page, pageSize, ...limits }
    }
  }
  // Only our own shelf is asked for what is nearly within the budget: it costs nobody a call.
  if (isShelf && Number.isFinite(bounds.max)) {
    yield { q: texts[0] ?? '', page: 1, pageSize: Math.min(5, pageSizeMax),
      priceMin: bounds.max + 1, priceMax: Math.ceil(bounds.max * OVER_BUDGET), sort: 'price_asc' }
  }
}

/** Dishes only, each on its first page: leftover words are on no menu. */
function* mealQueries(need: SourceNeed): Generator<SearchQuery> {
  const { understood: { food, sentence }, bounds, pageSizeMax, wanted } = need
  const dishes = food?.dishes ?? [sentence.slice(0, MALL_QUERY_LENGTH_MAX)]
  // Of several dishes some of each are shown.
  const most = dishes.length > 1 ? Math.max(3, Math.ceil(wanted / dishes.length)) : PAGE_SIZE
  for (const q of dishes) {
    yield { q, page: 1, pageSize: Math.min(most, pageSizeMax),
      ...(bounds.min > 0 && { priceMin: bounds.min }),
      ...(Number.isFinite(bounds.max) && { priceMax: bounds.max }) }
  }
}

function joined(found: SearchResult, more: SearchResult): SearchResult {
  const known = new Set(found.items.map(({ id }) => id))
  return {
    ...found, items: [...found.items, ...more.items.filter(({ id }) => !known.has(id))],
    dropped: found.dropped + more.dropped,
  }
}

/** Enough to fill the caller's page are of the kind that is meant and have all that was wished. */
function isEnough({ items }: SearchResult, need: Need): boolean {
  const { asked, plan, bounds, wanted, understood } = need
  if (understood.per !== null) return false
  const whole = wholeValue(plan)
  const fits = (item: Item): boolean => {
    const facts = factsOf(item)
    return item.price.payable >= bounds.min && item.price.payable <= bounds.max
      && goodsOf(asked, facts, item.source) === 'asked'
      && (fitOf(plan, facts, [...facts.kinds.keys()][0])?.value ?? -1) >= whole
  }
  return items.filter(fits).length >= wanted
}
