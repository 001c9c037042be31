/** The sources that a sentence concerns, asked at once: what each found, and why some were not. */
import type { SearchQuery, SearchResult } from '../../adapters/index.ts'
import { monotonicMs } from '../contract/time.ts'
import { BANDS_MAX, boundsOf, widened, type Bounds } from '../language/bounds.ts'
import { factsOf } from '../language/facts.ts'
import { fitOfFacts, HANDFUL, planOf, wholeValue, type Plan } from '../language/fit.ts'
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
/** Of one mall for one of the goods that are wanted. */
const CALLS_MAX = 6
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
  const callsMax = name === 'shelf' || name === 'food' ? Infinity : CALLS_MAX
  let found: SearchResult | undefined
  let asked = 0
  /** Of a text whose list has ended there is no next page. */
  let ended: SearchQuery | undefined
  const fitting = (): number => countFitting(found, need)
  for (const query of queriesFor(name, need, fitting)) {
    if (query.page > 1 && query.q === ended?.q && query.priceMin === ended.priceMin) continue
    // Unit prices are compared over all.
    const isServed = need.understood.per === null && fitting() >= need.wanted
    if (found && (isServed || left() < PAGE_MS || asked >= callsMax)) break
    asked += 1
    try {
      const more = await search(query, left())
      found = found ? joined(found, more) : more
      if (more.items.length + more.dropped < query.pageSize) ended = query
    } catch (error) {
      // What was found before is worth more than the failure of a further page.
      if (!found) throw error
      break
    }
  }
  return found ?? { items: [], total: 0, dropped: 0 }
}

function* queriesFor(
  name: SourceName, need: SourceNeed, fitting: () => number,
): Generator<SearchQuery> {
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
  const limitsOf = ({ min, max }: Bounds): Partial<SearchQuery> => ({
    ...(min > 0 && { priceMin: min }), ...(Number.isFinite(max) && { priceMax: max }),
    ...(sort && { sort }),
  })
  const wider = widened(bounds, understood.budget, BANDS_MAX)
  const isAbout = wider.min < bounds.min
  // Our own shelf reads in the sentence what a price is about.
  const limits = limitsOf(!isAbout || !isShelf ? bounds
    : isOneOf > 1 ? wider : { min: 0, max: Infinity })
  const pagesMax = isOneOf > 1 && !isShelf ? 1
    : isShelf && understood.per !== null ? UNIT_PAGES_MAX : PAGES_MAX
  const said = isOneOf > 1 ? [...new Set([texts[0] ?? '', texts.at(-1) ?? ''])] : texts
  for (const [at, q] of said.entries()) {
    // What the first words find enough of is not asked for by wider ones.
    if (at > 0 && fitting() >= HANDFUL) break
    for (let page = 1; page <= pagesMax; page += 1) {
      yield { q, page, pageSize, ...limits }
    }
  }
  if (!isShelf && isAbout && fitting() < HANDFUL) {
    for (const q of said) yield { q, page: 1, pageSize, ...limitsOf(wider) }
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

/** How many are of the kind that is meant and have all that was wished. */
function countFitting(found: SearchResult | undefined, need: Need): number {
  const { asked, plan, bounds } = need
  const whole = wholeValue(plan)
  return found?.items.filter((item) => {
    const facts = factsOf(item)
    return item.price.payable >= bounds.min && item.price.payable <= bounds.max
      && goodsOf(asked, facts, item.source) === 'asked'
      && (fitOfFacts(plan, facts)?.value ?? -1) >= whole
  }).length ?? 0
}
