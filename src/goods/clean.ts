/**
 * Product text is somebody else's. It must not hide anything from a reader, nor pass for the
 * words of a system or a tool when an agent reads it.
 */
import { withoutForged } from '../../adapters/text.ts'

/** Unseen: zero-width, direction, filler and tag characters, variation selectors, surrogates. */
const UNSEEN = new RegExp('['
  + '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e'
  + '\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\ufdd0-\ufdef'
  + '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}'
  + '\\p{Surrogate}]', 'gu')
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g
/** Letters and digits in disguise: full-width, mathematical, circled, squared. */
const DISGUISED = new RegExp('['
  + '\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9'
  + '\\u{1d400}-\\u{1d7ff}\\u{1f110}-\\u{1f12b}\\u{1f130}-\\u{1f149}]+', 'gu')
/** Keeps line breaks; `cleanLine` has none. */
export function cleanText(text: string): string {
  let clean = text.replace(/\r\n?/g, '\n').replace(CONTROL, ' ').replace(UNSEEN, '')
    .replace(DISGUISED, (part) => part.normalize('NFKC')).normalize('NFC')
  clean = withoutForged(clean)
  return clean.replace(/[^\S\n]+/g, ' ').replace(/ ?\n ?/g, '\n').replace(/\n{3,}/g, '\n\n').trim()
}

export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ')
