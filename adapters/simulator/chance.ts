/** Chance that is a pure function of its name: the same mall and product are always the same. */
export function chance(...name: readonly (string | number)[]): number {
  let value = 0x811c9dc5
  for (const character of name.join('/')) {
    value = Math.imul(value ^ (character.codePointAt(0) as number), 0x01000193)
  }
  // FNV alone leaves neighbours alike.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32
}

export const between = (min: number, max: number, ...name: readonly (string | number)[]): number =>
  min + Math.floor(chance(...name) * (max - min + 1))
