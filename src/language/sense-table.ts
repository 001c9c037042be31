/**
 * What each name of goods means, in lists of numbers: as objects in a Map they take six times as
 * much. Those of a name are made when it is first looked up.
 */
import { type PhraseData, phraseData, type Phrases, phrasesOf, textsOf } from './read/phrases.ts'

export interface Sense {
  readonly kind: string
  /** 1 for the name itself; less for another word for it, a wider one, or the end of its name. */
  readonly weight: number
  /** What stands before the end of the name: 老人 in 老人手机, where 手机 was read. */
  readonly rest: string
}

export interface SenseData {
  readonly names: PhraseData
  /** Of each name, where its senses begin in the lists below. */
  readonly starts: Uint32Array
  readonly kindOf: Uint16Array
  readonly weightOf: Float64Array
  readonly restOf: Uint16Array
  readonly rests: readonly string[]
  /** Of each name, 1 where it is a whole one or a wider word, and not the end of others. */
  readonly isWhole: Uint8Array
}

/** `kinds` are those of the taxonomy in its order. */
export function senseData(
  senses: ReadonlyMap<string, readonly Sense[]>, whole: ReadonlySet<string>,
  kinds: readonly string[],
): SenseData {
  const all = [...senses.values()].flat()
  const starts = new Uint32Array(senses.size + 1)
  let at = 0
  for (const [place, list] of [...senses.values()].entries()) starts[place + 1] = at += list.length
  const placeOf = new Map(kinds.map((kind, place) => [kind, place]))
  const rests = [...new Set(all.map(({ rest }) => rest))]
  const restOf = new Map(rests.map((rest, place) => [rest, place]))
  return {
    names: phraseData(senses.keys()), starts, rests,
    kindOf: Uint16Array.from(all, ({ kind }) => placeOf.get(kind) ?? 0),
    weightOf: Float64Array.from(all, ({ weight }) => weight),
    restOf: Uint16Array.from(all, ({ rest }) => restOf.get(rest) ?? 0),
    isWhole: Uint8Array.from(senses.keys(), (name) => whole.has(name) ? 1 : 0),
  }
}

export class SenseTable {
  private readonly data: SenseData
  private readonly names: Phrases
  private readonly kinds: readonly string[]
  /** By the place of a name: no more than there are names. */
  private readonly made = new Map<number, readonly Sense[]>()

  constructor(data: SenseData, kinds: readonly string[]) {
    this.data = data
    this.names = phrasesOf(data.names)
    this.kinds = kinds
  }

  get(name: string): readonly Sense[] | undefined {
    const place = this.names.placeOf(name)
    if (place < 0) return undefined
    const known = this.made.get(place)
    if (known) return known
    const senses = this.make(place)
    this.made.set(place, senses)
    return senses
  }

  has(name: string): boolean {
    return this.names.has(name)
  }

  isWhole(name: string): boolean {
    const place = this.names.placeOf(name)
    return place >= 0 && this.data.isWhole[place] === 1
  }

  /** All whole names and wider words. */
  wholeNames(): string[] {
    const { names, isWhole } = this.data
    return textsOf(names).filter((_, place) => isWhole[place] === 1)
  }

  private make(place: number): Sense[] {
    const { starts, kindOf, weightOf, restOf, rests } = this.data
    const senses: Sense[] = []
    for (let at = starts[place] ?? 0; at < (starts[place + 1] ?? 0); at += 1) {
      senses.push({ kind: this.kinds[kindOf[at] ?? 0] ?? '', weight: weightOf[at] ?? 0,
        rest: rests[restOf[at] ?? 0] ?? '' })
    }
    return senses
  }
}
