/** How long a test waits: a deadline for hangs, not a measure of speed. Machines are slow. */
export const PATIENCE_MS = 20_000
