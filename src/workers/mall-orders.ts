/**
 * Reads the orders of one platform in increments, each again from a little before the last one's
 * end, and every night the last two days anew: lines are kept once, however often they are read.
 * A second worker has commissions follow them.
 */
import {
  SourceError, type OrderLine, type OrderPage, type OrderWindow, type Source,
} from '../../adapters/index.ts'
import { itemIdOf } from '../affiliate/items.ts'
import { keepOrder } from '../affiliate/mall-orders.ts'
import { isoTime, monotonicMs, nowMs } from '../contract/time.ts'
import { dayOf } from '../earnings/month.ts'
import { appendNotices, type FeedNotice } from '../events/feed.ts'
import type { Ring } from '../events/ring.ts'
import type { Logger } from '../log.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys, mallLines } from '../redis/keys.ts'
import { fieldsOf, redisTimeMs, replyValues } from '../redis/replies.ts'
import { earnedByLine, reconcileCommission, type Earned } from '../earnings/commission.ts'
import { mallSubject } from '../earnings/records.ts'
import { scanNames } from '../redis/scan.ts'
import type { Worker } from './lease.ts'
import { isTransient } from './dead-letters.ts'

interface MallOrdersOptions {
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

type Pages = AsyncIterator<OrderPage>

interface Reading {
  /** Reads pages to the end, or as long as it may; whether there is more. */
  readOn(mayGoOn: () => boolean): Promise<boolean>
  drop(): Promise<void>
}

interface MallCommissionOptions {
  readonly source: string
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run' | 'send' | 'read'>
  readonly ring?: Ring
  readonly log: Logger
  readonly everyMs?: number
}

const ORDERS_EVERY_MS = 5000
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
const COMMISSIONS_EVERY_MS = 1000
const READ_MAX = 200

export class MallOrdersWorker implements Worker {
  readonly name: string
  readonly everyMs: number
  private readonly source: Source
  private readonly ledger: RedisClient
  private readonly log: Logger
  private readonly mode: Mode
  private readonly firstMs: number
  private readonly tickMs: number
  private readonly cursor: string
  private readonly repeated: string
  private readonly latest: Reading
  private readonly repetition: Reading

  constructor(options: MallOrdersOptions) {
    const { source, instance } = options
    this.name = ['orders', source.name, ...instance === undefined ? [] : [instance]].join('-')
    this.everyMs = options.everyMs ?? ORDERS_EVERY_MS
    this.source = source
    this.ledger = options.ledger
    this.log = options.log
    this.mode = options.mode
    this.firstMs = options.firstMs ?? FIRST_MS
    this.tickMs = options.tickMs ?? TICK_MS
    this.cursor = keys.mallThrough(source.name)
    this.repeated = keys.mallRepeated(source.name)
    this.latest = createReading({
      begin: () => this.beginLatest(), keep: (page) => this.keepLatest(page),
    })
    this.repetition = createReading({
      begin: () => this.beginRepetition(), keep: (page) => this.keepRepetition(page),
    })
  }

  async begin(): Promise<void> {
    await this.latest.drop()
    await this.repetition.drop()
  }

  async tick(): Promise<boolean> {
    try {
      return await this.read()
    } catch (error) {
      await this.begin()
      if (!(error instanceof SourceError)) throw error
      // It is read from the same place the next time.
      this.log.info({ source: this.source.name, failure: error.kind }, 'orders not read')
      return false
    }
  }

  /** Whether there is more. */
  private async read(): Promise<boolean> {
    const began = monotonicMs()
    const inTime = (): boolean => monotonicMs() - began <= this.tickMs
    if (await this.latest.readOn(inTime)) return true
    let pages = 0
    await this.repetition.readOn(() => inTime() && (pages += 1) < REPEATED_PAGES_MAX)
    return false
  }

  private async beginLatest(): Promise<Pages | undefined> {
    const { orders: manner } = this.source.capabilities
    if (!manner) return undefined
    const end = await this.present()
    // Kept at once, or else a first reading that is cut off would begin later the next time.
    await this.ledger.set(this.cursor, end - this.firstMs, 'NX')
    const kept = Number(await this.ledger.get(this.cursor))
    // A node whose clock was ahead kept a time to come, and has read nothing since before it.
    const known = kept > end ? end - SKEW_MAX_MS : kept
    return this.pagesOf({
      from: Math.max(known - manner.overlapMs, end - manner.lookbackMs), to: end,
    })
  }

  private async keepLatest(page: OrderPage): Promise<void> {
    await this.keepLines(page)
    const end = await this.present()
    const through = Math.min(page.through, end - MARGIN_MS)
    const kept = Number(await this.ledger.get(this.cursor))
    // Never back, since another node may have read further; but out of the future.
    if (through > kept || kept > end) await this.ledger.set(this.cursor, through)
  }

  private async beginRepetition(): Promise<Pages | undefined> {
    const { orders: manner } = this.source.capabilities
    if (!manner) return undefined
    const end = await this.present()
    const { from, to } = await this.planRepetition(end)
    return from < to
      ? this.pagesOf({ from: Math.max(from, end - manner.lookbackMs), to }) : undefined
  }

  private async keepRepetition(page: OrderPage): Promise<void> {
    await this.keepLines(page)
    await this.ledger.hset(this.repeated, 'from', page.through)
  }

  /** What is to be read again: the rest of the last request, tonight's, and an operator's. */
  private async planRepetition(end: number): Promise<OrderWindow> {
    const { ledger, repeated } = this
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
    replyValues(await plan.exec())
    if (from < end) {
      this.log.info({ source: this.source.name, from: isoTime(from) }, 'reading orders again')
    }
    return { from, to: end }
  }

  /**
   * The earliest of three clocks: this node's, the ledger's and the platform's. A window that
   * ends in the platform's future would skip what changes there until then.
   */
  private async present(): Promise<number> {
    const now = nowMs()
    const { skewMs } = this.source.health()
    const platform = skewMs !== null && Math.abs(skewMs) <= SKEW_MAX_MS
      ? now + skewMs + DATE_STEP_MS : now
    return Math.min(now, platform, await redisTimeMs(this.ledger))
  }

  private pagesOf(window: OrderWindow): Pages | undefined {
    return this.source.orders?.(window)[Symbol.asyncIterator]()
  }

  private async keepLines({ lines, dropped }: OrderPage): Promise<void> {
    for (const line of lines) await keepOrder(this.ledger, line, this.mode)
    if (dropped > 0) {
      this.log.warn({ source: this.source.name, dropped }, 'order lines not understood')
    }
  }
}

/** Asks whoever reads the platform's orders to read them again from a time (ms) on. */
export async function requestRepetition(
  durable: Pick<Durable, 'send'>, source: string, from: number,
): Promise<void> {
  await durable.send('hset', keys.mallRepeated(source), `${WANTED}${from}`, '')
}

/** A reading that goes on in the next tick: what it keeps moves only at the end of a window. */
function createReading({ begin, keep }: {
  begin(): Promise<Pages | undefined>
  keep(page: OrderPage): Promise<void>
}): Reading {
  let pages: Pages | undefined
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

/** Without what names the buyer, if a platform should ever say it. */
function noticeOf(origin: string, data: string): FeedNotice {
  const { source, order_no, item_id, qty, amount, status, updated_at } =
    JSON.parse(data) as OrderLine
  return {
    origin, event: 'mall_order', at: updated_at,
    facts: {
      source, mall_order_no: order_no, qty: String(qty), amount: String(amount), status,
      item_id: item_id === null ? '' : itemIdOf(source, item_id),
    },
  }
}

export function mallCommissionWorker(options: MallCommissionOptions): Worker {
  const { source, ledger, durable, ring, log, everyMs = COMMISSIONS_EVERY_MS } = options
  const place = keys.mallEarned(source)
  const events = keys.mallEvents(source)

  const earned = (line: string): Promise<Earned | undefined> =>
    earnedByLine(durable.read, source, line)

  async function bringLines(lines: Iterable<string>): Promise<void> {
    await Promise.all([...new Set(lines)].map(async (line) => {
      try {
        await reconcileCommission({ ledger, durable }, mallSubject(source, line),
          () => earned(line))
      } catch (error) {
        if (isTransient(error)) throw error
        // It comes again with the line's next change, and `verify` names it until then.
        log.error({ source, line, error: (error as Error).message }, 'no commission for a line')
      }
    }))
  }

  /** The stream keeps its last changes only: a reader that missed more looks at every line. */
  async function walk(): Promise<void> {
    for await (const lines of scanNames(ledger, mallLines(source))) {
      for (let from = 0; from < lines.length; from += READ_MAX) {
        await bringLines(lines.slice(from, from + READ_MAX))
      }
    }
  }

  /** Each change once, in its agent's feed. */
  async function tellAgents(changes: readonly [string, string[]][]): Promise<void> {
    const byAgent = new Map<string, FeedNotice[]>()
    for (const [id, flat] of changes) {
      const { agent, data = '{}' } = fieldsOf(flat)
      if (!agent) continue
      byAgent.set(agent, [...byAgent.get(agent) ?? [], noticeOf(`${source}:${id}`, data)])
    }
    const followers = await Promise.all([...byAgent].map(([agent, notices]) =>
      appendNotices(durable, agent, notices)))
    if (followers.flat().length > 0) await ring?.([...new Set(followers.flat())])
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
      await tellAgents(fresh)
      // A node that slept through the end of its lease sets it back at most: that is repeated.
      await durable.send('set', place, last)
      return found.length > READ_MAX
    },
  }
}
