/** What a caller is told of a platform's failure: never the platform's own words. */
import { FAILURES, SourceError, type FailureKind } from '../../adapters/index.ts'
import { Refusal, type ErrorName } from '../contract/errors.ts'

const ERROR_OF: Partial<Record<FailureKind, ErrorName>> = {
  not_found: 'not_found', invalid_arg: 'invalid_request', timeout: 'upstream_timeout',
}

/** Failures before anything was sent: they cost no quota. */
const UNSENT: ReadonlySet<FailureKind> = new Set(['open', 'busy', 'invalid_arg', 'aborted'])

export const wasSent = (error: unknown): boolean =>
  error instanceof SourceError && !UNSENT.has(error.kind)

/** Other errors are given back as they are. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof SourceError)) return error
  const { source, kind, retryAfterMs } = error
  return new Refusal(ERROR_OF[kind] ?? 'upstream_failed', {
    source,
    reason: FAILURES[kind].says,
    ...(retryAfterMs !== undefined && { retry_after_s: Math.ceil(retryAfterMs / 1000) }),
  }, error)
}
