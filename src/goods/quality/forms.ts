/** How people write the same thing: units, joined and spaced names, typing errors, scripts. */
import simplifiedPairs from 'opencc-js/dict/STCharacters'
import type { Chance } from '../chance.ts'

/** Spellings of a value that ends in a unit; the first is the catalogue's own. */
export function unitForms(value: string): string[] {
  const [, number, unit] = /^([\d.]+)(\D+)$/.exec(value) ?? []
  const others = UNITS.find((forms) => forms.includes(unit ?? ''))
  if (number === undefined || !others) return [value]
  return [value, ...others.filter((form) => form !== unit).map((form) => number + form)]
}

const UNITS = [
  ['GB', 'G', 'gb'], ['ml', '毫升', ' ml', 'ML'], ['L', '升', ' L', 'l'], ['g', '克', ' g'],
  ['克', 'g'], ['kg', '公斤', 'KG', '千克'], ['W', '瓦', 'w', ' W'], ['mAh', '毫安', 'mah'],
  ['英寸', '寸', ' 英寸'], ['寸', '英寸'], ['cm', '厘米', ' cm', 'CM'], ['mm', '毫米'],
  ['Hz', 'hz', ' Hz'], ['TB', 'T', 'tb'], ['斤', ' 斤'], ['小时', ' 小时'],
]

/** `PX-0965` as it is, joined, spaced, in small letters. */
export const modelForms = (model: string): string[] => [
  model, model.replaceAll('-', ''), model.replaceAll('-', ' '), model.toLowerCase(),
  model.toLowerCase().replaceAll('-', ''), model.toUpperCase(),
]

export const caseForms = (word: string): string[] =>
  [word, word.toLowerCase(), word.toUpperCase()]

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** One letter wrong, missing, doubled or swapped with its neighbour; never the first. */
export function typo(word: string, luck: Chance): string {
  const letters = [...word.toLowerCase()]
  const at = luck.integer('typo at', 1, letters.length - 2)
  const letter = letters[at] ?? ''
  const how = luck.pick('typo', ['wrong', 'missing', 'doubled', 'swapped'] as const)
  if (how === 'wrong') {
    letters[at] = luck.pick('letter', [...LETTERS].filter((other) => other !== letter))
  }
  if (how === 'missing') letters.splice(at, 1)
  if (how === 'doubled') letters.splice(at, 0, letter)
  if (how === 'swapped') letters.splice(at, 2, letters[at + 1] ?? '', letter)
  const wrong = letters.join('')
  return wrong === word.toLowerCase() ? word.slice(0, -1).toLowerCase() : wrong
}

const TRADITIONAL = new Map(simplifiedPairs.split('|').map((pair): [string, string] => {
  const [simplified = '', traditional = ''] = pair.split(' ')
  return [simplified, traditional]
}))

export const traditional = (text: string): string =>
  [...text].map((character) => TRADITIONAL.get(character) ?? character).join('')

export const fullWidth = (text: string): string => text.replaceAll(/[!-~]/g, (character) =>
  String.fromCharCode(character.charCodeAt(0) + 0xfee0)).replaceAll(' ', '\u3000')
