/** Brings commissions of a platform's order lines to where the lines are, from their changes. */
import { bring, type Earned } from '../earnings/commission.ts'
import { mallSubject } from '../earnings/records.ts'
import { earnedByLine } from '../earnings/sources.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys, mallLines } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { isTrouble } from './aside.ts'
import type { Worker } from './lease.ts'

export interface MallCommissionOptions {
  readonly source: string
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run' | 'send' | 'read'>
  readonly log: Logger
  readonly everyMs?: number
}

const EVERY_MS = 1000
const READ_MAX = 200

export function mallCommissionWorker(options: MallCommissionOptions): Worker {
  const { source, ledger, durable, log, everyMs = EVERY_MS } = options
  const place = keys.mallEarned(source)
  const events = keys.mallEvents(source)

  const earned = (line: string): Promise<Earned | undefined> =>
    earnedByLine(durable.read, source, line)

  async function bringLines(lines: Iterable<string>): Promise<void> {
    await Promise.all([...new Set(lines)].map(async (line) => {
      try {
        await bring({ ledger, durable }, mallSubject(source, line), () => earned(line))
      } catch (error) {
        if (isTrouble(error)) throw error
        // It comes again with the line's next change, and `verify` names it until then.
        log.error({ source, line, error: (error as Error).message }, 'no commission for a line')
      }
    }))
  }

  /** The stream keeps its last changes only: who was away for longer looks at every line. */
  async function walk(): Promise<void> {
    for await (const lines of scanNames(ledger, mallLines(source))) {
      for (let from = 0; from < lines.length; from += READ_MAX) {
        await bringLines(lines.slice(from, from + READ_MAX))
      }
    }
  }

  return {
    name: `commission-${source}`,
    everyMs,
    async tick() {
      const at = await ledger.get(place)
      // The entry at the place comes along, and has been handled.
      const found = await durable.read(
        'xrange', events, at ?? '-', '+', 'COUNT', READ_MAX + 1) as [string, string[]][]
      const fresh = found.filter(([id]) => id !== at)
      const last = fresh.at(-1)?.[0]
      if (last === undefined) return false
      if (at !== null && found.length === fresh.length) {
        log.warn({ source }, 'changes of order lines were trimmed: looking at every line')
        await walk()
      } else {
        await bringLines(fresh.map(([, fields]) => fields[fields.indexOf('line') + 1] ?? ''))
      }
      // A node that slept through the end of its lease sets it back at most: that is repeated.
      await durable.send('set', place, last)
      return found.length > READ_MAX
    },
  }
}
