/**
 * Which words are surely no value of a kind: most of those that a search asks of some thirty kinds,
 * whose values are then not read. A Bloom filter of all values: of 100 others it lets one through.
 */
import { prepared } from './prepared.ts'

const BITS_EACH = 10
const PROBES = 7
const HASH_FACTOR = 0x01000193
const MIX_FACTORS = [0x85ebca6b, 0xc2b2ae35] as const

type Take = (bit: number) => void | boolean

/** Calls `take` with the bits of the word, for as long as it does not return false. */
function eachBit(kind: string, word: string, bits: number, take: Take): boolean {
  const first = mixed(hashOn(hashOn(0, kind), word))
  const step = mixed(first) | 1
  for (let probe = 0; probe < PROBES; probe += 1) {
    if (take((first + Math.imul(probe, step) >>> 0) % bits) === false) return false
  }
  return true
}

function hashOn(start: number, text: string): number {
  let hash = start
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), HASH_FACTOR)
  }
  return Math.imul(hash ^ text.length, HASH_FACTOR)
}

function mixed(hash: number): number {
  const [one, two] = MIX_FACTORS
  const half = Math.imul(hash ^ hash >>> 16, one)
  const whole = Math.imul(half ^ half >>> 13, two)
  return whole ^ whole >>> 16
}

/** Of all kinds, each with the names of its values. */
export function makeSieve(kinds: ReadonlyMap<string, readonly string[]>): Uint8Array {
  const count = [...kinds.values()].reduce((sum, words) => sum + words.length, 0)
  const sieve = new Uint8Array(Math.ceil(Math.max(1, count) * BITS_EACH / 8))
  for (const [kind, words] of kinds) {
    for (const word of words) {
      eachBit(kind, word, sieve.length * 8, (bit) => {
        sieve[bit >> 3] = (sieve[bit >> 3] ?? 0) | 1 << (bit & 7)
      })
    }
  }
  return sieve
}

export const mayPass = (sieve: Uint8Array, kind: string, word: string): boolean =>
  eachBit(kind, word, sieve.length * 8, (bit) => ((sieve[bit >> 3] ?? 0) >> (bit & 7) & 1) === 1)

let ofBuild: Uint8Array | null | undefined

/** True of all words where there is no build. */
export function mayNameValue(kind: string, word: string): boolean {
  if (ofBuild === undefined) ofBuild = prepared<Uint8Array | null>('value sieve', () => null)
  return ofBuild === null || mayPass(ofBuild, kind, word)
}
