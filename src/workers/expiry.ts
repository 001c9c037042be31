/** Closes orders whose payment window has passed; their units go back in the same call. */
import type { Logger } from '../log.ts'
import type { Orders } from '../orders/orders.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { Worker } from './lease.ts'
import { createLedgerClocks, type LedgerClocks } from './ledger-clocks.ts'
import { dueOrders, forEach, isFull, settle } from './sweep.ts'

const EVERY_MS = 1000

export function expiryWorker(
  { ledger, orders, log, clocks = createLedgerClocks({ ledger, log }) }: {
    ledger: RedisClient, orders: Pick<Orders, 'move'>, log: Logger, clocks?: LedgerClocks,
  },
): Worker {
  return {
    name: 'expiry',
    everyMs: EVERY_MS,
    async tick() {
      const due = await dueOrders(ledger, keys.unpaid, clocks)
      let isMoving = false
      await forEach(due, log, async (entry) => {
        const { code } = await orders.move('expire', entry.orderNo)
        isMoving ||= code !== 'early'
        // A move takes its order off the list: one that cannot be moved is a remnant.
        if (code === 'state' || code === 'missing' || code === 'done') {
          await settle(ledger, keys.unpaid, entry)
        }
      })
      // All that sold out in one moment falls due in one moment: it is closed within its minute.
      return isMoving && isFull(due)
    },
  }
}
