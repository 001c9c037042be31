/**
 * Words by which a slip is seen: those that are right as they are, and how names of goods sound.
 * In tables of phrases and numbers, which take a quarter of what Maps of words take.
 */
import { taxonomy, wholeCategories } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { GROUPS } from './groups.ts'
import { getLexicon, NAMED, type Sense } from './lexicon.ts'
import { prepared } from './prepared.ts'
import { COLOURS, FEATURES, MATERIALS } from './read/attribute-words.ts'
import { HEALTH } from './read/conditions.ts'
import { DISH_OF } from './read/menu.ts'
import { RECIPIENTS } from './read/people.ts'
import { type PhraseData, phraseData, type Phrases, phrasesOf } from './read/phrases.ts'
import { FILLERS, MEALS, MODES, OCCASIONS, PROMOTIONS, SCENES } from './read/words.ts'
import { taggedWords } from './segment.ts'
import { blur, englishWords, lettersOf, syllablesOf } from './spelling.ts'

const HAN_NAME = /^\p{Script=Han}{2,8}$/u

/** Shorter Latin words have too many neighbours. */
export const TYPO_LENGTH_MIN = 4

interface Vocabulary {
  /** Common English words, which are no typos though the lexicon has no use for them. */
  readonly english: Pick<Phrases, 'has'>
  /** Latin words that are right as they are. */
  readonly latin: Phrases
  /** Of each of them 1 where it names goods, and a bit for each letter that it has. */
  readonly isName: Uint8Array
  readonly letters: Int32Array
  /** Length → the Latin words that are so long, by their places. */
  readonly byLength: ReadonlyMap<number, Uint32Array>
  /** Chinese words that say something. */
  readonly han: Phrases
  /** How a word sounds, exactly and blurred → the word; names of goods win. */
  readonly sounds: Sounds
  readonly blurred: Sounds
  /** Longest sound, in letters. */
  readonly soundMax: number
}

/** Sounds, and of each the place of the word that it is among the Chinese ones. */
interface SoundData {
  readonly sounds: PhraseData
  readonly words: Uint32Array
}

class Sounds {
  private readonly sounds: Phrases
  private readonly words: Uint32Array
  private readonly han: Phrases

  constructor({ sounds, words }: SoundData, han: Phrases) {
    this.sounds = phrasesOf(sounds)
    this.words = words
    this.han = han
  }

  has(sound: string): boolean {
    return this.sounds.has(sound)
  }

  /** The word that sounds so. */
  get(sound: string): string | undefined {
    const place = this.sounds.placeOf(sound)
    return place < 0 ? undefined : this.han.textAt(this.words[place] ?? 0)
  }
}

let made: Vocabulary | undefined

/** Made once. */
export function vocabulary(): Vocabulary {
  if (made) return made
  const data = prepared('vocabulary', makeVocabulary)
  const [latin, han] = [phrasesOf(data.latin), phrasesOf(data.han)]
  return made = {
    ...data, latin, han, english: phrasesOf(data.english),
    sounds: new Sounds(data.sounds, han), blurred: new Sounds(data.blurred, han),
  }
}

/** Whether some goods are called so, or say it of themselves. */
export const isKnownWord = (word: string): boolean =>
  vocabulary().han.has(word) || vocabulary().latin.has(word)

/** It without what calls functions. */
interface VocabularyData extends Pick<Vocabulary, 'isName' | 'letters' | 'byLength' | 'soundMax'> {
  readonly english: PhraseData
  readonly latin: PhraseData
  readonly han: PhraseData
  readonly sounds: SoundData
  readonly blurred: SoundData
}

/** What `vocabulary` is made of. */
export function makeVocabulary(): VocabularyData {
  const { senses, brandOf, lines } = getLexicon()
  const latin = new Map<string, boolean>()
  const han = new Set<string>()
  const sounds = new Map<string, string>()
  const blurred = new Map<string, string>()
  const others = [COLOURS, MATERIALS, FEATURES, FILLERS, SCENES, RECIPIENTS, OCCASIONS, PROMOTIONS,
    MEALS, ...Object.values(MODES),
    [...DISH_OF.keys()], GROUPS.flatMap(({ names }) => names), HEALTH,
    [...brandOf.keys(), ...lines.keys()]].flat()
  const addLatin = (text: string, isName: boolean): void => {
    for (const [word] of text.matchAll(/[a-z]+/g)) {
      if (word.length > 1) latin.set(word, isName || (latin.get(word) ?? false))
    }
  }
  for (const name of senses.wholeNames()) {
    addLatin(name, true)
    if (!HAN_NAME.test(name)) continue
    han.add(name)
    const syllables = syllablesOf(name)
    setLikeliest(sounds, syllables.join(''), name)
    setLikeliest(blurred, syllables.map(blur).join(' '), name)
  }
  for (const word of others) {
    addLatin(word, false)
    if (!HAN_NAME.test(word)) continue
    han.add(word)
    setFirst(sounds, syllablesOf(word).join(''), word)
  }
  for (const word of valueWords()) {
    addLatin(word, false)
    if (HAN_NAME.test(word)) han.add(word)
  }
  const words = [...latin.keys()]
  const hanData = phraseData(han)
  return {
    english: phraseData(englishWords(TYPO_LENGTH_MIN)), han: hanData, latin: phraseData(words),
    isName: Uint8Array.from(latin.values(), Number), letters: Int32Array.from(words, lettersOf),
    byLength: placesByLength(words),
    sounds: soundData(sounds, phrasesOf(hanData)), blurred: soundData(blurred, phrasesOf(hanData)),
    soundMax: Math.max(...[...sounds.keys()].map(({ length }) => length)),
  }
}

const soundData = (words: ReadonlyMap<string, string>, han: Phrases): SoundData => ({
  sounds: phraseData(words.keys()),
  words: Uint32Array.from(words.values(), (word) => han.placeOf(word)),
})

function placesByLength(words: readonly string[]): Map<number, Uint32Array> {
  const places = new Map<number, number[]>()
  for (const [place, { length }] of words.entries()) {
    const same = places.get(length)
    if (same) same.push(place)
    else places.set(length, [place])
  }
  return new Map([...places].map(([length, list]) => [length, Uint32Array.from(list)]))
}

/** 六孔 and 菌汤 are right as they are. */
const valueWords = (): string[] => wholeCategories().flatMap(({ kinds, value_names = {} }) => [
  ...Object.values(value_names).flat(),
  ...kinds.flatMap(({ attributes, features }) => [...features,
    ...attributes.flatMap(({ values = [] }) => values.map(String))]),
]).map(fold)

/** Of names that sound alike, the one of the commoner goods. */
function setLikeliest(map: Map<string, string>, key: string, name: string): void {
  const known = map.get(key)
  if (known === undefined || isLikelier(name, known)) map.set(key, name)
}

/** 蚝油 is the name of what is also called 耗油, a word of the dictionary. */
function isLikelier(name: string, known: string): boolean {
  const [one, other] = [firstSense(name), firstSense(known)]
  return one && one.kind === other?.kind ? one.weight > other.weight
    : commonness(name) > commonness(known)
}

const firstSense = (name: string): Sense | undefined => [...getLexicon().senses.get(name) ?? []]
  .sort((left, right) => right.weight - left.weight)[0]

const KNOWN = 0.2

function commonness(name: string): number {
  const senses = getLexicon().senses.get(name) ?? []
  // 玩具 are many kinds of goods, and 碗具 one.
  const called = senses.filter(({ weight }) => weight >= NAMED).length
  // 饺子 is a noun of the dictionary, and 铰子 none.
  const [word, ...others] = taggedWords(name)
  const known = word?.tag.startsWith('n') && others.length === 0 ? KNOWN : 0
  const own = senses.map(({ kind, weight }) =>
    weight - (taxonomy().kinds.get(kind)?.place ?? 0) / 1000)
  return known + Math.log2(Math.max(1, called)) / 20 + Math.max(0, ...own)
}

function setFirst(map: Map<string, string>, key: string, value: string): void {
  const known = map.get(key)
  if (known === undefined || value.length < known.length) map.set(key, value)
}
