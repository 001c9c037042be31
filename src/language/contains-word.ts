/** Whether a folded text has a word. */

/** Latin words as words, Han anywhere. */
export function says(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isCut = /[a-z]/.test(word) && (/[a-z]/.test(text.charAt(at - 1))
      && /^[a-z]/.test(word) || /[a-z]/.test(text.charAt(at + word.length))
      && /[a-z]$/.test(word))
    // What may be chosen is not what this one has: 无糖可选.
    if (!isCut && !text.startsWith('可选', at + word.length)) return true
  }
  return false
}

const NEGATION = new RegExp('(?:[无不非免零去抗防脱仿半中低]|(?<!\\d)0|不含有?|[不未无零0]添?加|[不未无没][带配附]|拒绝|没有'
  + '|free of|no|non|without)[ -]?$')

/** Not 无糖 for 糖, nor 仿羊绒 for 羊绒. */
export function saysPlainly(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(Math.max(0, at - 8), at)
    const after = text.slice(at + word.length, at + word.length + 5)
    if ((at === 0 || !NEGATION.test(before)) && !/^[- ]free(?![a-z])/.test(after)
      && says(text.slice(Math.max(0, at - 1), at + word.length + 1), word)) return true
  }
  return false
}
