/**
 * Which products of the universe are variants of one: sisters that differ only in attributes which
 * the taxonomy marks as varying. Goods of a kind whose rounds are two apart have the same supply;
 * each six of them are shared out among families of one to six.
 */
import { chance, type Chance } from './chance.ts'
import { valuesOf, type Attribute, type Kind } from './taxonomy.ts'

export interface FamilyPosition {
  /** The round of the family's first member, whose chance decides what sisters share. */
  readonly first: number
  /** Among the members, from 0. */
  readonly place: number
  /** Of the whole family. */
  readonly size: number
}

export type Value = string | number

const BLOCK = 6
const PARITIES = 2
/** Half of the goods have sisters: more would leave too few that differ in all else. */
const SPLITS: readonly (readonly number[])[] =
  [[6], [3, 2, 1], [3, 1, 1, 1], [2, 1, 1, 1, 1], [2, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1]]

/** Undefined for goods without sisters. */
export function placeInFamily(seed: string, kind: Kind, round: number): FamilyPosition | undefined {
  const turn = Math.floor(round / PARITIES)
  const parity = round % PARITIES
  const block = Math.floor(turn / BLOCK)
  const luck = chance(`${seed} families of ${kind.kind}`, block * PARITIES + parity)
  let start = 0
  for (const size of luck.pick('split', SPLITS)) {
    const place = turn % BLOCK - start
    if (place < size) {
      return size === 1 ? undefined
        : { first: (block * BLOCK + start) * PARITIES + parity, place, size }
    }
    start += size
  }
  return undefined
}

/**
 * What the member has of each attribute that varies in its family, in a grid of at most two
 * attributes; undefined where the kind has fewer combinations. `own` is what the first one has.
 */
export function variation(
  kind: Kind, { place, size }: FamilyPosition, shared: Chance, own: (attribute: Attribute) => Value,
): ReadonlyMap<Attribute, Value> | undefined {
  const varying = shared.sample('varying', kind.attributes.filter(({ variant }) => variant), 2)
    .map((attribute) => ({ attribute, values: valuesOf(attribute) }))
  const most = varying.reduce((product, { values }) => product * values.length, 1)
  const members = Math.min(size, most)
  if (members < 2 || place >= members) return undefined
  const [one, other] = varying
  const wide = Math.min(Math.floor(Math.sqrt(members)), other?.values.length ?? 1)
  const rows = Math.min(Math.ceil(members / wide), one?.values.length ?? 1)
  const places = [[rows, place % rows], [Math.ceil(members / rows), Math.floor(place / rows)]]
  return new Map(varying.flatMap(({ attribute, values }, at): [Attribute, Value][] => {
    const [count = 1, chosen = 0] = places[at] ?? []
    if (count < 2) return []
    const first = own(attribute)
    const others = shared.sample(`variants ${attribute.name_en}`,
      values.filter((value) => value !== first), count - 1)
    return [[attribute, [first, ...others][chosen] ?? first]]
  }))
}
