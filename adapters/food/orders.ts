/**
 * Orders of the food platform. An order has a part for each coupon, and each part its own state;
 * where parts are told, the order's own status is only that of one of them.
 */
import type { OrderLine, OrderStatus } from '../normal.ts'
import { idOrNull } from '../wire.ts'
import { NAME } from './dialect.ts'
import { bpsOf, fenOf, textOf } from './map.ts'
import type { OrderPart, OrderRow } from './wire.ts'

/** The name under which the general coupon is converted and sold. */
export const GENERAL = 'general'

const STATUS_OF: Readonly<Record<string, OrderStatus>> = {
  2: 'paid', 3: 'received', 4: 'invalid', 5: 'invalid', 6: 'settled',
}
const PART_STATUS_OF: Readonly<Record<string, OrderStatus>> = {
  1: 'paid', 2: 'received', 3: 'settled', 4: 'invalid',
}
/** Under examination for fraud: no state of a part, so it holds whatever the parts say. */
const RISK = '5'
/** An order is no further than the part that is least far. */
const PROGRESS: readonly OrderStatus[] = ['unknown', 'paid', 'received', 'settled']
const PER_ORDER = '2'

export function toOrderLine(row: OrderRow, actId: string): OrderLine | null {
  const parts = row.orderDetail ?? []
  const updated = latestOf([row, ...parts])
  const paid = timeOf(row.payTime)
  if (updated === null && paid === null) return null
  const status = statusOf(row, parts)
  return {
    source: NAME,
    line_id: String(row.orderId),
    order_no: String(row.orderId),
    item_id: itemOf(row, actId),
    title: row.productName ?? '',
    qty: parts.length || 1,
    amount: amountOf(row, parts, status),
    commission: {
      bps: bpsOf(row.commissionRate),
      fen: status === 'invalid' ? 0 : commissionOf(row, parts),
    },
    status,
    mall_status: wordsFor(row, parts),
    sub_id: textOf(row.sid),
    // The platform tells of orders once they are paid, and not when they were placed.
    ordered_at: null,
    paid_at: paid,
    updated_at: updated ?? paid ?? 0,
  }
}

function itemOf({ productViewSign, actId, productId }: OrderRow, general: string): string | null {
  const named = idOrNull(textOf(productViewSign))
  if (named !== null) return named
  return textOf(actId) === general ? GENERAL : idOrNull(textOf(productId))
}

function statusOf({ status }: OrderRow, parts: readonly OrderPart[]): OrderStatus {
  const whole = textOf(status) ?? ''
  if (parts.length === 0 || whole === RISK) return STATUS_OF[whole] ?? 'unknown'
  const living = new Set(parts.map(partStatus))
  living.delete('invalid')
  if (living.size === 0) return 'invalid'
  return PROGRESS.find((step) => living.has(step)) ?? 'unknown'
}

const partStatus = ({ couponStatus }: OrderPart): OrderStatus =>
  PART_STATUS_OF[textOf(couponStatus) ?? ''] ?? 'unknown'

/** What was paid and not given back. */
function amountOf(row: OrderRow, parts: readonly OrderPart[], status: OrderStatus): number {
  const paid = fenOf(row.payPrice) ?? sum(parts.map(({ basicAmount }) => fenOf(basicAmount)))
  if (status === 'invalid') return paid
  const returned = parts.length === 0 ? fenOf(row.refundPrice) : sum(parts.map((part) =>
    fenOf(part.refundAmount)
      ?? (partStatus(part) === 'invalid' ? fenOf(part.basicAmount) : 0)))
  return Math.max(paid - (returned ?? 0), 0)
}

/** Of the parts that count; without parts, or without their fees, what is said of the whole. */
function commissionOf(row: OrderRow, parts: readonly OrderPart[]): number {
  const living = parts.filter((part) => partStatus(part) !== 'invalid')
  const fees = living.map(({ couponFee }) => fenOf(couponFee))
  if (living.length > 0 && fees.every((fee) => fee !== null)) {
    return Math.max(sum(fees) - sum(living.map(({ refundFee }) => fenOf(refundFee))), 0)
  }
  const [earned, returned] = textOf(row.tradeType) === PER_ORDER
    ? [row.cpaProfit, row.cpaRefundProfit] : [row.profit, row.refundProfit]
  return Math.max((fenOf(earned) ?? 0) - (fenOf(returned) ?? 0), 0)
}

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

/** The order's own time stands still when only a part of it changes. */
function latestOf(parts: readonly Partial<OrderPart>[]): number | null {
  const times = parts.flatMap(({ updateTime, refundTime, settleTime, finishTime }) =>
    [updateTime, refundTime, settleTime, finishTime].map(timeOf).filter((time) => time !== null))
  return times.length === 0 ? null : Math.max(...times)
}

/** Seconds, as numbers or text. */
function timeOf(value: string | number | null | undefined): number | null {
  const seconds = Number(textOf(value) ?? NaN)
  return Number.isInteger(seconds) && seconds > 0 ? seconds * 1000 : null
}

/** "2", or "2:1,4" where the parts have states of their own. */
function wordsFor({ status }: OrderRow, parts: readonly OrderPart[]): string {
  const states = new Set(parts.map(({ couponStatus }) => textOf(couponStatus) ?? '?'))
  const whole = textOf(status) ?? '?'
  return (states.size === 0 ? whole : `${whole}:${[...states].sort().join(',')}`).slice(0, 40)
}
