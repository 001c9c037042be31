/**
 * A body of which only a short beginning is new each time, as one gzip member: the beginning stands
 * in it as it is, and behind it what was compressed once.
 */
import { crc32, deflateRawSync } from 'node:zlib'

/** RFC 1952: deflate, no flags, no time, best compression, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])
/** RFC 1951: a block that is not the last and not compressed; its length and the complement. */
const BLOCK_BYTES = 5
const TRAILER_BYTES = 8
const HEAD_BYTES_MAX = 0xffff

const CHECKSUM_BITS = 32

/** Whole answers that are kept. */
const KEPT_MAX = 64

export class GzippedTail {
  private readonly bytes: number
  private readonly packed: Buffer
  private readonly checksum: number
  /** What each bit of the checksum of what stands before changes in the checksum of all. */
  private readonly changes = new Uint32Array(CHECKSUM_BITS)
  private readonly kept: (Buffer | undefined)[] = []

  constructor(tail: Buffer) {
    this.bytes = tail.length
    // A stream of its own: it refers to nothing that stands before it.
    this.packed = deflateRawSync(tail, { level: 9 })
    this.checksum = crc32(tail)
    for (let bit = 0; bit < CHECKSUM_BITS; bit += 1) {
      this.changes[bit] = crc32(tail, (1 << bit) >>> 0) ^ this.checksum
    }
  }

  /** In chunks; undefined for a beginning that is longer than one block. */
  behind(head: Buffer): readonly Buffer[] | undefined {
    if (head.length > HEAD_BYTES_MAX) return undefined
    const start = Buffer.allocUnsafe(HEADER.length + BLOCK_BYTES)
    HEADER.copy(start)
    start[HEADER.length] = 0
    start.writeUInt16LE(head.length, HEADER.length + 1)
    start.writeUInt16LE(~head.length & 0xffff, HEADER.length + 3)
    const trailer = Buffer.allocUnsafe(TRAILER_BYTES)
    trailer.writeUInt32LE(this.checksumBehind(crc32(head)))
    trailer.writeUInt32LE(head.length + this.bytes, 4)
    return [start, head, this.packed, trailer]
  }

  /**
   * The same in one piece behind what `headOf` writes of an id. Clients count their requests from 0
   * on, so the first numbers come again and again: those are kept.
   */
  behindId<Id extends string | number>(
    id: Id, headOf: (id: Id) => Buffer,
  ): Buffer | readonly Buffer[] | undefined {
    const place = typeof id === 'number' && id >= 0 && id < KEPT_MAX ? id : -1
    const known = this.kept[place]
    if (known) return known
    const packed = this.behind(headOf(id))
    if (place < 0 || !packed) return packed
    return this.kept[place] = Buffer.concat(packed)
  }

  /** Each bit counts by itself, so that no byte of the tail is read again. */
  private checksumBehind(before: number): number {
    let checksum = this.checksum
    for (let bit = 0; bit < CHECKSUM_BITS; bit += 1) {
      if (before >>> bit & 1) checksum ^= this.changes[bit] ?? 0
    }
    return checksum >>> 0
  }
}
