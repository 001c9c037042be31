/** Stored JSON texts put together into an answer, with what only this node knows spliced in. */
import { skuIdOf } from '../contract/ids.ts'
import { JsonText } from '../contract/json.ts'
import type { Board } from './board.ts'
import type { StoredItem } from './stored.ts'

export interface PageFacts {
  readonly total: number
  readonly page: number
  readonly page_size: number
  readonly catalogue_version: number
  readonly relaxed?: unknown
  readonly explain?: unknown
}

/** How many views of an item the node draws. */
export const DRAWN_VIEWS = 3

export function createSplicer(board: Board, publicUrl: string) {
  // As it stands inside a JSON string.
  const imageBase = byteString(`${JSON.stringify(publicUrl).slice(1, -1)}/images/`)

  function drawn(productId: number, views: number): string {
    const base = `"${imageBase}${skuIdOf(productId)}-`
    let images = `${base}1.svg"`
    for (let view = 2; view <= views; view += 1) images += `,${base}${view}.svg"`
    return `,"images":[${images}]`
  }

  /** What follows the stored text of an item. */
  function tail(productId: number, { hasImages, isOwn }: StoredItem, views: number): string {
    const stock = isOwn
      ? `"available_qty":${board.quantity(productId)},"inventory_snapshot_at":"${board.snapshotAt}"`
      : '"available_qty":null,"inventory_snapshot_at":null'
    return `${hasImages ? '' : drawn(productId, views)},${stock}`
  }

  return {
    /** An item without its last brace. */
    own: (productId: number, stored: StoredItem, views = 1): string =>
      `{${stored.item}${tail(productId, stored, views)}`,
    offer: (productId: number, stored: StoredItem, views = 1): string =>
      `{${stored.offer}${stored.item}${tail(productId, stored, views)}`,
  }
}

/** Text as one character for each byte of its UTF-8. */
export const byteString = (text: string): string => Buffer.from(text).toString('latin1')

export function pageText(items: readonly string[], facts: PageFacts): JsonText {
  const { total, page, page_size, catalogue_version, relaxed, explain } = facts
  const more = Object.entries({ relaxed, explain }).filter(([, value]) => value !== undefined)
  const note = more.map(([name, value]) =>
    `,"${name}":${byteString(JSON.stringify(value))}`).join('')
  return jsonOf(`{"items":[${items.length > 0 ? `${items.join('},')}}` : ''}],"total":${total},`
    + `"total_is_estimate":false,"page":${page},"page_size":${page_size},`
    + `"catalogue_version":${catalogue_version}${note}}`)
}

export const itemText = (...parts: readonly string[]): JsonText => jsonOf(`${parts.join('')}}`)

const jsonOf = (bytes: string): JsonText => new JsonText(Buffer.from(bytes, 'latin1'))
