/**
 * The only reader of the node's time. Time that decides an order's fate is Redis's own TIME,
 * read inside the scripts; this clock serves caches, logs and rates.
 */

/** Milliseconds since the epoch. */
export const nowMs = (): number => Date.now()

/** Milliseconds on a clock that never goes back; for measuring durations. */
export const monotonicMs = (): number => performance.now()

/** ISO 8601 in UTC with milliseconds. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => { setTimeout(resolve, ms) })

/** Wakes early when the signal is aborted. */
export async function sleepUnless(signal: AbortSignal, ms: number): Promise<void> {
  if (signal.aborted) return
  let wake = (): void => {}
  const awake = new Promise<void>((resolve) => { wake = resolve })
  const timer = setTimeout(wake, ms)
  signal.addEventListener('abort', wake, { once: true })
  await awake
  clearTimeout(timer)
  signal.removeEventListener('abort', wake)
}

/** Rejects with the error that `late` makes when the promise has not settled in time. */
export async function withDeadline<T>(
  promise: Promise<T>, ms: number, late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  try {
    return await Promise.race([promise, deadline])
  } finally {
    clearTimeout(timer)
  }
}
