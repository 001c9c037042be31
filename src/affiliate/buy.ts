/** How an agent goes on from an item to its purchase. Nothing here attributes or is tracked. */
import { mallOfPage } from '../goods/purchase.ts'
import type { Rankable } from './candidate.ts'
import type { Buy } from './result.ts'
import { itemIdOf } from './views.ts'

/** Tools that convert, by the platform. */
export const CONVERT_TOOLS: Readonly<Record<string, string>> = {
  mall_a: 'cps_tpwd', mall_b: 'cps_mallb_convert', mall_c: 'cps_mallc_convert',
  food: 'cps_food_convert',
}
/** The page of an item of our own, by which the shelf's own goods are known. */
const OWN_PAGE = /\/item\/([1-9][0-9]{2,11})$/

/** `isOpen`: whether a mall can be asked now, so that its tool works. */
export function buyOf(
  { source, id, url }: Rankable, isOpen: (mall: string) => boolean = () => true,
): Buy {
  const item_id = itemIdOf(source, id)
  const tool = CONVERT_TOOLS[source]
  if (tool !== undefined) return { tool, arguments: { item_id }, purchase_url: null }
  const mall = mallOfPage(url ?? '')
  const convert = mall && isOpen(mall) ? CONVERT_TOOLS[mall] : undefined
  if (convert) return { tool: convert, arguments: { item_id }, purchase_url: url }
  const [, sku] = OWN_PAGE.exec(url ?? '') ?? []
  return sku === undefined
    ? { tool: 'shelf_item', arguments: { item_id }, purchase_url: url }
    : { tool: 'get_goods_detail', arguments: { sku_id: Number(sku) }, purchase_url: url }
}
