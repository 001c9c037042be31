/**
 * Work of many callers on one thread: some of it in each turn of the event loop, so that answers
 * that are kept are given between; and first what was begun, so that a search that takes several
 * turns waits for none that came later.
 */
import { Refusal } from '../contract/errors.ts'
import { monotonicMs } from '../contract/time.ts'

/** Other callers wait for no more of it in one turn. */
const TURN_MS = 2
/** More would only wait until their deadline. */
const WAITING_MAX = 1000

export class Turns {
  private readonly fresh: (() => void)[] = []
  private readonly begun: (() => void)[] = []
  private isPlanned = false

  /** What a search begins with; refused where too many wait. */
  async start<T>(work: () => T): Promise<T> {
    if (this.fresh.length >= WAITING_MAX) throw new Refusal('unavailable', { retry_after_s: 1 })
    return await this.run(this.fresh, work)
  }

  /** For each of the items, in slices, before any search that has not begun. */
  async each<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
    for (let at = 0; at < items.length;) {
      at = await this.run(this.begun, () => {
        const end = monotonicMs() + TURN_MS
        let next = at
        do work(items[next++] as T)
        while (next < items.length && monotonicMs() < end)
        return next
      })
    }
  }

  private run<T>(queue: (() => void)[], work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      queue.push(() => {
        try {
          resolve(work())
        } catch (error) {
          reject(error as Error)
        }
      })
      this.plan()
    })
  }

  private plan(): void {
    if (this.isPlanned) return
    this.isPlanned = true
    setImmediate(() => {
      this.isPlanned = false
      const end = monotonicMs() + TURN_MS
      let next: (() => void) | undefined
      do {
        next = this.begun.shift() ?? this.fresh.shift()
        next?.()
      } while (next && monotonicMs() < end)
      if (this.begun.length + this.fresh.length > 0) this.plan()
    })
  }
}

/** Of this process, which has one thread. */
export const turns = new Turns()
