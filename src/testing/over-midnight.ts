/** For tests of what belongs to a day or a month: that may end in the middle of one. */
import { test } from 'vitest'

/** Days begin at midnight in UTC, and eight hours earlier in China; months with them. */
const BETWEEN_MIDNIGHTS_MS = 8 * 3_600_000
const midnightsSoFar = (): number => Math.floor(Date.now() / BETWEEN_MIDNIGHTS_MS)

/** The same test; where it failed and midnight came meanwhile, once more. */
export const overMidnight = <Given extends unknown[]>(
  work: (...given: Given) => Promise<void>,
) => async (...given: Given): Promise<void> => {
  const before = midnightsSoFar()
  try {
    await work(...given)
  } catch (error) {
    if (midnightsSoFar() === before) throw error
    await work(...given)
  }
}

export const testOfDay = (name: string, work: () => Promise<void>): void =>
  // oxlint-disable-next-line vitest/expect-expect -- what it expects is in the work
  test(`${name}`, overMidnight(work))
