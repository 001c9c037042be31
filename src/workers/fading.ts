/** Takes orders that were never paid off their agents' lists once they are dropped. */
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import type { Worker } from './lease.ts'
import { createLedgerClocks, type LedgerClocks } from './ledger-clocks.ts'
import { dueOrders, forEach, isFull, settle } from './sweep.ts'

const EVERY_MS = 10_000

export function fadingWorker(
  { ledger, log, clocks = createLedgerClocks({ ledger, log }) }: {
    ledger: RedisClient, log: Logger, clocks?: LedgerClocks,
  },
): Worker {
  return {
    name: 'fading',
    everyMs: EVERY_MS,
    async tick() {
      const due = await dueOrders(ledger, keys.fading, clocks)
      const names = due.map(({ orderNo: member }) =>
        member.split(' ') as [orderNo: string, agent: string])
      const left = await runMany(ledger, due.map(({ partition }, index) =>
        ['pttl', keys.order(partition, names[index]?.[0] ?? '')] as const)) as number[]
      await forEach([...due.entries()], log, async ([index, entry]) => {
        const [orderNo, agent] = names[index] as (typeof names)[number]
        const leftMs = left[index] as number
        // Its master's clock decides when it is dropped; one without an end was placed anew.
        if (leftMs >= 0) return await settle(ledger, keys.fading, entry, leftMs + 1)
        if (leftMs === GONE) await ledger.zrem(keys.agentOrders(agent), orderNo)
        await settle(ledger, keys.fading, entry)
      })
      return isFull(due)
    },
  }
}

/** What PTTL answers of a key that is not there. */
const GONE = -2
