import { Type } from 'typebox'
import { Optional, PAGE_SIZE_MAX, SEARCH_DEPTH_MAX } from '../../contract/fields.ts'
import { Refusal } from '../../contract/errors.ts'
import { randomBase62 } from '../../contract/ids.ts'
import { JsonText } from '../../contract/json.ts'
import { chain } from '../../contract/maybe-promise.ts'
import type { GoodsQuery } from '../../goods/goods.ts'
import { CATALOG_SEARCH } from '../capabilities.ts'
import { defineUcp } from '../operation.ts'
import { Filters, Pagination, SearchOutput } from './fields.ts'
import {
  type CatalogItem, messagesOf, offerNotes, productIdIn, productOf, variantOf, type Wanted,
} from './product.ts'
import { type CatalogView, isOffer, offerId, viewFor } from './view.ts'

const PAGE_SIZE = 10
const CATEGORY = /^(?:[1-9]|1[0-9]|2[0-4])$/
const CURSOR = /^p([1-9][0-9]{0,3})\.([1-9][0-9]?)$/
/** What some platforms send for everything. */
const ANYTHING = '*'

export const searchCatalog = defineUcp({
  name: 'search_catalog',
  title: 'Search the catalogue',
  description: 'Products that this business sells, by text, category and price; with filters alone '
    + 'it lists them. Ranked as search_goods ranks them. With a key the offers of malls, too: each '
    + 'is bought at its url, which attributes the sale to you.',
  capability: CATALOG_SEARCH,
  access: 'anyone',
  effect: 'read',
  route: 'POST /catalog/search',
  payload: {
    name: 'catalog',
    schema: Type.Object({
      query: Optional(Type.String({ maxLength: 200, description: 'What is looked for' })),
      filters: Optional(Filters),
      pagination: Optional(Pagination),
    }),
  },
  output: SearchOutput,
  fails: [],
  example: { catalog: { query: '蓝牙耳机', filters: { price: { max: 30_000 } } } },

  handle({ payload }, { services, caller }) {
    const query = knownQueryOf(payload)
    if (query === undefined) return { products: [], pagination: { has_next_page: false } }
    const view = viewFor(caller, services)
    return chain(view.search(query), (text) => answerOf(view, text))
  },
})

interface SearchInput {
  readonly query?: string
  readonly filters?: Wanted
  readonly pagination?: { readonly cursor?: string, readonly limit?: number }
}

/** Of what was asked: the same object is the same question. */
const queries = new WeakMap<SearchInput, Readonly<GoodsQuery>>()

function knownQueryOf(input: SearchInput): GoodsQuery | undefined {
  const known = queries.get(input)
  if (known) return known
  const query = queryOf(input)
  if (query) queries.set(input, Object.freeze(query))
  return query
}

/** Undefined where no product can fit. */
function queryOf({ query = '', filters, pagination = {} }: SearchInput): GoodsQuery | undefined {
  const { categories = [], price } = filters ?? {}
  if (query === '' && categories.length === 0 && price === undefined) {
    throw invalid('catalog', 'must have a query or a filter')
  }
  // Any of them; one that there is none of has no product.
  const ids = [...new Set(categories.filter((one) => CATEGORY.test(one)).map(Number))]
  if (categories.length > 0 && ids.length === 0) return undefined
  return {
    ...(query !== '' && query !== ANYTHING && { q: query }),
    ...(ids.length === 1 && { category_id: ids[0] as number }),
    ...(ids.length > 1 && { category_ids: ids.toSorted((one, other) => one - other) }),
    ...(price?.min !== undefined && { price_min: price.min }),
    ...(price?.max !== undefined && { price_max: price.max }),
    ...pageOf(pagination),
  }
}

function pageOf({ cursor, limit = PAGE_SIZE }: NonNullable<SearchInput['pagination']>) {
  if (cursor === undefined) return { page: 1, page_size: Math.min(limit, PAGE_SIZE_MAX) }
  const [, page, size] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (page === undefined || Number(size) > PAGE_SIZE_MAX) {
    throw invalid('catalog.pagination.cursor', 'is not one of ours: take it from the last answer')
  }
  return { page: Number(page), page_size: Number(size) }
}

const invalid = (path: string, problem: string): Refusal =>
  new Refusal('invalid_request', { fields: [{ path, problem }] })

interface Page {
  readonly items: readonly CatalogItem[]
  readonly total: number
  readonly total_is_estimate: boolean
  readonly page: number
  readonly page_size: number
  readonly relaxed?: { readonly note: string }
}

/** A page of UCP, between whose parts stands what the addresses of offers have of the agent. */
interface KeptPage {
  readonly parts: readonly [Buffer, ...Buffer[]]
  /** One between two parts. */
  readonly offers: readonly string[]
  /** Of a page without offers: the same for all callers. */
  readonly whole: JsonText | undefined
}

/** A page of goods is the same object as long as nothing in it has changed. */
const pages = new WeakMap<JsonText, KeptPage>()
/** Stands in no text of a merchant. */
const MARK = randomBase62(24)

function answerOf(view: CatalogView, text: JsonText): JsonText {
  let kept = pages.get(text)
  if (!kept) pages.set(text, kept = keepPage(view, text.toJSON() as Page))
  const { parts: [first, ...rest], offers, whole } = kept
  if (whole) return whole
  const marks = Buffer.from(view.marksOf(offers), 'latin1')
  const length = marks.length / offers.length
  const chunks: [Buffer, ...Buffer[]] = [first]
  for (const [at, part] of rest.entries()) {
    chunks.push(marks.subarray(at * length, (at + 1) * length), part)
  }
  return new JsonText(chunks)
}

function keepPage(view: CatalogView, page: Page): KeptPage {
  const offers: string[] = []
  const marking = {
    ...view,
    address(item: CatalogItem): string {
      if (!isOffer(item)) return view.address(item)
      offers.push(offerId(item))
      return view.addressOf(offerId(item)) + MARK
    },
  }
  const json = JSON.stringify(searchAnswer(marking, page))
  const [first = '', ...rest] = json.split(MARK)
  return {
    offers,
    parts: [Buffer.from(first), ...rest.map((part) => Buffer.from(part))],
    whole: offers.length === 0 ? new JsonText(json) : undefined,
  }
}

function searchAnswer(view: CatalogView, page: Page): object {
  const { items, total, total_is_estimate: isEstimate, page: nth, page_size: size, relaxed } = page
  const byProduct = new Map<string, [CatalogItem, ...CatalogItem[]]>()
  for (const item of items) {
    const others = byProduct.get(productIdIn(item))
    if (others) others.push(item)
    else byProduct.set(productIdIn(item), [item])
  }
  const hasNext = nth * size < Math.min(total, SEARCH_DEPTH_MAX) && items.length > 0
  return {
    products: [...byProduct.values()].map((of) =>
      productOf(view, of, of.map((item, at) => variantOf(view, item, { isFeatured: at === 0 })))),
    pagination: {
      has_next_page: hasNext,
      ...(hasNext && { cursor: Buffer.from(`p${nth + 1}.${size}`).toString('base64url') }),
      ...(!isEstimate && { total_count: total }),
    },
    ...messagesOf([
      ...(relaxed && items.length > 0
        ? [{ type: 'info', code: 'relaxed', content: relaxed.note } as const] : []),
      ...offerNotes(items),
    ]),
  }
}
