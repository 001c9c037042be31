/** The platforms by name. Who only names one needs none of the code that calls it. */
export const MALL_NAMES = ['mall_a', 'mall_b', 'mall_c', 'food'] as const
export type MallName = (typeof MALL_NAMES)[number]
