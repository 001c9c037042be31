/**
 * Pages of simulated malls, which nodes show under their own address: a person anywhere can open
 * them. Where an operator configured a mall, none of this exists for it.
 */
import { idOf } from '../../adapters/simulator/catalogue.ts'
import { catalogueLine, indexOfProduct } from '../goods/generate.ts'
import { mallItemPage } from '../goods/purchase.ts'
import { shopUrlOf, type SandboxShops, type ShopPages } from './shop-pages.ts'

const GOODS_PATH = /^\/goods\/([0-9A-Za-z_-]{1,128})$/

export interface ShopPagesOptions {
  readonly shops: SandboxShops
  readonly publicUrl: string
  /** Of the generated catalogue: imported items have pages of their own. */
  readonly seed: string
}

export function createShopPages({ shops, publicUrl, seed }: ShopPagesOptions): ShopPages {
  const simulated = new Map(Object.keys(shops).map((mall) => [mall, shopUrlOf(publicUrl, mall)]))

  function itemOn(mall: string, page: string): string | undefined {
    const shop = simulated.get(mall)
    return shop !== undefined && page.startsWith(shop)
      ? GOODS_PATH.exec(page.slice(shop.length))?.[1] : undefined
  }

  return {
    isSimulated: (mall) => simulated.has(mall),
    toOpen(mall, link) {
      const shop = simulated.get(mall)
      return shop === undefined ? link : `${shop}/visit?url=${encodeURIComponent(link)}`
    },
    itemOn,
    has: (page) => [...simulated.keys()].some((mall) => itemOn(mall, page) !== undefined),
    ofProduct(productId, page) {
      const index = indexOfProduct(productId)
      if (simulated.size === 0 || page === '' || index === undefined) return page
      const line = catalogueLine(seed, index)
      const shop = simulated.get(line.supply)
      return shop === undefined || mallItemPage(line) !== page ? page
        : `${shop}/goods/${idOf(line.supply, index)}`
    },
    around(source) {
      const shop = simulated.get(source.name)
      if (shop === undefined) return source
      const shown = <T extends { readonly id: string }>(item: T): T =>
        ({ ...item, url: `${shop}/goods/${item.id}` })
      return {
        ...source,
        async search(query, call) {
          const found = await source.search(query, call)
          return { ...found, items: found.items.map(shown) }
        },
        async items(ids, call) {
          const found = await source.items(ids, call)
          return { ...found, items: found.items.map(shown) }
        },
        readLink(url) {
          const id = itemOn(source.name, url)
          return id === undefined ? source.readLink(url) : { id }
        },
      }
    },
  }
}
