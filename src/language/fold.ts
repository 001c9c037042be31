/** One spelling for what people take for the same: width, case, accents, traditional characters. */
import pairs from 'opencc-js/dict/TSCharacters'

/**
 * Character by character, not by phrase: a phrase would be folded one way in a title and another
 * way in a query that holds only a part of it.
 */
const SIMPLIFIED = new Map(pairs.split('|').map((pair): [string, string] => {
  const [traditional = '', simplified = ''] = pair.split(' ')
  return [traditional, simplified]
}))

const PLAIN = /^[\p{ASCII}\u4e00-\u9fff]*$/u
/** Most text has none, and is then left as it is. */
const TRADITIONAL = new RegExp(`[${[...SIMPLIFIED.keys()].join('')}]`, 'u')

export function fold(text: string): string {
  const plain = PLAIN.test(text) ? text : withoutAccents(text.normalize('NFKC'))
  const lower = plain.toLowerCase()
  return TRADITIONAL.test(lower) ? simplify(lower) : lower
}

/** Only Latin, Greek and Cyrillic marks: the voicing marks of kana make other letters. */
const withoutAccents = (text: string): string =>
  text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').normalize('NFC')

function simplify(text: string): string {
  let folded = ''
  for (const character of text) folded += SIMPLIFIED.get(character) ?? character
  return folded
}
