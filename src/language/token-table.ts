/**
 * Numbers of words, from 0 on in the order in which they came. Most are one or two Han characters,
 * which are numbers themselves: in a table of hashes they take a tenth of what a Map takes.
 */
const FIRST_SLOTS = 1 << 10
/** Beyond this share of its slots it grows. */
const FULL = 0.6
const HASH_FACTOR = 0x9e3779b1

export interface TokenData {
  readonly longer: Map<string, number>
  /** Keys, and one more than the numbers that belong to them; 0 is a free slot. */
  readonly keys: Uint32Array
  readonly places: Uint32Array
}

export class TokenTable {
  size = 0
  private readonly longer: Map<string, number>
  /** How many are in the slots. */
  private short = 0
  private keys: Uint32Array
  private places: Uint32Array

  /** Of data that is complete, or an empty one. */
  constructor(data?: TokenData) {
    this.longer = data?.longer ?? new Map<string, number>()
    this.keys = data?.keys ?? new Uint32Array(FIRST_SLOTS)
    this.places = data?.places ?? new Uint32Array(FIRST_SLOTS)
  }

  get data(): TokenData {
    return { longer: this.longer, keys: this.keys, places: this.places }
  }

  /** Its number, a new one where it is not known. */
  add(token: string): number {
    const known = this.get(token)
    if (known !== undefined) return known
    const place = this.size
    this.size += 1
    const key = keyOf(token)
    if (key === undefined) this.longer.set(token, place)
    else {
      if (this.short + 1 > this.keys.length * FULL) this.grow()
      this.put(key, place + 1)
      this.short += 1
    }
    return place
  }

  get(token: string): number | undefined {
    const key = keyOf(token)
    if (key === undefined) return this.longer.get(token)
    const place = this.places[this.slotOf(key)] ?? 0
    return place === 0 ? undefined : place - 1
  }

  /** In no order. */
  *[Symbol.iterator](): Generator<readonly [token: string, place: number]> {
    yield* this.longer
    for (let slot = 0; slot < this.keys.length; slot += 1) {
      const place = this.places[slot] ?? 0
      if (place > 0) yield [textOf(this.keys[slot] ?? 0), place - 1]
    }
  }

  /** Where it is, or the free slot where it would be. */
  private slotOf(key: number): number {
    const mask = this.keys.length - 1
    let slot = Math.imul(key, HASH_FACTOR) >>> 8 & mask
    while (this.places[slot] !== 0 && this.keys[slot] !== key) slot = slot + 1 & mask
    return slot
  }

  private put(key: number, place: number): void {
    const slot = this.slotOf(key)
    this.keys[slot] = key
    this.places[slot] = place
  }

  private grow(): void {
    const { keys, places } = this
    this.keys = new Uint32Array(keys.length * 2)
    this.places = new Uint32Array(keys.length * 2)
    for (let slot = 0; slot < keys.length; slot += 1) {
      if (places[slot] !== 0) this.put(keys[slot] ?? 0, places[slot] ?? 0)
    }
  }
}

/** Undefined for what has more than two characters. */
const keyOf = (token: string): number | undefined => token.length > 2 ? undefined
  : (token.charCodeAt(0) << 16 | (token.length > 1 ? token.charCodeAt(1) : 0)) >>> 0

const textOf = (key: number): string => key & 0xffff
  ? String.fromCharCode(key >>> 16, key & 0xffff) : String.fromCharCode(key >>> 16)
