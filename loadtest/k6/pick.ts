/** Choices of a caller who has no plan. */
import { plan } from './plan.ts'
import type { PlannedItem } from '../load/plan.ts'

export const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

export const pickItem = (): PlannedItem => pick(plan.items)

/** One of the choices, each as likely as its weight. */
export function pickWeighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
  let left = Math.random() * choices.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, choice] of choices) {
    left -= weight
    if (left < 0) return choice
  }
  return choices[0]?.[1] as T
}
