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

const MALL_HOSTS = new Set(Object.values(ITEM_PAGE).map((page) => new URL(page('0')).host))

/** Only by its host: what follows is the platform's own affair. */
export const isMallPage = (url: string): boolean => MALL_HOSTS.has(new URL(url).host)
