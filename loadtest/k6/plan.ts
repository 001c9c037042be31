/** What the runner planned for this run. */
import type { MixEntry, Plan } from '../load/plan.ts'

export const plan = JSON.parse(open(__ENV['PLAN'] as string)) as Plan

export function mixEntry(operation: string): MixEntry {
  const entry = plan.mix[operation]
  if (!entry) throw new Error(`The mix has no operation ${operation}.`)
  return entry
}

/** What stands in the plan only for runs that need it. */
export function planned<T>(value: T | null, what: string): T {
  if (value === null) throw new Error(`The plan has no ${what}.`)
  return value
}
