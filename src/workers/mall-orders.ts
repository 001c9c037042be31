/** Reads the orders of one platform in increments, again from a little before each time. */
import { SourceError, type Source } from '../../adapters/index.ts'
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
}

const EVERY_MS = 5000
const FIRST_MS = 3_600_000
/** A tick is over long before its lease; what is left is read in the next one. */
const TICK_MS = 3000

export function mallOrdersWorker(options: MallOrdersOptions): Worker {
  const { source, ledger, log, everyMs = EVERY_MS, firstMs = FIRST_MS } = options
  const place = keys.mallThrough(source.name)
  const { orders: manner } = source.capabilities

  async function read(): Promise<boolean> {
    if (!manner || !source.orders) return false
    const now = nowMs()
    const known = Number(await ledger.get(place) ?? now - firstMs)
    const from = Math.max(known - manner.overlapMs, now - manner.lookbackMs)
    for await (const { lines, dropped, through } of source.orders({ from, to: now })) {
      for (const line of lines) await keepOrder(ledger, line)
      if (dropped > 0) log.warn({ source: source.name, dropped }, 'order lines not understood')
      // Never back: another node may have read further.
      if (through > known) await ledger.set(place, through)
      if (nowMs() - now > TICK_MS) return true
    }
    return false
  }

  return {
    name: `orders-${source.name}`,
    everyMs,
    async tick() {
      try {
        return await read()
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
        // It is read from the same place the next time.
        log.info({ source: source.name, failure: error.kind }, 'orders not read')
        return false
      }
    },
  }
}
