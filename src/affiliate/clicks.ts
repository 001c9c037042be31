/** Visits to an agent's links, a visitor's once in a while: as a stream, and as counts of days. */
import { nowMs } from '../contract/time.ts'
import { dayOf, monthsBetween } from '../earnings/month.ts'
import type { RedisClient } from '../redis/connect.ts'
import { counters as counterKeys, ledger as keys } from '../redis/keys.ts'
import { valuesOf } from '../redis/replies.ts'
import { runMany } from '../redis/slots.ts'

export interface Click {
  readonly code: string
  readonly agent: string
  readonly source: string
  readonly item: string
}

export interface ClickDay {
  /** China's, as those of earnings: "2026-11-21". */
  readonly day: string
  readonly source: string
  readonly clicks: number
}

/** A visitor who comes again within it is not counted. */
const WINDOW_MS = 1_800_000
const KEPT_MAX = 10_000
const KEPT_S = 90 * 86_400
const DAYS_KEPT_S = 400 * 86_400

interface ClickPlace {
  readonly ledger: RedisClient
  readonly counters: RedisClient
}

/** False when the visitor was counted already; a visit that could not be kept is not counted. */
export async function countClick(
  { ledger, counters }: ClickPlace, { code, agent, source, item }: Click, visitor: string,
): Promise<boolean> {
  const isNew = await counters.set(
    counterKeys.click(code, visitor), '1', 'PX', WINDOW_MS, 'NX')
  if (!isNew) return false
  const at = nowMs()
  const day = dayOf(at)
  const [clicks, days] = [keys.clicks(agent), keys.clickDays(agent, day.slice(0, 7))]
  valuesOf(await ledger.multi()
    .xadd(clicks, 'MAXLEN', '~', KEPT_MAX, '*',
      'code', code, 'source', source, 'item', item, 'at', at)
    .expire(clicks, KEPT_S)
    .hincrby(days, `${day} ${source}`, 1)
    .expire(days, DAYS_KEPT_S)
    .exec())
  return true
}

/** From one day to another, both included. */
export async function readClickDays(
  ledger: RedisClient, agent: string, from: string, to: string,
): Promise<ClickDay[]> {
  const found = await runMany(ledger, monthsBetween(from, to).map((month) =>
    ['hgetall', keys.clickDays(agent, month)] as const))
  return found.flatMap((hash) => Object.entries(hash as Record<string, string>)
    .map(([field, count]): ClickDay => {
      const [day = '', source = ''] = field.split(' ')
      return { day, source, clicks: Number(count) }
    }))
    .filter(({ day }) => day >= from && day <= to)
}
