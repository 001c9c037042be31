/** British and American spellings of one word: colour and color, moisturiser and moisturizer. */
import { list } from './read/words.ts'

/** How words begin or end, the British before the American. */
const PAIRS = list(`colour color|flavour flavor|odour odor|vapour vapor|savoury savory|grey gray
    |litre liter    |metre meter|fibre fiber|centre center|tyre tire|jewellery jewelry
    |aluminium aluminum|mould mold
    |pyjama pajama|moisturis moisturiz|organis organiz|sanitis sanitiz|sterilis steriliz
    |deodoris deodoriz|tenderis tenderiz|woollen woolen|modelling modeling|traveller traveler
    |travelling traveling|yoghurt yogurt|doughnut donut|liquorice licorice|chilli chili|cosy cozy
    |enamelled enameled`).map((pair) => pair.split(' '))
const OTHER = new Map(PAIRS.flatMap(([british = '', american = '']) =>
  [[british, american], [american, british]] as const))
/** Watercolour and multicoloured as well, and no millimetre, which is a unit. */
const WORD = new RegExp(`(?<=^|[ -]|water|multi|bi|tri)(${[...OTHER.keys()].join('|')})`, 'g')

/** A name, and where it is also written otherwise, that too. */
export function spellingsOf(name: string): string[] {
  const other = name.replace(WORD, (word) => OTHER.get(word) ?? word)
  return other === name ? [name] : [name, other]
}
