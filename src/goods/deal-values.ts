/**
 * Which value a generated product has of an attribute. Values are dealt from a shuffled deck, so
 * that a few goods of a kind show all of them; the deck holds those that shoppers ask for most
 * several times.
 */
import { createRandom } from './random.ts'
import { type Attribute, type Kind, valuesOf } from './taxonomy.ts'

export type Value = string | number

/** How many of each popular value a deck holds: one for every so many values, at least two. */
const VALUES_FOR_EACH_MORE = 4

export function deckOf(attribute: Attribute): readonly Value[] {
  const values = valuesOf(attribute)
  const { popular = [] } = attribute
  const more = Math.max(Math.round(values.length / VALUES_FOR_EACH_MORE), 2) - 1
  return [...values, ...Array<readonly Value[]>(more).fill(popular).flat()]
}

/** The value of the nth to whom one is dealt; each deck is shuffled anew. */
export function dealtValue(seed: string, kind: Kind, attribute: Attribute, nth: number): Value {
  const deck = deckOf(attribute)
  const random = createRandom(`${seed} ${kind.kind} ${attribute.name_en}`,
    Math.floor(nth / deck.length))
  return random.sample('deck', deck, nth % deck.length + 1).at(-1) as Value
}
