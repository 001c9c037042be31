/** Links of the simulated mall C carry what follows from opening them. */
import { carriedBy, packed } from '../simulator/carried.ts'
import { idOf } from '../simulator/ids.ts'
import type { SimClick } from '../simulator/orders.ts'
import { NAME } from './dialect.ts'

export const HOST = 'mall-c.example'
export const ITEM_URL = `https://mobile.${HOST}/goods.html?goods_sign={id}`

/** Who would be credited, or is to be registered. */
export interface Position {
  readonly pid: string
  readonly custom: string
}

export function promotionRow(click: SimClick): object {
  const page = 'duo_coupon_landing.html'
  const query = `goods_sign=${idOf(NAME, click.index)}&click=${packed(click)}`
  return {
    ...linkRow(`${page}?${query}`),
    we_app_info: { app_id: 'wxsandboxmallc', page_path: `pages/web/web?${query}` },
  }
}

export const registrationRow = (position: Position): object =>
  linkRow(`duo_auth.html?position=${packed(position)}`)

const linkRow = (path: string): object => ({
  url: `https://mobile.${HOST}/${path}`, mobile_url: `https://mobile.${HOST}/app.html?${path}`,
  short_url: `https://p.${HOST}/${path}`, mobile_short_url: `https://p.${HOST}/${path}`,
  schema_url: `mallc://open/${path}`,
})

export const readClick = (link: string): SimClick | null => carriedBy(HOST, link, 'click')

export const readPosition = (link: string): Position | null =>
  carriedBy(HOST, link, 'position')
