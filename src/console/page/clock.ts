/** The page's only reader of the browser's clock. */

/** Milliseconds since the epoch. */
export const nowMs = (): number => Date.now()

/** Milliseconds on a clock that never goes back; for measuring durations. */
export const monotonicMs = (): number => performance.now()
