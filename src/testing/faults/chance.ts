/** Chance that comes again: the same seed gives the same draws, in the same order. */
import { createHash } from 'node:crypto'

export interface Chance {
  /** From 0 to less than 1. */
  unit(): number
  /** Both ends included. */
  integer(min: number, max: number): number
  happens(share: number): boolean
  pick<T>(among: readonly T[]): T
  /** By weight; weights need not add up to anything. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T
  shuffled<T>(list: readonly T[]): T[]
  uuid(): string
}

/** sfc32, Chris Doty-Humphrey's small fast counting generator, seeded by a hash of the words. */
export function createChance(...seed: (string | number)[]): Chance {
  const digest = createHash('sha256').update(JSON.stringify(seed)).digest()
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => digest.readInt32LE(at)) as
    [number, number, number, number]

  function next(): number {
    const drawn = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + drawn) | 0
    return drawn >>> 0
  }

  const unit = (): number => next() / 2 ** 32
  const integer = (min: number, max: number): number => min + Math.floor(unit() * (max - min + 1))
  return {
    unit,
    integer,
    happens: (share) => unit() < share,
    pick: <T>(among: readonly T[]) => among[integer(0, among.length - 1)] as T,
    weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
      const rows = Object.entries(weights) as [T, number][]
      let left = unit() * rows.reduce((sum, [, weight]) => sum + weight, 0)
      return (rows.find(([, weight]) => (left -= weight) < 0) ?? rows[0] as [T, number])[0]
    },
    shuffled<T>(list: readonly T[]): T[] {
      return list.map((value) => ({ value, place: unit() }))
        .toSorted((one, other) => one.place - other.place).map(({ value }) => value)
    },
    uuid() {
      const hex = [next(), next(), next(), next()]
        .map((word) => word.toString(16).padStart(8, '0')).join('')
      const version = `4${hex.slice(13, 16)}`
      const variant = `${'89ab'[integer(0, 3)]}${hex.slice(17, 20)}`
      return [hex.slice(0, 8), hex.slice(8, 12), version, variant, hex.slice(20)].join('-')
    },
  }
}
