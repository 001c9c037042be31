/** How Chinese words sound, so that what is typed by sound is found: 猫良, maoliang, mao liang. */
import { pinyin } from 'pinyin-pro'

/** Without tones: 猫粮 → mao liang. Only Han characters may be in it. */
export const syllablesOf = (han: string): string[] =>
  pinyin(han, { toneType: 'none', type: 'array', v: true })

/** Sounds that many speakers and input methods do not tell apart. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/^zh/, 'z'], [/^ch/, 'c'], [/^sh/, 's'], [/ng$/, 'n'], [/v/, 'u'],
]

const blurred = new Map<string, string>()

/** There are some 400 syllables. */
export function blur(syllable: string): string {
  const known = blurred.get(syllable)
  if (known !== undefined) return known
  const plain = ALIKE.reduce((text, [sound, other]) => text.replace(sound, other), syllable)
  blurred.set(syllable, plain)
  return plain
}

/** As who does not tell n from ng hears it. */
export const soundsAlike = (one: string, other: string): boolean =>
  syllablesOf(one).map(blur).join(' ') === syllablesOf(other).map(blur).join(' ')

export const soundsSame = (one: string, other: string): boolean =>
  syllablesOf(one).join(' ') === syllablesOf(other).join(' ')
