/** For tests of what belongs to a day or a month: that may end in the middle of one. */

/** Days begin at midnight in UTC, and eight hours earlier in China; months with them. */
const BETWEEN_MIDNIGHTS_MS = 8 * 3_600_000
/** Longer than any of these tests lasts. */
const LATELY_MS = 180_000

/** Options of such tests: what fails when a day has just begun is done once more, within it. */
export const overMidnight = {
  retry: { count: 1, condition: () => Date.now() % BETWEEN_MIDNIGHTS_MS < LATELY_MS },
} as const
