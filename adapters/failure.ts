/** Every way a source can fail, as one table, whatever its platform calls it. */

export interface FailureRow {
  /** Counts against the source's circuit: the source itself is ill, not this one question. */
  readonly ill: boolean
  /** The same read may work at once. */
  readonly retry: boolean
  readonly says: string
}

const row = (says: string, ill = false, retry = false): FailureRow => ({ says, ill, retry })

export const FAILURES = {
  rate_limited: row('takes no more calls for a while'),
  quota: row('has used up the day\'s calls'),
  retryable: row('had a passing fault', true, true),
  auth: row('did not accept the credentials or the signature'),
  clock: row('did not accept the time of this machine'),
  permission: row('has not granted this operation to the application'),
  registration: row('wants the promotion position to be registered first'),
  not_found: row('does not know the item'),
  invalid_arg: row('cannot take these arguments'),
  forbidden: row('has blocked the application'),
  timeout: row('did not answer in time', true),
  network: row('could not be reached', true, true),
  bad_answer: row('answered something that is not its format', true),
  too_large: row('answered more than is read', true),
  open: row('failed too often and is left alone for a while'),
  busy: row('has too many calls waiting here'),
  aborted: row('was not waited for'),
} as const satisfies Record<string, FailureRow>

export type FailureKind = keyof typeof FAILURES

/** A platform's codes by what they mean, as a table to look them up in. */
export const kindsByCode = (
  codes: Partial<Record<FailureKind, readonly number[]>>,
): ReadonlyMap<number, FailureKind> => new Map(Object.entries(codes).flatMap(([kind, of]) =>
  of.map((code) => [code, kind as FailureKind] as const)))

export interface FailureDetail {
  readonly retryAfterMs?: number
  /** The platform's own code, for the operator. */
  readonly code?: string | number
  /** Where a person removes the cause, such as a registration page. */
  readonly link?: string
  readonly cause?: unknown
}

const CODE_LENGTH_MAX = 64

/** What a platform said went wrong; its own words stay out, since they may be anything. */
export class SourceError extends Error {
  readonly source: string
  readonly kind: FailureKind
  readonly retryAfterMs: number | undefined
  readonly code: string | undefined
  readonly link: string | undefined

  constructor(source: string, kind: FailureKind, detail: FailureDetail = {}) {
    super(`${source} ${FAILURES[kind].says}`, { cause: detail.cause })
    this.name = 'SourceError'
    this.source = source
    this.kind = kind
    this.retryAfterMs = detail.retryAfterMs
    this.code = detail.code === undefined ? undefined
      : String(detail.code).replaceAll(/[^\w.:-]/g, '').slice(0, CODE_LENGTH_MAX)
    this.link = detail.link
  }
}
