/** The limits of an agent as they are given, and as they stand in its record. */
import { Refusal } from '../contract/errors.ts'
import { OwnerLimits } from '../contract/owner-limits.ts'
import { problemsOf } from '../validate.ts'

/** Refuses with invalid_request, and every problem at once. */
export function assertOwnerLimits(given: unknown): asserts given is OwnerLimits {
  const fields = problemsOf(OwnerLimits, given)
  if (fields.length > 0) throw new Refusal('invalid_request', { fields })
}

/** As it stands in the agent's record; empty where nothing is limited. */
export const limitsText = (limits: OwnerLimits): string =>
  (Object.keys(limits).length > 0 ? JSON.stringify(limits) : '')

export const limitsOf = (text: string | null | undefined): OwnerLimits | undefined =>
  (text ? JSON.parse(text) as OwnerLimits : undefined)
