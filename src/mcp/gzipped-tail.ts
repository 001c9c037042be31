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

export class GzippedTail {
  private readonly bytes: number
  private readonly packed: Buffer
  private readonly checksum: number
  /** What each bit of the checksum of what stands before changes in the checksum of all. */
  private readonly changes = new Uint32Array(CHECKSUM_BITS)

  constructor(tail: Buffer) {
    this.bytes = tail.length
    // A stream of its own: it refers to nothing that stands before it.
    this.packed = deflateRawSync(tail, { level: 9 })
    this.checksum = crc32(tail)
    for (let bit = 0; bit < CHECKSUM_BITS; bit += 1) {
      this.changes[bit] = crc32(tail, (1 << bit) >>> 0) ^ this.checksum
    }
  }

  /** Undefined for a beginning that is longer than one block. */
  behind(head: Buffer): Buffer | undefined {
    if (head.length > HEAD_BYTES_MAX) return undefined
    const { packed } = this
    const start = HEADER.length + BLOCK_BYTES + head.length
    const bytes = Buffer.allocUnsafe(start + packed.length + TRAILER_BYTES)
    HEADER.copy(bytes)
    bytes[HEADER.length] = 0
    bytes.writeUInt16LE(head.length, HEADER.length + 1)
    bytes.writeUInt16LE(~head.length & 0xffff, HEADER.length + 3)
    head.copy(bytes, HEADER.length + BLOCK_BYTES)
    packed.copy(bytes, start)
    bytes.writeUInt32LE(this.checksumBehind(crc32(head)), start + packed.length)
    bytes.writeUInt32LE(head.length + this.bytes, start + packed.length + 4)
    return bytes
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
