/**
 * How long a test waits: a deadline for hangs, not a measure of speed. Machines are slow, and what
 * follows an order waits for the workers of all test files that share a ledger.
 */
export const PATIENCE_MS = 120_000
/** Seldom enough for callers with a rate to ask for what they wait for. */
export const POLL_MS = 100
