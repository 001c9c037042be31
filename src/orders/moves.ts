/**
 * Every change of an order after its creation is one row of the state table, in one script; the
 * agent's own moves, and the refusal of one that the status does not allow.
 */
import { partitionOfOrder } from '../contract/ids.ts'
import type { Durable } from '../redis/durable.ts'
import { channels, ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { MoveDetail, OrderDriver } from './driver.ts'
import { scoreOf } from './by-status.ts'
import {
  ENDED, MOVES, openOf, type AftersaleStatus, type MoveName, type MoveRow, type Status,
} from './states.ts'
import { Refusal } from '../contract/errors.ts'
import type { OrderRecord } from './record.ts'
import {
  aftersaleSubject, isOpenAftersale, type AftersaleRecord, type AftersaleSubject,
} from './aftersale-record.ts'

const orderMove = defineScript('order-move',
  ['order', 'events', 'stock', 'unpaid', 'due', 'outbox', 'after', 'after_due', 'trial_held',
    'fading', 'refunds', 'by_status'],
  ['order_no', 'mark', 'row', 'wish', 'doorbell', 'partition', 'fade_ms'],
  ([code, status, at]: [MoveCode, Status?, string?]) => ({
    code, ...(status && { status }), ...(at && { at: Number(at) }),
  }))

/**
 * `done` repeats what was done before; the others changed nothing. `aftersale`: the order's
 * status would allow it, its after-sale does not. `archived`: it has left the ledger.
 */
type MoveCode = 'moved' | 'done' | 'state' | 'expired' | 'early' | 'aftersale' | 'archived'
  | 'missing'

export interface MoveResult {
  readonly code: MoveCode
  readonly status?: Status
  /** When it was made, by Redis's clock. */
  readonly at?: number
}

export interface MoveOptions {
  /** Moves with the same mark are one move made again; by itself the move's name. */
  readonly mark?: string
  readonly detail?: MoveDetail
  /** Which after-sale it is about; one that begins says what was asked. */
  readonly aftersale?: AftersaleSubject
}

type OrderFields = Readonly<Record<string, string>>

export type MakeMove = (
  name: MoveName, orderNo: string, options?: MoveOptions,
) => Promise<MoveResult>

export function createMoves(
  { durable, driver, unpaidKeptMs, archivedFields }: {
    durable: Durable, driver: OrderDriver,
    /** An order that was never paid is kept so long once it is closed. */
    unpaidKeptMs: number,
    /** Of an order in the archive; undefined for any other. */
    archivedFields?: (orderNo: string) => Promise<OrderFields | undefined>,
  },
): MakeMove {
  return async function move(name, orderNo, options = {}) {
    const partition = partitionOfOrder(orderNo)
    if (partition === undefined) return { code: 'missing' }
    const result = await durable.run(orderMove, {
      order: keys.order(partition, orderNo),
      events: keys.events(partition, orderNo),
      stock: keys.stock(partition),
      unpaid: keys.unpaid(partition),
      due: keys.due(partition),
      outbox: keys.outbox(partition),
      after: keys.after(partition, orderNo),
      after_due: keys.afterDue(partition),
      trial_held: keys.trialHeld(partition),
      fading: keys.fading(partition),
      refunds: keys.refunds(partition),
      by_status: keys.byStatus(partition),
    }, {
      order_no: orderNo,
      mark: markOf(name, options),
      row: MOVE_ROWS[name],
      wish: JSON.stringify(
        wishOf(MOVES[name], { ...options, ...omitUndefined(options.detail) }, driver)),
      doorbell: channels.doorbell(partition),
      partition,
      fade_ms: unpaidKeptMs,
    })
    const archived = result.code === 'missing' ? await archivedFields?.(orderNo) : undefined
    return archived ? outcomeOfArchived(archived, markOf(name, options)) : result
  }
}

/** An order in the archive has ended: what was made before is repeated, and nothing moves it. */
function outcomeOfArchived(
  fields: OrderFields, mark: string,
): MoveResult {
  const [status, doneAt] = [fields['status'] as Status, fields[`did:${mark}`]]
  return doneAt === undefined ? { code: 'archived', status }
    : { code: 'done', status, at: Number(doneAt) }
}

/** An after-sale's moves can come again with the order's next one. */
function markOf(name: MoveName, { mark = name, aftersale }: MoveOptions): string {
  return (MOVES[name] as MoveRow).aftersale?.to && aftersale ? `${mark}:${aftersale.id}` : mark
}

/** Without what a driver left open: an empty detail is none. */
function omitUndefined(detail: MoveDetail | undefined): { detail: MoveDetail | undefined } {
  const entries = Object.entries(detail ?? {}).filter(([, value]) => value !== undefined)
  return { detail: entries.length > 0 ? Object.fromEntries(entries) : undefined }
}

function wishOf(
  row: MoveRow, { detail, aftersale }: Pick<MoveOptions, 'aftersale'> & {
    detail: MoveDetail | undefined,
  }, driver: OrderDriver,
) {
  const { to } = row
  // Where the after-sale moves along, what comes next is its matter, and the detail is its own.
  if (row.aftersale?.to && aftersale) {
    const wish = aftersaleWish(row.aftersale.to, aftersale, detail, driver)
    const { refundAmount } = aftersale
    const isRefund = row.events.includes('refunded') && refundAmount !== undefined
    return {
      ...wish, ...(detail && { detail }), ...(isRefund && { fields: ['refund', refundAmount] }),
    }
  }
  const due = to ? driver.next(to) : undefined
  return {
    ...(due && { due_ms: due.afterMs }),
    ...(detail && { detail, fields: Object.entries(detail).flat() }),
  }
}

function aftersaleWish(
  to: AftersaleStatus,
  { id, type, hasPickup, given }: AftersaleSubject,
  detail: MoveDetail | undefined, driver: OrderDriver,
) {
  const due = driver.nextAftersale(to, { type, hasPickup })
  const fields = { status: to, ...(given !== undefined && { given }), ...detail }
  const times = given === undefined ? [to] : ['requested', to]
  return {
    after_id: id,
    after_type: type,
    after_is_new: given !== undefined,
    after_fields: Object.entries(fields).flatMap(([name, value]) => [`${id}.${name}`, value]),
    after_times: times.map((status) => `${id}.at.${status}`),
    ...(due && { after_due_ms: due.afterMs }),
  }
}

const asSet = (names: readonly string[]): Record<string, true> =>
  Object.fromEntries(names.map((name) => [name, true]))

/** A row as the script takes it: without what is null, and lists as sets. */
function rowJson({ from, to, events, stock, window, aftersale }: MoveRow): string {
  const standing = aftersale?.from.flatMap((status) =>
    (status === 'none' ? ['none', ...ENDED] : [status]))
  const isUnpaid = from.every((status) => status === 'pending_payment')
  return JSON.stringify({
    from: asSet(from),
    ...(to && { to }),
    // What was never paid is dropped after a time, and listed by that.
    ...(to && !(isUnpaid && to === 'closed') && { score: scoreOf(to, 0) }),
    events,
    ...(stock && { returns: true }),
    ...(events.includes('refunded') && { refunds: true }),
    ...(window && { window }),
    ...(to === 'closed' && { facts: ['why', window === 'over' ? 'expired' : 'cancelled'] }),
    ...(standing && { after_from: asSet(standing) }),
    ...(aftersale?.to && { after_to: aftersale.to }),
    ...(aftersale?.type && { after_type: aftersale.type }),
  })
}

/** Rows as the scripts take them. */
export const MOVE_ROWS = Object.fromEntries(
  Object.entries<MoveRow>(MOVES).map(([name, row]) => [name, rowJson(row)]),
) as Record<MoveName, string>

/** The agent's moves, by the operation that makes them. */
const OPERATIONS: Partial<Record<MoveName, string>> = {
  cancel: 'cancel_order',
  cancel_paid: 'cancel_order',
  request_refund: 'request_aftersale',
  request_aftersale: 'request_aftersale',
  withdraw: 'cancel_aftersale',
}

/** Which operations of its agent an order allows as it stands. */
function allowedOperations(
  { status, aftersales }: Pick<OrderRecord, 'status' | 'aftersales'>,
): string[] {
  const open = openOf(aftersales.at(-1)?.status)
  const names = (Object.entries(MOVES) as [MoveName, MoveRow][])
    .filter(([, { from, aftersale }]) =>
      from.includes(status) && (!aftersale || aftersale.from.includes(open)))
    .map(([name]) => OPERATIONS[name])
  return [...new Set(names)].filter((name) => name !== undefined)
}

export const orderState = (order: OrderRecord, why?: string): Refusal =>
  new Refusal('order_state', {
    status: order.status, allowed: allowedOperations(order), ...(why !== undefined && { why }),
  })

interface CancelOptions {
  readonly move: MakeMove
  /** The agent's own order; refuses with not_found. */
  own(agent: string, orderNo: string): Promise<OrderRecord>
}

export function createCancel({ move, own }: CancelOptions) {
  /** Refuses with order_state; an order that was cancelled before is returned as it is. */
  async function order(agent: string, orderNo: string, reason?: string): Promise<OrderRecord> {
    const before = await own(agent, orderNo)
    // One mark for both rows: a cancelled order stays cancelled, whichever row did it.
    const first: MoveName = before.status === 'pending_payment' ? 'cancel' : 'cancel_paid'
    const options = { mark: 'cancel', ...(reason !== undefined && { detail: { reason } }) }
    let result = await move(first, orderNo, options)
    // It may have been paid in between.
    if (result.code === 'state' && first === 'cancel') {
      result = await move('cancel_paid', orderNo, options)
    }
    return await outcome(agent, orderNo, result)
  }

  /** Takes back the open after-sale while nothing is on its way. */
  async function aftersale(
    agent: string, orderNo: string,
  ): Promise<{ order: OrderRecord, record: AftersaleRecord }> {
    const before = (await own(agent, orderNo)).aftersales
    const record = before.findLast(isOpenAftersale)
      ?? before.findLast(({ status }) => status === 'cancelled')
    if (!record) {
      throw new Refusal('aftersale_refused', { why: 'This order has no open after-sale.' })
    }
    const { id } = record
    const result = await move('withdraw', orderNo, { aftersale: aftersaleSubject(record) })
    if (result.code === 'aftersale') {
      throw new Refusal('aftersale_refused', {
        why: 'It is too far under way to be taken back.', aftersale_id: id,
      })
    }
    const order = await outcome(agent, orderNo, result)
    return { order, record: order.aftersales.find((one) => one.id === id) ?? record }
  }

  async function outcome(
    agent: string, orderNo: string, { code }: MoveResult,
  ): Promise<OrderRecord> {
    const now = await own(agent, orderNo)
    if (code !== 'moved' && code !== 'done') throw orderState(now)
    return now
  }

  return { order, aftersale }
}
