import type { CatalogueLine } from './line.ts'

/** Where a person buys an affiliate item: the platform's public page, without attribution. */
const ITEM_PAGE = {
  mall_a: (id: string) => `https://item.taobao.com/item.htm?id=${id}`,
  mall_b: (id: string) => `https://item.jd.com/${id}.html`,
  mall_c: (id: string) => `https://mobile.yangkeduo.com/goods.html?goods_sign=${id}`,
} as const

/** Empty for own items, whose page is on the node that answers. */
export const mallItemPage = ({ supply, external_id }: CatalogueLine): string =>
  supply === 'own' ? '' : ITEM_PAGE[supply](encodeURIComponent(external_id ?? ''))

export const ownItemPage = (publicUrl: string, skuId: number): string =>
  `${publicUrl}/item/${skuId}`

const MALLS = new Map(Object.entries(ITEM_PAGE).map(([mall, page]) =>
  [new URL(page('0')).host, mall]))
const SIMULATED = /\/sandbox\/malls\/(mall_[abc])\/goods\//

/** Only by its host: what follows is the platform's own affair. */
export const isMallPage = (url: string): boolean => MALLS.has(new URL(url).host)

/** The mall to whose page the shelf sends people, real or simulated. */
export const mallOfPage = (url: string): string | undefined =>
  (URL.canParse(url) ? MALLS.get(new URL(url).host) ?? SIMULATED.exec(url)?.[1] : undefined)
