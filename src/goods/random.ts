/**
 * Chance that is a pure function of its name: the same seed, index and field always give the same
 * value, so that any product can be made without making those before it.
 */
export interface Random {
  /** 0 ≤ value < 1 */
  unit(field: string): number
  /** min ≤ value ≤ max */
  integer(field: string, min: number, max: number): number
  pick<T>(field: string, from: readonly T[]): T
  /** `count` different elements, in a random order. */
  sample<T>(field: string, from: readonly T[], count: number): T[]
}

export function createRandom(seed: string, index: number): Random {
  const base = hash(`${seed}/${index}`, 0x811c9dc5)
  const unit = (field: string): number => mix(hash(field, base)) / 2 ** 32
  const integer = (field: string, min: number, max: number): number =>
    min + Math.floor(unit(field) * (max - min + 1))
  return {
    unit,
    integer,
    pick: (field, from) => from[integer(field, 0, from.length - 1)] as (typeof from)[number],
    sample(field, from, count) {
      const rest = [...from]
      const taken = []
      while (taken.length < count && rest.length > 0) {
        const at = integer(`${field}#${taken.length}`, 0, rest.length - 1)
        taken.push(rest.splice(at, 1)[0] as (typeof from)[number])
      }
      return taken
    },
  }
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hash(text: string, start: number): number {
  let value = start
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  return value >>> 0
}

/** The finaliser of MurmurHash3: spreads neighbouring inputs over all bits. */
function mix(input: number): number {
  let value = input
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
