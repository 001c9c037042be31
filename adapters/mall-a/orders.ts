/** Mall A's orders: windows by time of update, and inside them pages that follow a place. */
import { keepRows } from '../check.ts'
import {
  SourceError, type CallOptions, type OrderPage, type OrderWindow,
} from '../contract.ts'
import { JOB_CALL } from '../limits.ts'
import { chinaTime } from '../time.ts'
import { send, type Parts } from './call.ts'
import { METHODS, NAME } from './dialect.ts'
import { toOrderLine } from './map-orders.ts'
import { isOrderData, isOrderRow, rowsOf } from './wire.ts'

const LONG_MS = 3 * 3_600_000
/** All that the gateway takes during its big sales, without saying when those are. */
const SHORT_MS = 20 * 60_000
const BY_UPDATE = 4
const PAGE_SIZE = 100
const PAGES_MAX = 100
const TOO_MANY = 'pages'

export async function* orders(
  parts: Parts, span: OrderWindow, call?: CallOptions,
): AsyncGenerator<OrderPage> {
  const end = Math.min(span.to, parts.clock.now())
  let length = LONG_MS
  for (let from = span.from; from < end;) {
    const window = { from, to: Math.min(from + length, end) }
    try {
      yield* pages(parts, window, call)
      from = window.to
    } catch (error) {
      if (!tooLong(error) || window.to - from <= SHORT_MS) throw error
      length = SHORT_MS
    }
  }
}

const tooLong = (error: unknown): boolean => error instanceof SourceError
  && (error.kind === 'invalid_arg' || error.code === TOO_MANY)

/** The place that an answer names holds still while rows change; a page number would not. */
async function* pages(
  parts: Parts, window: OrderWindow, call?: CallOptions,
): AsyncGenerator<OrderPage> {
  let place: string | undefined
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { lines, dropped, next } = await orderPage(parts, window, { page, place }, call)
    yield { lines, dropped, through: next === null ? window.to : window.from }
    if (next === null) return
    place = next
  }
  throw new SourceError(NAME, 'bad_answer', { code: TOO_MANY })
}

interface Place { readonly page: number, readonly place: string | undefined }

async function orderPage(
  parts: Parts, { from, to }: OrderWindow, { page, place }: Place, call?: CallOptions,
): Promise<Pick<OrderPage, 'lines' | 'dropped'> & { readonly next: string | null }> {
  const { settings } = parts
  const { data } = await send(parts, METHODS.orders, {
    query_type: BY_UPDATE,
    // Whole seconds, outwards: a row at the edge comes twice rather than never.
    start_time: chinaTime(from), end_time: chinaTime(Math.ceil(to / 1000) * 1000),
    page_size: settings.orderPageSize ?? PAGE_SIZE,
    ...(page > 1 && { page_no: page, position_index: place, jump_type: 1 }),
  }, true, { ...JOB_CALL, ...call })
  if (!isOrderData(data)) throw new SourceError(NAME, 'bad_answer')
  const rows = rowsOf(data.results ?? {}, 'publisher_order_dto')
  if (!rows || (data.has_next == null && rows.length === 0)) {
    throw new SourceError(NAME, 'bad_answer')
  }
  const next = data.has_next ? data.position_index ?? '' : null
  // More of nothing, or more from the place where this page began, has no end.
  const endless = next !== null && (rows.length === 0 || next === '' || next === place)
  if (endless) throw new SourceError(NAME, 'bad_answer')
  const { kept, dropped } = keepRows(NAME, rows, isOrderRow, (row) => toOrderLine(row, settings))
  return { lines: kept, dropped, next }
}
