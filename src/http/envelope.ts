/** The envelope of every REST answer, spliced around data that is already JSON. */
import { ERRORS, errorData, Refusal, type ErrorData } from '../contract/errors.ts'
import { withViolated, type Headers } from '../limits/headers.ts'
import { jsonBytes } from '../contract/json.ts'
import { headersBefore, type HttpReply } from '../contract/http.ts'

const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'] as const
const NO_STORE = ['Cache-Control', 'no-store'] as const
const successHeaders = headersBefore([JSON_TYPE, NO_STORE])
const SUCCESS = Buffer.from('{"schema":"v1","code":0,"msg":"ok","data":')
const TAILS = new Map<string, Buffer>()
const TAILS_MAX = 10_000

/** `,"agent_ref":…}`; agents are few and their calls many, so the bytes are kept. */
function tail(agent: string | null): Buffer {
  const key = agent ?? ''
  let bytes = TAILS.get(key)
  if (!bytes) {
    if (TAILS.size >= TAILS_MAX) TAILS.clear()
    TAILS.set(key, bytes = Buffer.from(`,"agent_ref":${JSON.stringify(agent)}}`))
  }
  return bytes
}

export function success(
  data: Buffer, agent: string | null, headers: Headers, duplicate: boolean,
): HttpReply {
  return {
    status: 200,
    headers: duplicate
      ? [...successHeaders(headers), ['Idempotent-Replayed', 'true']] : successHeaders(headers),
    body: [SUCCESS, data, tail(agent)],
  }
}

export function failure(data: ErrorData, agent: string | null, headers: Headers): HttpReply {
  const { status, code, msg } = ERRORS[data.error]
  const all: (readonly [string, string])[] = [JSON_TYPE, NO_STORE, ...withViolated(headers, data)]
  if (status === 401 && data.error.startsWith('key_')) {
    all.push(['WWW-Authenticate', 'Bearer realm="agentmall"'])
  }
  if (status === 405 && Array.isArray(data['allowed'])) {
    all.push(['Allow', data['allowed'].join(', ')])
  }
  if (data.retry_after_s !== undefined && !headers.some(([name]) => name === 'Retry-After')) {
    all.push(['Retry-After', String(data.retry_after_s)])
  }
  return {
    status,
    headers: all,
    body: [
      Buffer.from(`{"schema":"v1","code":${code},"msg":${JSON.stringify(msg)},"data":`),
      jsonBytes(data), tail(agent),
    ],
  }
}

/** What the exchange answers when a handler throws, is too late, or is no part of the API. */
export function errorReply(error: unknown, requestId: string, headers: Headers = []): HttpReply {
  const refusal = error instanceof Refusal ? error : new Refusal('internal', {}, error)
  return failure(errorData(refusal, requestId), null, headers)
}
