/** Gives trials that older code made without an end their end, once for a ledger. */
import { expireTrial } from '../accounts/trials.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { runMany } from '../redis/slots.ts'
import type { Worker } from './lease.ts'

const EVERY_MS = 600_000

export function trialsWorker(
  { ledger, durable }: { ledger: RedisClient, durable: Pick<Durable, 'run' | 'send'> },
): Worker {
  return {
    name: 'trials',
    everyMs: EVERY_MS,
    async begin() {
      if (await ledger.exists(keys.trialsNoted) === 1) return
      for await (const hashes of scanNames(ledger, scans.bindings)) {
        const trials = await runMany(ledger, hashes.map((hash) =>
          ['get', keys.binding(hash)] as const)) as (string | null)[]
        for (const [index, trial] of trials.entries()) {
          if (trial !== null) await expireTrial({ ledger, durable }, trial, hashes[index] ?? '')
        }
      }
      await durable.send('set', keys.trialsNoted, '1')
    },
    tick: async () => false,
  }
}
