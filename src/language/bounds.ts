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
