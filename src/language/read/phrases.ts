/** Lists of phrases, found in a text without looking at any character more than a few times. */
import type { Place } from './claims.ts'

/** Of a to z and 0 to 9; asked too often for a regular expression. */
const isLatin = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57)

/** Whether a Latin word or a number goes on across this place. */
export const isInsideWord = (text: string, at: number): boolean =>
  isLatin(text.charCodeAt(at)) && isLatin(text.charCodeAt(at - 1))

export interface Found extends Place {
  readonly phrase: string
}

export interface Phrases {
  /** The longest at each place, from left to right, none inside another. */
  find(text: string): Found[]
  at(text: string, start: number): Found | undefined
  has(phrase: string): boolean
  /** Its place in the list; −1 of what is not in it. */
  placeOf(phrase: string): number
  textAt(place: number): string
  /** All that stand in a text, inside others and inside words too. */
  within(text: string): Set<string>
}

/** In the order of the list, each once. */
export const phrases = (list: Iterable<string>): Phrases => phrasesOf(phraseData(list))

/** Of data that a build has kept. */
export const phrasesOf = (data: PhraseData): Phrases => new PhraseTable(data)

const HASH_FACTOR = 31
/** Slots and first pairs of characters for each phrase, so that most of them are free. */
const SLOTS_EACH = 2
const BEGINNINGS_EACH = 8

/**
 * One text, with where its phrases end, and two tables of hashes: a third of what a Set of them
 * takes.
 */
export interface PhraseData {
  readonly all: string
  readonly ends: Uint16Array | Uint32Array
  /** The place of a phrase, and one more; 0 where there is none. */
  readonly slots: Uint16Array | Uint32Array
  /** A bit for each hash of the two characters with which phrases begin, or of a single one. */
  readonly beginnings: Uint8Array
  readonly longest: number
}

export function phraseData(phrases: Iterable<string>): PhraseData {
  const list = [...new Set(phrases)]
  const all = list.join('')
  const ends = all.length < 0x10000 ? new Uint16Array(list.length) : new Uint32Array(list.length)
  const count = powerOfTwo(list.length * SLOTS_EACH)
  const slots = list.length < 0xffff ? new Uint16Array(count) : new Uint32Array(count)
  const beginnings = new Uint8Array(powerOfTwo(list.length * BEGINNINGS_EACH) >> 3)
  let [end, longest] = [0, 0]
  for (const [place, phrase] of list.entries()) {
    end += phrase.length
    ends[place] = end
    longest = Math.max(longest, phrase.length)
    let slot = hashOf(phrase) & count - 1
    while (slots[slot] !== 0) slot = slot + 1 & count - 1
    slots[slot] = place + 1
    const first = hashOn(0, phrase.charCodeAt(0))
    const hash = phrase.length === 1 ? first : hashOn(first, phrase.charCodeAt(1))
    const bit = hash & beginnings.length * 8 - 1
    beginnings[bit >> 3] = (beginnings[bit >> 3] ?? 0) | 1 << (bit & 7)
  }
  return { all, ends, slots, beginnings, longest }
}

/** The phrases, each at its place. */
export const textsOf = ({ all, ends }: PhraseData): string[] =>
  Array.from(ends, (end, place) => all.slice(ends[place - 1] ?? 0, end))

/** A text is read from each place where a phrase may begin for as long as the longest. */
class PhraseTable implements Phrases {
  private readonly all: string
  private readonly ends: PhraseData['ends']
  private readonly slots: PhraseData['slots']
  private readonly beginnings: Uint8Array
  private readonly longest: number

  constructor({ all, ends, slots, beginnings, longest }: PhraseData) {
    this.all = all
    this.ends = ends
    this.slots = slots
    this.beginnings = beginnings
    this.longest = longest
  }

  at(text: string, start: number): Found | undefined {
    if (!this.mayBegin(text, start) || isInsideWord(text, start)) return undefined
    const most = Math.min(text.length, start + this.longest)
    let [hash, last] = [0, 0]
    for (let end = start + 1; end <= most; end += 1) {
      hash = hashOn(hash, text.charCodeAt(end - 1))
      if (this.lookUp(text, start, end, hash) >= 0 && !isInsideWord(text, end)) last = end
    }
    return last === 0 ? undefined : { start, end: last, phrase: text.slice(start, last) }
  }

  find(text: string): Found[] {
    const found: Found[] = []
    for (let start = 0; start < text.length;) {
      const one = this.at(text, start)
      if (one) found.push(one)
      start = one ? one.end : start + 1
    }
    return found
  }

  placeOf(phrase: string): number {
    return this.lookUp(phrase, 0, phrase.length, hashOf(phrase))
  }

  textAt(place: number): string {
    return this.all.slice(place === 0 ? 0 : this.ends[place - 1], this.ends[place])
  }

  has(phrase: string): boolean {
    return this.placeOf(phrase) >= 0
  }

  within(text: string): Set<string> {
    const found = new Set<string>()
    for (let start = 0; start < text.length; start += 1) {
      if (!this.mayBegin(text, start)) continue
      const most = Math.min(text.length, start + this.longest)
      let hash = 0
      for (let end = start + 1; end <= most; end += 1) {
        hash = hashOn(hash, text.charCodeAt(end - 1))
        if (this.lookUp(text, start, end, hash) >= 0) found.add(text.slice(start, end))
      }
    }
    return found
  }

  private lookUp(text: string, start: number, end: number, hash: number): number {
    const { slots, ends, all } = this
    for (let slot = hash & slots.length - 1; ; slot = slot + 1 & slots.length - 1) {
      const place = (slots[slot] ?? 0) - 1
      if (place < 0) return -1
      const from = place === 0 ? 0 : ends[place - 1] ?? 0
      if ((ends[place] ?? 0) - from !== end - start) continue
      let at = start
      while (at < end && all.charCodeAt(from + at - start) === text.charCodeAt(at)) at += 1
      if (at === end) return place
    }
  }

  private mayBegin(text: string, at: number): boolean {
    const first = hashOn(0, text.charCodeAt(at))
    return this.begins(first) || this.begins(hashOn(first, text.charCodeAt(at + 1)))
  }

  private begins(hash: number): boolean {
    const bit = hash & this.beginnings.length * 8 - 1
    return ((this.beginnings[bit >> 3] ?? 0) >> (bit & 7) & 1) === 1
  }
}

const hashOn = (hash: number, code: number): number => Math.imul(hash, HASH_FACTOR) + code | 0

function hashOf(phrase: string): number {
  let hash = 0
  for (let at = 0; at < phrase.length; at += 1) hash = hashOn(hash, phrase.charCodeAt(at))
  return hash
}

/** The least that is so large. */
function powerOfTwo(least: number): number {
  let power = 8
  while (power < least) power *= 2
  return power
}
