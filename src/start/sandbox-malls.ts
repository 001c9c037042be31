/** Platforms that no operator configured are played by simulators, called like real ones. */
import { createMenu } from '../../adapters/food/menu.ts'
import { createUniverse, malls, type Simulator } from '../../adapters/index.ts'
import type { SandboxShops } from '../affiliate/links.ts'
import { MALL_NAMES, type MallName, type MallSettings } from '../affiliate/settings.ts'
import { nowMs } from '../clock.ts'
import { titleOf } from '../goods/generate.ts'
import { universeProduct } from '../goods/universe.ts'

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
  /** Products of the shelf's universe that the malls sell, too. */
  readonly products?: number
  /** Mall orders move on after so long. */
  readonly stepMs: number
}

const PRODUCTS = 6000
const NONE: SandboxMalls = {
  settings: {}, simulators: [], shops: {}, close: async () => undefined,
}

export async function startSandboxMalls(
  { missing, seed, products = PRODUCTS, stepMs }: SandboxMallsOptions,
): Promise<SandboxMalls> {
  if (missing.length === 0) return NONE
  const universe = createUniverse(Array.from({ length: products }, (_, index) => {
    const product = universeProduct(seed, index)
    return {
      index, title: titleOf(product), brand: product.brandText,
      category: product.category.name_zh, basePrice: product.basePrice,
    }
  }))
  const started = await Promise.all(missing.map(async (name) =>
    ({ name, simulator: await malls[name].simulate({
      clock: { now: nowMs }, universe: name === 'food' ? createMenu() : universe, paceMs: stepMs,
    }) })))
  return {
    settings: Object.fromEntries(started.map(({ name, simulator }) =>
      [name, simulator.settings])),
    simulators: started.map(({ simulator }) => simulator),
    shops: Object.fromEntries(started.map(({ name, simulator }) => [name, simulator.url])),
    async close() {
      await Promise.all(started.map(({ simulator }) => simulator.close()))
    },
  }
}

export const unconfigured = (settings: MallSettings): MallName[] =>
  MALL_NAMES.filter((name) => settings[name] === undefined)
