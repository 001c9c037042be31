/**
 * The vocabulary of the normal form: platforms, sources, conditions of a price, statuses of an
 * order. The service's own schemas are made of the same lists. Needs no code that calls a platform.
 */
export const MALL_NAMES = ['mall_a', 'mall_b', 'mall_c', 'food'] as const
export type MallName = (typeof MALL_NAMES)[number]

export const SOURCE_NAMES = ['shelf', ...MALL_NAMES] as const
export type SourceName = (typeof SOURCE_NAMES)[number]
export const CONDITIONS = ['member', 'first_order', 'group', 'deposit', 'region'] as const
export const ORDER_STATUSES =
  ['pending', 'paid', 'received', 'settled', 'invalid', 'unknown'] as const
