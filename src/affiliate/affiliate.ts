/** The affiliate layer's operations. Platforms' failures leave it as refusals. */
import type { SourceName } from '../../adapters/names.ts'
import type { MallSort } from '../../adapters/index.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import type { Quota } from '../limits/quota.ts'
import type { Tiers } from '../limits/tiers.ts'
import type { Goods } from '../goods/goods.ts'
import type { Logger } from '../log.ts'
import type { Mode } from '../contract/money.ts'
import type { AgentCaller, Caller } from '../contract/caller.ts'
import type { RedisClient } from '../redis/connect.ts'
import { Counters } from '../redis/counters.ts'
import type { Durable } from '../redis/durable.ts'
import type { Secrets } from '../secrets/derive.ts'
import { createSourceCalls, type SourceCalls, toRefusal } from './source-calls.ts'
import { compareItems } from './compare/index.ts'
import { createConvert, type ConvertInput } from './convert.ts'
import { createLinks } from './links.ts'
import { createOfferLinks } from './offer-links.ts'
import { listMallOrders, type OrdersQuery } from './mall-orders.ts'
import { itemIdOf, itemRefOf, mallItem } from './items.ts'
import type { ShopPages } from './shop-pages.ts'
import type { MallSettings } from './settings.ts'
import { createSharedAnswers } from './shared-answers.ts'
import { smartSearch, type SmartSearchInput } from './smart-search.ts'
import { openSources, type SourcesOptions } from './sources.ts'

export interface SearchInput {
  readonly q: string
  readonly price_min?: number
  readonly price_max?: number
  readonly with_coupon?: boolean
  readonly sort?: MallSort
  readonly page?: number
  readonly page_size?: number
}

export interface ShopsInput {
  readonly q: string
  readonly brand_only?: boolean
  readonly page?: number
  readonly page_size?: number
}

export type Affiliate = ReturnType<typeof createAffiliate>

export interface AffiliateOptions {
  readonly config: Config
  readonly ledger: RedisClient
  readonly counters: RedisClient
  readonly quota: Quota
  readonly durable: Pick<Durable, 'run'>
  readonly settings: MallSettings
  readonly shopPages: ShopPages
  readonly tiers: Tiers
  readonly goods: Goods
  readonly secrets: Secrets
  readonly log: Logger
  readonly observe?: SourcesOptions['observe']
}

/** For a call to one named platform: people wait longer for it than for a list. */
const DEADLINE_MS = 5000
const PAGE_SIZE = 10

export function createAffiliate(options: AffiliateOptions) {
  const { settings, shopPages, tiers, goods, config, ledger, durable, log, quota } = options
  const counters = new Counters(options.counters, log)
  const { sources, close } = openSources({
    settings, shopPages, tiers, goods, counters, log, observe: options.observe,
    callsPerSecond: config.mallCallsPerSecond,
  })
  const calls = createSourceCalls({ sources, answers: createSharedAnswers({ counters }), quota })
  const links = createLinks({
    ledger, durable, counters: options.counters, publicUrl: config.publicUrl, shopPages,
  })
  const convert = createConvert({ calls, links, goods, shopPages })
  const offers = createOfferLinks({
    secrets: options.secrets, ledger, goods, links, convert, publicUrl: config.publicUrl, log,
  })
  return {
    sources, links, offers, close,
    /** Orders at a simulated platform are pretended ones. */
    modeOf: (name: SourceName): Mode => (shopPages.isSimulated(name) ? 'sandbox' : 'live'),
    search: (name: SourceName, input: SearchInput, caller: AgentCaller) =>
      asRefusal(() => search(calls, name, input, caller)),
    shops: (input: ShopsInput, caller: AgentCaller) => asRefusal(() => shops(calls, input, caller)),
    itemInfo: (items: readonly string[], caller: AgentCaller) =>
      asRefusal(() => itemInfo(calls, items, caller)),
    smartSearch: (input: SmartSearchInput, caller: Caller) => asRefusal(() =>
      smartSearch({ sources, calls, deadlineMs: config.fanOutMs }, input, caller)),
    compare: (items: readonly string[], caller: Caller) =>
      asRefusal(() => compareItems(sources, calls, items, caller)),
    convert: (name: SourceName, input: ConvertInput, caller: AgentCaller) =>
      asRefusal(() => convert(name, input, caller)),
    orders(name: SourceName, query: OrdersQuery, caller: AgentCaller) {
      calls.source(name)
      return listMallOrders(ledger, name, caller, query)
    },
  }
}

async function asRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toRefusal(error)
  }
}

async function search(
  calls: SourceCalls, name: SourceName, input: SearchInput, caller: AgentCaller,
) {
  const { q, price_min, price_max, with_coupon, sort, page = 1, page_size = PAGE_SIZE } = input
  if (price_min !== undefined && price_max !== undefined && price_min > price_max) {
    throw new Refusal('invalid_request', {
      fields: [{ path: 'price_min', problem: 'must not be above price_max' }],
    })
  }
  const { items, total } = await calls.search(name, {
    q, page, pageSize: page_size,
    ...(sort !== undefined && { sort }),
    ...(price_min !== undefined && { priceMin: price_min }),
    ...(price_max !== undefined && { priceMax: price_max }),
    ...(with_coupon !== undefined && { withCoupon: with_coupon }),
  }, caller, DEADLINE_MS)
  return { items: items.map(mallItem), total, page, page_size }
}

async function shops(calls: SourceCalls, input: ShopsInput, caller: AgentCaller) {
  const { q, brand_only, page = 1, page_size = PAGE_SIZE } = input
  const found = await calls.shops({
    q, page, pageSize: page_size, ...(brand_only !== undefined && { brandOnly: brand_only }),
  }, caller, DEADLINE_MS)
  return {
    shops: found.shops.map(({ id, title, brand_store, image, url }) =>
      ({ shop_id: id, title, brand_store, image, shop_url: url })),
    total: found.total, page, page_size,
  }
}

/** Items of mall A by their ids or links, in the order of the request. */
async function itemInfo(calls: SourceCalls, texts: readonly string[], caller: AgentCaller) {
  const here = new Map([['mall_a', calls.source('mall_a')]] as const)
  const refs = texts.map((text) => itemRefOf(here, text))
  const ids = [...new Set(refs.flatMap(({ id }) => id ?? []))]
  const { items } = ids.length === 0 ? { items: [] }
    : await calls.items('mall_a', ids, caller, DEADLINE_MS)
  const known = new Map(items.map((item) => [item.id, item]))
  const found = refs.map(({ text, id }) => ({ text, item: known.get(id ?? '') }))
  const views = new Map(found.flatMap(({ item }) =>
    (item ? [[itemIdOf('mall_a', item.id), mallItem(item)] as const] : [])))
  return {
    items: [...views.values()],
    missing: found.filter(({ item }) => !item).map(({ text }) => text),
  }
}
