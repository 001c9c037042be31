/** Whether an order's timeline is a path of the state table, and where such a path can end. */
import type { AftersaleRecord } from '../orders/aftersale-record.ts'
import type { OrderEvent } from '../orders/record.ts'
import {
  AFTERSALE_TYPES, MOVES, openOf, type AftersaleStatus, type AftersaleType, type Move,
  type Status,
} from '../orders/states.ts'

/** Where an order can stand, with its latest after-sale, and whether it still holds its units. */
export interface Standing {
  readonly status: Status
  readonly after: AftersaleStatus | null
  readonly type: AftersaleType | null
  readonly holds: boolean
}

const ROWS = Object.values<Move>(MOVES)
const START: Standing = { status: 'pending_payment', after: null, type: null, holds: true }

/**
 * All standings that a legal path with these events can end in; none where there is no such path.
 * Moves that add nothing to the timeline may have been made anywhere between.
 */
export function walk(events: readonly OrderEvent[], expiresAt: number): Standing[] {
  if (events[0]?.event !== 'created') return []
  const places = new Map<number, Map<string, Standing>>([[1, silently([START])]])
  for (let at = 1; at < events.length; at += 1) {
    const here = [...places.get(at)?.values() ?? []]
    for (const row of ROWS) {
      if (!matches(row, events, at, expiresAt)) continue
      const next = at + row.events.length
      const reached = silently(here.flatMap((standing) => after(standing, row)))
      places.set(next, new Map([...places.get(next) ?? [], ...reached]))
    }
    places.delete(at)
  }
  return [...places.get(events.length)?.values() ?? []]
}

/** Whether the row's events stand here, all of one moment, with the payment window as it asks. */
function matches(
  row: Move, events: readonly OrderEvent[], at: number, expiresAt: number,
): boolean {
  const time = events[at]?.at ?? 0
  return row.events.length > 0
    && row.events.every((event, index) => {
      const found = events[at + index]
      return found?.event === event && found.at === time
    })
    && (row.window === null || (row.window === 'open') === time < expiresAt)
}

function silently(from: readonly Standing[]): Map<string, Standing> {
  const reached = new Map<string, Standing>()
  const waiting = [...from]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const name = `${next.status} ${next.after} ${next.type} ${next.holds}`
    if (reached.has(name)) continue
    reached.set(name, next)
    for (const row of ROWS) if (row.events.length === 0) waiting.push(...after(next, row))
  }
  return reached
}

/** What the row makes of a standing; nothing where it does not allow it. */
function after(standing: Standing, row: Move): Standing[] {
  if (!row.from.includes(standing.status)) return []
  const moved = {
    ...standing, status: row.to ?? standing.status,
    holds: standing.holds && row.stock !== 'return',
  }
  const { aftersale } = row
  if (!aftersale) return [moved]
  const open = openOf(standing.after ?? undefined)
  if (!aftersale.from.includes(open)) return []
  if (aftersale.to === null) return [moved]
  const types = aftersale.type ? [aftersale.type] : open === 'none' ? AFTERSALE_TYPES
    : [standing.type]
  return types.filter((type) => open === 'none' || type === standing.type)
    .map((type) => ({ ...moved, after: aftersale.to, type }))
}

/** Whether an after-sale's own times are those of a way through the table, up to its status. */
export function isWayOfAftersale({ status, given, timeline }: AftersaleRecord): boolean {
  const allows = (from: AftersaleStatus | 'none', to: AftersaleStatus): boolean =>
    ROWS.some(({ aftersale }) => aftersale?.to === to && aftersale.from.includes(from)
      && (aftersale.type === undefined || aftersale.type === given.type))
  return timeline.at(-1)?.status === status && timeline[0]?.status === 'requested'
    && timeline.every(({ status: to }, index) => {
      const before = timeline[index - 1]
      if (!before) return true
      // What begins and ends in one move has the moment of its request noted beside its end.
      return allows(before.status, to)
        || (index === 1 && before.at === timeline[1]?.at && allows('none', to))
    })
}
