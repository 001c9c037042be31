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

const PLAIN = /^[\x00-\x7f\u4e00-\u9fff]*$/
const HAN = /[\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{323af}]/u

export function fold(text: string): string {
  const plain = PLAIN.test(text) ? text : withoutAccents(text.normalize('NFKC'))
  const lower = plain.toLowerCase()
  return HAN.test(lower) ? simplify(lower) : lower
}

/** Only Latin, Greek and Cyrillic marks: the voicing marks of kana make other letters. */
const withoutAccents = (text: string): string =>
  text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').normalize('NFC')

function simplify(text: string): string {
  let folded = ''
  for (const character of text) folded += SIMPLIFIED.get(character) ?? character
  return folded
}
