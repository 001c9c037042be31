/** Stored JSON texts put together into an answer, with what only this node knows spliced in. */
import { skuIdOf } from '../ids.ts'
import { JsonText } from '../json.ts'
import type { Board } from './board.ts'

export interface PageFacts {
  readonly total: number
  readonly page: number
  readonly page_size: number
  readonly relaxed?: unknown
}

/** How many views of an item the node draws. */
export const DRAWN_VIEWS = 3

const CLOSE = Buffer.from('}')
const COMMA = Buffer.from(',')
const ITEMS = Buffer.from('{"items":[')
const BRACKET = ']'.charCodeAt(0)

export function createSplicer(board: Board, publicUrl: string) {
  // As it stands inside a JSON string.
  const imageBase = `${JSON.stringify(publicUrl).slice(1, -1)}/images/`

  const image = (productId: number, view: number): string =>
    `"${imageBase}${skuIdOf(productId)}-${view}.svg"`

  /** What follows the stored text of an item. */
  function tail(productId: number, item: Buffer, isOwn: boolean, views: number): Buffer {
    const hasImages = item.at(-1) === BRACKET
    const images = hasImages ? '' : `,"images":[${Array.from({ length: views }, (_, view) =>
      image(productId, view + 1)).join(',')}]`
    const stock = isOwn
      ? `"available_qty":${board.quantity(productId)},"inventory_snapshot_at":"${board.snapshotAt}"`
      : '"available_qty":null,"inventory_snapshot_at":null'
    return Buffer.from(`${images},${stock}`)
  }

  return {
    /** An item as the texts it consists of, without its last brace. */
    own: (productId: number, item: Buffer, views = 1): Buffer[] =>
      [item, tail(productId, item, true, views)],
    offer: (productId: number, isOwn: boolean, offer: Buffer, item: Buffer, views = 1): Buffer[] =>
      [offer, item.subarray(1), tail(productId, item, isOwn, views)],
  }
}

export function pageText(items: readonly (readonly Buffer[])[], facts: PageFacts): JsonText {
  const parts: Buffer[] = [ITEMS]
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.push(COMMA)
    parts.push(...item, CLOSE)
  }
  const { total, page, page_size, relaxed } = facts
  parts.push(Buffer.from(`],"total":${total},"total_is_estimate":false,"page":${page},`
    + `"page_size":${page_size}${relaxed ? `,"relaxed":${JSON.stringify(relaxed)}` : ''}}`))
  return new JsonText(Buffer.concat(parts))
}

export const itemText = (...parts: readonly Buffer[]): JsonText =>
  new JsonText(Buffer.concat([...parts, CLOSE]))
