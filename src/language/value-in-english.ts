/** What values of goods are called in English, for answers to who reads no Chinese. */
import { taxonomy, wholeCategories } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import type { Wish } from './understanding.ts'

const HAN = /\p{Script=Han}/u

/** Of each category, by folded value; a category is read when it is first asked for. */
const known = new Map<number, ReadonlyMap<string, string>>()

/** The first English name of a folded value of such goods; undefined where it has none. */
export function englishName(kind: string, value: string): string | undefined {
  const category = taxonomy().kinds.get(kind)?.category_id
  if (category === undefined) return undefined
  let names = known.get(category)
  if (!names) known.set(category, names = namesOf(category))
  return names.get(value)
}

const namesOf = (category: number): ReadonlyMap<string, string> =>
  new Map([wholeCategories()[category - 1]?.value_phrases ?? {},
    wholeCategories()[category - 1]?.value_names ?? {}].flatMap((named) =>
    Object.entries(named).flatMap(([value, names]): [string, string][] => {
      const english = names.find((name) => !HAN.test(name))
      return english === undefined ? [] : [[fold(value), english]]
    })))

/** A wish as English names it; undefined where only Chinese is known. */
export function englishWish({ values, text }: Wish): string | undefined {
  for (const [kind, all] of values ?? []) {
    for (const value of all) {
      const name = HAN.test(value.text) ? englishName(kind, value.text) : value.text
      if (name !== undefined) return name
    }
  }
  return HAN.test(text) ? undefined : text.trim()
}
