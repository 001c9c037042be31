/** Answers about after-sales, built from what the ledger keeps. */
import { isoTime } from '../contract/time.ts'
import { nextActions, pollAfterS, type NextAction } from './actions.ts'
import { isOpen, type AftersaleRecord } from './aftersale-record.ts'
import { stepsOf, type AftersaleSteps } from './aftersale-steps.ts'
import type { ReasonClass, Terms } from './aftersale-terms.ts'
import type { OrderDriver } from './driver.ts'
import type { OrderRecord } from './record.ts'
import type { AftersaleStatus, AftersaleType } from './states.ts'

/** What request_aftersale answers; a preview has no id and no status. */
export interface AftersaleAnswer extends Terms, Partial<AftersaleSteps> {
  aftersale_id?: string
  status?: AftersaleStatus
  /** Null until a pickup is booked. */
  pickup_waybill_no?: string | null
  eligible?: boolean
  why?: string
  quota_left?: number
  quota_resets_at?: string
  duplicate?: boolean
  next_actions?: NextAction[]
  poll_after_s?: number
}

/** An element of the list of an order's after-sales. */
export interface AftersaleItem extends Terms, AftersaleSteps {
  aftersale_id: string
  status: AftersaleStatus
  type: AftersaleType
  reason?: string
  reason_class?: ReasonClass
  pickup_waybill_no: string | null
  /** Why the merchant rejected it. */
  why?: string
  created_at: string
  events: { status: AftersaleStatus, at: string }[]
}

const termsOf = ({ given }: AftersaleRecord): Terms => ({
  return_freight_payer: given.return_freight_payer,
  refund_amount: given.refund_amount,
  ...(given.freight_amount !== undefined && { freight_amount: given.freight_amount }),
})

export function aftersaleView(
  order: OrderRecord, record: AftersaleRecord, driver: OrderDriver,
): AftersaleAnswer {
  const pollS = isOpen(record) ? pollAfterS(order.status, record.status) : undefined
  return {
    aftersale_id: record.id,
    status: record.status,
    pickup_waybill_no: record.pickupWaybillNo ?? null,
    ...termsOf(record),
    ...stepsOf(record, driver),
    ...(record.refusal !== undefined && { why: record.refusal }),
    next_actions: nextActions(order, record),
    ...(pollS !== undefined && { poll_after_s: pollS }),
  }
}

export function aftersaleItem(record: AftersaleRecord, driver?: OrderDriver): AftersaleItem {
  const { given, timeline, refusal } = record
  return {
    aftersale_id: record.id,
    status: record.status,
    type: given.type,
    ...(given.reason !== undefined && { reason: given.reason }),
    ...(given.reason_class !== undefined && { reason_class: given.reason_class }),
    pickup_waybill_no: record.pickupWaybillNo ?? null,
    ...termsOf(record),
    ...stepsOf(record, driver),
    ...(refusal !== undefined && { why: refusal }),
    created_at: isoTime(timeline[0]?.at ?? 0),
    events: timeline.map(({ status, at }) => ({ status, at: isoTime(at) })),
  }
}
