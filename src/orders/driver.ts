/** What happens to an order by itself. Real merchants and carriers replace the sandbox here. */
import type { AftersaleStatus, AftersaleType, MoveName, Status } from './states.ts'

export interface Trace {
  /** ISO 8601, UTC. */
  readonly time: string
  readonly context: string
}

export interface Shipment {
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
