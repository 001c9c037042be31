/**
 * Offers for a sentence: which sources it concerns, the queries that they get, all sources at once
 * under one deadline, and why a source gave none.
 */
import { FAILURES, type SearchQuery, type SearchResult, SourceError } from '../../adapters/index.ts'
import { SOURCE_NAMES, type SourceName } from '../../adapters/names.ts'
import type { Caller } from '../contract/caller.ts'
import { ERRORS, Refusal } from '../contract/errors.ts'
import { monotonicMs, withDeadline } from '../contract/time.ts'
import { taxonomy } from '../goods/taxonomy.ts'
import { BANDS_MAX, type Bounds, boundsOf, widened } from '../language/bounds.ts'
import { factsOf } from '../language/facts.ts'
import {
  fitOfFacts, HANDFUL, type Plan, planOf, wholeValue,
} from '../language/fit.ts'
import type { SlotKind } from '../language/slot.ts'
import { type Asked, askedOf, goodsOf } from '../language/relevance.ts'
import type { Understanding } from '../language/understand.ts'
import type { SourceCalls } from './source-calls.ts'
import type { Sources } from './sources.ts'

export interface OfferSearch {
  readonly understood: Understanding
  /** The sources that the caller named; undefined for all that may have offers. */
  readonly sources: readonly SourceName[] | undefined
  readonly caller: Caller
  readonly deadlineMs: number
  /** How many items the caller wants to see. */
  readonly wanted: number
}

/** Why a source is not asked for a caller without a key. */
export const NEEDS_KEY = 'needs an API key'

const PAGE_SIZE = 30
const PAGES_MAX = 3
/** Unit prices are compared over all goods of the kind, on our own shelf at least. */
const UNIT_PAGES_MAX = 12
/** Calls to one mall for one of the goods. */
const CALLS_MAX = 6
const QUERY_LENGTH_MAX = 200
const MALL_QUERY_LENGTH_MAX = 100
/** An offer a little over the budget is worth showing as a near miss. */
const OVER_BUDGET = 1.3
/** With less time than this no further page is read. */
const PAGE_MS = 150

/** In the order of SOURCE_NAMES, so that nothing depends on which source answers first. */
export async function collectOffers(
  sources: Sources, calls: SourceCalls, search: OfferSearch,
): Promise<readonly SourceOutcome[]> {
  const { understood, sources: named, caller, deadlineMs } = search
  const skipped = new Map<SourceName, string>()
  const included = SOURCE_NAMES.filter((name) => {
    const why = whySkipped(name, sources, named, understood, caller)
    if (why !== undefined) skipped.set(name, why)
    return why === undefined
  })
  const { parts } = understood
  const needs = (parts.length > 0 ? parts : [understood]).map((one) =>
    needOf(one, Math.ceil(search.wanted / Math.max(1, parts.length))))
  const outcomes = new Map((await queryAll(included.map((name) => ({
    source: name,
    run: (ms) => searchAll(name, (query, left) => calls.search(name, query, caller, left),
      needs.map((need) => ({ ...need, isOneOf: needs.length,
        pageSizeMax: sources.get(name)?.capabilities.pageSizeMax ?? PAGE_SIZE })), ms),
  })), deadlineMs)).map((outcome) => [outcome.source, outcome]))
  return SOURCE_NAMES.map((source) => outcomes.get(source)
    ?? { source, status: 'skipped', ms: 0, found: null, note: skipped.get(source) ?? '' })
}

function whySkipped(
  name: SourceName, sources: Sources, named: readonly SourceName[] | undefined,
  { food }: Understanding, { agent }: Caller,
): string | undefined {
  if (named && !named.includes(name)) return 'was not among the sources asked for'
  if (!sources.has(name)) return 'is not configured'
  if (name === 'food' && !named && food === null) return 'is asked for meals and delivery only'
  if (name !== 'food' && !named && food?.meant === 'yes') return 'does not deliver meals'
  return agent === null && name !== 'shelf' ? NEEDS_KEY : undefined
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
  /** How many goods the sentence names. */
  readonly isOneOf: number
}

type Search = (query: SearchQuery, deadlineMs: number) => Promise<SearchResult>

/** Several goods one after the other: the first alone would fill the page. */
async function searchAll(
  name: SourceName, search: Search, needs: readonly SourceNeed[], ms: number,
): Promise<SearchResult> {
  const end = monotonicMs() + ms
  const left = (): number => end - monotonicMs()
  let found: SearchResult | undefined
  for (const need of needs) {
    if (found && left() < PAGE_MS) break
    try {
      const more = await searchSource(name, search, need, left)
      found = found ? joined(found, more) : more
    } catch (error) {
      if (!found) throw error
      break
    }
  }
  return found ?? { items: [], total: 0, dropped: 0 }
}

/** Reads pages until enough items fit, the list ends, or the time is over. */
async function searchSource(
  name: SourceName, search: Search, need: SourceNeed, left: () => number,
): Promise<SearchResult> {
  const callsMax = name === 'shelf' || name === 'food' ? Infinity : CALLS_MAX
  let found: SearchResult | undefined
  let callCount = 0
  /** A query whose list has ended has no next page. */
  let ended: SearchQuery | undefined
  const fitting = (): number => countFitting(found, need)
  for (const query of queriesFor(name, need, fitting)) {
    if (query.page > 1 && query.q === ended?.q && query.priceMin === ended.priceMin) continue
    // Unit prices are compared over all.
    const isServed = need.understood.per === null && fitting() >= need.wanted
    if (found && (isServed || left() < PAGE_MS || callCount >= callsMax)) break
    callCount += 1
    try {
      const more = await search(query, left())
      found = found ? joined(found, more) : more
      if (more.items.length + more.dropped < query.pageSize) ended = query
    } catch (error) {
      // The items so far are worth more than the failure of a further page.
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
  // Only the service compares prices by the sheet or the litre.
  const isByPrice = understood.mode?.value === 'cheapest' && understood.per === null
  const sort = isByPrice ? 'price_asc' as const
    : understood.mode?.value === 'quality' ? 'price_desc' as const : undefined
  const limitsOf = ({ min, max }: Bounds): Partial<SearchQuery> => ({
    ...(min > 0 && { priceMin: min }), ...(Number.isFinite(max) && { priceMax: max }),
    ...(sort && { sort }),
  })
  const wider = widened(bounds, understood.budget, BANDS_MAX)
  const isAbout = wider.min < bounds.min
  // Our own shelf reads an approximate price in the sentence itself.
  const limits = limitsOf(!isAbout || !isShelf ? bounds
    : isOneOf > 1 ? wider : { min: 0, max: Infinity })
  const pagesMax = isOneOf > 1 && !isShelf ? 1
    : isShelf && understood.per !== null ? UNIT_PAGES_MAX : PAGES_MAX
  const terms = isOneOf > 1 ? [...new Set([texts[0] ?? '', texts.at(-1) ?? ''])] : texts
  for (const [at, q] of terms.entries()) {
    // Where the first words find enough, no wider ones are searched.
    if (at > 0 && fitting() >= HANDFUL) break
    for (let page = 1; page <= pagesMax; page += 1) {
      yield { q, page, pageSize, ...limits }
    }
  }
  if (!isShelf && isAbout && fitting() < HANDFUL) {
    for (const q of terms) yield { q, page: 1, pageSize, ...limitsOf(wider) }
  }
  // Only our own shelf is searched for near misses of the budget: it costs no platform a call.
  if (isShelf && Number.isFinite(bounds.max)) {
    yield { q: texts[0] ?? '', page: 1, pageSize: Math.min(5, pageSizeMax),
      priceMin: bounds.max + 1, priceMax: Math.ceil(bounds.max * OVER_BUDGET), sort: 'price_asc' }
  }
}

/** Dishes only, each on its first page: menus do not have the other words. */
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

/** How many are of the right kind and fulfil all wishes. */
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

// All sources at once under one deadline: a late one is left out and named.

export interface SourceQuery {
  readonly source: SourceName
  run(deadlineMs: number): Promise<SearchResult>
}

export interface SourceOutcome {
  readonly source: SourceName
  readonly status: 'ok' | 'timeout' | 'error' | 'open' | 'skipped'
  readonly ms: number
  readonly found: SearchResult | null
  /** Why there are no items, in our own words. */
  readonly note?: string
}

/** Always resolves, in the order of the queries, at the deadline at the latest. */
export async function queryAll(
  queries: readonly SourceQuery[], deadlineMs: number,
): Promise<readonly SourceOutcome[]> {
  const began = monotonicMs()
  const elapsed = (): number => Math.round(monotonicMs() - began)
  const outcomes = new Map<SourceName, SourceOutcome>()
  const one = async ({ source, run }: SourceQuery): Promise<void> => {
    let outcome: SourceOutcome
    try {
      const found = await run(deadlineMs)
      outcome = { source, status: 'ok', ms: elapsed(), found }
    } catch (error) {
      outcome = { source, ...failed(error), ms: elapsed(), found: null }
    }
    outcomes.set(source, outcome)
  }
  try {
    await withDeadline(Promise.all(queries.map(one)), deadlineMs, () => new Error('late'))
  } catch {
    // Sources without an answer are named below.
  }
  return queries.map(({ source }) => outcomes.get(source)
    ?? { source, status: 'timeout', ms: elapsed(), found: null, note: FAILURES.timeout.says })
}

function failed(error: unknown): Pick<SourceOutcome, 'status' | 'note'> {
  // Any other error is this source's and must not fail the others.
  if (error instanceof Refusal) return { status: 'skipped', note: ERRORS[error.error].msg }
  if (!(error instanceof SourceError)) return { status: 'error', note: 'could not be asked' }
  const status = error.kind === 'timeout' ? 'timeout' : error.kind === 'open' ? 'open' : 'error'
  return { status, note: FAILURES[error.kind].says }
}

// Keywords for platforms, which take no sentences and know goods by Chinese names.

const NAMES_MAX = 2
const VALUES_MAX = 2
/** Values that titles have in the same words. */
const IN_TITLES: readonly SlotKind[] = ['named', 'size', 'feature', 'audience', 'colour']

const IN_CHINESE = /^\p{Script=Han}{2,}$/u

/** The best first; the next where it finds too little. Only words that were understood. */
export function mallKeywords(understood: Understanding, plan: Plan): string[] {
  const { keywords, sentence } = understood
  const said = keywords.filter(({ role }) => role === 'brand' || role === 'model')
    .map(({ folded }) => folded)
  const names = namesOf(understood, plan)
  if (names.length === 0) {
    const words = keywords.map(({ folded }) => folded)
    return [words.join(' ') || plan.slots.map(({ name }) => name).join(' ') || sentence]
  }
  const values = plan.slots.filter(({ kind }) => IN_TITLES.includes(kind))
    .map(({ name, value }) => value ?? name.split('/')[0] ?? '')
    .filter((name) => /\p{Script=Han}|\d/u.test(name))
    .slice(0, VALUES_MAX)
  const plain = names.map((name) => [...said, name].join(' '))
  return values.length === 0 ? plain
    : [[...said, ...values, names[0]].join(' '), ...plain]
}

/** A name that all likely kinds share, else the names of the most likely. */
function namesOf({ keywords }: Understanding, { mainKinds }: Plan): string[] {
  const kinds = [...mainKinds].flatMap((kind) => taxonomy().kinds.get(kind) ?? [])
  const [said] = keywords.filter(({ role, folded }) => role === 'kind'
    && IN_CHINESE.test(folded)
    && kinds.every(({ name_zh, aliases }) => name_zh.includes(folded) || aliases.includes(folded)))
  const isShared = said !== undefined && kinds.every(({ name_zh }) => name_zh.includes(said.folded))
  if (isShared && kinds.length > 1) return [said.folded]
  const names = kinds.slice(0, NAMES_MAX).map(({ name_zh }) => name_zh)
  // 蓝牙耳机 finds what 真无线蓝牙耳机 does not.
  return isShared && !names.includes(said.folded) ? [...names, said.folded] : names
}
