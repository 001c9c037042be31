/** Faults of an upstream, on demand. */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

export const FAULT_KINDS = [
  'hang', 'drip', 'reset', 'error_500', 'html', 'truncated', 'huge', 'bomb', 'redirect',
  'wrong_types', 'bad_row', 'lying_totals', 'empty', 'limited', 'packed',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

const HUGE_BYTES = 50 * 1024 * 1024
let bomb: Buffer | undefined

export interface Fault {
  readonly kind: FaultKind
  /** For limited: the ban that the mall announces. */
  readonly seconds: number
}

/** Planned faults: each happens `count` times on its operation, "*" is any. */
export interface FaultList {
  add(operation: string, kind: FaultKind, count?: number, seconds?: number): void
  take(operation: string): Fault | null
  clear(): void
}

export function createFaultList(): FaultList {
  const waiting: { operation: string, fault: Fault, left: number }[] = []
  return {
    add(operation, kind, count = 1, seconds = 7) {
      // Compressed here, so that the answer itself is quick.
      if (kind === 'bomb') bomb ??= gzipSync(Buffer.alloc(HUGE_BYTES, ' '))
      waiting.push({ operation, fault: { kind, seconds }, left: count })
    },
    take(operation) {
      const at = waiting.findIndex((one) =>
        one.operation === '*' || one.operation === operation)
      const found = waiting[at]
      if (!found) return null
      found.left -= 1
      if (found.left === 0) waiting.splice(at, 1)
      return found.fault
    },
    clear() {
      waiting.length = 0
    },
  }
}

const DRIP_MS = 50

/** Sends a faulty response; false when the fault is not one of the transport. */
export function corruptResponse(kind: FaultKind, response: ServerResponse, body: string): boolean {
  switch (kind) {
    case 'hang':
      return true
    case 'reset':
      response.socket?.resetAndDestroy()
      return true
    case 'error_500':
      response.writeHead(500).end('{"message":"oops"}')
      return true
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' })
        .end('<!DOCTYPE html><html><body>Access denied</body></html>')
      return true
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end()
      return true
    case 'truncated':
      response.writeHead(200).end(body.slice(0, Math.floor(body.length / 2)))
      return true
    case 'packed':
      response.writeHead(200).end(gzipSync(body))
      return true
    case 'bomb':
      response.writeHead(200, { 'content-encoding': 'gzip' })
        .end(bomb)
      return true
    case 'huge':
      sendHuge(response)
      return true
    case 'drip':
      drip(response, body)
      return true
    default:
      return false
  }
}

function sendHuge(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  let sent = 0
  const more = (): void => {
    while (sent < HUGE_BYTES && !response.destroyed) {
      sent += chunk.length
      if (!response.write(chunk)) {
        response.once('drain', more)
        return
      }
    }
    response.end()
  }
  response.writeHead(200)
  more()
}

/** One byte at a time: never idle, and too slow to end. */
function drip(response: ServerResponse, body: string): void {
  const bytes = Buffer.from(body)
  let sent = 0
  const timer = setInterval(() => {
    if (sent >= bytes.length || response.destroyed) {
      clearInterval(timer)
      response.end()
    } else {
      response.write(bytes.subarray(sent, sent += 1))
    }
  }, DRIP_MS)
  timer.unref()
}

/** The answer's data with the fault in it, before the dialect wraps them. */
export function corruptData(kind: FaultKind | undefined, data: unknown): unknown {
  switch (kind) {
    case 'wrong_types': return swapTypes(data)
    case 'bad_row': return firstRowBad(data)
    case 'lying_totals': return withFalseTotals(data)
    case 'empty': return {}
    default: return data
  }
}

function swapTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(swapTypes)
  if (typeof value === 'object' && value !== null) return mapValues(value, swapTypes)
  return typeof value === 'string' ? { text: 7 } : `"${String(value)}`
}

/** The first entry of each list becomes a number. */
function firstRowBad(value: unknown): unknown {
  if (Array.isArray(value)) return [7, ...value.slice(1)]
  if (typeof value !== 'object' || value === null) return value
  return mapValues(value, (inner) => firstRowBad(inner))
}

const COUNT = /^(total|.*_?(count|results))$/i
const MORE = /^has_?(more|next)$/i

function withFalseTotals(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return mapValues(value, (inner, key) => {
    if (COUNT.test(key) && typeof inner === 'number') return 987_654_321
    return MORE.test(key) ? true : withFalseTotals(inner)
  })
}

const mapValues = (value: object, map: (inner: unknown, key: string) => unknown): object =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, map(inner, key)]))
