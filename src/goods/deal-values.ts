/**
 * Which values the generated goods of a kind have. Each of them takes, attribute by attribute, the
 * value that those before it offer least for how much shoppers ask for it: by itself, and together
 * with the values that it has already. So a few goods show all values and most pairs.
 */
import { createRandom, type Random } from './random.ts'
import { type Attribute, type Kind, valuesOf } from './taxonomy.ts'

export type Value = string | number

/** Products that share all but what varies. */
export interface Sisters {
  /** The turn of the first of them. */
  readonly turn: number
  readonly varying: ReadonlySet<Attribute>
}

/** For each attribute the place of a value in `valuesOf`. */
type Places = readonly number[]
type SomePlaces = (number | undefined)[]

interface Deal {
  readonly start: number
  /** Of each value of each attribute. */
  readonly demands: readonly (readonly number[])[]
  readonly goods: Places[]
}

/**
 * So many goods of a kind are dealt to with each other in view, in whole blocks of families: more
 * than a kind of a first catalogue has.
 */
const DEAL_LENGTH = 72
const POPULAR_DEMAND = 1.5
/** How much two values together count beside one by itself. */
const PAIR_DEMAND = 0.1

/** The latest deal of each seed and kind: nearly always the next good has the turn after. */
const deals = new Map<string, Deal>()

/** The values of the good of a turn; `sistersAt` says of each turn whether it is a variant. */
export function dealtValues(
  seed: string, kind: Kind, turn: number, sistersAt: (turn: number) => Sisters | null,
): readonly Value[] {
  const name = `${seed} ${kind.kind}`
  const start = turn - turn % DEAL_LENGTH
  const known = deals.get(name)
  const current = known?.start === start ? known
    : { start, demands: kind.attributes.map(demandsOf), goods: [] }
  deals.set(name, current)
  const { goods } = current
  for (let next = start + goods.length; next <= turn; next += 1) {
    const sisters = sistersAt(next)
    const older = sisters ? goods.slice(sisters.turn - start) : []
    goods.push(deal(kind, current, { older, sisters }, createRandom(name, next)))
  }
  const places = goods[turn - start] ?? []
  return kind.attributes.map((attribute, at) => valuesOf(attribute)[places[at] ?? 0] as Value)
}

function deal(
  kind: Kind, current: Deal,
  { older, sisters }: { older: readonly Places[], sisters: Sisters | null }, random: Random,
): Places {
  const { demands } = current
  const chosen: SomePlaces = kind.attributes.map((attribute, at) =>
    (sisters?.varying.has(attribute) ? undefined : older[0]?.[at]))
  const open = [...chosen.keys()].filter((at) => chosen[at] === undefined)
  let alike = older
  let ways = open.reduce((product, at) => product * (demands[at]?.length ?? 1), 1)
  for (const at of random.sample('order', open, open.length)) {
    const places = [...demands[at]?.keys() ?? []]
    ways /= places.length
    const free = places.filter((place) =>
      alike.filter((sister) => sister[at] === place).length < ways)
    const shuffled = random.sample(`value ${at}`, free, free.length)
    const scores = scoresOf(at, current, chosen)
    const best = shuffled.reduce((one, other) =>
      ((scores[other] ?? 0) > (scores[one] ?? 0) ? other : one))
    chosen[at] = best
    alike = alike.filter((sister) => sister[at] === best)
  }
  return chosen as Places
}

const demandsOf = (attribute: Attribute): readonly number[] => valuesOf(attribute).map((value) =>
  (attribute.popular?.includes(value) ? POPULAR_DEMAND : 1))

/** How much each value of an attribute is missed: demand by supply, as seats go to parties. */
function scoresOf(
  at: number, { demands, goods }: Deal, chosen: Readonly<SomePlaces>,
): readonly number[] {
  const own = demands[at] ?? []
  const shares = (known: readonly Places[]): readonly number[] => {
    const counts = own.map(() => 1)
    for (const { [at]: place = 0 } of known) counts[place] = (counts[place] ?? 0) + 1
    return own.map((demand, place) => demand / (counts[place] ?? 1))
  }
  const scores = [...shares(goods)]
  for (const [other, had] of chosen.entries()) {
    if (had === undefined) continue
    const weight = PAIR_DEMAND * (demands[other]?.[had] ?? 1)
    const pairs = shares(goods.filter((one) => one[other] === had))
    for (const [place, share] of pairs.entries()) {
      scores[place] = (scores[place] ?? 0) + weight * share
    }
  }
  return scores
}
