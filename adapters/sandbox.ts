/** Every platform as a simulator: loaded in the sandbox and in tests only. */
import { startFood } from './food/simulator/index.ts'
import { startMallA } from './mall-a/simulator/index.ts'
import { startMallB } from './mall-b/simulator.ts'
import { startMallC } from './mall-c/simulator.ts'
import type { MallName } from './names.ts'
import type { SimOptions, Simulator } from './simulator/frame.ts'

export { createMenu } from './food/simulator/index.ts'
export type { Simulator, SimOptions } from './simulator/frame.ts'
export type { Present } from './simulator/shop.ts'
export { createAssortment, type SimProduct, type Assortment } from './simulator/catalogue.ts'

/** A real server on loopback, and the settings that lead to it. */
export type Simulate<S> = (options: SimOptions) => Promise<Simulator & { readonly settings: S }>

export const simulate = {
  mall_a: startMallA, mall_b: startMallB, mall_c: startMallC, food: startFood,
} as const satisfies Record<MallName, Simulate<object>>
