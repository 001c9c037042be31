/** What the operator reads while SECRET is replaced. */
import { afterEach, expect, test, vi } from 'vitest'
import { createSecrets } from '../secrets/derive.ts'
import { readConfig } from '../config.ts'
import { openingIds, openSecrets } from '../secrets/open.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, SHOP_SECRET, supplyProduct } from '../testing/products.ts'
import type { CommandContext, WithLedger } from './context.ts'
import { secretCommands } from './ledger-settings.ts'

const { ledger, log, url, orders } = await openOwnShop()
const NEXT = 'n'.repeat(32)
const [old, next] = [SHOP_SECRET, NEXT].map((text) => createSecrets(text).ids[0]) as
  [string, string]
afterEach(() => { process.exitCode = undefined })

async function run(secret: string, word: 'status' | 'rotate'): Promise<unknown> {
  const secrets = await openSecrets(ledger, secret)
  const here: WithLedger = (work) => work({
    ledger, log, urls: { ledger: url }, config: readConfig({}), secrets,
  } as unknown as CommandContext)
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const shown = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    await secretCommands(here).parseAsync([word], { from: 'user' })
    expect(shown.mock.calls.at(-1)).toEqual(['Counting 100 %\n'])
    return JSON.parse(String(printed.mock.calls[0]))
  } finally {
    printed.mockRestore()
    shown.mockRestore()
  }
}

test('a secret may be removed when nothing is under it, and then opens nothing', async () => {
  const product = await supplyProduct(ledger)
  for (let count = 0; count < 2; count += 1) await orders.place(attemptAt(product), newBuyer())
  const none = { receivers: 0, payees: 0, addresses: 0, webhooks: 0 }
  const both = `${NEXT},${SHOP_SECRET}`
  expect(await run(both, 'status')).toEqual({
    sealed: { [next]: none, [old]: { ...none, receivers: 2 } },
    seals: next, left: 2, may_be_removed: [], not_in_secret: [],
  })
  expect(await run(NEXT, 'rotate')).toMatchObject({
    resealed: { receivers: 0, unreadable: 2 }, left: 2, ended: [],
  })
  expect(process.exitCode).toBe(1)
  process.exitCode = undefined
  expect(await openingIds(ledger)).toHaveLength(2)
  expect(await run(both, 'rotate')).toMatchObject({
    resealed: { receivers: 2, unreadable: 0 }, left: 0, may_be_removed: [old], ended: [],
  })
  expect(await run(NEXT, 'rotate')).toMatchObject({ left: 0, may_be_removed: [], ended: [old] })
  expect(process.exitCode).toBeUndefined()
  expect(await openingIds(ledger)).toEqual([next])
  await expect(openSecrets(ledger, SHOP_SECRET)).rejects.toThrow(/SECRET is not the one/)
})
