import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { readRecord } from './books.ts'
import { reconcileCommission } from './commission.ts'
import { bpsAt, commissionOf, setTerms } from './records.ts'

const shop = await openOwnShop()

async function newAccount(fields: Record<string, string> = {}) {
  const account = `ac_${randomUUID()}`
  await shop.ledger.hset(keys.account(account), { kind: 'account', ...fields })
  const terms = () => shop.ledger.hget(keys.account(account), 'terms')
  return { account, terms, set: (bps: number) => setTerms(shop.durable, account, bps) }
}

test('a moment has the rate that was agreed last before it, else the usual one', () => {
  expect([0, 99, 100, 199, 200, undefined].map((at) => bpsAt('100:700 200:0', at)))
    .toEqual([500, 500, 700, 700, 0, 0])
  // Two changes of one moment: the later one.
  expect(bpsAt('100:700 100:800', 100)).toBe(800)
  expect([bpsAt(null), bpsAt(null, 5)]).toEqual([500, 500])
  expect([commissionOf(2590, 500), commissionOf(19, 500), commissionOf(19, 0)]).toEqual([129, 0, 0])
})

test('a change holds from its moment on, and setting it again is no change', async () => {
  const { set, terms } = await newAccount()
  expect(await set(700)).toEqual({ code: 'done' })
  const first = await terms()
  const since = Number(first?.split(':')[0])
  expect([bpsAt(first, since - 1), bpsAt(first, since)]).toEqual([500, 700])
  await set(700)
  expect(await terms()).toBe(first)
  // Of two changes in one millisecond the later one would hold at it.
  await expect.poll(() => redisTimeMs(shop.ledger)).toBeGreaterThan(since)
  await set(0)
  expect(bpsAt(await terms())).toBe(0)
  expect(bpsAt(await terms(), since)).toBe(700)
})

test('a payment that has its rate keeps it: a change counts after it', async () => {
  const { account, set, terms } = await newAccount()
  const later = await redisTimeMs(shop.ledger) + 5000
  const subject = `order:${randomUUID()}`
  await reconcileCommission(shop, subject, async () =>
    ({ account, mode: 'live', amount: 2000, state: 'pending', paidAt: later }))
  await set(700)
  expect([bpsAt(await terms(), later), bpsAt(await terms(), later + 1)]).toEqual([500, 700])
})

test('a change while a rate is taken makes the commission be reckoned again', async () => {
  const { account, set, terms } = await newAccount()
  const subject = `order:${randomUUID()}`
  const paidAt = await redisTimeMs(shop.ledger) + 5000
  let isFirst = true
  const durable: Durable = {
    ...shop.durable,
    async run(...call) {
      if (isFirst) await set(700)
      isFirst = false
      return await shop.durable.run(...call)
    },
  }
  await reconcileCommission({ ledger: shop.ledger, durable }, subject, async () =>
    ({ account, mode: 'live', amount: 2000, state: 'pending', paidAt }))
  expect(JSON.parse(await readRecord({ ...shop, mode: 'live' }, account, subject) ?? ''))
    .toMatchObject({ bps: 700, commission: 140 })
  expect(bpsAt(await terms(), paidAt)).toBe(700)
})

test('a platform whose clock is far ahead does not put a change off', async () => {
  const { account, set, terms } = await newAccount()
  const paidAt = 9_000_000_000_000
  await reconcileCommission(shop, `mall_b:${randomUUID()}`, async () =>
    ({ account, mode: 'live', amount: 2000, state: 'pending', version: 1, paidAt }))
  await set(700)
  expect(bpsAt(await terms(), await redisTimeMs(shop.ledger))).toBe(700)
})

test('the last 32 changes are remembered, the oldest for all before it', async () => {
  const { set, terms } = await newAccount()
  for (let bps = 1; bps <= 40; bps += 1) await set(bps)
  const kept = (await terms())?.split(' ') ?? []
  expect(kept.map((one) => Number(one.split(':')[1])))
    .toEqual(Array.from({ length: 32 }, (_, index) => index + 9))
  expect(kept[0]).toBe('0:9')
})

test('a clock that goes back makes no change come before an earlier one', async () => {
  const { set, terms } = await newAccount({ terms: '9000000000000:700' })
  await set(800)
  expect(await terms()).toBe('9000000000000:700 9000000000000:800')
})

test('who is not there, or not any more, agrees to nothing', async () => {
  expect(await setTerms(shop.durable, 'ac_nobody', 1)).toEqual({ code: 'none' })
  expect(await shop.ledger.exists(keys.account('ac_nobody'))).toBe(0)
  expect(await (await newAccount({ state: 'deleted' })).set(1)).toEqual({ code: 'none' })
  expect(await (await newAccount({ merged_into: 'ac_1' })).set(1))
    .toEqual({ code: 'merged', account: 'ac_1' })
})
