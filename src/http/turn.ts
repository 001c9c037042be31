/**
 * How many requests are answered within one turn of the event loop. uWebSockets hands over every
 * request of a segment (up to 512 kB of them) before it looks at another connection, and names no
 * connection; so what one of them pipelines is bounded by what all of them may have in a turn.
 */

/** About 2 ms of work; more than 200 callers at once stay below it. */
export const REQUESTS_PER_TURN_MAX = 256
/** From here on the end of the turn is waited for: often enough, and seldom enough to be free. */
const COUNTED_FROM = 32

export class Turn {
  private taken = 0

  /** Whether a request may be handled now; false means: in a later turn. */
  take(): boolean {
    this.taken += 1
    if (this.taken === COUNTED_FROM) setImmediate(() => { this.taken = 0 })
    return this.taken <= REQUESTS_PER_TURN_MAX
  }
}
