/** All sources of goods as one list: the platforms as they are configured, and our own shelf. */
import { malls, type Clock, type Observation, type Source } from '../../adapters/index.ts'
import { nowMs } from '../contract/time.ts'
import type { Tiers } from '../limits/tiers.ts'
import type { Goods } from '../goods/goods.ts'
import type { Logger } from '../log.ts'
import { measures } from '../measures.ts'
import type { SOURCES } from '../contract/affiliate-fields.ts'
import type { Counters } from '../redis/counters.ts'
import { createCallBudget, overPromised } from './call-budget.ts'
import type { ShopPages } from './shop-pages.ts'
import type { MallSettings } from './settings.ts'
import { MALL_NAMES, type MallName } from '../../adapters/names.ts'
import { createShelfSource } from './shelf.ts'

export type SourceName = (typeof SOURCES)[number]
export type Sources = ReadonlyMap<SourceName, Source>

export interface SourcesOptions {
  readonly settings: MallSettings
  readonly shopPages: Pick<ShopPages, 'around' | 'has' | 'isSimulated'>
  readonly callsPerSecond: number
  readonly tiers: Tiers
  readonly goods: Goods
  readonly counters: Counters
  readonly log: Logger
  /** Told of every call to a platform. */
  readonly observe?: ((seen: Observation) => void) | undefined
}

const CLOCK: Clock = { now: nowMs }

export function openSources(
  {
    settings, shopPages, callsPerSecond, tiers, goods, counters, log, observe: tell,
  }: SourcesOptions,
): { readonly sources: Sources, close(): Promise<void> } {
  const observe = (observation: Observation): void => {
    const { outcome, ...seen } = observation
    tell?.(observation)
    measures.mallCalls.add(`${seen.source} ${outcome}`)
    if (outcome === 'ok') log.debug(seen, 'platform answered')
    else log.info({ ...seen, outcome }, 'platform failed')
  }
  const open = (name: MallName): [SourceName, Source][] => {
    const given = settings[name]
    if (!given) return []
    const shape = { rate_per_s: callsPerSecond, burst: 2 * callsPerSecond }
    const budget = createCallBudget({ counters, source: name, shape, tiers, clock: CLOCK })
    // Checked against the mall's own schema when they were read.
    const source = malls[name].open(given as never, { clock: CLOCK, budget, observe })
    return [[name, shopPages.around(source)]]
  }
  // What a simulator is asked costs nobody anything: a sandbox promises as it likes.
  const real = MALL_NAMES.filter((name) => settings[name] && !shopPages.isSimulated(name))
  const warning = real.length > 0 ? overPromised(tiers, callsPerSecond, real.length) : undefined
  if (warning !== undefined) log.warn(warning)
  const sources = new Map<SourceName, Source>(
    [['shelf', createShelfSource(goods, shopPages.has)], ...MALL_NAMES.flatMap(open)])
  return {
    sources,
    async close() {
      await Promise.all([...sources.values()].map((source) => source.close()))
    },
  }
}
