/**
 * Exchanges in the order in which they began to wait. Each holds the links to its neighbours: a
 * Set's tables outlive who waits in them by minutes, in the old space, with all that those name.
 */
export interface Waiting {
  before: this | undefined
  after: this | undefined
  isWaiting: boolean
}

export class Pending<T extends Waiting> {
  private first: T | undefined
  private last: T | undefined
  private count = 0

  get size(): number { return this.count }

  add(one: T): void {
    if (one.isWaiting) return
    one.isWaiting = true
    one.before = this.last
    if (this.last) this.last.after = one
    else this.first = one
    this.last = one
    this.count += 1
  }

  /** Whether it was there. */
  delete(one: T): boolean {
    if (!one.isWaiting) return false
    const { before, after } = one
    if (before) before.after = after
    else this.first = after
    if (after) after.before = before
    else this.last = before
    one.before = one.after = undefined
    one.isWaiting = false
    this.count -= 1
    return true
  }

  /** The oldest first; what it yields may leave meanwhile. */
  * [Symbol.iterator](): Generator<T, void> {
    let one = this.first
    while (one) {
      const next: T | undefined = one.after
      yield one
      one = next
    }
  }
}
