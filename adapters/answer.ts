/** From an HTTP answer to data or a failure; the platforms put most of their errors into a 200. */
import type { Answer } from './attempt.ts'
import { SourceError, type FailureKind } from './failure.ts'

/** A firewall's or a proxy's page instead of the gateway's answer. */
const PAGE = /^\s*</

const RETRY_AFTER_MAX_S = 86_400

export function readAnswer<T>(
  source: string, exchange: { read(text: string): T }, { status, text, retryAfter }: Answer,
): T {
  const page = PAGE.test(text)
  if (status >= 200 && status < 300) {
    if (page) throw new SourceError(source, 'bad_answer', { code: 'page' })
    return exchange.read(text)
  }
  const said = page ? null : failureSaid(exchange, text)
  if (said) throw said
  const seconds = Number(retryAfter)
  throw new SourceError(source, kindOf(status), {
    code: status,
    ...(seconds > 0 && { retryAfterMs: Math.min(seconds, RETRY_AFTER_MAX_S) * 1000 }),
  })
}

/** What the gateway's own words say goes before what the status says. */
function failureSaid(
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
