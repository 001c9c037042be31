/** Reads the orders of one platform in increments, again from a little before each time. */
import { SourceError, type OrderPage, type Source } from '../../adapters/index.ts'
import { keepOrder } from '../affiliate/mall-orders.ts'
import { nowMs } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { Worker } from './lease.ts'

export interface MallOrdersOptions {
  readonly source: Source
  readonly ledger: RedisClient
  readonly log: Logger
  readonly everyMs?: number
  /** How far back the first reading goes. */
  readonly firstMs?: number
  /** A tick ends after it, long before its lease. */
  readonly tickMs?: number
}

const EVERY_MS = 5000
const FIRST_MS = 3_600_000
const TICK_MS = 3000

export function mallOrdersWorker(options: MallOrdersOptions): Worker {
  const { source, ledger, log } = options
  const { everyMs = EVERY_MS, firstMs = FIRST_MS, tickMs = TICK_MS } = options
  const place = keys.mallThrough(source.name)
  /** A reading that goes on in the next tick: its place moves only at the end of a window. */
  let reading: AsyncIterator<OrderPage> | undefined

  async function begin(): Promise<AsyncIterator<OrderPage> | undefined> {
    const { orders: manner } = source.capabilities
    if (!manner || !source.orders) return undefined
    const now = nowMs()
    // Kept at once, or else a first reading that is cut off would begin later the next time.
    await ledger.set(place, now - firstMs, 'NX')
    const from = Math.max(Number(await ledger.get(place)) - manner.overlapMs,
      now - manner.lookbackMs)
    return source.orders({ from, to: now })[Symbol.asyncIterator]()
  }

  async function drop(): Promise<void> {
    const dropped = reading
    reading = undefined
    await dropped?.return?.()
  }

  /** Whether there is more. */
  async function readOn(): Promise<boolean> {
    const began = nowMs()
    reading ??= await begin()
    while (reading) {
      const { value, done } = await reading.next()
      if (done) {
        reading = undefined
        return false
      }
      const { lines, dropped, through } = value
      for (const line of lines) await keepOrder(ledger, line)
      if (dropped > 0) log.warn({ source: source.name, dropped }, 'order lines not understood')
      // Never back: another node may have read further.
      if (through > Number(await ledger.get(place))) await ledger.set(place, through)
      if (nowMs() - began > tickMs) return true
    }
    return false
  }

  return {
    name: `orders-${source.name}`,
    everyMs,
    begin: drop,
    async tick() {
      try {
        return await readOn()
      } catch (error) {
        await drop()
        if (!(error instanceof SourceError)) throw error
        // It is read from the same place the next time.
        log.info({ source: source.name, failure: error.kind }, 'orders not read')
        return false
      }
    },
  }
}
