/** Random numbers that come again: the same seed gives the same draws, in the same order. */
import { createHash } from 'node:crypto'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

export interface Random {
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

/** A generator whose seed is a hash of the words. */
export function seededRandom(...seed: (string | number)[]): Random {
  const digest = createHash('sha256').update(JSON.stringify(seed)).digest()
  const generator = xoroshiro128plusFromState([0, 4, 8, 12].map((at) => digest.readInt32LE(at)))
  const unit = (): number => uniformFloat64(generator)
  const integer = (min: number, max: number): number => uniformInt(generator, min, max)
  const word = (): number => generator.next() >>> 0
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
      return list.map((value) => ({ value, rank: unit() }))
        .toSorted((one, other) => one.rank - other.rank).map(({ value }) => value)
    },
    uuid() {
      const hex = [word(), word(), word(), word()]
        .map((bits) => bits.toString(16).padStart(8, '0')).join('')
      const version = `4${hex.slice(13, 16)}`
      const variant = `${'89ab'[integer(0, 3)]}${hex.slice(17, 20)}`
      return [hex.slice(0, 8), hex.slice(8, 12), version, variant, hex.slice(20)].join('-')
    },
  }
}
