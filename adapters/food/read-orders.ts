/** Changed orders, window by window; within a window the platform scrolls. */
import { keepRows } from '../check.ts'
import {
  SourceError, type CallOptions, type OrderLine, type OrderPage, type OrderWindow,
} from '../contract.ts'
import { JOB_CALL } from '../limits.ts'
import { DAY_MS, type Clock } from '../time.ts'
import { windowsOf } from '../windows.ts'
import { NAME, OPERATIONS, type Send } from './dialect.ts'
import { toOrderLine } from './orders.ts'
import type { Settings } from './settings.ts'
import { isOrderPage, isOrderRow } from './wire.ts'

const ORDER_PAGE_SIZE = 100
/** More rows than this are not scrolled through: no day of an operator has so many. */
const SCROLL_ROWS_MAX = 200_000
const BY_UPDATE = 2
const SCROLL = 2

interface Parts {
  readonly settings: Settings
  readonly clock: Clock
  readonly send: Send
}

export async function* readOrders(
  parts: Parts, span: OrderWindow, call?: CallOptions,
): AsyncGenerator<OrderPage> {
  const to = Math.min(span.to, parts.clock.now())
  for (const window of windowsOf({ from: span.from, to }, DAY_MS)) {
    yield* scrollThrough(parts, window, call)
  }
}

async function* scrollThrough(
  parts: Parts, window: OrderWindow, call?: CallOptions,
): AsyncGenerator<OrderPage> {
  const seen = new Set<string>()
  let rows = 0
  for (let scrollId: string | null = null; ;) {
    const page: ScrollPage = await orderPage(parts, window, scrollId, call)
    const before = seen.size
    for (const { line_id } of page.lines) seen.add(line_id)
    rows += page.lines.length + page.dropped
    scrollId = page.next
    const goesOn = scrollId !== null
    // A scroll that brings nothing new, or has no end, would be followed for ever.
    const stuck = goesOn && page.dropped === 0 && seen.size === before
    if (stuck || rows > SCROLL_ROWS_MAX) throw new SourceError(NAME, 'bad_answer')
    yield {
      lines: page.lines, dropped: page.dropped, through: goesOn ? window.from : window.to,
    }
    if (!goesOn) return
  }
}

interface ScrollPage {
  readonly lines: readonly OrderLine[]
  readonly dropped: number
  /** Null after the last page, whether the platform says so or just has no more. */
  readonly next: string | null
}

async function orderPage(
  { settings, send }: Parts, { from, to }: OrderWindow, scrollId: string | null,
  call?: CallOptions,
): Promise<ScrollPage> {
  const { platform = 1, actId, orderPageSize = ORDER_PAGE_SIZE } = settings
  const { data } = await send(OPERATIONS.orders, {
    // Whole seconds, outwards: a row at the edge comes twice rather than never.
    endTime: Math.ceil(to / 1000), limit: orderPageSize, page: 1, platform,
    queryTimeType: BY_UPDATE, searchType: SCROLL, startTime: Math.floor(from / 1000),
    ...(scrollId !== null && { scrollId }),
  }, true, { ...JOB_CALL, ...call })
  if (data === null || data === undefined) return { lines: [], dropped: 0, next: null }
  if (!isOrderPage(data)) throw new SourceError(NAME, 'bad_answer')
  const rows = data.dataList ?? []
  const contradicts = scrollId === null && rows.length === 0 && (data.skuCount ?? 0) > 0
  if (contradicts) throw new SourceError(NAME, 'bad_answer')
  const { kept, dropped } = keepRows(NAME, rows, isOrderRow, (row) => toOrderLine(row, actId))
  const next = data.scrollId && data.scrollId !== 'null' && rows.length > 0 ? data.scrollId : null
  return { lines: kept, dropped, next }
}
