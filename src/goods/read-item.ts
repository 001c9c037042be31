/** One item with all that is known of it, as our goods are shown, and as the curated shelf is. */
import { Refusal } from '../contract/errors.ts'
import { productIdOf, skuIdOf } from '../contract/ids.ts'
import type { JsonText } from '../contract/json.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import { countHit } from '../measures.ts'
import { shelf as keys } from '../redis/keys.ts'
import {
  byteString, DRAWN_VIEWS, itemText, readDetail, readItem, readMany, type Splicer,
  type StoredDetail, type StoredItem,
} from './item-text.ts'
import { ownItemPage } from './purchase.ts'
import type { ShelfAnswer, Shelves } from './shelves.ts'
import type { Snapshot, Snapshots } from './snapshot.ts'
import type { Board } from './stock.ts'
import { byItem, bySku, readVariants, variantsText, type Variant } from './variants.ts'

interface Options {
  readonly shelves: Shelves
  readonly snapshots: Snapshots
  readonly splicer: Splicer
  readonly board: Board
  readonly publicUrl: string
  /** Where a mall's product is bought. */
  readonly mallItemUrl: (productId: number, page: string) => string
}

/** One of the ways in which a single item is shown. */
interface View {
  readonly name: string
  readonly ownOnly: boolean
  readonly hint: string
  readonly hasVariants: boolean
  compose(
    productId: number, item: StoredItem, detail: StoredDetail, variants: readonly Variant[],
  ): JsonText
}

const NO_VARIANTS: ShelfAnswer<readonly Variant[]> = { value: [], from: [] }

export class ItemReader {
  private readonly options: Options
  private readonly views: Record<'goods' | 'shelf' | 'offer', View>

  constructor(options: Options) {
    this.options = options
    const shelf = shelfView(options)
    this.views = {
      goods: goodsView(options), shelf, offer: { ...shelf, name: 'offer:', hasVariants: false },
    }
  }

  /** `offer` is what `shelf` shows, without its variants. */
  read(shownAs: 'goods' | 'shelf' | 'offer', skuId: number): MaybePromise<JsonText> {
    const { snapshots } = this.options
    const view = this.views[shownAs]
    const snapshot = snapshots.current
    const key = view.name + skuId
    const known = snapshots.answer(snapshot, key)
    if (known) return known
    // Where it was answered before, only the stock has changed since.
    const id = snapshot.answers.has(key) ? productIdOf(skuId) : undefined
    const product = id && snapshot.products.get(id)
    const detail = product && product.detail
    const variants = product && detail && view.hasVariants && detail.group !== ''
      ? product.variants : NO_VARIANTS.value
    return countHit('items', Boolean(detail && variants)) && id && product && detail && variants
      ? snapshots.keepAnswer(snapshot, key, view.compose(id, product, detail, variants),
        [id, ...variants.map(({ productId }) => productId)])
      : this.readWhole(snapshot, view, skuId)
  }

  private async readWhole(snapshot: Snapshot, view: View, skuId: number): Promise<JsonText> {
    const { shelves, snapshots } = this.options
    const id = productIdOf(skuId)
    if (!id) throw new Refusal('not_found', { hint: view.hint })
    const read = () => shelves.read(snapshot.version,
      (shelf) => readMany(shelf, [keys.item(id), keys.detail(id)]))
    let found = await read()
    if (found.value.includes(null)) {
      await shelves.assertNotEmptied()
      // The shelf may have been filled again between the two looks.
      found = await read()
      if (found.value.includes(null)) await shelves.assertHolds(snapshot.version)
    }
    const { value: [itemBytes, detailBytes], from } = found
    const item = itemBytes && readItem(itemBytes)
    if (!item || !detailBytes || (view.ownOnly && !item.isOwn)) {
      throw new Refusal('not_found', { hint: view.hint })
    }
    const detail = readDetail(detailBytes)
    const variants = view.hasVariants && detail.group !== ''
      ? await this.variantsOf(snapshot, id, detail.group) : undefined
    const { value: listed, from: asked } = variants ?? NO_VARIANTS
    snapshots.confirm(snapshot, [...from, ...asked], () => snapshot.products.set(id, {
      ...snapshot.products.peek(id), ...item, detail, ...(variants && { variants: listed }),
    }))
    return snapshots.keepAnswer(snapshot, view.name + skuId,
      view.compose(id, item, detail, listed),
      [id, ...listed.map(({ productId }) => productId)], [...from, ...asked])
  }

  private async variantsOf(
    snapshot: Snapshot, id: number, group: string,
  ): Promise<ShelfAnswer<readonly Variant[]>> {
    const kept = snapshot.products.peek(id)?.variants
    return kept ? { value: kept, from: [] } : await this.options.shelves.read(snapshot.version,
      (shelf) => readVariants(shelf, group, id))
  }
}

const goodsView = ({ splicer, board }: Options): View => ({
  name: 'sku:',
  ownOnly: true,
  hint: 'Take sku_id from search_goods; items of other supplies are read with shelf_item.',
  hasVariants: true,
  // What cannot be ordered here is no choice.
  compose: (productId, item, { detail }, variants) =>
    itemText(splicer.own(productId, item, DRAWN_VIEWS), detail, variantsText(
      variants.filter(({ isOwn }) => isOwn), productId, bySku, board)),
})

const shelfView = ({ splicer, board, publicUrl, mallItemUrl }: Options): View => ({
  name: 'shelf:',
  ownOnly: false,
  hint: 'Take item_id from shelf_search.',
  hasVariants: true,
  compose(productId, item, { detail, page: mallPage }, variants) {
    const url = byteString(item.isOwn ? ownItemPage(publicUrl, skuIdOf(productId))
      : mallItemUrl(productId, mallPage))
    return itemText(splicer.offer(productId, item, DRAWN_VIEWS), detail,
      `,"purchase_url":${JSON.stringify(url)}`,
      variantsText(variants, productId, byItem, board))
  },
})
