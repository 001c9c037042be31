/**
 * What a node remembers of the shelf, for one version of the catalogue: answers as they were sent,
 * and what they were made of. All that is in a snapshot was read after its version was, and is kept
 * only when the version is read again afterwards and has not changed: so it is exactly what the
 * shelf held at that version. While a change is under way (an odd version) nothing is kept.
 */
import { LRUCache } from 'lru-cache'
import type { JsonText } from '../contract/json.ts'
import type { Logger } from '../log.ts'
import { countHit } from '../measures.ts'
import type { KindList } from './candidates.ts'
import type { StoredDetail, StoredItem } from './item-text.ts'
import type { Result } from './search.ts'
import type { ShelfMember, Shelves, ShelfSources } from './shelves.ts'
import type { Board } from './stock.ts'
import type { Variant } from './variants.ts'

/** What was read of a product: all of it for who reads the product, its item for pages. */
export interface Product extends StoredItem {
  readonly detail?: StoredDetail
  /** Of products that have variants. */
  readonly variants?: readonly Variant[]
}

export interface Snapshot {
  readonly version: number
  readonly isStable: boolean
  readonly answers: LRUCache<string, KeptAnswer>
  readonly products: LRUCache<number, Product>
  readonly results: LRUCache<string, Result>
  /** Goods by their kind. */
  readonly kinds: LRUCache<string, KindList>
  /** How many goods an index has for a query that others are narrower than. */
  readonly counts: Map<string, number>
}

/**
 * What only the catalogue decides holds as long as the snapshot; the stock that an answer shows is
 * compared with the board each time it is sent again.
 */
interface KeptAnswer {
  readonly text: JsonText
  readonly productIds: readonly number[]
  readonly quantities: readonly number[]
  /** What the text says of it; while quantities stay the same, only this is written anew. */
  snapshotAt: string
  /** Of the board, when it was last compared. */
  revision: number
}

interface Options {
  readonly shelves: Shelves
  readonly board: Board
  readonly log: Logger
  /** Awaited before the first snapshot is given out, not later. */
  readonly onChange: (version: number) => Promise<void>
}

const ANSWER_BYTES_MAX = 16_000_000
const PRODUCT_BYTES_MAX = 21_000_000
/** What one variant takes, about. */
const VARIANT_BYTES = 500
const RESULT_BYTES_MAX = 8_000_000
/** What an entry without ids takes, about. */
const RESULT_BYTES = 200
/** Goods that are kept by their kind; each takes about 1.2 KB. */
const CANDIDATES_MAX = 40_000
/** Beyond it a result is not kept, which costs one more search and no more. */
const UNCONFIRMED_MAX = 10_000
/** Results of so long share one read of the version. */
const GATHER_MS = 2

const createSnapshot = (version: number): Snapshot => ({
  version,
  isStable: version % 2 === 0,
  answers: new LRUCache({
    maxSize: ANSWER_BYTES_MAX, sizeCalculation: ({ text }) => text.bytes.length,
  }),
  products: new LRUCache({ maxSize: PRODUCT_BYTES_MAX, sizeCalculation: bytesOf }),
  results: new LRUCache({
    maxSize: RESULT_BYTES_MAX,
    sizeCalculation: ({ productIds }) => RESULT_BYTES + 8 * productIds.length,
  }),
  kinds: new LRUCache({
    maxSize: CANDIDATES_MAX, sizeCalculation: ({ items }) => items.length + 1,
  }),
  counts: new Map(),
})

const bytesOf = ({ item, offer, detail, variants }: Product): number =>
  item.length + offer.length + (detail ? detail.detail.length + detail.page.length : 0)
  + VARIANT_BYTES * (variants?.length ?? 0)

interface Unconfirmed {
  readonly snapshot: Snapshot
  readonly from: readonly ShelfMember[]
  readonly keep: () => void
}

/** Resolves when what follows the catalogue has followed it once. */
export async function followCatalogue(options: Options): Promise<Snapshots> {
  const snapshots = new Snapshots(options)
  await options.onChange(snapshots.current.version)
  snapshots.follow()
  return snapshots
}

export class Snapshots {
  current: Snapshot
  private readonly options: Options
  private waiting: Unconfirmed[] = []
  private gathering: NodeJS.Timeout | undefined
  private changing: Promise<void> | undefined

  constructor(options: Options) {
    this.options = options
    this.current = createSnapshot(options.shelves.version)
  }

  /** Returns the kept answer if its version and stock are current. */
  answer(snapshot: Snapshot, key: string): JsonText | undefined {
    const known = snapshot.answers.get(key)
    const isKnown = known !== undefined && isCurrent(known, this.options.board)
    return countHit('answers', isKnown) ? known?.text : undefined
  }

  /** `from` are those who were asked for it, beside what was kept. */
  keepAnswer(
    snapshot: Snapshot, key: string, text: JsonText, productIds: readonly number[],
    from: ShelfSources = [],
  ): JsonText {
    const { board } = this.options
    const quantities = productIds.map((id) => board.quantity(id))
    const { snapshotAt, revision } = board
    const kept = { text, productIds, quantities, snapshotAt, revision }
    this.confirm(snapshot, from, () => snapshot.answers.set(key, kept))
    return text
  }

  /** Runs `keep` once each server that was asked is known to have held the snapshot's version. */
  confirm(snapshot: Snapshot, from: ShelfSources, keep: () => void): void {
    if (!snapshot.isStable || snapshot !== this.current) return
    if (this.waiting.length >= UNCONFIRMED_MAX) return
    const members = from.filter((member) => member !== undefined)
    if (members.length < from.length) return
    this.waiting.push({ snapshot, from: members, keep })
    this.gathering ??= setTimeout(() => { void this.confirmAll() }, GATHER_MS)
  }

  follow(): void {
    this.options.shelves
      .on('version', this.onVersion).on('connected', this.onConnected).on('looked', this.onLooked)
  }

  stop(): void {
    clearTimeout(this.gathering)
    this.options.shelves
      .off('version', this.onVersion).off('connected', this.onConnected)
      .off('looked', this.onLooked)
  }

  private readonly onVersion = (version: number): void => {
    this.current = createSnapshot(version)
  }

  /** Another Redis may have taken over, with another history. */
  private readonly onConnected = (): void => {
    this.current = createSnapshot(this.current.version)
  }

  /** One at a time; a failed one is made again by the next look. */
  private readonly onLooked = (): void => {
    this.changing ??= this.options.onChange(this.current.version).catch(this.notRead)
      .finally(() => { this.changing = undefined })
  }

  private readonly notRead = (error: Error): undefined => {
    this.options.log.warn({ error: error.message }, 'catalogue version not read')
  }

  private async confirmAll(): Promise<void> {
    const { shelves } = this.options
    const batch = this.waiting
    this.waiting = []
    this.gathering = undefined
    const asked = [...new Set(batch.flatMap(({ from }) => from))]
    const versions = new Map(await Promise.all(asked.map(async (member) =>
      [member, await member.readVersion().catch(this.notRead)] as const)))
    for (const { snapshot, from, keep } of batch) {
      const isExact = from.every((member) => versions.get(member) === snapshot.version)
      if (isExact && snapshot === this.current) keep()
    }
    if (asked.some((member) => versions.get(member) !== shelves.version)) void shelves.lookAtAll()
  }
}

/** Whether it says what the board says now. */
function isCurrent(answer: KeptAnswer, board: Board): boolean {
  const { text, productIds, quantities, snapshotAt, revision } = answer
  if (revision !== board.revision) {
    for (let at = 0; at < productIds.length; at += 1) {
      if (board.quantity(productIds[at] ?? 0) !== quantities[at]) return false
    }
    answer.revision = board.revision
  }
  if (snapshotAt !== board.snapshotAt) {
    text.overwrite(stamp(snapshotAt), stamp(board.snapshotAt))
    answer.snapshotAt = board.snapshotAt
  }
  return true
}

/** As it stands in the text of every item that has stock. */
const stamp = (snapshotAt: string): string => `"inventory_snapshot_at":"${snapshotAt}"`
