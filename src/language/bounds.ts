/** What one piece may cost. */
import type { Understanding } from './understanding.ts'

export interface Bounds {
  /** Fen. */
  readonly min: number
  readonly max: number
}

/** A budget for all together is shared by the pieces, and by the goods. */
export function boundsOf({ budget, quantity, more = [] }: {
  readonly budget: Understanding['budget'], readonly quantity: { readonly count: number } | null,
  readonly more?: Understanding['more'],
}): Bounds {
  if (!budget) return { min: 0, max: Infinity }
  const isShared = budget.per === 'total' || more.length > 0
  const pieces = isShared ? Math.max(1, quantity?.count ?? 1, more.length + 1) : 1
  return {
    min: isShared && more.length > 0 ? 0 : Math.ceil((budget.min ?? 0) / pieces),
    max: Math.floor((budget.max ?? Infinity) / pieces),
  }
}

/** How much further each band reaches to either side. */
const BAND = 0.17
export const BANDS_MAX = 2

/** A price that was only about named reaches further where too little lies within it. */
export function widened(
  { min, max }: Bounds, budget: Understanding['budget'], band: number,
): Bounds {
  const isAbout = budget?.kind === 'about' && min > 0 && Number.isFinite(max)
  return isAbout ? { min: Math.ceil(min * (1 - BAND * band)),
    max: Math.floor(max * (1 + BAND * band)) } : { min, max }
}

/** 0 within the bounds, then by how many bands a price lies outside; undefined beyond all. */
export function bandOf(
  price: number, bounds: Bounds, budget: Understanding['budget'],
): number | undefined {
  for (let band = 0; band <= BANDS_MAX; band += 1) {
    const { min, max } = widened(bounds, budget, band)
    if (price >= min && price <= max) return band
  }
  return undefined
}
