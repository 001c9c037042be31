/** Mall C's orders by time of change, each window's pages read from the last to the first. */
import { keepRows } from '../check.ts'
import { SourceError, type CallOptions, type OrderPage, type OrderWindow } from '../contract.ts'
import { JOB_CALL } from '../limits.ts'
import { DAY_MS } from '../time.ts'
import { halvesOf, windowsOf } from '../windows.ts'
import { rowsOf, send, type Parts } from './calls.ts'
import { NAME, TYPES } from './dialect.ts'
import { toOrderLine } from './map.ts'
import { isOrderRow } from './wire.ts'

const PAGE_SIZE = 50
/** A window of more pages is halved: a read that breaks off then loses less. */
const PAGES_GOOD = 10
const HALVED_WINDOW_MS = 60_000
/** So many pages of one minute are no answer. */
const PAGES_MAX = 1000

/**
 * A row that changes while it is read leaves its closed window, and those behind it move up. Who
 * reads backwards meets them again; forwards, one would slip past. So the first page, which was
 * read for the count, counts only where it is the only one.
 */
export async function* orders(
  parts: Parts, span: OrderWindow, call?: CallOptions,
): AsyncGenerator<OrderPage> {
  const { orderPageSize = PAGE_SIZE } = parts.settings
  const end = Math.min(span.to, parts.clock.now())
  const waiting = windowsOf(wholeSeconds({ from: span.from, to: end }), DAY_MS).toReversed()
  for (let window = waiting.pop(); window; window = waiting.pop()) {
    const done = Math.min(window.to, end)
    const first = await orderPage(parts, window, 1, true, call)
    const pages = Math.ceil(first.total / orderPageSize)
    if (pages <= 1) {
      yield { lines: first.lines, dropped: first.dropped, through: done }
      continue
    }
    if (pages > PAGES_GOOD && window.to - window.from > HALVED_WINDOW_MS) {
      waiting.push(...halvesOf(window).toReversed())
      continue
    }
    if (pages > PAGES_MAX) throw new SourceError(NAME, 'bad_answer')
    for (let page = pages; page >= 1; page -= 1) {
      const { lines, dropped } = await orderPage(parts, window, page, false, call)
      yield { lines, dropped, through: page === 1 ? done : window.from }
    }
  }
}

/** Outwards, since the mall counts in seconds: a row at the edge comes twice rather than never. */
const wholeSeconds = ({ from, to }: OrderWindow): OrderWindow =>
  ({ from: Math.floor(from / 1000) * 1000, to: Math.ceil(to / 1000) * 1000 })

interface CountedPage {
  readonly lines: OrderPage['lines']
  readonly dropped: number
  readonly total: number
}

async function orderPage(
  parts: Parts, { from, to }: OrderWindow, page: number, counted: boolean, call?: CallOptions,
): Promise<CountedPage> {
  const { settings } = parts
  const body = await send(parts, TYPES.orders, {
    start_update_time: from / 1000, end_update_time: to / 1000,
    page, page_size: settings.orderPageSize ?? PAGE_SIZE,
    // Counting costs the mall most of the time of such a call.
    return_count: counted,
  }, true, { ...JOB_CALL, ...call })
  const rows = rowsOf(body, 'order_list')
  const total = counted ? body.total_count : 0
  if (total == null || (counted && total < rows.length)) throw new SourceError(NAME, 'bad_answer')
  const { kept, dropped } = keepRows(NAME, rows, isOrderRow, (row) => toOrderLine(row, settings))
  return { lines: kept, dropped, total }
}
