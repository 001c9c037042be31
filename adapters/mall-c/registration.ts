/**
 * The mall answers searches and conversions only for positions, and users of positions, that a
 * person once registered in its app. Who meets the refusal is told the page where that is done.
 */
import { SourceError, type CallOptions } from '../contract.ts'
import { linkOn } from '../links.ts'
import { rowsOf, send, type Parts } from './calls.ts'
import { customOf, NAME, REGISTRATION_CHANNEL, TYPES } from './dialect.ts'
import { isPromotion, type Promotion } from './wire.ts'

const LINK_WAIT_MS = 1500

/** As whom a call is made: the neutral user where there is no other. */
export function positionOf({ settings: { pid, neutralUid } }: Parts, uid = neutralUid) {
  return { pid, custom: uid === undefined ? undefined : customOf(uid) }
}

/** Does the work; a refusal for want of registration comes with the link that ends it. */
export async function registered<T>(
  parts: Parts, custom: string | undefined, call: CallOptions | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const began = parts.clock.now()
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SourceError) || error.kind !== 'registration') throw error
    const left = (call?.deadlineMs ?? Infinity) - (parts.clock.now() - began)
    const link = left <= 0 ? null : await linkFor(parts, custom, {
      ...call, deadlineMs: Math.min(left, LINK_WAIT_MS),
    })
    throw new SourceError(NAME, 'registration', {
      ...(error.code !== undefined && { code: error.code }), ...(link !== null && { link }),
    })
  }
}

/** Null when it cannot be had: what the caller came for has failed already. */
async function linkFor(
  parts: Parts, custom: string | undefined, call: CallOptions,
): Promise<string | null> {
  const known = parts.registrations.get(custom ?? '')
  if (known !== null) return known
  try {
    const [row] = rowsOf(await send(parts, TYPES.register, {
      p_id_list: [parts.settings.pid], channel_type: REGISTRATION_CHANNEL,
      custom_parameters: custom, generate_short_url: true,
    }, true, call), 'url_list')
    const link = isPromotion(row) ? browserLink(parts, row) : null
    if (link !== null) parts.registrations.set(custom ?? '', link)
    return link
  } catch {
    return null
  }
}

/** The first of the mall's links that opens in a browser and is its own. */
export function browserLink({ settings }: Parts, row: Promotion): string | null {
  const links = [row.mobile_short_url, row.short_url, row.mobile_url, row.url]
  return links.map((link) => linkOn(settings.hosts, link ?? '') && link)
    .find((link) => link) ?? null
}
