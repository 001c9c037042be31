/** What a caller asks of the goods, with its bounds checked as far as a schema cannot. */
import { Refusal } from '../contract/errors.ts'
import { SEARCH_DEPTH_MAX as DEPTH_MAX } from '../contract/fields.ts'
import { fold } from '../language/fold.ts'
import { understand } from '../language/understand.ts'
import type { Supply } from './line.ts'
import type { Sort } from './query.ts'
import type { Request } from './search.ts'

export interface GoodsQuery {
  readonly q?: string
  readonly category_id?: number
  readonly price_min?: number
  readonly price_max?: number
  readonly supply?: Supply
  readonly sort?: Sort
  readonly page?: number
  readonly page_size?: number
  readonly explain?: boolean
}

export const PAGE_SIZE_DEFAULT = 20

/** Own goods alone, or the curated shelf of every supply. */
export type Face = 'goods' | 'shelf'

/** Of queries that come again: those that cannot change. */
const knownKeys = { goods: new WeakMap<GoodsQuery, string>(), shelf: new WeakMap() }

/** Equal for queries that have the same answer. */
export function queryKey(face: Face, query: GoodsQuery): string {
  const known = knownKeys[face].get(query)
  if (known !== undefined) return known
  const key = `${face}|${makeKey(query)}`
  if (Object.isFrozen(query)) knownKeys[face].set(query, key)
  return key
}

/** What callers write freely stands last. */
function makeKey(query: GoodsQuery): string {
  const { q = '', category_id = '', price_min = '', price_max = '', supply = '',
    sort = 'relevance', page = 1, page_size = PAGE_SIZE_DEFAULT, explain = false } = query
  return `${category_id}|${price_min}|${price_max}|${supply}|${sort}|${page}|${page_size}|`
    + `${explain ? 1 : ''}|` + fold(q).trim()
}

export function readRequest(face: Face, query: GoodsQuery): Request {
  const { q = '', category_id, price_min, price_max, sort = 'relevance', page = 1,
    page_size = PAGE_SIZE_DEFAULT } = query
  const supply = face === 'goods' ? 'own' : query.supply
  if (price_min !== undefined && price_max !== undefined && price_min > price_max) {
    const problem = 'price_min must not be above price_max'
    throw new Refusal('invalid_request', {
      fields: [{ path: 'price_min', problem }, { path: 'price_max', problem }],
    })
  }
  const offset = (page - 1) * page_size
  if (offset >= DEPTH_MAX) {
    throw new Refusal('invalid_request', {
      hint: `Pages reach to item ${DEPTH_MAX}: add words, a category_id or a price range instead.`,
      fields: [{ path: 'page', problem: `must not begin beyond item ${DEPTH_MAX}` }],
    })
  }
  return {
    understood: understand(q),
    sort,
    offset,
    count: Math.min(page_size, DEPTH_MAX - offset),
    ...(category_id !== undefined && { category: category_id }),
    ...(price_min !== undefined && { min: price_min }),
    ...(price_max !== undefined && { max: price_max }),
    ...(supply !== undefined && { supply }),
    ...(query.explain && { explain: true }),
  }
}
