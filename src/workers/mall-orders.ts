/**
 * Reads the orders of one platform in increments, each again from a little before the last one's
 * end, and every night the last two days anew: lines are kept once, however often they are read.
 */
import { SourceError, type OrderPage, type OrderWindow, type Source } from '../../adapters/index.ts'
import { keepOrder } from '../affiliate/mall-orders.ts'
import { isoTime, monotonicMs, nowMs } from '../contract/time.ts'
import { dayOf } from '../earnings/month.ts'
import type { Logger } from '../log.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs, valuesOf } from '../redis/replies.ts'
import type { Worker } from './lease.ts'

export interface MallOrdersOptions {
  readonly source: Source
  /** Of its orders: a platform that a simulator plays has pretended ones. */
  readonly mode: Mode
  readonly ledger: RedisClient
  readonly log: Logger
  /** Sets apart simulators of several hosts, each with purchases of its own. */
  readonly instance?: string | undefined
  readonly everyMs?: number
  /** How far back the first reading goes. */
  readonly firstMs?: number
  /** A tick ends after it, long before its lease. */
  readonly tickMs?: number
}

const EVERY_MS = 5000
const FIRST_MS = 3_600_000
const TICK_MS = 3000
/** Platforms sign nothing for clocks that are further off: such a Date is no clock. */
const SKEW_MAX_MS = 15 * 60_000
/** A Date has whole seconds. */
const DATE_STEP_MS = 1000
/** A change of the last moments may be listed late: the cursor stays this far behind. */
const MARGIN_MS = 30_000
const NIGHT_WINDOW_MS = 48 * 3_600_000
/** After midnight in China. */
const NIGHT_BEGINS_MS = 3 * 3_600_000
/** Of a repeated reading, in one tick: callers of the platform need its budget more. */
const REPEATED_PAGES_MAX = 4
const WANTED = 'wanted:'

export function mallOrdersWorker(options: MallOrdersOptions): Worker {
  const { source, mode, ledger, log, instance } = options
  const { everyMs = EVERY_MS, firstMs = FIRST_MS, tickMs = TICK_MS } = options
  const cursor = keys.mallThrough(source.name)
  const repeated = keys.mallRepeated(source.name)

  /**
   * The earliest of three clocks: this node's, the ledger's and the platform's. A window that
   * ends in the platform's future would skip what changes there until then.
   */
  async function present(): Promise<number> {
    const now = nowMs()
    const { skewMs } = source.health()
    const platform = skewMs !== null && Math.abs(skewMs) <= SKEW_MAX_MS
      ? now + skewMs + DATE_STEP_MS : now
    return Math.min(now, platform, await redisTimeMs(ledger))
  }

  const pagesOf = (window: OrderWindow): AsyncIterator<OrderPage> | undefined =>
    source.orders?.(window)[Symbol.asyncIterator]()

  async function keepLines({ lines, dropped }: OrderPage): Promise<void> {
    for (const line of lines) await keepOrder(ledger, line, mode)
    if (dropped > 0) log.warn({ source: source.name, dropped }, 'order lines not understood')
  }

  const latest = createReading({
    async begin() {
      const { orders: manner } = source.capabilities
      if (!manner) return undefined
      const end = await present()
      // Kept at once, or else a first reading that is cut off would begin later the next time.
      await ledger.set(cursor, end - firstMs, 'NX')
      const kept = Number(await ledger.get(cursor))
      // A node whose clock was ahead kept a time to come, and has read nothing since before it.
      const known = kept > end ? end - SKEW_MAX_MS : kept
      return pagesOf({
        from: Math.max(known - manner.overlapMs, end - manner.lookbackMs), to: end,
      })
    },
    async keep(page) {
      await keepLines(page)
      const end = await present()
      const through = Math.min(page.through, end - MARGIN_MS)
      const kept = Number(await ledger.get(cursor))
      // Never back, since another node may have read further; but out of the future.
      if (through > kept || kept > end) await ledger.set(cursor, through)
    },
  })

  const repetition = createReading({
    async begin() {
      const { orders: manner } = source.capabilities
      if (!manner) return undefined
      const end = await present()
      const { from, to } = await planRepetition(end)
      return from < to
        ? pagesOf({ from: Math.max(from, end - manner.lookbackMs), to }) : undefined
    },
    async keep(page) {
      await keepLines(page)
      await ledger.hset(repeated, 'from', page.through)
    },
  })

  /** What is to be read again: the rest of the last request, tonight's, and an operator's. */
  async function planRepetition(end: number): Promise<OrderWindow> {
    const fields = await ledger.hgetall(repeated)
    const rest = { from: Number(fields['from'] ?? 0), to: Number(fields['to'] ?? 0) }
    const night = dayOf(end - NIGHT_BEGINS_MS)
    const wanted = Object.keys(fields).filter((field) => field.startsWith(WANTED))
    const isNight = fields['night'] !== undefined && fields['night'] !== night
    if (fields['night'] === night && wanted.length === 0) return rest
    const from = Math.min(end, ...rest.from < rest.to ? [rest.from] : [],
      ...isNight ? [end - NIGHT_WINDOW_MS] : [],
      ...wanted.map((field) => Number(field.slice(WANTED.length))))
    const plan = ledger.multi().hset(repeated, { from, to: end, night })
    if (wanted.length > 0) plan.hdel(repeated, ...wanted)
    valuesOf(await plan.exec())
    if (from < end) log.info({ source: source.name, from: isoTime(from) }, 'reading orders again')
    return { from, to: end }
  }

  /** Whether there is more. */
  async function read(): Promise<boolean> {
    const began = monotonicMs()
    const inTime = (): boolean => monotonicMs() - began <= tickMs
    if (await latest.readOn(inTime)) return true
    let pages = 0
    await repetition.readOn(() => inTime() && (pages += 1) < REPEATED_PAGES_MAX)
    return false
  }

  async function drop(): Promise<void> {
    await latest.drop()
    await repetition.drop()
  }

  return {
    name: ['orders', source.name, ...instance === undefined ? [] : [instance]].join('-'),
    everyMs,
    begin: drop,
    async tick() {
      try {
        return await read()
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

/** Asks whoever reads the platform's orders to read them again from a time (ms) on. */
export async function requestRepetition(
  durable: Pick<Durable, 'send'>, source: string, from: number,
): Promise<void> {
  await durable.send('hset', keys.mallRepeated(source), `${WANTED}${from}`, '')
}

interface Reading {
  /** Reads pages to the end, or as long as it may; whether there is more. */
  readOn(mayGoOn: () => boolean): Promise<boolean>
  drop(): Promise<void>
}

/** A reading that goes on in the next tick: what it keeps moves only at the end of a window. */
function createReading({ begin, keep }: {
  begin(): Promise<AsyncIterator<OrderPage> | undefined>
  keep(page: OrderPage): Promise<void>
}): Reading {
  let pages: AsyncIterator<OrderPage> | undefined
  return {
    async readOn(mayGoOn) {
      pages ??= await begin()
      while (pages) {
        const { value, done } = await pages.next()
        if (done) {
          pages = undefined
          return false
        }
        await keep(value)
        if (!mayGoOn()) return true
      }
      return false
    },
    async drop() {
      const dropped = pages
      pages = undefined
      await dropped?.return?.()
    },
  }
}
