/** What one piece may cost. */
import type { Understanding } from './understanding.ts'

export interface Bounds {
  /** Fen. */
  readonly min: number
  readonly max: number
}

/** A budget for all together is shared by the pieces. */
export function boundsOf({ budget, quantity }: {
  readonly budget: Understanding['budget'], readonly quantity: { readonly count: number } | null,
}): Bounds {
  if (!budget) return { min: 0, max: Infinity }
  const pieces = budget.per === 'total' ? Math.max(1, quantity?.count ?? 1) : 1
  return {
    min: Math.ceil((budget.min ?? 0) / pieces),
    max: Math.floor((budget.max ?? Infinity) / pieces),
  }
}
