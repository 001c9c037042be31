/**
 * Which items a query means. The goods of a kind are kept for as long as the catalogue does not
 * change, so that most searches ask no Redis.
 */
import { Refusal } from '../contract/errors.ts'
import { countHit } from '../measures.ts'
import { readCandidates, type KindList, type ListQuery } from './candidates.ts'
import { searchShelf, type Request, type Result } from './search.ts'
import type { Found, Shelves, Sources } from './shelves.ts'
import type { Snapshot, Snapshots } from './snapshot.ts'

/** Searches that a node asks for at once; more would only wait until their deadline. */
const SEARCHES_MAX = 1000

interface Options {
  readonly shelves: Pick<Shelves, 'read'>
  readonly snapshots: Snapshots
}

export type Find = (snapshot: Snapshot, key: string, request: Request) => Promise<Found<Result>>

export function createFind({ shelves, snapshots }: Options): Find {
  const searching = new Map<string, Promise<Found<unknown>>>()

  /** Equal questions at the same time are one. */
  async function once<T>(flight: string, ask: () => Promise<Found<T>>): Promise<Found<T>> {
    const flying = searching.get(flight)
    if (flying) return await flying as Found<T>
    if (searching.size >= SEARCHES_MAX) throw new Refusal('unavailable', { retry_after_s: 1 })
    const asked = ask()
    searching.set(flight, asked)
    try {
      return await asked
    } finally {
      searching.delete(flight)
    }
  }

  async function list(
    snapshot: Snapshot, query: ListQuery, from: Sources[],
  ): Promise<KindList> {
    const { text, narrowed } = query
    const kept = narrowed ? undefined : snapshot.kinds.get(text)
    if (kept) return kept
    const flight = `${snapshot.version}|kind|${JSON.stringify(query)}`
    const found = await once(flight, () =>
      shelves.read(snapshot.version, (shelf) => readCandidates(shelf, query)))
    from.push(found.from)
    if (!narrowed) {
      snapshots.confirm(snapshot, found.from, () => snapshot.kinds.set(text, found.value))
    }
    return found.value
  }

  async function search(snapshot: Snapshot, request: Request): Promise<Found<Result>> {
    const from: Sources[] = []
    const { value, from: searched } = await shelves.read(snapshot.version, (shelf) =>
      searchShelf(shelf, (query) => list(snapshot, query, from), request))
    return { value, from: [...new Set([...searched, ...from.flat()])] }
  }

  return async (snapshot, key, request) => {
    const kept = snapshot.results.get(key)
    countHit('results', kept !== undefined)
    if (kept) return { value: kept, from: [] }
    const found = await once(`${snapshot.version}|${key}`, () => search(snapshot, request))
    snapshots.confirm(snapshot, found.from, () => snapshot.results.set(key, found.value))
    return found
  }
}
