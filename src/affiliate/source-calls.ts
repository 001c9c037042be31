/**
 * Calls to sources: equal calls of several callers are made once for all nodes, and only what
 * reaches a platform takes from its caller's daily quota. A platform's failure leaves as a refusal,
 * never in the platform's own words.
 */
import type { SourceName } from '../../adapters/names.ts'
import {
  type FailureKind, FAILURES, type ItemsResult, type Payer, type SearchQuery, type SearchResult,
  type ShopQuery, type ShopsResult, type Source, SourceError,
} from '../../adapters/index.ts'
import type { Caller } from '../contract/caller.ts'
import { type ErrorName, Refusal } from '../contract/errors.ts'
import type { Quota } from '../limits/quota.ts'
import type { SharedAnswers } from './shared-answers.ts'
import type { Sources } from './sources.ts'

export interface SourceCalls {
  /** Refuses with `not_configured` where the operator set up no such source. */
  source(name: SourceName): Source
  search(
    name: SourceName, query: SearchQuery, caller: Caller, deadlineMs: number,
  ): Promise<SearchResult>
  items(
    name: SourceName, ids: readonly string[], caller: Caller, deadlineMs: number,
  ): Promise<ItemsResult>
  shops(query: ShopQuery, caller: Caller, deadlineMs: number): Promise<ShopsResult>
  /** A call that no other caller shares, such as a conversion. */
  once<T>(
    name: SourceName, caller: Caller, call: (source: Source, payer: Payer) => Promise<T>,
  ): Promise<T>
}

export interface SourceCallOptions {
  readonly sources: Sources
  readonly answers: SharedAnswers
  readonly quota: Pick<Quota, 'take'>
}

const payerOf = ({ agent, tier }: Caller): Payer => ({ tier, agent: agent ?? '' })

export function createSourceCalls({ sources, answers, quota }: SourceCallOptions): SourceCalls {
  function sourceOf(name: SourceName): Source {
    const source = sources.get(name)
    if (!source) throw new Refusal('not_configured')
    return source
  }

  async function counted<T>(
    name: SourceName, caller: Caller, call: (source: Source, payer: Payer) => Promise<T>,
  ): Promise<T> {
    const source = sourceOf(name)
    const payer = payerOf(caller)
    // Our own shelf is not a platform.
    if (name === 'shelf') return await call(source, payer)
    const unit = await quota.take(caller, name)
    try {
      return await call(source, payer)
    } catch (error) {
      if (!wasSent(error)) unit.giveBack()
      throw error
    }
  }

  async function shared<T>(
    name: SourceName, query: object, caller: Caller, deadlineMs: number,
    call: (source: Source, payer: Payer) => Promise<T>,
  ): Promise<T> {
    if (name === 'shelf') return await counted(name, caller, call)
    sourceOf(name)
    return await answers.get(
      name, caller.tier, query, deadlineMs, () => counted(name, caller, call))
  }

  return {
    source: sourceOf,
    once: counted,
    search: (name, query, caller, deadlineMs) =>
      shared(name, { search: query }, caller, deadlineMs,
        (source, payer) => source.search(query, { deadlineMs, payer })),
    items: (name, ids, caller, deadlineMs) =>
      shared(name, { items: ids.toSorted() }, caller, deadlineMs,
        (source, payer) => source.items(ids, { deadlineMs, payer })),
    shops: (query, caller, deadlineMs) =>
      shared('mall_a', { shops: query }, caller, deadlineMs, async (source, payer) => {
        if (!source.shops) throw new SourceError('mall_a', 'permission')
        return await source.shops(query, { deadlineMs, payer })
      }),
  }
}

const ERROR_OF: Partial<Record<FailureKind, ErrorName>> = {
  not_found: 'not_found', invalid_arg: 'invalid_request', timeout: 'upstream_timeout',
}

/** Failures before anything was sent: they cost no quota. */
const UNSENT: ReadonlySet<FailureKind> = new Set(['open', 'busy', 'invalid_arg', 'aborted'])

const wasSent = (error: unknown): boolean =>
  error instanceof SourceError && !UNSENT.has(error.kind)

/** What is known of a platform is not an order, nor anybody's own. */
export const NO_ITEM =
  'Take item_id from a new search: the platform has no such item, or not any more.'

/** Returns other errors unchanged. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof SourceError)) return error
  const { source, kind, retryAfterMs } = error
  return new Refusal(ERROR_OF[kind] ?? 'upstream_failed', {
    source,
    reason: FAILURES[kind].says,
    ...(kind === 'not_found' && { hint: NO_ITEM }),
    ...(retryAfterMs !== undefined && { retry_after_s: Math.ceil(retryAfterMs / 1000) }),
  }, error)
}
