/** cps_compare: finds the items by their ids or links, at all their sources at once. */
import type { Item } from '../../adapters/index.ts'
import { Refusal } from '../contract/errors.ts'
import { SOURCES } from '../contract/affiliate-fields.ts'
import type { Caller } from '../contract/caller.ts'
import type { Ask } from './ask.ts'
import { compare } from './compare.ts'
import { placeOf, type Place } from './place.ts'
import type { Sources } from './sources.ts'
import { itemIdOf } from './views.ts'

/** Longer than a search: people wait for these very items. */
const DEADLINE_MS = 4000

export async function compareItems(
  sources: Sources, ask: Ask, texts: readonly string[], caller: Caller,
) {
  const wanted = texts.map((text) => placeOf(sources, text))
  const asked = SOURCES.filter((name) => wanted.some(({ source }) => source === name))
  if (caller.agent === null && asked.some((name) => name !== 'shelf')) {
    throw new Refusal('key_required')
  }
  const failures: unknown[] = []
  const found = await Promise.all(asked.map(async (name): Promise<readonly Item[]> => {
    const ids = wanted.flatMap(({ source, id }) => (source === name && id !== null ? [id] : []))
    if (ids.length === 0) return []
    try {
      return (await ask.items(name, [...new Set(ids)], caller, DEADLINE_MS)).items
    } catch (error) {
      // One source that fails leaves the others to compare; what it had is said to be missing.
      failures.push(error)
      return []
    }
  }))
  const known = new Map(found.flat().map((item) => [itemIdOf(item.source, item.id), item]))
  const itemOf = ({ source, id }: Place): Item | undefined =>
    (source && id !== null ? known.get(itemIdOf(source, id)) : undefined)
  const items = [...new Set(wanted.map(itemOf).filter((item) => item !== undefined))]
  if (items.length === 0) throw failures[0] ?? new Refusal('not_found')
  return compare(items, wanted.filter((one) => !itemOf(one)).map(({ text }) => text))
}
