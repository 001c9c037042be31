/** Placing orders, many at a time, in each mode in turn. */
import { monotonicMs } from '../../src/contract/time.ts'
import {
  attemptAt, newBuyer, supplyProduct, type Product, type Shop,
} from '../../src/testing/products.ts'
import { median, quantile } from '../bench/statistics.ts'

export interface Mode {
  readonly name: string
  readonly survives: string
  readonly shop: Shop
}

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

const CALLERS = 64
const PRODUCTS = 48
const ROUND_MS = 3000
const WARM_UP_MS = 500

/** Rounds of all modes take turns, so that a slow moment of the machine hits none alone. */
export async function measureModes(modes: readonly Mode[], rounds: number): Promise<string[]> {
  const found = new Map<Mode, Round[]>()
  for (const mode of modes) {
    await place(mode.shop, await supply(mode.shop), WARM_UP_MS)
    found.set(mode, [])
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const mode of modes) {
      found.get(mode)?.push(await place(mode.shop, await supply(mode.shop), ROUND_MS))
    }
  }
  return modes.map((mode) => {
    const all = found.get(mode) ?? []
    const middle = (name: keyof Round): number => median(all.map((one) => one[name]))
    return `| ${mode.name} | ${mode.survives} | ${Math.round(middle('perSecond'))} | `
      + `${middle('p50').toFixed(1)} | ${middle('p99').toFixed(1)} |`
  })
}

const supply = (shop: Shop): Promise<Product[]> => Promise.all(
  Array.from({ length: PRODUCTS }, () => supplyProduct(shop.ledger, { stock: 1_000_000 })))

/** An order is two durable writes: the claim of its key, and itself. */
async function place(shop: Shop, products: readonly Product[], ms: number): Promise<Round> {
  const took: number[] = []
  const began = monotonicMs()
  await Promise.all(Array.from({ length: CALLERS }, async (_, caller) => {
    const buyer = newBuyer()
    for (let turn = caller; monotonicMs() - began < ms; turn += 1) {
      const input = attemptAt(products[turn % products.length] as Product)
      const at = monotonicMs()
      await shop.orders.place(input, buyer)
      took.push(monotonicMs() - at)
    }
  }))
  const seconds = (monotonicMs() - began) / 1000
  return {
    perSecond: took.length / seconds, p50: quantile(took, 0.5), p99: quantile(took, 0.99),
  }
}
