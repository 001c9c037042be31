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
  const isShared = budget.per === 'total' || (more.length > 0 && budget.per !== 'each')
  const pieces = isShared ? Math.max(1, quantity?.count ?? 1, more.length + 1) : 1
  return {
    min: isShared && more.length > 0 ? 0 : Math.ceil((budget.min ?? 0) / pieces),
    max: Math.floor((budget.max ?? Infinity) / pieces),
  }
}

/** Whether a price is asked for at all. */
export function isLimited(understood: Parameters<typeof boundsOf>[0]): boolean {
  const { min, max } = boundsOf(understood)
  return min > 0 || Number.isFinite(max)
}

/** How much further each band reaches to either side. */
const BAND = 0.085
export const BANDS_MAX = 5
/** Of one price that was about named: how far the first band and the whole reach. */
const NEAR = 0.1
const GUESSED = 1.5

/**
 * A price that was only about named reaches further where too little lies within it: the first
 * band is what comes near it, the second all that may be meant.
 */
export function widened(
  { min, max }: Bounds, budget: Understanding['budget'], band: number,
): Bounds {
  const isAbout = budget?.kind === 'about' && min > 0 && Number.isFinite(max)
  if (!isAbout) return { min, max }
  if (band === 0 && Math.abs(max / min - GUESSED) < 0.01) {
    const middle = (min + max) / 2
    return { min: Math.ceil(middle * (1 - NEAR)), max: Math.floor(middle * (1 + NEAR)) }
  }
  const reach = BAND * Math.max(0, band - 1)
  return { min: Math.ceil(min * (1 - reach)), max: Math.floor(max * (1 + reach)) }
}

/** 0 near what was said, 1 within the bounds, then by how many bands a price lies outside. */
export function bandOf(
  price: number, bounds: Bounds, budget: Understanding['budget'],
): number | undefined {
  for (let band = 0; band <= BANDS_MAX; band += 1) {
    const { min, max } = widened(bounds, budget, band)
    if (price >= min && price <= max) return band
  }
  return undefined
}
