/**
 * What a node remembers of the shelf, for one version of the catalogue. All that is in a snapshot
 * was read after its version was, and is kept only when the version is read again afterwards and
 * has not changed: so it is exactly what the shelf held at that version. While a change is under
 * way (an odd version) nothing is kept.
 */
import { LRUCache } from 'lru-cache'
import type { Logger } from '../log.ts'
import type { KeptAnswer } from './answers.ts'
import type { KindList } from './candidates.ts'
import type { Result } from './search.ts'
import type { ShelfMember } from './shelf-member.ts'
import type { Shelves, Sources } from './shelves.ts'
import type { StoredDetail, StoredItem } from './stored.ts'
import type { Variant } from './variants.ts'

export interface Snapshot {
  readonly version: number
  readonly isStable: boolean
  readonly results: LRUCache<string, Result>
  /** Goods by their kind. */
  readonly kinds: LRUCache<string, KindList>
  readonly items: LRUCache<number, StoredItem>
  readonly details: LRUCache<number, StoredDetail>
  /** Of products that have variants. */
  readonly variants: LRUCache<number, readonly Variant[]>
  readonly answers: LRUCache<string, KeptAnswer>
}

export interface Snapshots {
  readonly current: Snapshot
  /** Runs `keep` once each server that was asked is known to have held the snapshot's version. */
  confirm(snapshot: Snapshot, from: Sources, keep: () => void): void
  stop(): void
}

interface Options {
  readonly shelves: Shelves
  readonly log: Logger
  /** Awaited before the first snapshot is given out, not later. */
  readonly onChange: (version: number) => Promise<void>
}

const RESULT_BYTES_MAX = 8_000_000
/** What an entry without ids takes, about. */
const RESULT_BYTES = 200
/** Goods that are kept by their kind; each takes about 2 KB. */
const CANDIDATES_MAX = 20_000
const ITEM_BYTES_MAX = 8_000_000
/** Each takes about 500 bytes. */
const VARIANTS_MAX = 10_000
const ANSWER_BYTES_MAX = 16_000_000
/** Beyond it a result is not kept, which costs one more search and no more. */
const UNCONFIRMED_MAX = 10_000
/** Results of so long share one read of the version. */
const GATHER_MS = 2

function createSnapshot(version: number): Snapshot {
  return {
    version,
    isStable: version % 2 === 0,
    results: new LRUCache({
      maxSize: RESULT_BYTES_MAX,
      sizeCalculation: ({ productIds }) => RESULT_BYTES + 8 * productIds.length,
    }),
    kinds: new LRUCache({
      maxSize: CANDIDATES_MAX, sizeCalculation: ({ items }) => items.length + 1,
    }),
    items: new LRUCache({
      maxSize: ITEM_BYTES_MAX, sizeCalculation: ({ item, offer }) => item.length + offer.length,
    }),
    details: new LRUCache({
      maxSize: ITEM_BYTES_MAX,
      sizeCalculation: ({ detail, page }) => detail.length + page.length + 1,
    }),
    variants: new LRUCache({
      maxSize: VARIANTS_MAX, sizeCalculation: ({ length }) => length + 1,
    }),
    answers: new LRUCache({
      maxSize: ANSWER_BYTES_MAX, sizeCalculation: ({ text }) => text.bytes.length,
    }),
  }
}

interface Unconfirmed {
  readonly snapshot: Snapshot
  readonly from: readonly ShelfMember[]
  readonly keep: () => void
}

export async function followCatalogue({ shelves, log, onChange }: Options): Promise<Snapshots> {
  let current = createSnapshot(shelves.version)
  let waiting: Unconfirmed[] = []
  let gathering: NodeJS.Timeout | undefined
  let changing: Promise<void> | undefined

  async function confirmAll(): Promise<void> {
    const batch = waiting
    waiting = []
    gathering = undefined
    const asked = [...new Set(batch.flatMap(({ from }) => from))]
    const versions = new Map(await Promise.all(asked.map(async (member) =>
      [member, await member.readVersion().catch(notRead)] as const)))
    for (const { snapshot, from, keep } of batch) {
      const isExact = from.every((member) => versions.get(member) === snapshot.version)
      if (isExact && snapshot === current) keep()
    }
    if (asked.some((member) => versions.get(member) !== shelves.version)) void shelves.lookAtAll()
  }

  const notRead = (error: Error): undefined => {
    log.warn({ error: error.message }, 'catalogue version not read')
  }
  const changed = (version: number): void => { current = createSnapshot(version) }
  /** Another Redis may have taken over, with another history. */
  const forget = (): void => { current = createSnapshot(current.version) }
  /** One at a time; a failed one is made again by the next look. */
  const follow = (): void => {
    changing ??= onChange(current.version).catch(notRead).finally(() => { changing = undefined })
  }

  await onChange(current.version)
  shelves.on('version', changed).on('connected', forget).on('looked', follow)

  return {
    get current() { return current },
    confirm(snapshot, from, keep) {
      if (!snapshot.isStable || snapshot !== current || waiting.length >= UNCONFIRMED_MAX) return
      const members = from.filter((member) => member !== undefined)
      if (members.length < from.length) return
      waiting.push({ snapshot, from: members, keep })
      gathering ??= setTimeout(() => { void confirmAll() }, GATHER_MS)
    },
    stop() {
      clearTimeout(gathering)
      shelves.off('version', changed).off('connected', forget).off('looked', follow)
    },
  }
}
