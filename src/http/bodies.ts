/**
 * What the unfinished bodies of a node take together. A body that came with its head in one segment
 * never counts here; whoever sends slowly is one of a bounded number, in bounded memory.
 */
import { Refusal } from '../contract/errors.ts'
import { addressGroup } from '../limits/limits.ts'

/** Bodies that are not complete: of an address, and of all. */
export const UNFINISHED_PER_ADDRESS_MAX = 128
const UNFINISHED_MAX = 4096
/** Bytes of all bodies that are being gathered. */
const BYTES_MAX = 32 * 1024 * 1024

export class Bodies {
  private bytes = 0
  private unfinished = 0
  private readonly byAddress = new Map<string, number>()

  /** A body turned out to be unfinished. The function takes it out again. */
  enter(address: string): (() => void) | Refusal {
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

  /** Whether there is room for so many bytes more; a negative number gives some back. */
  take(bytes: number): boolean {
    if (bytes > 0 && this.bytes + bytes > BYTES_MAX) return false
    this.bytes += bytes
    return true
  }

  get isEmpty(): boolean {
    return this.bytes === 0 && this.unfinished === 0 && this.byAddress.size === 0
  }
}
