/**
 * Where people open a mall's items: at the mall, or on a simulated mall's pages, which only nodes
 * that have them load (`sandbox-shops.ts`).
 */
import type { Source } from '../../adapters/contract.ts'

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

export interface ShopPages {
  isSimulated(mall: string): boolean
  /** Where a person opens a mall's link: as it is, or on the simulated mall's pages. */
  toOpen(mall: string, link: string): string
  /** The mall's item whose page it is; undefined for any other page. */
  itemOn(mall: string, page: string): string | undefined
  /** Whether it is a page of a simulated mall. */
  has(page: string): boolean
  /** Where a person buys a shelf item of a mall: `page`, or the simulated mall's. */
  ofProduct(productId: number, page: string): string
  /** A simulated mall as a source whose items have pages that can be opened. */
  around(source: Source): Source
}

/** Of a node whose malls are all real. */
export const NO_SHOP_PAGES: ShopPages = {
  isSimulated: () => false,
  toOpen: (_mall, link) => link,
  itemOn: () => undefined,
  has: () => false,
  ofProduct: (_productId, page) => page,
  around: (source) => source,
}
