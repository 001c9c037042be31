/** All platforms: what an operator configures for each, and how it is opened. */
import type { TSchema } from 'typebox'
import { type Budget, createLocalBudget, type PlatformLimits } from './limits.ts'
import type { Clock, Source } from './contract.ts'
import { createFood } from './food/adapter.ts'
import { NAME as FOOD, Settings as FoodSettings } from './food/signing.ts'
import { guard } from './guard.ts'
import { createClient, type ClientOptions } from './http.ts'
import { createMallA } from './mall-a/adapter.ts'
import { NAME as MALL_A, Settings as MallASettings } from './mall-a/signing.ts'
import { createMallB } from './mall-b/adapter.ts'
import { NAME as MALL_B, Settings as MallBSettings } from './mall-b/signing.ts'
import { createMallC } from './mall-c/adapter.ts'
import { NAME as MALL_C, Settings as MallCSettings } from './mall-c/signing.ts'
import type { MallName, SourceName } from './names.ts'

export * from './contract.ts'
export type { Budget, Payer } from './limits.ts'
export type { Observation } from './http.ts'
export type { PlatformLimits } from './limits.ts'

/** What the service hands in; all but the clock has a default. */
export interface Surroundings {
  readonly clock: Clock
  /** Shared by all nodes that call with the same credentials. */
  readonly budget?: Budget
  readonly limits?: Partial<PlatformLimits>
  readonly observe?: ClientOptions['observe']
  readonly random?: ClientOptions['random']
}

export interface Mall<S> {
  readonly name: SourceName
  /** For the reader of the configuration: `open` takes what fits it. */
  readonly settings: TSchema
  open(settings: S, surroundings: Surroundings): Source
}

/** Calls a second for one application where nothing shared counts them. */
const LOCAL_RATE = { ratePerSecond: 5, burst: 10 } as const

function defineMall<S extends { readonly baseUrl: string, readonly hosts: readonly string[] }>(
  mall: Omit<Mall<S>, 'open'> & {
    create(parts: { settings: S, clock: Clock, client: ReturnType<typeof createClient> }): Source
  },
): Mall<S> {
  const { create, ...rest } = mall
  return {
    ...rest,
    open(settings, { clock, budget, limits, observe, random }) {
      const client = createClient({
        source: mall.name, baseUrl: settings.baseUrl, clock, limits, observe, random,
        budget: budget ?? createLocalBudget({ clock, ...LOCAL_RATE }),
      })
      return guard(create({ settings, clock, client }))
    },
  }
}

export const malls = {
  mall_a: defineMall({ name: MALL_A, settings: MallASettings, create: createMallA }),
  mall_b: defineMall({ name: MALL_B, settings: MallBSettings, create: createMallB }),
  mall_c: defineMall({ name: MALL_C, settings: MallCSettings, create: createMallC }),
  food: defineMall({ name: FOOD, settings: FoodSettings, create: createFood }),
} as const satisfies Record<MallName, unknown>
