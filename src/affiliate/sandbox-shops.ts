/**
 * Pages of simulated malls, which nodes show under their own address: a person anywhere can open
 * them. Where an operator configured a mall, none of this exists for it.
 */
import type { Source } from '../../adapters/contract.ts'
import { idOf } from '../../adapters/simulator/ids.ts'
import { catalogueLine, indexOfProduct } from '../goods/generate.ts'
import { mallItemPage } from '../goods/purchase.ts'

export interface SandboxShop {
  /** Its simulator's own address, on loopback. */
  readonly url: string
  /** Sets it apart from those of other hosts, and of other starts. */
  readonly instance: string
}

/** By the mall's name. */
export type SandboxShops = Readonly<Record<string, SandboxShop>>

export const SHOPS_PATH = '/sandbox/malls'

export const shopUrlOf = (publicUrl: string, mall: string): string =>
  `${publicUrl}${SHOPS_PATH}/${mall}`

const GOODS_PATH = /^\/goods\/([0-9A-Za-z_-]{1,128})$/

export interface ShopPages {
  isSimulated(mall: string): boolean
  /** Where a person opens a mall's link: as it is, or on the simulated mall's pages. */
  toOpen(mall: string, link: string): string
  /** The mall's item whose page it is; undefined where it is no such page. */
  itemOn(mall: string, page: string): string | undefined
  /** Whether it is a page of a simulated mall. */
  has(page: string): boolean
  /** Where a person buys what the shelf lists for a mall: `page`, or the simulated mall's. */
  ofProduct(productId: number, page: string): string
  /** A simulated mall as a source whose items have pages that can be opened. */
  around(source: Source): Source
}

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
