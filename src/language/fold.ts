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
// 不沾锅 and 账篷 are written as often.
SIMPLIFIED.set('沾', '粘').set('账', '帐')

const PLAIN = /^[\p{ASCII}\u4e00-\u9fff]*$/u
/** Most text has none, and is then left as it is. */
const TRADITIONAL = new RegExp(`[${[...SIMPLIFIED.keys()].join('')}]`, 'u')

const HAN = { first: 0x4e00, last: 0x9fff } as const
/** Of each Han character whether it is a traditional one. */
const IS_TRADITIONAL = new Uint8Array(HAN.last - HAN.first + 1)
for (const character of SIMPLIFIED.keys()) {
  const place = character.charCodeAt(0) - HAN.first
  if (character.length === 1 && place >= 0) IS_TRADITIONAL[place] = 1
}

/** Whether nothing in it is written otherwise than it is folded. */
function isFolded(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x80 ? code >= 0x41 && code <= 0x5a
      : IS_TRADITIONAL[code - HAN.first] !== 0) return false
  }
  return true
}

export function fold(text: string): string {
  // Most texts are folded: that takes less time to see than to fold them.
  if (isFolded(text)) return text
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
