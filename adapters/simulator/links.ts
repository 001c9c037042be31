/** Links of simulated malls: they carry the click that opening them makes. */
import { createHash } from 'node:crypto'
import { linkOn } from '../text.ts'
import type { SimClick } from './orders.ts'

export const packed = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url')

/** What a link on the host carries in a parameter; null for any other link. */
export function carriedBy<T>(host: string, link: string, parameter: string): T | null {
  const text = linkOn([host], link)?.searchParams.get(parameter)
  try {
    return text ? Object(JSON.parse(Buffer.from(text, 'base64url').toString())) as T : null
  } catch {
    return null
  }
}

/** Short links of a simulated mall: a code for a click, kept as long as the process. */
export interface ShortLinks {
  /** On a host of the mall's own, as its answers have it. */
  on(host: string, click: SimClick): string
  /** Where a person can open it: on the shop's pages, where those are served. */
  toOpen(host: string, click: SimClick): string
  /** The click of a link, or of its code alone. */
  read(link: string): SimClick | null
}

const LINKS_MAX = 20_000
const CODE = /(?:^|\/)([0-9A-Za-z_-]{10})$/

export function createShortLinks(shopUrl: string | undefined): ShortLinks {
  const clicks = new Map<string, SimClick>()
  function codeOf(click: SimClick): string {
    const code = createHash('sha256').update(JSON.stringify(click)).digest('base64url').slice(0, 10)
    clicks.set(code, click)
    const oldest = clicks.size > LINKS_MAX ? clicks.keys().next().value : undefined
    if (oldest !== undefined) clicks.delete(oldest)
    return code
  }

  return {
    on: (host, click) => `https://${host}/${codeOf(click)}`,
    toOpen: (host, click) =>
      `${shopUrl === undefined ? `https://${host}` : `${shopUrl}/s`}/${codeOf(click)}`,
    read: (link) => clicks.get(CODE.exec(link)?.[1] ?? '') ?? null,
  }
}
