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
  /** By their text, whatever the order of the walk: two reports can be compared. */
  readonly violations: readonly Violation[]
  /** What an operator should know and is no violation. */
  readonly warnings: readonly string[]
}

/** What puts right what is wrong, by invariant; of the others the runbook says what to look at. */
export const MENDED_BY: Readonly<Record<string, string>> = {
  earned: 'agentmall rebuild earnings', source: 'agentmall rebuild earnings',
  claim: 'agentmall rebuild orders', claim_kept: 'agentmall rebuild orders',
  listed: 'agentmall rebuild orders', list: 'agentmall rebuild orders',
  feed: 'agentmall rebuild orders',
}

/** A broken ledger may have millions: these are enough to see what is wrong. */
const VIOLATIONS_MAX = 1000

export interface VerifyTally {
  count(what: string, by?: number): void
  add(violations: readonly Violation[]): void
  warn(warning: string): void
  report(): VerifyReport
}

export function createTally(): VerifyTally {
  const checked: Record<string, number> = {}
  const warnings: string[] = []
  const listed = new Map<string, Violation>()
  const count = (what: string, by = 1): void => { checked[what] = (checked[what] ?? 0) + by }
  return {
    count,
    add(found) {
      for (const violation of found) {
        const text = Object.values(violation).join(' ')
        // A walk over all keys may come by the same one twice.
        if (listed.has(text)) continue
        if (listed.size === VIOLATIONS_MAX) {
          count('violations not listed')
          continue
        }
        listed.set(text, violation)
      }
    },
    warn: (warning) => { warnings.push(warning) },
    report: () => ({
      checked,
      violations: [...listed.keys()].toSorted().map((text) => listed.get(text) as Violation),
      warnings,
    }),
  }
}
