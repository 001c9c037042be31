/**
 * From an item to its purchase: how an agent goes on, and links that attribute a sale to the agent,
 * behind a link of ours that counts clicks.
 */
import type { SourceName } from '../../adapters/names.ts'
import type { ConvertedLink, Source } from '../../adapters/index.ts'
import type { AgentCaller } from '../contract/caller.ts'
import { Refusal } from '../contract/errors.ts'
import { isoTime } from '../contract/time.ts'
import type { Goods } from '../goods/goods.ts'
import type { Supply } from '../goods/line.ts'
import { mallOfPage } from '../goods/purchase.ts'
import type { Rankable } from './merge.ts'
import { itemIdOf, splitItemId } from './items.ts'
import type { Links } from './links.ts'
import type { Buy } from './result/index.ts'
import type { ShopPages } from './shop-pages.ts'
import type { SourceCalls } from './source-calls.ts'

export interface ConvertInput {
  readonly item_id?: string
  /** A link of the platform. It is passed on and never fetched. */
  readonly url?: string
}

const DEADLINE_MS = 5000

export interface ConvertParts {
  readonly calls: SourceCalls
  readonly links: Links
  readonly goods: Pick<Goods, 'offer'>
  readonly shopPages: Pick<ShopPages, 'itemOn'>
}

export function createConvert({ calls, links, goods, shopPages }: ConvertParts) {
  /** `code` is that of a link that may be made again. */
  return async (name: SourceName, input: ConvertInput, caller: AgentCaller, code?: string) => {
    const source = calls.source(name)
    const target = await readShelf(goods, source, input) ?? readInput(source, input)
    const item = target.item ?? shopPages.itemOn(name, target.url ?? '')
    const [subId, couponUrl] = await Promise.all([
      links.subId(source, caller), couponOf(calls, name, item, caller),
    ])
    const link = await calls.once(name, caller, async (source, payer) => {
      if (!source.convert) throw new Refusal('not_configured')
      return await source.convert({
        ...(item === undefined ? target : { item }),
        ...(subId !== undefined && { subId }), ...(couponUrl && { couponUrl }),
      }, { deadlineMs: DEADLINE_MS, payer })
    })
    return view({ ...link, url: links.toOpen(link) }, await links.create(link, caller, code))
  }
}

interface ConvertTarget { readonly item?: string, readonly url?: string }

const refuse = (path: string, problem: string): never => {
  throw new Refusal('invalid_request', { fields: [{ path, problem }] })
}

/** The page where this mall sells an item of the shelf. */
async function readShelf(
  goods: Pick<Goods, 'offer'>, { name, readLink }: Source, { item_id, url }: ConvertInput,
): Promise<ConvertTarget | undefined> {
  if (url !== undefined || item_id === undefined || !item_id.startsWith('shelf:')) return undefined
  const { supply, purchase_url } = (await goods.offer(item_id)).toJSON() as ShelfOffer
  if (supply === 'own') refuse('item_id', 'is sold by this service: order it with create_order')
  if (supply !== name) {
    refuse('item_id', `is sold by ${supply}: convert it with ${CONVERT_TOOLS[supply]}`)
  }
  return readLink(purchase_url) ? { url: purchase_url }
    : refuse('item_id', `leads to no page that ${name} converts`)
}

interface ShelfOffer {
  readonly supply: Supply
  readonly purchase_url: string
}

/** One of both, as the schema has it; neither only where the platform has a general offer. */
function readInput(
  { name, readLink, capabilities }: Source, { item_id, url }: ConvertInput,
): ConvertTarget {
  if (item_id !== undefined) return { item: splitItemId(item_id).id }
  if (url !== undefined) {
    const found = readLink(url)
    if (!found) refuse('url', `must be a link of ${name}`)
    return { url }
  }
  if (capabilities.defaultItem === null) refuse('item_id', 'or url is required')
  return {}
}

/** The coupon of the price, so that the buyer gets it; without it the link works, too. */
async function couponOf(
  calls: SourceCalls, name: SourceName, id: string | undefined, caller: AgentCaller,
): Promise<string | null> {
  if (id === undefined) return null
  try {
    const { items } = await calls.items(name, [id], caller, DEADLINE_MS / 2)
    return items[0]?.coupon_url ?? null
  } catch {
    return null
  }
}

function view(link: ConvertedLink, goUrl: string) {
  const { source, item_id, url, app_url, share_code, share_text, mini_program } = link
  return {
    item_id: item_id === null ? null : itemIdOf(source, item_id),
    go_url: goUrl,
    platform_url: url,
    ...(app_url !== null && { app_url }),
    ...(source === 'mall_a' && share_code !== null && { share_code }),
    // In one line: apps look for the code anywhere in it.
    ...(source === 'mall_a' && share_text !== null && {
      share_text: share_text.replaceAll(/\s+/g, ' '),
    }),
    ...(source === 'food' && mini_program !== null && { mini_program }),
    attributed: link.attributed,
    expires_at: link.expires_at === null ? null : isoTime(link.expires_at),
  }
}

// The next step from an item, which attributes and tracks nothing.

/** Tools that convert, by the platform. */
const CONVERT_TOOLS: Readonly<Record<string, string>> = {
  mall_a: 'cps_tpwd', mall_b: 'cps_mallb_convert', mall_c: 'cps_mallc_convert',
  food: 'cps_food_convert',
}
/** The page of an item of our own, by which the shelf's own goods are known. */
const OWN_PAGE = /\/item\/([1-9][0-9]{2,11})$/

/** `isOpen`: whether a mall is configured, so that its tool works. */
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
