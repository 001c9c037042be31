/** What a verification has counted and found. */

export interface Violation {
  /** Name of the invariant, as in the table of its file. */
  readonly invariant: string
  /** What it is about: an order, a product, a partition, a key's owner. */
  readonly subject: string
  readonly detail: string
}

export interface VerifyReport {
  /** How many of each were looked at. */
  readonly checked: Record<string, number>
  readonly violations: readonly Violation[]
  /** What an operator should know and is no violation. */
  readonly warnings: readonly string[]
}

/** A broken ledger may have millions: these are enough to see what is wrong. */
const VIOLATIONS_MAX = 1000

export interface Tally extends VerifyReport {
  count(what: string, by?: number): void
  add(violations: readonly Violation[]): void
  warn(warning: string): void
}

export function createTally(): Tally {
  const checked: Record<string, number> = {}
  const violations: Violation[] = []
  const warnings: string[] = []
  const listed = new Set<string>()
  const count = (what: string, by = 1): void => { checked[what] = (checked[what] ?? 0) + by }
  return {
    checked,
    violations,
    warnings,
    count,
    add(found) {
      for (const violation of found) {
        const text = Object.values(violation).join(' ')
        // A walk over all keys may come by the same one twice.
        if (listed.has(text)) continue
        if (violations.length === VIOLATIONS_MAX) {
          count('violations not listed')
          continue
        }
        listed.add(text)
        violations.push(violation)
      }
    },
    warn: (warning) => { warnings.push(warning) },
  }
}
