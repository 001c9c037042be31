import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { nowMs } from '../contract/time.ts'
import { createEarnings } from '../earnings/earnings.ts'
import { monthOf } from '../earnings/month.ts'
import { settleAccount } from '../earnings/lots.ts'
import { createLogger } from '../log.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { createSecrets } from '../secrets/derive.ts'
import { OCTOBER_END, openBooks } from '../testing/earnings-books.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { SHOP_SECRET } from '../testing/products.ts'
import { rebuildEarnings } from './rebuild.ts'
import { SettlementWorker } from './settlement.ts'

const shop = await openOwnShop()
const { ledger } = shop
const secrets = createSecrets(SHOP_SECRET)
const log = createLogger('silent')
const thisMonth = (): string => monthOf(nowMs())
const worker = (given: object = {}) => new SettlementWorker({ ...shop, log, ...given })

beforeEach(async () => {
  await ledger.flushall()
  await ledger.set(keys.earnersNoted('sandbox'), 1)
})

/** Ticks like its lease does: until there is nothing to do. */
async function run(one = worker()): Promise<number> {
  await one.begin?.()
  for (let ticks = 1; ; ticks += 1) if (!await one.tick()) return ticks
}

/** An account whose commission was confirmed, and noted, in October. */
async function earner(fen = 2000, confirmedAt = OCTOBER_END - 1) {
  const own = openBooks(shop)
  vi.useFakeTimers({ now: OCTOBER_END - 1, toFake: ['Date'] })
  try {
    await own.earn(`mall_b:${randomUUID()}`,
      { amount: fen * 20, state: 'confirmed', version: 1, confirmedAt })
  } finally {
    vi.useRealTimers()
  }
  return own
}

test('a month that is over is settled by itself, once, whoever works', async () => {
  const owners = [await earner(), await earner(3000)]
  await run()
  for (const one of [worker(), worker()]) await run(one)
  expect(await owners[0]?.balances()).toMatchObject({ confirmed: 0, withdrawable: 2000 })
  expect(await owners[1]?.balances()).toMatchObject({ confirmed: 0, withdrawable: 3000 })
  for (const own of owners) await own.audit()
})

test('for whom something was settled a bell rings, once', async () => {
  const own = await earner()
  const rung: string[] = []
  const one = worker({ onSettled: async (account: string) => { rung.push(account) } })
  await run(one)
  await run(one)
  expect(rung).toEqual([own.account])
})

test('what a node posts for an account rings a bell when it is there', async () => {
  const own = openBooks(shop)
  const confirmedAt = await redisTimeMs(ledger)
  await own.earn(`order:${randomUUID()}`, { amount: 2000, state: 'confirmed', confirmedAt })
  const seen: number[] = []
  const earnings = createEarnings({ ...shop, secrets }, async (account) => {
    seen.push((await earnings.balances(account)).withdrawable)
  })
  await earnings.endSandboxMonth(own.account)
  expect(seen).toEqual([100])
})

test('the month that is under way is not settled', async () => {
  const own = openBooks(shop)
  const now = await redisTimeMs(ledger)
  await own.earn(`order:${randomUUID()}`, { amount: 2000, state: 'confirmed', confirmedAt: now })
  await run()
  expect(await own.balances()).toMatchObject({ confirmed: 100, withdrawable: 0 })
})

test('months that passed while no node ran are caught up, and their lists dropped', async () => {
  const late = await earner()
  await ledger.sadd(keys.earningMonths('sandbox'), '2026-09')
  await ledger.hset(keys.earners('sandbox', '2026-09'), late.account, 1)
  await run()
  expect(await late.balances()).toMatchObject({ withdrawable: 2000 })
  expect(await ledger.smembers(keys.earningMonths('sandbox'))).toEqual([])
  expect(await ledger.keys('settle:*:2026-*')).toEqual([])
})

test('what a slower node confirms after the month was settled is settled, too', async () => {
  const first = await earner()
  const now = await redisTimeMs(ledger)
  const month = '2026-10'
  const own = worker()
  await run(own)
  expect(await first.balances()).toMatchObject({ withdrawable: 2000 })
  const second = await earner()
  expect(await ledger.hkeys(keys.earners('sandbox', month))).toEqual([second.account])
  // Its list was begun anew; another node, or this one an hour later, goes through it.
  await run()
  expect(await second.balances()).toMatchObject({ withdrawable: 2000 })
  expect(now).toBeGreaterThan(OCTOBER_END)
})

test('an account with many commissions is settled over several ticks', async () => {
  const own = await earner()
  const subjects = Array.from({ length: 250 }, () => `order:${randomUUID()}`)
  await Promise.all(subjects.map((subject) => own.earn(subject,
    { amount: 2000, state: 'confirmed', confirmedAt: OCTOBER_END - 2 })))
  expect(await settleAccount(shop, own.account, OCTOBER_END, 1)).toMatchObject(
    { entries: 100, hasMore: true })
  await run(worker({ tickMs: 0 }))
  expect(await own.balances()).toMatchObject({ confirmed: 0, withdrawable: 2000 + 25_000 })
  await own.audit()
})

test('live books are left to a live service', async () => {
  const own = await earner()
  await run(worker({ mode: 'live' }))
  expect(await own.balances()).toMatchObject({ confirmed: 2000 })
})

test('an account of a ledger that has no list yet is found', async () => {
  const own = await earner()
  await ledger.del(keys.earningMonths('sandbox'), keys.earners('sandbox', '2026-10'))
  await ledger.del(keys.earnersNoted('sandbox'))
  await worker().begin?.()
  expect(await ledger.hkeys(keys.earners('sandbox', thisMonth()))).toEqual([own.account])
})

test('rebuild earnings notes every account that waits', async () => {
  const own = await earner()
  await ledger.del(keys.earningMonths('sandbox'), keys.earners('sandbox', '2026-10'))
  await rebuildEarnings(shop)
  expect(await ledger.hkeys(keys.earners('sandbox', thisMonth()))).toEqual([own.account])
})

test('books that are broken keep no other account from its settlement', async () => {
  const [broken, own] = [await earner(), await earner()]
  const [subject = ''] = await ledger.zrange(keys.confirmed(broken.account, 'sandbox'), '0', '0')
  await ledger.hset(keys.records(broken.account, 'sandbox'), subject, 'no JSON')
  await run()
  expect(await own.balances()).toMatchObject({ withdrawable: 2000 })
})
