/** Purchase links that attribute a sale to an agent, behind one of ours that counts clicks. */
import type { ConvertedLink, Source } from '../../adapters/index.ts'
import { isoTime } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Goods } from '../goods/goods.ts'
import type { Supply } from '../goods/line.ts'
import type { AgentCaller } from '../contract/caller.ts'
import type { Ask } from './ask.ts'
import { CONVERT_TOOLS } from './buy.ts'
import type { Links } from './links.ts'
import type { ShopPages } from './shop-pages.ts'
import type { SourceName } from './sources.ts'
import { itemIdOf, splitItemId } from './views.ts'

export interface ConvertInput {
  readonly item_id?: string
  /** A link of the platform. It is passed on and never fetched. */
  readonly url?: string
}

const DEADLINE_MS = 5000

export interface ConvertParts {
  readonly ask: Ask
  readonly links: Links
  readonly goods: Pick<Goods, 'offer'>
  readonly shopPages: Pick<ShopPages, 'itemOn'>
}

export function createConvert({ ask, links, goods, shopPages }: ConvertParts) {
  return async (name: SourceName, input: ConvertInput, caller: AgentCaller) => {
    const source = ask.source(name)
    const wanted = await readShelf(goods, source, input) ?? read(source, input)
    const item = wanted.item ?? shopPages.itemOn(name, wanted.url ?? '')
    const [subId, couponUrl] = await Promise.all([
      links.subId(source, caller), couponOf(ask, name, item, caller),
    ])
    const link = await ask.once(name, caller, async (asked, payer) => {
      if (!asked.convert) throw new Refusal('not_configured')
      return await asked.convert({
        ...(item === undefined ? wanted : { item }),
        ...(subId !== undefined && { subId }), ...(couponUrl && { couponUrl }),
      }, { deadlineMs: DEADLINE_MS, payer })
    })
    return view({ ...link, url: links.toOpen(link) }, await links.create(link, caller))
  }
}

interface Wanted { readonly item?: string, readonly url?: string }

const refuse = (path: string, problem: string): never => {
  throw new Refusal('invalid_request', { fields: [{ path, problem }] })
}

/** What the shelf lists for this mall, by the page where the mall sells it. */
async function readShelf(
  goods: Pick<Goods, 'offer'>, { name, readLink }: Source, { item_id, url }: ConvertInput,
): Promise<Wanted | undefined> {
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
function read(
  { name, readLink, capabilities }: Source, { item_id, url }: ConvertInput,
): Wanted {
  if (item_id !== undefined) return { item: splitItemId(item_id).id }
  if (url !== undefined) {
    const found = readLink(url)
    if (!found) refuse('url', `must be a link of ${name}`)
    return { url }
  }
  if (capabilities.defaultItem === null) refuse('item_id', 'or url is required')
  return {}
}

/** The coupon that made the price, so that who buys gets it; without it the link works, too. */
async function couponOf(
  ask: Ask, name: SourceName, id: string | undefined, caller: AgentCaller,
): Promise<string | null> {
  if (id === undefined) return null
  try {
    const { items } = await ask.items(name, [id], caller, DEADLINE_MS / 2)
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
