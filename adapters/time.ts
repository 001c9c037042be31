/** Times on the wire, and windows of time. Two malls write China time without a zone. */
import type { OrderWindow } from './contract.ts'

/** Milliseconds since the epoch; handed in, so that tests and nodes share one clock. */
export interface Clock {
  now(): number
}

const CHINA_MS = 8 * 3_600_000
export const DAY_MS = 86_400_000

/** "2026-01-02 03:04:05" in China. */
export const chinaTime = (ms: number): string =>
  new Date(ms + CHINA_MS).toISOString().slice(0, 19).replace('T', ' ')

const CHINA_TEXT =
  /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d{1,3})?(?:\+0?8:?00?)?$/

/** Null where it is not such a time. */
export function parseChinaTime(text: string | null | undefined): number | null {
  const match = CHINA_TEXT.exec(text ?? '')
  const ms = match ? Date.parse(`${match[1]}T${match[2]}+08:00`) : NaN
  return Number.isNaN(ms) ? null : ms
}

/** "20260215" as its first moment in China. */
export function parseChinaDay(text: string): number | null {
  const match = /^(\d{4})(\d\d)(\d\d)$/.exec(text)
  const ms = match ? Date.parse(`${match[1]}-${match[2]}-${match[3]}T00:00:00+08:00`) : NaN
  return Number.isNaN(ms) ? null : ms
}

/** Daily quotas of the platforms begin anew at midnight in China. */
export const untilChinaMidnight = (ms: number): number =>
  DAY_MS - ((ms + CHINA_MS) % DAY_MS)

/**
 * Cuts a long span into windows that a gateway takes. Oldest first; neighbours share their edge,
 * whichever end a gateway counts in.
 */
export function windowsOf(span: OrderWindow, lengthMs: number): OrderWindow[] {
  const windows: OrderWindow[] = []
  for (let from = span.from; from < span.to; from += lengthMs) {
    windows.push({ from, to: Math.min(from + lengthMs, span.to) })
  }
  return windows
}

/** Two halves, at a whole second, since that is what gateways count in. */
export function halvesOf({ from, to }: OrderWindow): [OrderWindow, OrderWindow] {
  const middle = Math.floor((from + to) / 2000) * 1000
  return [{ from, to: middle }, { from: middle, to }]
}
