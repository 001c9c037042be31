/** Links that count for an agent, and the codes that the mall's application reads. */
import {
  SourceError, type CallOptions, type ConvertedLink, type ConvertRequest,
} from '../contract.ts'
import { webLink } from '../links.ts'
import { poolOf, readLink, send, type Parts } from './call.ts'
import { METHODS, NAME, type Business } from './dialect.ts'
import type { Settings } from './settings.ts'
import { isLinkRow, isShareCode, rowsOf, type LinkRow } from './wire.ts'

export async function convert(
  parts: Parts, request: ConvertRequest, call?: CallOptions,
): Promise<ConvertedLink> {
  const { settings, clock } = parts
  const began = clock.now()
  const { business, attributed } = positionOf(settings, request.subId)
  const { item, url: asked = '' } = request
  const { data } = await send(parts, METHODS.convert, {
    ...business,
    biz_scene_id: settings.sceneId,
    // Lists are parted by commas, which links may hold.
    ...(item !== undefined ? { item_id_list: item }
      : { material_list: asked.replaceAll(',', '%2C') }),
  }, false, call)
  const found = linkOf(firstRow(data, item === undefined ? 'material_url_list' : 'item_url_list'))
  const share = found.code === null
    ? await shareCode(parts, found.url, remaining(call, clock.now() - began))
    : { code: found.code, text: found.text }
  return {
    source: NAME,
    item_id: item ?? readLink(settings, asked)?.id ?? null,
    url: found.url,
    app_url: null, mini_program: null,
    share_code: share.code, share_text: share.text,
    attributed, coupon_applied: found.coupon,
    expires_at: null,
  }
}

/** The mall echoes no text of ours, only ids of its own: those of the pool, and no others. */
function positionOf(
  settings: Settings, subId: string | undefined,
): { business: Business, attributed: boolean } {
  const { adzoneId, poolKind = 'adzone' } = settings
  const pool = poolOf(settings)
  if (subId === undefined || pool.length === 0) {
    return { business: { adzone_id: adzoneId }, attributed: false }
  }
  if (!pool.includes(subId)) throw new SourceError(NAME, 'invalid_arg')
  return { business: { adzone_id: adzoneId, [`${poolKind}_id`]: subId }, attributed: true }
}

/** None for an item that is unknown, or that the mall does not promote. */
function firstRow(data: unknown, key: string): LinkRow {
  const rows = rowsOf((data as Readonly<Record<string, unknown>> | null | undefined)?.[key], key)
  if (!rows) throw new SourceError(NAME, 'bad_answer')
  const [row] = rows
  if (row === undefined) throw new SourceError(NAME, 'not_found')
  if (!isLinkRow(row)) throw new SourceError(NAME, 'bad_answer')
  return row
}

interface Found {
  readonly url: string
  readonly coupon: boolean
  readonly code: string | null
  readonly text: string | null
}

/** With the coupon where there is one; long before short, since short links end. */
function linkOf({ code, link_info_dto: info }: LinkRow): Found {
  const withCoupon = webLink(info?.coupon_long_url) ?? webLink(info?.coupon_short_url)
  const url = withCoupon ?? webLink(info?.cps_long_url) ?? webLink(info?.cps_short_url)
  if (!info || url === null) {
    throw new SourceError(NAME, 'not_found', code == null ? {} : { code })
  }
  const coupon = withCoupon !== null
  return {
    url, coupon,
    code: marks(coupon ? info.coupon_short_tpwd : info.cps_short_tpwd, 100),
    text: marks(coupon ? info.coupon_full_tpwd : info.cps_full_tpwd, 500),
  }
}

/** Asked for where the conversion gave none; a link is worth having without its code. */
async function shareCode(
  parts: Parts, url: string, call: CallOptions | undefined,
): Promise<{ code: string | null, text: string | null }> {
  try {
    const { data } = await send(parts, METHODS.shareCode, { url }, false, call)
    if (!isShareCode(data)) return { code: null, text: null }
    return { code: marks(data.password_simple, 100), text: marks(data.model, 500) }
  } catch (error) {
    if (!(error instanceof SourceError) || error.kind === 'aborted') throw error
    return { code: null, text: null }
  }
}

/** Kept with its marks, on which the application insists; what is cut would not be read. */
function marks(text: string | null | undefined, length: number): string | null {
  const clean = (text ?? '').replaceAll(/[^\n\P{Cc}]/gu, '').trim()
  return clean !== '' && clean.length <= length ? clean : null
}

const remaining = (call: CallOptions | undefined, spentMs: number): CallOptions | undefined =>
  (call?.deadlineMs === undefined ? call
    : { ...call, deadlineMs: Math.max(1, call.deadlineMs - spentMs) })
