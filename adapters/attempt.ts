/**
 * One request to a gateway and what its answer means: data, or the SourceError that says why not.
 * The platforms put most of their errors into an answer with status 200.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Dispatcher, Pool } from 'undici'
import { SourceError, type FailureKind } from './contract.ts'

/** One operation of a dialect: how it is sent and how its answer is read. */
export interface PlatformCall<T> {
  /** Its name in measurements. */
  readonly operation: string
  /** Made anew for each attempt, since signatures hold the time. */
  build(): OutboundRequest
  /** What the answer's text holds, or a SourceError for the platform's refusal. */
  read(text: string): T
  /** Only what changes nothing may be sent twice. */
  readonly repeatable: boolean
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST'
  /** Below the base URL; empty where the gateway has one address. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface PlatformAnswer {
  readonly status: number
  readonly text: string
  readonly bytes: number
  readonly date: string | undefined
  readonly retryAfter: string | undefined
}

export interface AttemptLimits {
  readonly headersMs: number
  readonly bodyIdleMs: number
  readonly bytesMax: number
}

const gunzipWithin = promisify(gunzip)
const decoder = new TextDecoder('utf-8')

export async function attempt(
  source: string, pool: Pool, request: OutboundRequest, limits: AttemptLimits,
  signal: AbortSignal,
): Promise<PlatformAnswer> {
  try {
    // undici's request follows no redirect by itself, and no platform needs one.
    const response = await pool.request({
      method: request.method,
      path: request.path,
      headers: { accept: 'application/json', 'accept-encoding': 'gzip', ...request.headers },
      body: request.body ?? null,
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.bodyIdleMs,
      signal,
    })
    const raw = await bytesOf(source, response, limits.bytesMax)
    const body = await unzipped(source, raw, limits.bytesMax)
    return {
      status: response.statusCode,
      text: decoder.decode(body),
      bytes: raw.length,
      date: single(response.headers['date']),
      retryAfter: single(response.headers['retry-after']),
    }
  } catch (error) {
    throw toSourceError(source, error)
  }
}

async function bytesOf(
  source: string, { body, headers }: Dispatcher.ResponseData, bytesMax: number,
): Promise<Buffer> {
  const announced = Number(single(headers['content-length']) ?? 0)
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop early destroys the body and with it the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bytesMax || announced > bytesMax) throw new SourceError(source, 'too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** By its first bytes: some gateways compress without a header. */
async function unzipped(source: string, raw: Buffer, bytesMax: number): Promise<Buffer> {
  if (raw[0] !== 0x1f || raw[1] !== 0x8b) return raw
  try {
    return await gunzipWithin(raw, { maxOutputLength: bytesMax })
  } catch (error) {
    const isBomb = codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
    throw new SourceError(source, isBomb ? 'too_large' : 'bad_answer', { cause: error })
  }
}

const single = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value)

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

const KINDS: Readonly<Record<string, FailureKind>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'bad_answer',
}

function toSourceError(source: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error
  const code = codeOf(error)
  const kind = KINDS[code] ?? (code.startsWith('HPE_') ? 'bad_answer' : 'network')
  return new SourceError(source, kind, { code, cause: error })
}

/** A firewall's or a proxy's page instead of the gateway's answer. */
const PAGE = /^\s*</

const RETRY_AFTER_MAX_S = 86_400

export function readAnswer<T>(
  source: string, exchange: { read(text: string): T }, { status, text, retryAfter }: PlatformAnswer,
): T {
  const page = PAGE.test(text)
  if (status >= 200 && status < 300) {
    if (page) throw new SourceError(source, 'bad_answer', { code: 'page' })
    return exchange.read(text)
  }
  const stated = page ? null : statedFailure(exchange, text)
  if (stated) throw stated
  const seconds = Number(retryAfter)
  throw new SourceError(source, kindOf(status), {
    code: status,
    ...(seconds > 0 && { retryAfterMs: Math.min(seconds, RETRY_AFTER_MAX_S) * 1000 }),
  })
}

/** The failure that the gateway's own code names; it goes before the status. */
function statedFailure(
  exchange: { read(text: string): unknown }, text: string,
): SourceError | null {
  try {
    exchange.read(text)
  } catch (error) {
    if (error instanceof SourceError && error.kind !== 'bad_answer') return error
  }
  return null
}

function kindOf(status: number): FailureKind {
  if (status === 429) return 'rate_limited'
  if (status === 401) return 'auth'
  if (status >= 500) return 'retryable'
  return 'bad_answer'
}
