/** The sandbox's merchant and carrier: every paid order arrives, at a configurable pace. */
import { createHash } from 'node:crypto'
import { isoTime } from '../clock.ts'
import type { Config } from '../config.ts'
import type { OrderDriver } from './driver.ts'

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

type Pace = Pick<Config, 'sandbox' | 'sandboxStepMs' | 'sandboxCompleteMs'>

export function createDriver({ sandbox, sandboxStepMs, sandboxCompleteMs }: Pace): OrderDriver {
  return {
    next(status) {
      if (status === 'delivered') return { move: 'complete', afterMs: sandboxCompleteMs }
      if (!sandbox) return undefined
      if (status === 'paid') return { move: 'accept', afterMs: sandboxStepMs }
      if (status === 'merchant_accepted') return { move: 'ship', afterMs: sandboxStepMs }
      if (status === 'shipped') return { move: 'deliver', afterMs: sandboxStepMs }
      return undefined
    },
    detail(move, orderNo) {
      if (move !== 'ship') return undefined
      // The step is kept with the order: with another pace tomorrow its traces stay the same.
      return {
        waybill_no: waybillOf(orderNo), express_co: EXPRESS_CO, transit_ms: sandboxStepMs,
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

/** The same order always has the same waybill. */
function waybillOf(orderNo: string): string {
  const digest = createHash('sha256').update(orderNo).digest()
  const number = digest.readBigUInt64BE() % 10n ** BigInt(WAYBILL_DIGITS)
  return `SX${String(number).padStart(WAYBILL_DIGITS, '0')}`
}
