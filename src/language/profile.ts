/** Everything that the taxonomy says of a kind: a word of a sentence is looked for in it. */
import { taxonomy, valuesOf } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'

export interface Profile {
  /** All of it, parted by bars. */
  readonly text: string
  readonly features: string
  readonly scenes: string
  readonly numbers: ReadonlySet<number>
}

const profiles = new Map<string, Profile>()

export function profileOf(kind: string): Profile {
  const known = profiles.get(kind)
  if (known) return known
  const found = taxonomy().kinds.get(kind)
  const attributes = found?.attributes ?? []
  const values = attributes.flatMap(({ values: list = [] }) => list)
  const features = fold([...values, ...found?.features ?? [], ...found?.packs ?? []].join('|'))
  const scenes = fold((found?.scenes ?? []).join('|'))
  const names = found ? [found.name_zh, found.name_en, ...found.aliases] : []
  const profile: Profile = {
    features, scenes,
    text: [fold([...names, ...attributes.map(({ name_zh }) => name_zh)].join('|')), features,
      scenes].join('|'),
    numbers: new Set(attributes.flatMap((one) => valuesOf(one)).flatMap((value) => {
      const number = Number(/^\d+(?:\.\d+)?/.exec(String(value))?.[0])
      return Number.isFinite(number) ? [number] : []
    })),
  }
  profiles.set(kind, profile)
  return profile
}
