/** Colours of goods by what they are called in English, and by what a colour is made of. */
import {
  askedShade, colourKeys, isColour, LATIN_COLOUR_WORDS, shadesOf,
} from './facts/appearance.ts'
import type { Value } from './understanding.ts'

/** "Red" is 红色, and 酒红色 and 枫叶红 with it. */
export function addColours(
  named: Map<string, readonly Value[]>, stated: readonly Value[],
): void {
  const coloured = stated.filter(({ attribute }) => /色/.test(attribute ?? ''))
  if (coloured.length === 0) return
  for (const word of LATIN_COLOUR_WORDS) {
    const keys = colourKeys(word)
    const alike = coloured.filter(({ text }) => colourKeys(text).some((key) => keys.includes(key)))
    const known = named.get(word) ?? []
    if (alike.length > 0 && known.every((value) => coloured.includes(value))) {
      named.set(word, [...new Set([...known, ...alike])])
    }
  }
}

interface Place {
  readonly start: number
  readonly end: number
}

/** 红色 of 酒红色 is another colour, and 正红色 no answer to it; 防霉白色 are two wishes. */
export const isPartOfColour = (
  text: string, wishes: readonly { readonly places: readonly Place[] }[], { start, end }: Place,
): boolean => isColour(text.slice(start, end)) && wishes.some(({ places }) =>
  places.some((place) => place.start === start - 1 && place.end === end
    && isColour(text.slice(place.start, end)) && !DENIED.test(text.slice(place.start, start))))
const DENIED = /[非不无没别]$/

/** Of which a value is some shade; 米, 金 and 透明 are many. */
const HUES = '黑白红蓝绿黄粉紫灰棕橙橘'

/** Of colours that a word may mean those that it names a part of: 藏青 of 蓝色, and no 雾霾粉. */
export function colouredAlike(word: string, values: readonly Value[]): readonly Value[] {
  const keys = isColour(word) ? colourKeys(word).filter((key) => HUES.includes(key)) : []
  const shade = askedShade(word)
  const isOther = ({ text, attribute }: Value): boolean => {
    if (!/色/.test(attribute ?? '')) return false
    const [own, shades] = [colourKeys(text), shadesOf(text)]
    return own.length > 0 && (!own.some((key) => keys.includes(key))
      || (shade !== undefined && shades.length > 0 && !shades.includes(shade)))
  }
  return keys.length === 0 ? values : values.filter((value) => !isOther(value))
}
