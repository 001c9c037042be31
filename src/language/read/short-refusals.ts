/** Values that are refused by a short word of theirs: 别甜别花 of perfume, "no cartoons". */
import { taxonomy } from '../../goods/taxonomy.ts'
import { fold } from '../fold.ts'
import { groupOf } from '../groups.ts'
import type { Guess, Value, Values } from '../understanding.ts'
import { attributesOf, refusedWith, valuesNamed } from '../values.ts'
import { overlaps, type Place } from './claims.ts'
import type { Draft } from './draft.ts'
import { wordsLiked } from './superlatives.ts'

/** 别甜, 勿辣: one or two characters between the cue and what ends them. */
const CUE = new RegExp('(?:(?<![特区分差性级个识告离类])别|勿|甭|免|不要)(太|那么|这么)?(\\p{Script=Han}{1,2}?)'
  + '(?=的?(?:别|勿|不要|又|也|$|[;,.。!?、 ]))', 'gu')
const LEAD = /^(?:太|过于|那么|这么|带|有|含|加|too |so )+/
const TAIL = /(?:腻+|兮兮|丝丝|得慌|的|了|味儿?|口味|调|那种|款|型|图案?| (?:ones?|kinds?|things?|stuff|designs?))+$/
const TOO = /^(?:太|过于|那么|这么|too |so )/
/** What has little of it, or none. */
const LITTLE = /[不无免零低微少淡半中]$/
/** What has much of it. */
const MUCH = /[爆特超重加浓]$/
const WORD_MAX = 3

/** Gives the values that they mean to refusals that name none by their own names. */
export function readShortRefusals(draft: Draft, kinds: readonly Guess<string>[]): void {
  const kind = kinds[0]?.value
  if (kind === undefined) return
  const { text, must, mustNot, keywords } = draft
  for (const [at, wish] of mustNot.entries()) {
    const [place] = wish.places
    if (wish.values || wish.measure || wish.places.length !== 1 || !place) continue
    const said = text.slice(place.start, place.end).trim()
    // 糖 is read from what goods say that they have, or are free of.
    const values = groupOf(said) ? undefined : refusedBy(kind, said)
    if (values) mustNot[at] = { ...wish, values }
  }
  for (const { 0: said, 1: too = '', 2: word = '', index } of text.matchAll(CUE)) {
    const place = { start: index, end: index + said.length }
    const isRead = [...mustNot, ...must].some((one) => overlaps(one, place))
    const values = isRead ? undefined : refusedBy(kind, too + word)
    if (!values) continue
    const object = { start: place.end - word.length, end: place.end }
    mustNot.push({ ...place, places: [object], values })
    keywords.splice(0, keywords.length, ...keywords.flatMap((one) =>
      one.role === 'word' && overlaps(one, place) ? beside(one, place) : [one]))
  }
}

/** What is left of a word on both sides of what was read of it. */
const beside = <T extends Place>(one: T, { start, end }: Place): T[] => [
  { ...one, end: Math.min(one.end, start) }, { ...one, start: Math.max(one.start, end) },
].filter((part) => part.end > part.start)

function refusedBy(kind: string, said: string): Values | undefined {
  const word = said.replace(LEAD, '').replace(TAIL, '')
  const isLatin = /^[a-z ]+$/.test(word)
  const named = isLatin ? namedBySingular(kind, word) : []
  const words = isLatin ? wordsLiked(word) : [word]
  const values = named.length > 0 ? named : words.flatMap((one) => one.length > 0
    && one.length <= WORD_MAX ? containing(kind, one, TOO.test(said)) : [])
  return values.length > 0 ? new Map([[kind, refusedWith(kind, values)]]) : undefined
}

/** "Cartoons": values are called by one. */
const namedBySingular = (kind: string, word: string): readonly Value[] =>
  valuesNamed(kind, word.replace(/(?<=[^s])s$/, ''), () => true).flatMap(({ values }) => values)
    .filter(({ attribute }) => attribute !== null)

/** Of an attribute whose values do not all tell it; "too much of it" is what has most. */
function containing(kind: string, word: string, isTooMuch: boolean): Value[] {
  const found = taxonomy().kinds.get(kind)
  const all = (found ? attributesOf(found) : []).flatMap(({ name, values }) => {
    const texts = values.map((value) => fold(value))
    const having = texts.filter((text) => text.includes(word)
      && !LITTLE.test(text.slice(0, text.indexOf(word))))
    return having.length === texts.length ? []
      : having.map((text): Value => ({ text, attribute: name }))
  })
  const most = all.filter(({ text }) => MUCH.test(text.slice(0, text.indexOf(word))))
  return isTooMuch && most.length > 0 ? most : all
}
