/** Platforms that no operator configured are played by simulators, called like real ones. */
import { randomUUID } from 'node:crypto'
import {
  createMenu, createAssortment, simulate, type Present, type SimProduct, type Simulator,
} from '../../adapters/sandbox.ts'
import { shopUrlOf, type SandboxShops } from '../affiliate/shop-pages.ts'
import type { MallSettings } from '../affiliate/settings.ts'
import type { MallName } from '../../adapters/names.ts'
import { nowMs } from '../contract/time.ts'
import { catalogueLine } from '../goods/generate.ts'
import { drawItem } from '../goods/image.ts'
import { taxonomy } from '../goods/taxonomy.ts'
import { card, rootOf } from '../site/page.ts'

export interface SandboxMalls {
  readonly settings: MallSettings
  readonly simulators: readonly Simulator[]
  readonly shops: SandboxShops
  close(): Promise<void>
}

export interface SandboxMallsOptions {
  /** Those that are not configured. */
  readonly missing: readonly MallName[]
  readonly seed: string
  /** Items of the shelf: what it lists for a mall the mall sells. */
  readonly items: number
  /** Generated products that searches of the malls find. */
  readonly products?: number
  readonly publicUrl: string
  /** Mall orders move on after so long. */
  readonly stepMs: number
}

const PRODUCTS = 6000
const NONE: SandboxMalls = {
  settings: {}, simulators: [], shops: {}, close: async () => undefined,
}

export async function startSandboxMalls(
  { missing, seed, items, products = PRODUCTS, publicUrl, stepMs }: SandboxMallsOptions,
): Promise<SandboxMalls> {
  if (missing.length === 0) return NONE
  const assortment = createAssortment(
    Array.from({ length: products }, (_, index) => productAt(seed, index)),
    (index) => (index < items ? productAt(seed, index) : undefined))
  const home = rootOf(publicUrl)
  const present: Present = (page) =>
    card({ ...page, home: `${home}/?lang=${page.locale}` }).html
  const started = await Promise.all(missing.map(async (name) =>
    ({ name, simulator: await simulate[name]({
      clock: { now: nowMs }, assortment: name === 'food' ? createMenu() : assortment,
      paceMs: stepMs,
      shopUrl: shopUrlOf(publicUrl, name), draw, present,
    }) })))
  return {
    settings: Object.fromEntries(started.map(({ name, simulator }) =>
      [name, simulator.settings])),
    simulators: started.map(({ simulator }) => simulator),
    shops: Object.fromEntries(started.map(({ name, simulator: { url } }) =>
      [name, { url, instance: randomUUID() }])),
    async close() {
      await Promise.all(started.map(({ simulator }) => simulator.close()))
    },
  }
}

function productAt(seed: string, index: number): SimProduct {
  const { title, brand, category_id, retail_price, supply, coupon = null, shop } =
    catalogueLine(seed, index)
  return {
    index, title, brand, basePrice: retail_price,
    category: taxonomy().categories[category_id - 1]?.name_zh ?? '',
    ...(supply !== 'own' && { listed: { mall: supply, price: retail_price, coupon, shop } }),
  }
}

/** Food and snacks: the categories of meals are the food platform's own. */
const FOOD_ID = 14

function draw({ title, category }: { title: string, category: string }, view: number): string {
  const found = taxonomy().categories.find(({ name_zh }) => name_zh === category)
  return drawItem({ title, category_id: found?.category_id ?? FOOD_ID }, view)
}
