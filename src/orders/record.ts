/**
 * An order as the ledger keeps it, and how it is read from there. Its receiver is encrypted where
 * it is kept and masked wherever it is shown.
 */
import { modeOf, type Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { replyValues } from '../redis/replies.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import { runMany } from '../redis/send.ts'
import { aftersalesOf, type AftersaleRecord } from './aftersale-record.ts'
import { readArchived, type ArchivedOrder, type OrderArchive } from './archive/archive.ts'
import type { MoveDetail } from './driver.ts'
import type { EventName, Status } from './states.ts'
import type { Static } from 'typebox'
import type { Receiver as ReceiverSchema } from '../contract/fields.ts'
import type { Seal } from '../secrets/seal.ts'

/** What create_order answers from. */
export interface OrderFacts {
  readonly orderNo: string
  readonly status: Status
  readonly productId: number
  readonly skuId: number
  readonly title: string
  readonly qty: number
  /** Fen, like every amount: the price at the moment of the order. */
  readonly unitPrice: number
  readonly freight: number
  readonly amount: number
  /** Milliseconds, Redis's clock. */
  readonly createdAt: number
  readonly expiresAt: number
  /** Of its placement: what kind of money it may be paid with. */
  readonly mode: Mode
}

/** Kept with the order; the scripts decide nothing by it. */
export interface Given {
  readonly account: string
  readonly attempt: string
  readonly user_ref?: string
  readonly receiver_masked: Receiver
}

export interface OrderEvent {
  readonly event: EventName
  readonly at: number
  readonly detail?: MoveDetail
}

/** Of the order's own refund, and of payments that could not pay it. */
export interface OrderRefund {
  /** Fen, all told. */
  readonly amount: number
  /** When the last of it was given back, ms; absent while any is on its way. */
  readonly arrivedAt?: number
}

export interface OrderRecord extends OrderFacts {
  readonly agent: string
  readonly merchantId: number
  readonly given: Given
  /** Sealed: see receiver.ts. */
  readonly receiver: string
  readonly waybillNo?: string
  readonly expressCo?: string
  readonly transitMs?: number
  /** Money on its way back to the payer, or back already; absent where there is none. */
  readonly refund?: OrderRefund
  readonly events: readonly OrderEvent[]
  /** Oldest first; only the last one can be open. */
  readonly aftersales: readonly AftersaleRecord[]
}

/** The fields that order-place returns of an order that is there, in its order. */
export function orderFactsOf(orderNo: string, values: readonly (string | null)[]): OrderFacts {
  const [status, productId, skuId, title, qty, unitPrice, freight, amount, createdAt,
    expiresAt, mode] = values
  return {
    orderNo,
    status: status as Status,
    productId: Number(productId),
    skuId: Number(skuId),
    title: title ?? '',
    qty: Number(qty),
    unitPrice: Number(unitPrice),
    freight: Number(freight),
    amount: Number(amount),
    createdAt: Number(createdAt),
    expiresAt: Number(expiresAt),
    mode: modeOf(mode),
  }
}

/**
 * The order with its timeline, as one moment saw both; undefined when there is none. Without an
 * archive one that left the ledger refuses with `unavailable`.
 */
export async function readOrder(
  ledger: RedisClient, orderNo: string, archive?: OrderArchive,
): Promise<OrderRecord | undefined> {
  const partition = partitionOfOrder(orderNo)
  if (partition === undefined) return undefined
  const [order, events, after] = replyValues(await ledger.multi()
    .hgetall(keys.order(partition, orderNo))
    .lrange(keys.events(partition, orderNo), 0, -1)
    .hgetall(keys.after(partition, orderNo))
    .exec())
  const fields = order as Record<string, string>
  const { archived } = fields
  if (archived !== undefined) {
    return recordOfArchived(await readArchived(archive, archived, orderNo))
  }
  if (fields['status'] === undefined) return undefined
  return orderRecordOf(orderNo, fields, events as string[],
    aftersalesOf(after as Record<string, string>, fields['after_id']))
}

const recordOfArchived = ({ order_no: orderNo, order, events, after }: ArchivedOrder) =>
  orderRecordOf(orderNo, order, events, aftersalesOf(after, order['after_id']))

/** The fields of an order in the archive as it was; undefined for any other. */
export async function readArchivedFields(
  ledger: RedisClient, orderNo: string, archive: OrderArchive | undefined,
): Promise<ArchivedOrder['order'] | undefined> {
  const partition = partitionOfOrder(orderNo)
  if (partition === undefined) return undefined
  const archived = await ledger.hget(keys.order(partition, orderNo), 'archived')
  return archived === null ? undefined
    : (await readArchived(archive, archived, orderNo)).order
}

function orderRecordOf(
  orderNo: string, fields: ArchivedOrder['order'], events: readonly string[] = [],
  aftersales: readonly AftersaleRecord[] = [],
): OrderRecord {
  const text = (name: string): string => fields[name] ?? ''
  return {
    ...orderFactsOf(orderNo, FACT_FIELDS.map(text)),
    agent: text('agent'),
    merchantId: Number(text('merchant_id')),
    given: JSON.parse(text('given')) as Given,
    receiver: text('receiver'),
    ...(fields['waybill_no'] && { waybillNo: text('waybill_no') }),
    ...(fields['express_co'] && { expressCo: text('express_co') }),
    ...(fields['transit_ms'] && { transitMs: Number(text('transit_ms')) }),
    ...refundOf(fields),
    events: events.map((line) => JSON.parse(line) as OrderEvent),
    aftersales,
  }
}

function refundOf(fields: ArchivedOrder['order']): { refund?: OrderRefund } {
  const number = (name: string): number => Number(fields[name] ?? 0)
  const isOver = fields['status'] === 'refunded' || fields['status'] === 'closed'
  const own = isOver && fields['payment'] !== undefined
    ? number(fields['refund'] === undefined ? 'amount' : 'refund') : 0
  const amount = own + number('stray')
  const isBack = number('given_back') >= amount
  return amount === 0 ? {}
    : { refund: { amount, ...(isBack && { arrivedAt: number('given_back_at') }) } }
}

/**
 * Facts of orders and further fields, in the order of FACT_FIELDS and `more`; of one in the archive
 * the ledger keeps these, its status under another name, so that no script takes it for an order.
 */
export async function readFacts(
  ledger: RedisClient, orderNos: readonly string[], ...more: string[]
): Promise<(string | null)[][]> {
  const found = await runMany(ledger, orderNos.map((orderNo) => [
    'hmget', keys.order(partitionOfOrder(orderNo) ?? 0, orderNo), 'ended', ...FACT_FIELDS, ...more,
  ] as const)) as (string | null)[][]
  return found.map(([ended = null, status = null, ...values]) => [status ?? ended, ...values])
}

/** What lists and factsOf need; order-place.lua names the same. */
export const FACT_FIELDS = [
  'status', 'product_id', 'sku_id', 'title', 'qty', 'unit_price', 'freight', 'amount',
  'created_at', 'expires_at', 'mode',
] as const

export const timeOf = (record: Pick<OrderRecord, 'events'>, event: EventName): number | undefined =>
  record.events.find((one) => one.event === event)?.at

export type Receiver = Static<typeof ReceiverSchema>

/** Bound to the order: an envelope moved to another order does not open. */
export const sealReceiver = (receiver: Receiver, orderNo: string, seal: Seal): string =>
  seal.seal(JSON.stringify(receiver), orderNo)

/** For the merchant who ships; throws when the envelope is not this order's or was changed. */
export const openReceiver = (envelope: string, orderNo: string, seal: Seal): Receiver =>
  JSON.parse(seal.open(envelope, orderNo)) as Receiver

/** Enough for a person to recognise it, too little to find somebody by it. */
export function maskReceiver(receiver: Receiver): Receiver {
  const { province, city, district } = receiver
  return {
    name: maskName(receiver.name),
    phone: maskPhone(receiver.phone),
    province,
    city,
    district,
    address: '****',
  }
}

/** The first character of a name of two or more; nothing tells how long the rest is. */
function maskName(name: string): string {
  const characters = [...name.trim()]
  return characters.length > 1 ? `${characters[0]}*` : '*'
}

/** 138****1234 for a Chinese mobile; of any other number the last two digits, if it is long. */
function maskPhone(phone: string): string {
  const number = phone.replaceAll(/[^\d+]/g, '')
  const mobile = /^(?:\+?86)?(1[3-9]\d)\d{4}(\d{4})$/.exec(number)
  if (mobile) return `${mobile[1]}****${mobile[2]}`
  const digits = number.replace('+', '')
  return digits.length >= 8 ? `****${digits.slice(-2)}` : '****'
}
