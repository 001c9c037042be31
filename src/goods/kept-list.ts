/** The list of own goods that a node keeps, made anew when the catalogue's version has changed. */
import { monotonicMs } from '../contract/time.ts'
import type { Logger } from '../log.ts'
import { createListing, loadListing, type Listing } from './listing.ts'
import type { Shelves } from './shelves.ts'

export interface KeptList {
  readonly listing: Listing
  /** The catalogue's version that was read before the list was. */
  readonly version: number
  update(version: number): Promise<void>
}

export function keepList(shelves: Pick<Shelves, 'read'>, log: Logger): KeptList {
  let listing = createListing([])
  let held = -1
  return {
    get listing() { return listing },
    get version() { return held },
    async update(version) {
      if (version === held) return
      const start = monotonicMs()
      const { value, from } = await shelves.read(version, loadListing)
      listing = value
      // What another version's shelf gave is asked for again.
      held = from.every(Boolean) ? version : -1
      log.debug({ items: listing.size, ms: Math.round(monotonicMs() - start) }, 'goods listed')
    },
  }
}
