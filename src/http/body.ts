/** A request's body, gathered from the chunks in which it arrives, and bounds on all of them. */
import { Refusal } from '../contract/errors.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import { addressGroup } from '../limits/limits.ts'

export const BODY_BYTES_MAX = 65_536
/** A body that is too large is read up to here: a client cut off while sending misses the 413. */
const DISCARDED_BYTES_MAX = 1_048_576
const EMPTY = Buffer.alloc(0)

/** Bodies that are not complete: of an address, and of all. */
export const UNFINISHED_PER_ADDRESS_MAX = 128
const UNFINISHED_MAX = 4096
/** Bytes of all bodies that are being gathered. */
const BYTES_MAX = 32 * 1024 * 1024

export class Body {
  private store = EMPTY
  private received = 0
  private isWhole = false
  private isLate = false
  private outcome: Buffer | Error | undefined
  private settle: (() => void) | undefined
  private reading: Promise<Buffer> | undefined
  private readonly length: number | undefined
  private readonly budget: BodyBudget | undefined
  private readonly addressOf: () => string
  private unenrol: (() => void) | undefined
  private bytesMax = BODY_BYTES_MAX

  /**
   * `length` is the announced one; undefined when the body comes in chunks. `budget` bounds what
   * all of them take, by the address that `addressOf` gives.
   */
  constructor(length: number | undefined, budget?: BodyBudget, addressOf: () => string = () => '') {
    this.length = length
    this.budget = budget
    this.addressOf = addressOf
    if (length !== undefined && length > DISCARDED_BYTES_MAX) this.end(new Refusal('too_large'))
  }

  /** Whether the rest is too long to keep the connection, or of unknown length. */
  get isUnfinished(): boolean {
    if (this.isWhole) return false
    return this.isLate || this.length === undefined || this.length > BODY_BYTES_MAX
  }

  get isSettled(): boolean {
    return this.outcome !== undefined
  }

  /** The chunk's memory is borrowed: it is void when this returns. */
  add(borrowed: ArrayBuffer, isLast: boolean): void {
    this.isWhole = isLast
    if (this.outcome !== undefined) return
    if (!isLast && !this.enrol()) return
    const chunk = new Uint8Array(borrowed)
    const start = this.received
    this.received += chunk.length
    if (this.received > this.bytesMax) {
      this.release()
      if (isLast || this.received > DISCARDED_BYTES_MAX) this.end(this.tooLarge())
      return
    }
    if (this.received > this.store.length && !this.grow(isLast)) return
    this.store.set(chunk, start)
    if (isLast) this.end(this.whole())
  }

  /** At once where it is there. */
  read(): MaybePromise<Buffer> {
    if (Buffer.isBuffer(this.outcome)) return this.outcome
    if (this.reading === undefined) {
      this.reading = new Promise((resolve, reject) => {
        this.settle = () => {
          if (this.outcome instanceof Error) reject(this.outcome)
          else if (this.outcome) resolve(this.outcome)
        }
        this.settle()
      })
      // A handler that failed while it waited no longer listens; that must not end the process.
      this.reading.catch(() => {})
    }
    return this.reading
  }

  /** The deadline has passed. */
  expire(): void {
    this.isLate = true
    this.end(this.received > this.bytesMax ? this.tooLarge()
      : new Refusal('invalid_request', {
        hint: 'The body came too slowly: send the request again, in one piece.',
      }))
  }

  /** The client disconnected. */
  abort(): void {
    this.end(new Error('The client closed the connection before the body was complete.'))
  }

  /** Of a route that takes less than others. */
  limit(bytesMax: number): void {
    this.bytesMax = bytesMax
  }

  /** The request was answered: the rest of its body is discarded. */
  discard(): void {
    // An error costs more than most of a small answer, and nearly every body is complete by now.
    if (this.outcome !== undefined) return
    this.end(new Error('The request was answered before its body was complete.'))
  }

  /** Counts it among the unfinished of this node, as long as more are allowed. */
  private enrol(): boolean {
    if (this.unenrol || !this.budget) return true
    const unenrol = this.budget.enrol(this.addressOf())
    if (unenrol instanceof Refusal) return this.refuse(unenrol)
    this.unenrol = unenrol
    return true
  }

  /** Ends the connection, too, since the rest of the body would be read for nothing. */
  private refuse(refusal: Refusal): false {
    this.isLate = true
    this.end(refusal)
    return false
  }

  private tooLarge(): Refusal {
    return new Refusal('too_large', { hint: `Send at most ${this.bytesMax} bytes.` })
  }

  private release(): void {
    this.budget?.reserve(-this.store.length)
    this.store = EMPTY
  }

  /** Doubles, so that a body in thousands of tiny chunks costs no more than its own size. */
  private grow(isLast: boolean): boolean {
    const length = isLast ? this.received
      : Math.min(Math.max(this.received, this.store.length * 2, 1024), BODY_BYTES_MAX)
    if (this.budget?.reserve(length - this.store.length) === false) {
      return this.refuse(new Refusal('unavailable'))
    }
    const larger = Buffer.allocUnsafe(length)
    if (this.store.length > 0) larger.set(this.store.subarray(0, length))
    this.store = larger
    return true
  }

  private whole(): Buffer {
    const { store, received } = this
    return store.length === received ? store : store.subarray(0, received)
  }

  private end(outcome: Buffer | Error): void {
    if (this.outcome !== undefined) return
    this.outcome = outcome
    this.release()
    this.unenrol?.()
    this.settle?.()
  }
}

/**
 * What the unfinished bodies of a node take together. A body that came with its head in one segment
 * never counts here; whoever sends slowly is one of a bounded number, in bounded memory.
 */
export class BodyBudget {
  private bytes = 0
  private unfinished = 0
  private readonly byAddress = new Map<string, number>()

  /** Counts an unfinished body; the returned function ends that. */
  enrol(address: string): (() => void) | Refusal {
    const group = addressGroup(address)
    const count = this.byAddress.get(group) ?? 0
    if (count >= UNFINISHED_PER_ADDRESS_MAX) {
      return new Refusal('rate_limited', {
        policy: 'bodies', limit: UNFINISHED_PER_ADDRESS_MAX, retry_after_s: 1,
        hint: 'Too many bodies from this address are incomplete: send each in one piece.',
      })
    }
    if (this.unfinished >= UNFINISHED_MAX) return new Refusal('unavailable')
    this.byAddress.set(group, count + 1)
    this.unfinished += 1
    return () => {
      const left = (this.byAddress.get(group) ?? 1) - 1
      if (left > 0) this.byAddress.set(group, left)
      else this.byAddress.delete(group)
      this.unfinished -= 1
    }
  }

  /** Whether so many bytes more fit; a negative number releases some. */
  reserve(bytes: number): boolean {
    if (bytes > 0 && this.bytes + bytes > BYTES_MAX) return false
    this.bytes += bytes
    return true
  }

  get isEmpty(): boolean {
    return this.bytes === 0 && this.unfinished === 0 && this.byAddress.size === 0
  }
}
