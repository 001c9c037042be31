/** Which browser pages may call, and what they may send and read. Never with cookies. */
import type { Config } from '../config.ts'
import { headerLines } from './reply.ts'
import { isApiPath } from './unrouted.ts'
import { METHODS, type HeaderList } from '../contract/http.ts'

const EXPOSED = [
  'X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Idempotent-Replayed',
  'MCP-Protocol-Version', 'Mcp-Session-Id',
].join(', ')

const ACCEPTED = [
  'Authorization', 'X-API-Key', 'Content-Type', 'Idempotency-Key', 'Accept',
  'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id', 'Last-Event-ID',
  'X-Request-Id', 'UCP-Agent',
].join(', ')

const ALL_METHODS = ['GET', 'HEAD', ...METHODS.slice(1), 'OPTIONS'].join(', ')

/** Browsers keep a preflight's answer for at most this long. */
const PREFLIGHT_AGE_S = '7200'

export interface Cors {
  /** Lines for answers of the API, errors too: a page cannot read an answer that lacks them. */
  linesFor(path: string, origin: string | undefined): string
}

/** Only pages that ALLOWED_ORIGINS names: others would have their visitors take keys for them. */
const LISTED_ONLY: ReadonlySet<string> = new Set(['/v1/trial-keys'])

const linesOf = (origin: string, more: HeaderList): string => headerLines([
  ['Access-Control-Allow-Origin', origin], ['Access-Control-Expose-Headers', EXPOSED], ...more,
])

export function createCors(allowed: Config['allowedOrigins']): Cors {
  if (allowed === '*') {
    const always = linesOf('*', [])
    return { linesFor: (path) => (isApiPath(path) && !LISTED_ONLY.has(path) ? always : '') }
  }
  // Without it a cache could hand one page the answer that was made for another.
  const varies: HeaderList = [['Vary', 'Origin']]
  const refused = headerLines(varies)
  const granted = new Map(allowed.map((origin) => [origin, linesOf(origin, varies)]))
  return {
    linesFor: (path, origin) => {
      if (!isApiPath(path)) return ''
      return (origin && granted.get(origin)) ?? refused
    },
  }
}

/** Headers of a preflight's answer beside those of every answer. */
export const preflightHeaders = (allow: string = ALL_METHODS): HeaderList => [
  ['Allow', allow],
  ['Access-Control-Allow-Methods', allow],
  ['Access-Control-Allow-Headers', ACCEPTED],
  ['Access-Control-Max-Age', PREFLIGHT_AGE_S],
]
