/**
 * Questions to sources: what several callers may share is asked once for all nodes, and only what
 * reaches a platform takes from its caller's daily quota.
 */
import {
  SourceError, type Payer, type ItemsResult, type SearchQuery, type SearchResult, type ShopQuery,
  type ShopsResult, type Source,
} from '../../adapters/index.ts'
import { Refusal } from '../contract/errors.ts'
import type { Quota } from '../limits/quota.ts'
import type { Caller } from '../contract/caller.ts'
import { wasSent } from './refusal.ts'
import type { SharedAnswers } from './shared-answers.ts'
import type { SourceName, Sources } from './sources.ts'

export interface Ask {
  /** Refuses with `not_configured` where the operator set up no such source. */
  source(name: SourceName): Source
  search(
    name: SourceName, query: SearchQuery, caller: Caller, deadlineMs: number,
  ): Promise<SearchResult>
  items(
    name: SourceName, ids: readonly string[], caller: Caller, deadlineMs: number,
  ): Promise<ItemsResult>
  shops(query: ShopQuery, caller: Caller, deadlineMs: number): Promise<ShopsResult>
  /** One call that is nobody else's, such as a conversion. */
  once<T>(
    name: SourceName, caller: Caller, call: (source: Source, payer: Payer) => Promise<T>,
  ): Promise<T>
}

export interface AskOptions {
  readonly sources: Sources
  readonly answers: SharedAnswers
  readonly quota: Pick<Quota, 'take'>
}

const payerOf = ({ agent, tier }: Caller): Payer => ({ tier, agent: agent ?? '' })

export function createAsk({ sources, answers, quota }: AskOptions): Ask {
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
    // Our own shelf is no platform.
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
    name: SourceName, question: object, caller: Caller, deadlineMs: number,
    call: (source: Source, payer: Payer) => Promise<T>,
  ): Promise<T> {
    if (name === 'shelf') return await counted(name, caller, call)
    sourceOf(name)
    return await answers.get(
      name, caller.tier, question, deadlineMs, () => counted(name, caller, call))
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
