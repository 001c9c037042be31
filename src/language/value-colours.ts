/** Colours of goods by what they are called in English. */
import { colourKeys, LATIN_COLOUR_WORDS } from './facts/appearance.ts'
import type { Value } from './understanding.ts'

/** "Red" is 红色, and 酒红色 and 枫叶红 with it. */
export function addColours(
  named: Map<string, readonly Value[]>, stated: readonly Value[],
): void {
  const coloured = stated.filter(({ attribute }) => /色/.test(attribute ?? ''))
  if (coloured.length === 0) return
  for (const word of LATIN_COLOUR_WORDS) {
    const keys = colourKeys(word)
    const alike = coloured.filter(({ text }) => colourKeys(text).some((key) => keys.includes(key)))
    const known = named.get(word) ?? []
    if (alike.length > 0 && known.every((value) => coloured.includes(value))) {
      named.set(word, [...new Set([...known, ...alike])])
    }
  }
}
