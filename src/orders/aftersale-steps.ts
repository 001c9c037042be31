/** What the buyer does next for an after-sale, where the goods go, and when the money is due. */
import { isoTime } from '../contract/time.ts'
import { yuanText } from '../contract/money.ts'
import type { AftersaleGiven, AftersaleRecord } from './aftersale-record.ts'
import type { OrderDriver, PlannedMove, Trace } from './driver.ts'
import { MOVES, openOf, type AftersaleStatus, type Move } from './states.ts'

export interface AftersaleSteps {
  next_step: string
  return_address?: string
  refund_expected_at?: string
}

/** While the goods are to be sent, or on their way. */
const SENDING: readonly AftersaleStatus[] = ['approved', 'pickup_booked', 'returning']

/** Without a driver nothing moves by itself, and nobody can say when. */
export function stepsOf(record: AftersaleRecord, driver?: OrderDriver): AftersaleSteps {
  const { status, given, returnAddress } = record
  const expected = driver && refundExpectedAt(record, driver)
  return {
    next_step: nextStep(status, given),
    ...(returnAddress !== undefined && SENDING.includes(status)
      && { return_address: returnAddress }),
    ...(expected !== undefined && { refund_expected_at: isoTime(expected) }),
  }
}

function nextStep(status: AftersaleStatus, given: AftersaleGiven): string {
  const { type, pickup, refund_amount, freight_amount } = given
  const money = yuanText(refund_amount)
  const isKept = type === 'refund_only'
  const toCourier = freight_amount === undefined ? ''
    : ` The user pays the courier ${yuanText(freight_amount)}.`
  switch (status) {
    case 'requested':
      return isKept ? 'Wait until the merchant has decided; nothing is sent back.'
        : 'Keep the goods and their packing until the return is approved: return_address then '
          + 'says where they go.'
    case 'approved':
      if (isKept) return `Nothing: the goods stay where they are, and ${money} is refunded next.`
      return pickup
        ? `Pack the goods: a courier is being booked to collect them where they were delivered.${
          toCourier}`
        : 'Send the goods to return_address with any carrier, and keep the waybill.'
    case 'pickup_booked':
      return `Hand the packed goods to the courier who comes for pickup_waybill_no.${toCourier}`
    case 'returning':
      return 'Nothing: the goods are on their way back; get_logistics follows them.'
    case 'received':
      return `Nothing: the merchant has the goods, and refunds ${money} next.`
    case 'refunded':
      return `Nothing: ${money} goes back the way it was paid; refund in get_order_status says `
        + 'when it has arrived.'
    case 'rejected':
      return 'Tell the user why. While the order is not completed, another request can be made.'
    case 'cancelled':
      return 'Nothing: the request was withdrawn.'
  }
}

/** Milliseconds; undefined where somebody has to act first, or nothing comes any more. */
function refundExpectedAt(
  { status, given: { type, pickup }, timeline }: AftersaleRecord, driver: OrderDriver,
): number | undefined {
  let at = timeline.at(-1)?.at ?? 0
  for (let now: AftersaleStatus | null = status; now !== 'refunded';) {
    const next: PlannedMove | undefined = now === null || openOf(now) === 'none' ? undefined
      : driver.nextAftersale(now, { type, hasPickup: pickup })
    if (!next) return undefined
    at += next.afterMs
    now = (MOVES[next.move] as Move).aftersale?.to ?? null
  }
  return status === 'refunded' ? undefined : at
}

export interface ReturnParcel {
  waybill_no: string
  traces: Trace[]
}

const STATIONS: Readonly<Partial<Record<AftersaleStatus, string>>> = {
  pickup_booked: '已预约上门取件', returning: '退货已寄出', received: '商家已签收退货',
}

/** The way of the goods back; undefined while they have no waybill. */
export function returnParcelOf(record: AftersaleRecord | undefined): ReturnParcel | undefined {
  const waybillNo = record?.returnWaybillNo ?? record?.pickupWaybillNo
  if (!record || waybillNo === undefined) return undefined
  return {
    waybill_no: waybillNo,
    traces: record.timeline.flatMap(({ status, at }) => {
      const context = STATIONS[status]
      return context === undefined ? [] : [{ time: isoTime(at), context }]
    }),
  }
}
