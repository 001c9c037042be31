/** Goods that are named by what they belong to: iphone 15 壳, 手机的壳, a case for my iPad. */
import { taxonomy } from '../../goods/taxonomy.ts'
import { fold } from '../fold.ts'
import { getLexicon, keyOf, type Sense } from '../lexicon.ts'
import { overlaps } from './claims.ts'
import type { Name } from './names.ts'

/** iPad stands for a tablet of Apple's, and an iPad case for one of tablets. */
export function linesIn(text: string): Name[] {
  const { brands, lines } = getLexicon()
  // iphone15 is written without a space, too.
  const found = [...brands.find(text), ...brands.find(text.replace(/\d/g, ' '))]
    .filter((one, at, all) => all.findIndex((other) => overlaps(one, other)) === at)
  return found.flatMap(({ phrase, start, end }): Name[] => {
    const line = lines.get(phrase)
    if (!line) return []
    const model = new RegExp(String.raw`^[ -]?(?:\d{1,4}[a-z]?(?![a-z0-9]))?`
      + '(?: ?(?:pro|max|plus|ultra|mini|air|se|fe)(?![a-z]))*')
      .exec(text.slice(end, end + 24))?.[0].trimEnd().length ?? 0
    const name: Name = { start, end: end + model, key: phrase, line: line.brand,
      senses: [{ kind: line.kind, weight: 1, rest: '' }] }
    return [name, ...accessoryOf(text, name)]
  })
}

const ACCESSORY_LENGTH_MAX = 16

/** iphone 15 壳 is a 手机壳, and a case for iphone 15 a phone case. */
export function accessoryOf(text: string, name: Name): Name[] {
  const { senses } = getLexicon()
  const nouns = name.senses.flatMap(({ kind }) => {
    const known = taxonomy().kinds.get(kind)
    return known ? [known.name_zh, known.name_en, ...known.aliases] : []
  })
  const place = (start: number, word: string): Name[] => {
    if (word === '') return []
    const named = nouns.flatMap((noun) => [noun + word, `${noun} ${word}`])
      .flatMap((key) => senses.get(keyOf(fold(key))) ?? [])
    const found = named.length > 0 ? named : partsCalled(word, name)
    return found.length === 0 ? []
      : [{ start, end: start + word.length, key: word, senses: found }]
  }
  const after = new RegExp(
    String.raw`^(?:(?:[;,。 ]|\p{Script=Han}){0,6}[个条张根只块套副把款]|[的用 ]|专用)*`
    + String.raw`([a-z]{3,}s?(?: [a-z]{3,})?|\p{Script=Han}{1,4})`, 'u')
    .exec(text.slice(name.end, name.end + ACCESSORY_LENGTH_MAX))
  const before = /([a-z]{3,})s? (?:for|to fit) (?:my |an? |the )?$/.exec(text.slice(0, name.start))
  const behind = after?.[1] ?? ''
  const ahead = before?.[1] ?? ''
  const from = name.end + (after?.[0].length ?? 0) - behind.length
  // A Latin word is whole; of Chinese ones the longest that names something.
  const lengths = /^[a-z]/.test(behind) ? [behind.length]
    : Array.from({ length: behind.length }, (_, at) => behind.length - at)
  return [
    ...lengths.map((length) => place(from, behind.slice(0, length))).find(({ length }) => length)
      ?? [],
    ...place(before?.index ?? 0, ahead),
  ]
}

/** Weaker than a name: 包 of 耳机包 is how a name of the 耳机保护套 ends. */
const CALLED_SO = 0.8

/** Accessories of the goods, one of whose names ends so. */
function partsCalled(word: string, { senses }: Name): Sense[] {
  const wholes = new Set(senses.map(({ kind }) => kind))
  return [...taxonomy().kinds.values()].filter(({ parts_of = [], name_zh, name_en, aliases }) =>
    parts_of.some((whole) => wholes.has(whole))
    && [name_zh, name_en, ...aliases].some((name) => endsWith(fold(name), word)))
    .map(({ kind }) => ({ kind, weight: CALLED_SO, rest: '' }))
}

const endsWith = (name: string, word: string): boolean =>
  name.length > word.length && name.endsWith(/^[a-z]/.test(word) ? ` ${word}` : word)
