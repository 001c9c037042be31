/** Links of mall C that credit somebody. */
import { fits } from '../check.ts'
import {
  SourceError, type CallOptions, type ConvertedLink, type ConvertRequest,
} from '../contract.ts'
import { linkOn } from '../links.ts'
import { AnyLink, ConvertedLink as ConvertedLinkSchema, ID_PATTERN } from '../normal.ts'
import { rowsOf, send, type Parts } from './calls.ts'
import { NAME, TYPES } from './dialect.ts'
import { browserLink, positionOf, registered } from './registration.ts'
import type { Settings } from './settings.ts'
import { isGoodsRow, isPromotion, type Promotion } from './wire.ts'

const ID = new RegExp(ID_PATTERN)
const isAnyLink = fits(AnyLink)
const isMiniProgram = fits(ConvertedLinkSchema.properties.mini_program)

export async function convert(
  parts: Parts, { item, url = '', subId }: ConvertRequest, call?: CallOptions,
): Promise<ConvertedLink> {
  const id = item ?? readLink(parts.settings, url)?.id ?? await idBehind(parts, url, call)
  const { pid, custom } = positionOf(parts, subId)
  const body = await registered(parts, custom, call, () => send(parts, TYPES.convert, {
    p_id: pid, goods_sign_list: [id], custom_parameters: custom, generate_short_url: true,
    generate_schema_url: true, generate_we_app: true,
  }, false, call))
  const [row] = rowsOf(body, 'goods_promotion_url_list')
  if (row === undefined) throw new SourceError(NAME, 'not_found')
  const link = isPromotion(row) ? browserLink(parts, row) : null
  if (!isPromotion(row) || link === null) throw new SourceError(NAME, 'bad_answer')
  return {
    source: NAME,
    item_id: id,
    url: link,
    app_url: isAnyLink(row.schema_url) ? row.schema_url : null,
    mini_program: miniProgramOf(row),
    share_code: null, share_text: null,
    attributed: subId !== undefined,
    // The link carries the coupon of its item, if it has one, whatever is asked.
    coupon_applied: false,
    expires_at: null,
  }
}

function miniProgramOf({ we_app_info: info }: Promotion): ConvertedLink['mini_program'] {
  const program = { app_id: info?.app_id, path: info?.page_path }
  return isMiniProgram(program) ? program : null
}

/** Short links, and links of the older ids, do not tell the item; the mall's search takes them. */
async function idBehind(parts: Parts, url: string, call?: CallOptions): Promise<string> {
  const { pid, custom } = positionOf(parts)
  const body = await registered(parts, custom, call, () => send(parts, TYPES.search, {
    keyword: url, page: 1, page_size: 10, pid, custom_parameters: custom,
  }, true, call))
  const rows = rowsOf(body, 'goods_list')
  const [row] = rows
  // Several are what the mall found instead, not what the link leads to.
  if (rows.length !== 1) throw new SourceError(NAME, 'not_found')
  if (!isGoodsRow(row) || !ID.test(row.goods_sign)) throw new SourceError(NAME, 'bad_answer')
  return row.goods_sign
}

export function readLink({ hosts }: Settings, link: string): { id: string | null } | null {
  const url = linkOn(hosts, link)
  if (!url) return null
  const id = url.searchParams.get('goods_sign') ?? ''
  return { id: ID.test(id) ? id : null }
}
