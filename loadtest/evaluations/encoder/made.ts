/** Sentences made of names, needs and values of the kinds in ways in which people ask. */
import { readFileSync } from 'node:fs'
import { taxonomy, valuesOf, type KnownKind } from '../../../src/goods/taxonomy.ts'
import { situations } from '../../../src/language/situations.ts'
import { folded, isChinese, namesOf, needsOf, type Text } from './texts.ts'

type Slot = 'wish' | 'need' | 'after' | 'owned' | 'refused' | 'broken' | 'for' | 'people' | 'gift'
  | 'likes' | 'price' | 'join' | 'and'
type Carriers = Readonly<Record<Slot, readonly string[]>>
type Language = 'zh' | 'en'

/** Of one kind in one language. */
interface Words {
  readonly names: readonly string[]
  readonly needs: readonly string[]
  readonly values: readonly string[]
  readonly near: readonly KnownKind[]
}
interface Wish { readonly kind: KnownKind, readonly words: Words, readonly language: Language }
interface Said { readonly text: string, readonly kinds: readonly string[] }

const carriers = JSON.parse(readFileSync(new URL('carriers.json', import.meta.url), 'utf8')) as
  Readonly<Record<Language, Carriers>>
const ENGLISH = 0.25
/** How often another name beside the wish is of the same category. */
const NEAR = 0.7
const OTHERS_MAX = 3
const kinds = [...taxonomy().kinds.values()]

/** The same numbers in every run (mulberry32). */
let state = 1
function random(): number {
  state = state + 0x6d2b79f5 | 0
  let mixed = Math.imul(state ^ state >>> 15, 1 | state)
  mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
  return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32
}
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const put = (carrier: string, text: string): string => carrier.replace('{}', text)

const inLanguage = (texts: readonly string[], language: Language): string[] =>
  texts.filter((text) => isChinese(text) === (language === 'zh'))

function wordsOf(kind: KnownKind, language: Language): Words {
  const values = kind.attributes.flatMap((one) =>
    valuesOf(one).map((value) => folded(`${value}${one.unit ?? ''}`)))
  const names = inLanguage(namesOf(kind), language)
  return {
    names: names.length > 0 ? names : namesOf(kind),
    needs: inLanguage(needsOf(kind), language),
    values: [...language === 'zh' ? values : values.filter((value) => !isChinese(value)),
      ...language === 'zh' ? [...kind.features, ...kind.scenes] : []],
    near: kinds.filter((one) => one.category_id === kind.category_id && one !== kind),
  }
}

const memo = { zh: new Map<KnownKind, Words>(), en: new Map<KnownKind, Words>() }
function remembered(kind: KnownKind, language: Language): Words {
  const words = memo[language].get(kind) ?? wordsOf(kind, language)
  memo[language].set(kind, words)
  return words
}

const saidIn = (set: 'likes' | 'needs', language: Language): Said[] =>
  situations()[set].flatMap(({ said, kinds: wanted }) =>
    inLanguage(said.map(folded), language).map((text) => ({ text, kinds: wanted })))
const likes = { zh: saidIn('likes', 'zh'), en: saidIn('likes', 'en') }
const needs = { zh: saidIn('needs', 'zh'), en: saidIn('needs', 'en') }

/** A name, sometimes with a value of the kind. */
function named({ words, language }: Wish): string {
  const name = oneOf(words.names)
  if (words.values.length === 0 || random() < 0.75) return name
  const value = oneOf(words.values)
  if (random() < 0.3) return `${name}, ${value}`
  return language === 'en' ? `${value} ${name}` : `${value}${random() < 0.4 ? '的' : ''}${name}`
}

const needOf = (wish: Wish): string =>
  wish.words.needs.length > 0 ? oneOf(wish.words.needs) : named(wish)

/** A name of something else, or several. */
function others({ kind, words, language }: Wish): string {
  const count = random() < 0.7 ? 1 : 1 + Math.ceil(random() * (OTHERS_MAX - 1))
  return Array.from({ length: count }, () => {
    const other = oneOf(random() < NEAR ? words.near : kinds)
    return oneOf(remembered(other === kind ? oneOf(words.near) : other, language).names)
  }).join(oneOf(carriers[language].and))
}

const wished = (wish: Wish, slot: 'wish' | 'after'): string =>
  put(oneOf(carriers[wish.language][slot]), named(wish))

function plain(wish: Wish): string {
  const said = carriers[wish.language]
  const part = random()
  if (part < 0.25) return wished(wish, 'wish')
  if (part < 0.55) return put(oneOf(said.need), needOf(wish))
  if (part < 0.8) return needOf(wish) + oneOf(said.join) + wished(wish, 'wish')
  if (part < 0.9) return named(wish) + oneOf(said.join) + needOf(wish)
  return needOf(wish) + oneOf(said.join) + needOf(wish)
}

/** What is told of other goods. */
function aside(wish: Wish): string {
  const said = carriers[wish.language]
  return put(oneOf(said[oneOf(['owned', 'owned', 'refused', 'broken'] as const)]), others(wish))
}

/** The wish beside other goods. */
function told(wish: Wish): string {
  const said = carriers[wish.language]
  const join = (): string => oneOf(said.join)
  const end = random() < 0.12 ? join() + oneOf(said.price) : ''
  const part = random()
  if (part < 0.3) return aside(wish) + join() + wished(wish, 'after') + end
  if (part < 0.38) return aside(wish) + join() + aside(wish) + join() + wished(wish, 'after') + end
  if (part < 0.5) return wished(wish, 'wish') + join() + aside(wish) + end
  if (part < 0.62) return aside(wish) + join() + put(oneOf(said.need), needOf(wish)) + end
  if (part < 0.72) return needOf(wish) + join() + aside(wish) + join() + wished(wish, 'after') + end
  if (part < 0.8) return needOf(wish) + join() + aside(wish) + end
  if (part < 0.88) {
    return oneOf(said.for).replace('{x}', named(wish)).replace('{o}', others(wish)) + end
  }
  const gift = oneOf(said.gift).replace('{x}', named(wish)).replace('{p}', oneOf(said.people))
  return part < 0.94 ? gift + end : aside(wish) + join() + gift + end
}

/** A liking with a gift of it, named or not, or a trouble with other goods beside it. */
function situated(language: Language): Said {
  const said = carriers[language]
  const isLiking = random() < 0.3
  const { text, kinds: wanted } = oneOf((isLiking ? likes : needs)[language])
  const kind = taxonomy().kinds.get(oneOf(wanted))!
  const wish = { kind, words: remembered(kind, language), language }
  const first = isLiking ? put(oneOf(said.likes).replace('{p}', oneOf(said.people)), text) : text
  const part = random()
  if (part < 0.5) {
    return { text: first + oneOf(said.join) + wished(wish, 'after'), kinds: [kind.kind] }
  }
  if (part < 0.75) return { text: first + oneOf(said.join) + aside(wish), kinds: wanted }
  return { text: isLiking ? first : put(oneOf(said.need), first), kinds: wanted }
}

export function* madeTexts(plainCount: number, toldCount: number): Generator<Text> {
  for (let at = 0; at < plainCount + toldCount; at += 1) {
    const language: Language = random() < ENGLISH ? 'en' : 'zh'
    const set = at < plainCount ? 'made plain' : 'made told'
    if (set === 'made told' && random() < 0.15) {
      const { text, kinds: wanted } = situated(language)
      yield { set, text: folded(text), kinds: wanted }
      continue
    }
    const kind = oneOf(kinds)
    const wish = { kind, words: remembered(kind, language), language }
    const text = set === 'made plain' ? plain(wish) : told(wish)
    yield { set, text: folded(text), kinds: [kind.kind] }
  }
}
