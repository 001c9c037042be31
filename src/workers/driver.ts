/** Makes the moves that an order's driver has planned: merchant, carrier and the completion. */
import type { Logger } from '../log.ts'
import { subjectOf } from '../orders/aftersale-record.ts'
import type { Orders } from '../orders/orders.ts'
import { readOrder } from '../orders/record.ts'
import type { Status } from '../orders/states.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import { isTrouble } from './aside.ts'
import type { Worker } from './lease.ts'
import { createLedgerClocks, type LedgerClocks } from './ledger-clocks.ts'
import { dueOrders, forEach, isFull, settle, type DueOrder } from './sweep.ts'

const EVERY_MS_MIN = 50
const EVERY_MS_MAX = 1000
/** An order that waits for the end of its after-sale is looked at again after this. */
const WAITING_MS_MAX = 3_600_000

/** So is one whose move failed. */
const FAILED_MS = 60_000

export interface DriverOptions {
  readonly ledger: RedisClient
  readonly orders: Pick<Orders, 'move' | 'driver'>
  readonly stepMs: number
  readonly log: Logger
  readonly clocks?: LedgerClocks
}

export function driverWorker(options: DriverOptions): Worker {
  const { ledger, stepMs, log, clocks = createLedgerClocks({ ledger, log }) } = options
  return {
    name: 'driver',
    everyMs: Math.min(Math.max(stepMs / 4, EVERY_MS_MIN), EVERY_MS_MAX),
    async tick() {
      const due = await dueOrders(ledger, keys.due, clocks)
      const statuses = await runMany(ledger, due.map(({ partition, orderNo }) =>
        ['hget', keys.order(partition, orderNo), 'status'] as const))
      await forEach([...due.entries()], log, ([index, entry]) => orPutOff(ledger, keys.due, entry,
        moveOrder(options, entry, statuses[index] as Status | null)))
      const aftersales = await dueOrders(ledger, keys.afterDue, clocks)
      await forEach(aftersales, log, (entry) =>
        orPutOff(ledger, keys.afterDue, entry, moveAftersale(options, entry)))
      return isFull(due) || isFull(aftersales)
    },
  }
}

/** One that cannot be moved for a reason of its own must not stand before the others for ever. */
async function orPutOff(
  ledger: RedisClient, list: (partition: number) => string, entry: DueOrder, work: Promise<void>,
): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isTrouble(error)) await settle(ledger, list, entry, FAILED_MS)
    throw error
  }
}

async function moveOrder(
  { ledger, orders }: DriverOptions, entry: DueOrder, status: Status | null,
): Promise<void> {
  const next = status === null ? undefined : orders.driver.next(status)
  // Planned by another driver, or left over: nothing happens to it by itself.
  if (!next) return await settle(ledger, keys.due, entry)
  const detail = orders.driver.detail(next.move, entry.orderNo)
  const { code } = await orders.move(next.move, entry.orderNo, detail && { detail })
  // The move takes its order off the list: what is still there as it was read is a remnant.
  if (code !== 'moved') {
    const isWaiting = code === 'aftersale'
    await settle(ledger, keys.due, entry,
      isWaiting ? Math.min(next.afterMs, WAITING_MS_MAX) : undefined)
  }
}

async function moveAftersale({ ledger, orders }: DriverOptions, entry: DueOrder): Promise<void> {
  const order = await readOrder(ledger, entry.orderNo)
  const record = order?.aftersales.at(-1)
  const aftersale = record && subjectOf(record)
  const next = record && aftersale && orders.driver.nextAftersale(record.status, aftersale)
  if (!next) return await settle(ledger, keys.afterDue, entry)
  const detail = orders.driver.detail(next.move, aftersale.id)
  const { code } = await orders.move(next.move, entry.orderNo,
    { aftersale, ...(detail && { detail }) })
  if (code !== 'moved') await settle(ledger, keys.afterDue, entry)
}
