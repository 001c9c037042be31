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
// 不沾锅 and 账篷 are written as often, and T裇 and 櫈 in Hong Kong.
SIMPLIFIED.set('沾', '粘').set('账', '帐').set('裇', '恤').set('櫈', '凳')

const TRADITIONAL = new RegExp(`[${[...SIMPLIFIED.keys()].join('')}]`, 'u')

/** Characters that fold alike whatever stands beside them: no marks, no letters of kana. */
const ALONE = [[0x01, 0x7f], [0xb7, 0xb7], [0xd7, 0xd7], [0x2010, 0x201f], [0x3000, 0x3002],
  [0x3008, 0x3011], [0x4e00, 0x9fff], [0xff01, 0xff5e]] as const
/** Of each character what it folds to; 0 for one that has to be looked at with its neighbours. */
const FOLDED = new Uint16Array(0x10000)
for (const [first, last] of ALONE) {
  for (let code = first; code <= last; code += 1) {
    const folded = foldSlowly(String.fromCharCode(code))
    if (folded.length === 1) FOLDED[code] = folded.charCodeAt(0)
  }
}

/** Longer texts are folded slowly. */
const LENGTH_MAX = 4096
const codes = new Uint16Array(LENGTH_MAX)
const bytes = Buffer.from(codes.buffer)

/** Most texts are folded already: that takes less time to see than to fold them. */
export function fold(text: string): string {
  if (text.length > LENGTH_MAX) return foldSlowly(text)
  let [isFolded, isLatin] = [true, true]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const folded = FOLDED[code] ?? 0
    if (folded === 0) return foldSlowly(text)
    if (folded !== code) isFolded = false
    if (code > 0x7f) isLatin = false
    codes[at] = folded
  }
  return isFolded ? text : isLatin ? text.toLowerCase()
    : bytes.toString('utf16le', 0, text.length * 2)
}

function foldSlowly(text: string): string {
  const lower = withoutAccents(text.normalize('NFKC')).toLowerCase()
  return TRADITIONAL.test(lower) ? simplify(lower) : lower
}

/** Only Latin, Greek and Cyrillic marks: the voicing marks of kana make other letters. */
function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').normalize('NFC')
}

function simplify(text: string): string {
  let folded = ''
  for (const character of text) folded += SIMPLIFIED.get(character) ?? character
  return folded
}
