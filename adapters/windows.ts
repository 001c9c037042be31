/** Long spans of time in the short windows that gateways take. */
import type { OrderWindow } from './contract.ts'

/** Oldest first; neighbours share their edge, whichever end a gateway counts in. */
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
