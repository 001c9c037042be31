/** What exchanges share of one turn of the event loop: how many it answers, and what ends it. */

/** About 2 ms of work; more than 200 callers at once stay below it. */
export const REQUESTS_PER_TURN_MAX = 256
/** From this count on the end of the turn is awaited: often, and seldom enough to be free. */
const COUNTED_FROM = 32

/** An exchange whose handler waits for the first bytes of the body. */
export interface Held {
  readonly isHeld: boolean
  /** Calls the handler, unless it was called already. */
  start(isCorked?: boolean): void
}

export class Turn {
  private taken = 0
  private held: Held[] = []

  /**
   * Whether a request may be handled now; false means: in a later turn. uWebSockets hands over
   * every request of a segment (up to 512 kB of them) before it looks at another connection, and
   * names no connection; so what one of them pipelines is bounded by what all may have in a turn.
   */
  take(): boolean {
    this.taken += 1
    if (this.taken === COUNTED_FROM) setImmediate(() => { this.taken = 0 })
    return this.taken <= REQUESTS_PER_TURN_MAX
  }

  /**
   * Starts at the end of the turn what is still held by then. A body mostly comes with its head:
   * its exchange starts before the next one is held, and leaves its place to that one.
   */
  hold(exchange: Held): void {
    const { held } = this
    const last = held.length - 1
    if (held[last]?.isHeld === false) held[last] = exchange
    else if (held.push(exchange) === 1) setImmediate(this.startHeld)
  }

  private readonly startHeld = (): void => {
    const { held } = this
    this.held = []
    for (const exchange of held) exchange.start(false)
  }
}
