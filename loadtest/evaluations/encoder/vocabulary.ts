/** The pieces of which words are made up, counted from texts. */

/** A character or word has to stand in so many texts, a part in so many different words. */
const CHARACTERS = 2
const PARTS = 25
const PART_MAX = 5
const CHARACTER = /[\p{Script=Han}\p{P}$+<=>^`|~]/gu
const WORD = /[^\s\p{Script=Han}\p{P}$+<=>^`|~]+/gu
/** A piece that begins no word is marked so. */
const INNER = '##'

class Counts extends Map<string, number> {
  add(key: string): void { this.set(key, (this.get(key) ?? 0) + 1) }
  from(least: number): string[] {
    return [...this].filter(([, count]) => count >= least).map(([key]) => key)
  }
}

/** The commonest first; a word has to stand in so many texts. */
export function vocabularyOf(
  texts: readonly { readonly text: string }[], leastOfWords: number,
): string[] {
  const characters = new Counts()
  const words = new Counts()
  for (const { text } of texts) {
    for (const [character] of text.matchAll(CHARACTER)) characters.add(character)
    for (const [word] of text.matchAll(WORD)) words.add(word)
  }
  const parts = new Counts()
  for (const word of words.keys()) for (const part of partsOf(word)) parts.add(part)
  return [...new Set([...characters.from(CHARACTERS), ...words.from(leastOfWords),
    ...parts.from(PARTS)])]
}

function partsOf(word: string): Set<string> {
  const parts = new Set<string>()
  for (let start = 0; start < word.length; start += 1) {
    for (let end = start + 1; end <= Math.min(word.length, start + PART_MAX); end += 1) {
      parts.add(`${start > 0 ? INNER : ''}${word.slice(start, end)}`)
    }
  }
  return parts
}
