/** What a call and a source may take; the operator's settings change any of it. */
export interface Limits {
  readonly connectMs: number
  readonly headersMs: number
  /** Between two pieces of a body. */
  readonly bodyIdleMs: number
  /** From asking to the answer, waiting and repeating included. */
  readonly totalMs: number
  /** Of a body, before and after unpacking. */
  readonly bytesMax: number
  readonly concurrency: number
  readonly queueMax: number
  /** Extra attempts at reads. */
  readonly retries: number
  readonly retryMs: number
  /** A turn in the call budget that is nearer than this is waited for. */
  readonly waitMs: number
  /** The circuit opens when half of the last `breakWindow` calls, at least `breakAfter`, failed. */
  readonly breakWindow: number
  readonly breakAfter: number
  /** How long it stays open at first; up to eight times as long when it fails again. */
  readonly breakMs: number
  readonly keepAliveMs: number
}

export const DEFAULT_LIMITS: Limits = {
  connectMs: 2000,
  headersMs: 10_000,
  bodyIdleMs: 5000,
  totalMs: 5000,
  bytesMax: 4 * 1024 * 1024,
  concurrency: 4,
  queueMax: 32,
  retries: 1,
  retryMs: 150,
  waitMs: 250,
  breakWindow: 20,
  breakAfter: 5,
  breakMs: 2000,
  keepAliveMs: 30_000,
}

/** Jobs that nobody waits for read orders: slower, and patient. */
export const JOB_CALL = { deadlineMs: 15_000, waitMs: 10_000 } as const
