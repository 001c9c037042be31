/** A shop over a ledger that nobody else works with, for the tests of one file. */
import { afterAll } from 'vitest'
import type { Durable } from '../redis/durable.ts'
import { openShop, type Shop } from './products.ts'
import { emptyLedger } from './spare.ts'

export interface OwnShop extends Shop {
  readonly url: string
  /** Another node over the same ledger, whose payment windows are over at once. */
  readonly brief: Shop
}

/** Ends with the file that asked for it. */
export async function openOwnShop(
  options: { wrap?: (durable: Durable) => Durable } = {},
): Promise<OwnShop> {
  const url = await emptyLedger()
  const [shop, brief] = await Promise.all([
    openShop({}, { ...options, url }), openShop({ paymentWindowMs: 1 }, { ...options, url }),
  ])
  afterAll(() => {
    shop.close()
    brief.close()
  })
  return { ...shop, url, brief }
}

/** Two nodes over the run's ledger, for the tests of one file; they end with it. */
export async function openTwoNodes(): Promise<readonly [Shop, Shop]> {
  const nodes = [await openShop(), await openShop()] as const
  afterAll(() => nodes.forEach((node) => node.close()))
  return nodes
}
