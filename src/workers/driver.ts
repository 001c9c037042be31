/** Makes the moves that an order's driver has planned: merchant, carrier and the completion. */
import type { Orders } from '../orders/orders.ts'
import type { Status } from '../orders/states.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import type { Worker } from './lease.ts'
import { dueOrders, removeFrom } from './sweep.ts'

const EVERY_MS_MIN = 50
const EVERY_MS_MAX = 1000

export function driverWorker({ ledger, orders, stepMs }: {
  ledger: RedisClient, orders: Pick<Orders, 'move' | 'driver'>, stepMs: number,
}): Worker {
  return {
    name: 'driver',
    everyMs: Math.min(Math.max(stepMs / 4, EVERY_MS_MIN), EVERY_MS_MAX),
    async tick() {
      const due = await dueOrders(ledger, keys.due)
      const statuses = await runMany(ledger, due.map(({ partition, orderNo }) =>
        ['hget', keys.order(partition, orderNo), 'status'] as const))
      await Promise.all(due.map(async (entry, index) => {
        const status = statuses[index] as Status | null
        const next = status === null ? undefined : orders.driver.next(status)
        // Planned by another driver, or left over: nothing happens to it by itself.
        if (!next) return await removeFrom(ledger, keys.due, entry)
        const detail = orders.driver.detail(next.move, entry.orderNo)
        await orders.move(next.move, entry.orderNo, detail && { detail })
      }))
      return false
    },
  }
}
