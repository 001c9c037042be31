/**
 * What scripts know of the service: the load mix, made of the operation table, and the goods
 * that it sells.
 */
import defaults from '../../config/default.json' with { type: 'json' }
import { ERRORS } from '../../src/contract/errors.ts'
import type { OperationSpec } from '../../src/contract/operation.ts'
import { operations as table } from '../../src/operations/index.ts'
import { searchGoods } from '../../src/operations/search-goods.ts'
import { restForm } from '../../src/testing/rest-form.ts'
import type { MixEntry, Plan, PlannedItem } from '../k6/plan.ts'

/** What the 99th percentile may be where nobody else is asked, on two shared cores. */
const P99_MS = { read: 250, create: 500, update: 500 } as const
/** A search over all platforms is ended by its deadline; what is late then is our own. */
const LATE_MS = 50
/** A link's call of the platform has a deadline of its own. */
const CONVERT_MS = 5000

export interface MixOptions {
  readonly operations?: readonly OperationSpec[]
  /** What examples are pointed at; as they are without one. */
  readonly item?: PlannedItem | undefined
  readonly slack?: number
}

export function loadMix(
  { operations = table, item, slack = 1 }: MixOptions = {},
): Record<string, MixEntry> {
  return Object.fromEntries(operations.map((operation) => [
    operation.name, {
      operation: operation.name,
      route: operation.route,
      isTool: operation.tool !== false,
      input: item ? pointed(operation, item) : operation.example as Record<string, unknown>,
      refusals: operation.fails.filter((name) => ERRORS[name].status < 500),
      p99Ms: limitOf(operation) * slack,
    },
  ]))
}

function limitOf({ openWorld, effect }: OperationSpec): number {
  if (!openWorld) return P99_MS[effect]
  return effect === 'read' ? defaults.fanOutMs + LATE_MS : CONVERT_MS
}

/** The example with goods that the service has. */
function pointed({ name, example }: OperationSpec, item: PlannedItem): Record<string, unknown> {
  const input = { ...example as Record<string, unknown> }
  for (const field of ['sku_id', 'product_id', 'merchant_id'] as const) {
    if (field in input) input[field] = item[field]
  }
  if (name === 'shelf_item') input['item_id'] = `shelf:${item.sku_id}`
  return input
}

const PAGES = 10
const PAGE_SIZE = 50
/** Sold a few times each, these last for a run. */
const ITEMS_MAX = 300
const PLENTY = 200
/** Few enough that a flash sale is over soon. */
const SCARCE = { min: 5, max: 100 }
const WORDS_MAX = 200
const ASKED_MS_MAX = 10_000

export type Discovered = Pick<Plan, 'items' | 'scarce' | 'words' | 'tier'>

interface Page {
  readonly data: { readonly items: readonly (PlannedItem & { readonly title: string })[] }
}

export async function discover(baseUrl: string, key: string): Promise<Discovered> {
  const found: Page['data']['items'][number][] = []
  let tier = { rate_per_s: 0, burst: 0 }
  for (let page = 1; page <= PAGES; page += 1) {
    const { path } = restForm(searchGoods, { page, page_size: PAGE_SIZE })
    const response = await fetch(`${baseUrl}${path}`, {
      headers: { Authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(ASKED_MS_MAX),
    })
    if (response.status === 401) {
      throw new Error(`The service at ${baseUrl} does not know the key: set KEY to one of its own.`)
    }
    if (!response.ok) throw new Error(`${baseUrl}${path} answered ${response.status}.`)
    tier = tierOf(response.headers.get('RateLimit-Policy') ?? '')
    const { items } = (await response.json() as Page).data
    found.push(...items)
    if (items.length < PAGE_SIZE) break
  }
  const items = found.map(plannedItem).toSorted((a, b) => b.available_qty - a.available_qty)
  const plenty = items.filter(({ available_qty }) => available_qty >= PLENTY).slice(0, ITEMS_MAX)
  if (plenty.length === 0) {
    throw new Error(`No item among the first has ${PLENTY} units: a load would sell out.`)
  }
  return {
    items: plenty,
    scarce: items.find(({ available_qty }) =>
      available_qty >= SCARCE.min && available_qty <= SCARCE.max) ?? null,
    words: wordsOf(found.map(({ title }) => title)),
    tier,
  }
}

const plannedItem = ({ sku_id, product_id, merchant_id, available_qty }: PlannedItem) =>
  ({ sku_id, product_id, merchant_id, available_qty })

/** `"default";q=40;w=2`: as many at once, and all of them again after so many seconds. */
export function tierOf(policy: string): Plan['tier'] {
  const [, quantity, window] = /"default";q=(\d+);w=([\d.]+)/.exec(policy) ?? []
  return { rate_per_s: Number(quantity) / Number(window), burst: Number(quantity) }
}

/** What stands first in a title is what people look for: a brand, or a kind of goods. */
export const wordsOf = (titles: readonly string[]): string[] => [
  ...new Set(titles.flatMap((title) => title.split(/\s+/).slice(0, 2))
    .filter((word) => word.length >= 2 && word.length <= 12)),
].slice(0, WORDS_MAX)
