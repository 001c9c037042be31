/** One request's body, gathered from the chunks in which it arrives. Knows nothing of sockets. */
import { Refusal } from '../contract/errors.ts'
import type { Bodies } from './bodies.ts'

export const BODY_BYTES_MAX = 65_536
/** A body too large is still read up to here: who is cut off while sending misses the 413. */
const DISCARDED_BYTES_MAX = 1_048_576
const EMPTY = Buffer.alloc(0)

export class Body {
  private store = EMPTY
  private received = 0
  private isWhole = false
  private isLate = false
  private outcome: Buffer | Error | undefined
  private settle: (() => void) | undefined
  private reading: Promise<Buffer> | undefined
  private readonly length: number | undefined
  private readonly bodies: Bodies | undefined
  private readonly addressOf: () => string
  private leave: (() => void) | undefined
  private bytesMax = BODY_BYTES_MAX

  /**
   * `length` is the announced one; undefined when the body comes in chunks. `bodies` bounds what
   * all of them take, by the address that `addressOf` gives.
   */
  constructor(length: number | undefined, bodies?: Bodies, addressOf: () => string = () => '') {
    this.length = length
    this.bodies = bodies
    this.addressOf = addressOf
    if (length !== undefined && length > DISCARDED_BYTES_MAX) this.end(new Refusal('too_large'))
  }

  /** Whether too much for the connection to be saved, or nobody knows how much, is to come. */
  get isUnfinished(): boolean {
    if (this.isWhole) return false
    return this.isLate || this.length === undefined || this.length > BODY_BYTES_MAX
  }

  get isSettled(): boolean {
    return this.outcome !== undefined
  }

  /** The chunk's memory is only lent: it is gone when this returns. */
  add(lent: ArrayBuffer, isLast: boolean): void {
    this.isWhole = isLast
    if (this.outcome !== undefined) return
    if (!isLast && !this.enter()) return
    const chunk = new Uint8Array(lent)
    const start = this.received
    this.received += chunk.length
    if (this.received > this.bytesMax) {
      this.release()
      if (isLast || this.received > DISCARDED_BYTES_MAX) this.end(this.tooLarge())
      return
    }
    if (this.received > this.store.length && !this.grow(isLast)) return
    this.store.set(chunk, start)
    if (isLast) this.end(this.store.subarray(0, this.received))
  }

  read(): Promise<Buffer> {
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

  /** The client has gone. */
  abort(): void {
    this.end(new Error('The client closed the connection before the body was complete.'))
  }

  /** Of a route that takes less than others. */
  limit(bytesMax: number): void {
    this.bytesMax = bytesMax
  }

  /** The request was answered: nobody reads what is still to come. */
  discard(): void {
    this.end(new Error('The request was answered before its body was complete.'))
  }

  /** Among the unfinished of this node, while there is room. */
  private enter(): boolean {
    if (this.leave || !this.bodies) return true
    const leave = this.bodies.enter(this.addressOf())
    if (leave instanceof Refusal) return this.refuse(leave)
    this.leave = leave
    return true
  }

  /** Ends the connection with it: what it sends on would be read for nothing. */
  private refuse(refusal: Refusal): false {
    this.isLate = true
    this.end(refusal)
    return false
  }

  private tooLarge(): Refusal {
    return new Refusal('too_large', { hint: `Send at most ${this.bytesMax} bytes.` })
  }

  private release(): void {
    this.bodies?.take(-this.store.length)
    this.store = EMPTY
  }

  /** Doubles, so that a body in thousands of tiny chunks costs no more than its own size. */
  private grow(isLast: boolean): boolean {
    const room = isLast ? this.received
      : Math.min(Math.max(this.received, this.store.length * 2, 1024), BODY_BYTES_MAX)
    if (this.bodies?.take(room - this.store.length) === false) {
      return this.refuse(new Refusal('unavailable'))
    }
    const larger = Buffer.allocUnsafe(room)
    larger.set(this.store.subarray(0, room))
    this.store = larger
    return true
  }

  private end(outcome: Buffer | Error): void {
    if (this.outcome !== undefined) return
    this.outcome = outcome
    this.release()
    this.leave?.()
    this.settle?.()
  }
}
