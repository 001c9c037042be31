/** What exists in the simulated world, whoever sells it; and how the malls search it. */

import type { SourceName } from '../normal.ts'

/** The service hands its own universe in; tests make a small one. */
export interface SimProduct {
  /** Its place in the universe, from 0: what the malls' ids are made of. */
  readonly index: number
  readonly title: string
  readonly brand: string
  readonly category: string
  /** Around which the malls ask their prices, in fen. */
  readonly basePrice: number
  /** One mall's offer as the service lists it: the mall sells it so, and no other mall does. */
  readonly listed?: {
    readonly mall: SourceName
    readonly price: number
    readonly coupon: { readonly amount: number, readonly threshold: number } | null
    readonly shop: string
  }
}

export interface SimUniverse {
  /** What searches find. */
  readonly products: readonly SimProduct[]
  /** Also of what is sold without being found. */
  at(index: number): SimProduct | undefined
  /** Best match first. */
  find(q: string): readonly SimProduct[]
}

/** Share of a query's tokens that a product has to hold. */
const MATCH_SHARE = 0.6

export function createUniverse(
  products: readonly SimProduct[],
  beyond: (index: number) => SimProduct | undefined = () => undefined,
): SimUniverse {
  const places = new Map<string, number[]>()
  products.forEach(({ title, brand, category }, at) => {
    for (const token of tokensOf(`${title} ${brand} ${category}`)) {
      const known = places.get(token)
      if (known) known.push(at)
      else places.set(token, [at])
    }
  })
  return {
    products,
    at: (index) => products[index] ?? beyond(index),
    find(q) {
      const tokens = tokensOf(q)
      const hits = new Map<number, number>()
      for (const token of tokens) {
        for (const at of places.get(token) ?? []) hits.set(at, (hits.get(at) ?? 0) + 1)
      }
      const enough = Math.max(1, tokens.size * MATCH_SHARE)
      return [...hits].filter(([, count]) => count >= enough)
        .sort(([a, left], [b, right]) => right - left || a - b)
        .map(([at]) => products[at] as SimProduct)
    },
  }
}

/** Latin words and numbers whole, Chinese in pairs of characters. */
export function tokensOf(text: string): Set<string> {
  const tokens = new Set<string>()
  for (const [run] of text.normalize('NFKC').toLowerCase()
    .matchAll(/[a-z0-9]+(?:\.[0-9]+)?|\p{Script=Han}+/gu)) {
    if (/^[a-z0-9]/.test(run) || run.length === 1) tokens.add(run)
    else for (let at = 0; at + 1 < run.length; at += 1) tokens.add(run.slice(at, at + 2))
  }
  return tokens
}
