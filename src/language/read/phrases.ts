/** Lists of phrases, found in a text without looking at any character more than a few times. */
import type { Place } from './claims.ts'

const LATIN = /[a-z0-9]/

/** Whether a Latin word or a number goes on across this place. */
export const isInsideWord = (text: string, at: number): boolean =>
  LATIN.test(text.charAt(at - 1)) && LATIN.test(text.charAt(at))

export interface Found extends Place {
  readonly phrase: string
}

export interface Phrases {
  /** The longest at each place, from left to right, none inside another. */
  readonly find: (text: string) => Found[]
  readonly at: (text: string, start: number) => Found | undefined
  readonly has: (phrase: string) => boolean
  /** All that stand in a text, inside others and inside words too. */
  readonly within: (text: string) => Set<string>
}

/** A map is read by its keys, and not copied. */
export function phrases(list: Iterable<string> | ReadonlyMap<string, unknown>): Phrases {
  const all = list instanceof Map ? list as ReadonlyMap<string, unknown>
    : new Set(list as Iterable<string>)
  /** By first character, so that most places are done with at once. */
  const lengths = new Map<string, number>()
  for (const phrase of all.keys()) {
    const first = phrase.charAt(0)
    if ((lengths.get(first) ?? 0) < phrase.length) lengths.set(first, phrase.length)
  }
  const at = (text: string, start: number): Found | undefined => {
    const longest = lengths.get(text.charAt(start))
    if (longest === undefined || isInsideWord(text, start)) return undefined
    for (let end = Math.min(text.length, start + longest); end > start; end -= 1) {
      const phrase = text.slice(start, end)
      if (all.has(phrase) && !isInsideWord(text, end)) return { start, end, phrase }
    }
    return undefined
  }
  return {
    at,
    has: (phrase) => all.has(phrase),
    within(text) {
      const found = new Set<string>()
      for (let start = 0; start < text.length; start += 1) {
        const longest = lengths.get(text.charAt(start)) ?? 0
        for (let end = Math.min(text.length, start + longest); end > start; end -= 1) {
          const phrase = text.slice(start, end)
          if (all.has(phrase)) found.add(phrase)
        }
      }
      return found
    },
    find(text) {
      const found: Found[] = []
      for (let start = 0; start < text.length;) {
        const one = at(text, start)
        if (one) found.push(one)
        start = one ? one.end : start + 1
      }
      return found
    },
  }
}
