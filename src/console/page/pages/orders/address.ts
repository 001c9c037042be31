/** What the address of a list of orders says. */
import { signal } from '@preact/signals'
import { changeQuery } from '../../router.ts'

/** What the API is asked for. */
export const ASKED = ['status', 'source', 'agent', 'from', 'to', 'q', 'sort', 'page'] as const

/** The list as it was left: where "all orders" leads back to. */
export const listAddress = signal('/orders')

/** How many of them leave orders out. */
export const filtersIn = (asked: URLSearchParams): number =>
  [...asked.keys()].filter((name) => name !== 'page' && name !== 'sort').length

export const clearFilters = (): void =>
  changeQuery(Object.fromEntries(ASKED.map((name) => [name, ''])))

/** Of a purchase's own page. */
export const purchaseAddress = (id: string): string =>
  `/purchases/${encodeURIComponent(id).replaceAll('%3A', ':')}`
