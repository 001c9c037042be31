/** What refusals say of the kinds that are meant: 口红不要哑光的, and 雨伞 but none that folds. */
import { PETS } from '../goods/categories.ts'
import { categoryOf, taxonomy, valuesOf } from '../goods/taxonomy.ts'
import { colourKeys, isColour } from './facts/appearance.ts'
import { fold } from './fold.ts'
import { getLexicon, keyOf, OWN_NAME, ownKinds } from './lexicon.ts'
import { overlaps } from './read/claims.ts'
import type { Draft } from './read/draft.ts'
import type { Understanding } from './understanding.ts'
import { namesValue, valuesCalled } from './values.ts'

type Kinds = Understanding['kinds']

/** Who wants no matt 口红, by its own name, wants one that is not. */
export const refusesValue = ({ text, heads, mustNot }: Draft, [first]: Kinds): boolean => {
  const name = taxonomy().kinds.get(first?.value ?? '')?.name_zh
  return first !== undefined && heads.some(({ key }) => key === name)
    && mustNot.some(({ places }) => places.some(({ start, end }) =>
      namesValue(first.value, text.slice(start, end).trim())))
}

/** 有蚊子, 不想要电蚊拍: kinds that are refused by their own name, and not wanted by another. */
export function kindsRefused({ text, heads, more, mustNot }: Draft): (kind: string) => boolean {
  const places = mustNot.flatMap((wish) => wish.places)
  const words = places.map(({ start, end }) => text.slice(start, end).trim())
    .flatMap((word) => [word, ...joinedNames(word)])
  const wanted = new Set([...heads, ...more]
    .filter((name) => !places.some((place) => overlaps(place, name)))
    .flatMap(({ senses }) => ownKinds(senses)))
  const named = new Set(words.flatMap((word) => (getLexicon().senses.get(keyOf(word)) ?? [])
    // 半盔 is one of the helmets that are wanted, 黑啤 the name of a beer.
    .filter(({ kind, weight }) => weight >= OWN_NAME && !wanted.has(kind)
      && (weight === 1 || !namesValue(kind, word)))
    .map(({ kind }) => kind)))
  return (kind) => named.has(kind) || words.some((word) => isAllRefused(kind, word))
}

/** 可乐汽水除外: two names beside each other; "no sugar cola" refuses sugar alone. */
function joinedNames(word: string): string[] {
  if (!/^\p{Script=Han}+$/u.test(word)) return []
  const isOwn = (name: string): boolean => name.length > 1
    && (getLexicon().senses.get(keyOf(name)) ?? []).some(({ weight }) => weight === 1)
  const at = Array.from(word, (_, cut) => cut)
    .find((cut) => isOwn(word.slice(0, cut)) && isOwn(word.slice(cut)))
  return at === undefined ? [] : [word.slice(0, at), word.slice(at)]
}

/** 零乳糖 has none of what 乳糖 refuses, 去壳 none of 壳, 无糖 none of "sugar". */
const WITHOUT = /[零无低不非去脱免减0]/
const WITHOUT_LATIN = /(?:^|[ -])(?:free|no|non|zero|less|without)(?![a-z])/

/** Whether goods of the kind have no value of some attribute by the refusal. */
function isAllRefused(kind: string, word: string): boolean {
  const called = new Set(valuesCalled(kind, word).map(({ text }) => text))
  const isHan = /\p{Script=Han}/u.test(word)
  if (called.size === 0 && !isHan) return false
  const isLacking = WITHOUT.test(word) || WITHOUT_LATIN.test(word)
  const isRefused = (given: string | number): boolean => {
    const value = fold(String(given))
    return (isLacking || !WITHOUT.test(value))
      && (called.has(value) || (isHan && value.includes(word)) || isOfColour(value, word))
  }
  return (taxonomy().kinds.get(kind)?.attributes ?? []).some((attribute) => {
    const values = valuesOf(attribute)
    return values.length > 1 && values.every(isRefused)
  })
}

/** 白绿 of 小白鞋 is white as well. */
const isOfColour = (value: string, word: string): boolean => isColour(word)
  && colourKeys(value).some((key) => colourKeys(word).includes(key))

/** 雨伞, 别给我折叠的: a kind that is called by the name and what is refused of it. */
function withoutRefusedKinds({ text, heads, mustNot }: Draft, kinds: Kinds): Kinds {
  const refused = mustNot.flatMap(({ places }) => places).map(({ start, end }) =>
    text.slice(start, end).replace(/(?:[的款]+| (?:ones?|kinds?|types?|styles?))$/, '').trim())
    .filter((word) => word.length > 1 || /\p{Script=Han}/u.test(word))
  if (refused.length === 0 || kinds.length < 2) return kinds
  const isRefused = ({ value }: Kinds[number]): boolean => {
    const { name_zh = '', name_en = '' } = taxonomy().kinds.get(value) ?? {}
    return [name_zh, name_en].map(fold).some((name) => refused.some((word) =>
      name.startsWith(/^[a-z]/.test(word) ? `${word} ` : word) && !namesValue(value, word)
        && heads.some(({ key }) => name.slice(word.length).endsWith(key.replace(/s$/, '')))))
  }
  const left = kinds.filter((kind) => !isRefused(kind))
  return left.length > 0 ? left : kinds
}

const ANIMAL = new RegExp('[宠猫狗犬鸟鱼兔龟鼠]|鹦鹉|主子|毛孩子'
  + '|(?<![a-z])(?:pets?|cats?|dogs?|kittens?|pupp(?:y|ies)|birds?'
  + '|fish|rabbits?|hamsters?|turtles?)(?![a-z])')

/** 沐浴露 is for people, where nobody speaks of an animal. */
function withoutPets({ text }: Draft, kinds: Kinds): Kinds {
  const isForPet = ({ value }: Kinds[number]): boolean => categoryOf(value) === PETS
  const [first] = kinds
  return first === undefined || isForPet(first) || ANIMAL.test(text) ? kinds
    : kinds.filter((kind) => !isForPet(kind))
}

/** Of kinds that a name may mean. */
export const withoutOthers = (draft: Draft, kinds: Kinds): Kinds =>
  withoutPets(draft, withoutRefusedKinds(draft, kinds))
