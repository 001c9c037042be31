/**
 * What happens to an order by itself. Real merchants and carriers stand behind the same interface
 * as the sandbox's, which let every paid order arrive, at a configurable pace.
 */
import type { AftersaleStatus, AftersaleType, MoveName, Status } from './states.ts'
import { createHash } from 'node:crypto'
import { isoTime } from '../contract/time.ts'
import type { Config } from '../config.ts'

export interface Trace {
  /** ISO 8601, UTC. */
  readonly time: string
  readonly context: string
}

interface Shipment {
  readonly orderNo: string
  readonly expressCo: string
  /** Milliseconds. */
  readonly shippedAt: number
  /** How long the driver meant it to take; absent when a merchant shipped it. */
  readonly transitMs?: number
  readonly deliveredAt?: number
  readonly province: string
  readonly city: string
}

/** Kept as fields of the order; waybill_no and express_co are also shown in the timeline. */
export interface MoveDetail {
  readonly waybill_no?: string
  readonly express_co?: string
  readonly transit_ms?: number
  readonly reason?: string
  /** These are kept with the after-sale, not with the order. */
  readonly pickup_waybill_no?: string
  readonly return_address?: string
  readonly return_waybill_no?: string
}

export interface PlannedMove {
  readonly move: MoveName
  readonly afterMs: number
}

export interface OrderDriver {
  /** The move that follows a status unasked; undefined when somebody has to act. */
  next(status: Status): PlannedMove | undefined
  /** The same for an open after-sale. */
  nextAftersale(status: AftersaleStatus, request: {
    readonly type: AftersaleType, readonly hasPickup: boolean,
  }): PlannedMove | undefined
  /** `id` is the order's number, or the after-sale's id where the move is its. */
  detail(move: MoveName, id: string): MoveDetail | undefined
  /** Newest last; a trace that was shown once stays as it was. */
  traces(shipment: Shipment, nowMs: number): Trace[]
}

const EXPRESS_CO = '顺风达'
const WAYBILL_DIGITS = 12

/** Stations of a parcel by the share of the way behind it. */
const STATIONS = [
  { share: 0, context: () => '快件已揽收' },
  { share: 0.25, context: () => '快件已到达始发分拨中心' },
  { share: 0.5, context: (province: string) => `快件运输中，下一站${province}` },
  { share: 0.7, context: (_: string, city: string) => `快件已到达${city}转运中心` },
  { share: 0.85, context: () => '快递员正在派送' },
] as const

/** The sandbox's merchant agrees to everything. */
const AFTERSALE_STEPS: Record<
  AftersaleType, (hasPickup: boolean) => Partial<Record<AftersaleStatus, MoveName>>
> = {
  refund_only: () => ({ requested: 'approve_refund', approved: 'refund_kept' }),
  return_refund: (hasPickup) => ({
    requested: 'approve_return',
    approved: hasPickup ? 'book_pickup' : 'collect',
    pickup_booked: 'collect',
    returning: 'receive',
    received: 'refund_returned',
  }),
}

type Pace = Pick<Config, 'sandbox' | 'sandboxStepMs' | 'sandboxCompleteMs' | 'completeMs'>

export function createDriver(pace: Pace): OrderDriver {
  const { sandbox, sandboxStepMs } = pace
  const completion = {
    move: 'complete', afterMs: sandbox ? pace.sandboxCompleteMs : pace.completeMs,
  } as const
  return {
    next(status) {
      if (status === 'delivered') return completion
      if (!sandbox) return undefined
      if (status === 'paid') return { move: 'accept', afterMs: sandboxStepMs }
      if (status === 'merchant_accepted') return { move: 'ship', afterMs: sandboxStepMs }
      if (status === 'shipped') return { move: 'deliver', afterMs: sandboxStepMs }
      if (status === 'refunding') return { move: 'finish_refund', afterMs: sandboxStepMs }
      return undefined
    },
    nextAftersale(status, { type, hasPickup }) {
      const move = sandbox ? AFTERSALE_STEPS[type](hasPickup)[status] : undefined
      return move && { move, afterMs: sandboxStepMs }
    },
    detail(move, id) {
      if (move === 'approve_return') return { return_address: returnAddressOf(id) }
      if (move === 'book_pickup') return { pickup_waybill_no: waybillOf(id) }
      if (move === 'collect') return { return_waybill_no: waybillOf(id) }
      if (move !== 'ship') return undefined
      // The step is kept with the order: with another pace tomorrow its traces stay the same.
      return {
        waybill_no: waybillOf(id), express_co: EXPRESS_CO, transit_ms: sandboxStepMs,
      }
    },
    traces({ shippedAt, transitMs = 0, deliveredAt, province, city }, nowMs) {
      const traces = STATIONS
        .map(({ share, context }) => ({
          at: Math.min(shippedAt + share * transitMs, deliveredAt ?? Infinity),
          context: context(province, city),
        }))
        .filter(({ at }, index) => index === 0 || (transitMs > 0 && at <= nowMs))
      if (deliveredAt !== undefined) traces.push({ at: deliveredAt, context: '快件已签收' })
      return traces.map(({ at, context }) => ({ time: isoTime(at), context }))
    },
  }
}

/** One line to copy onto a parcel; the number on it tells whose return it is. */
const returnAddressOf = (id: string): string =>
  `沙箱退货仓 退货组 400-000-0000 浙江省杭州市余杭区沙箱路 1 号（${id}）`

/** The same order or after-sale always has the same waybill. */
function waybillOf(id: string): string {
  const digest = createHash('sha256').update(id).digest()
  const number = digest.readBigUInt64BE() % 10n ** BigInt(WAYBILL_DIGITS)
  return `SX${String(number).padStart(WAYBILL_DIGITS, '0')}`
}
