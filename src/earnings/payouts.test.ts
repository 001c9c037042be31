/** The operator's payout file, and the list by which it finds the accounts that are in it. */
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { nowMs } from '../contract/time.ts'
import { ledger as keys } from '../redis/keys.ts'
import { CARD, openBooks } from '../testing/earnings-books.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { rebuildEarnings } from '../workers/rebuild.ts'
import { monthBounds, monthOf } from './month.ts'
import { exportPayouts } from './payouts.ts'
import { makeWithdrawal, markWithdrawal } from './withdrawals.ts'

const shop = await openOwnShop()
const { ledger } = shop
const MODE = 'sandbox'
const MONTHS = keys.payoutMonths(MODE)

beforeEach(async () => { await ledger.flushall() })

/** An account with a withdrawal that was asked for in this month. */
async function withdrawing(): Promise<{ books: ReturnType<typeof openBooks>, id: string }> {
  const books = openBooks({ ...shop, mode: MODE })
  await books.settled(2000)
  const { withdrawal_id: id } = await makeWithdrawal(books, books.account,
    { idempotency_key: randomUUID(), amount: 1000, payee: CARD })
  return { books, id }
}

/** The same, asked for in an earlier month. */
async function withdrawingIn(month: string): ReturnType<typeof withdrawing> {
  const asked = await withdrawing()
  const { account } = asked.books
  const { start = 0 } = monthBounds(month) ?? {}
  await ledger.zadd(keys.withdrawals(account, MODE), start + 1, asked.id)
  await ledger.del(keys.payoutAccounts(MODE, monthOf(nowMs())), MONTHS)
  await ledger.sadd(MONTHS, month)
  await ledger.hset(keys.payoutAccounts(MODE, month), account, 1)
  return asked
}

const exported = ({ books }: Awaited<ReturnType<typeof withdrawing>>, month: string) =>
  exportPayouts(books, month, monthBounds(month)?.end ?? Infinity)

async function scansCalled(): Promise<number> {
  const stats = await ledger.info('commandstats')
  return Number(/cmdstat_scan:calls=(\d+)/.exec(stats)?.[1] ?? 0)
}

test('a payout file is made without a look at keys that have no withdrawal in it', async () => {
  const asked = await withdrawingIn('2026-09')
  await exported(asked, '2026-08')
  const before = await scansCalled()
  expect(await exported(asked, '2026-09')).toMatchObject({ count: 1, fen: 1000 })
  expect(await scansCalled()).toBe(before)
})

test('what was asked for in an earlier month and is in no file is in the next one', async () => {
  const asked = await withdrawingIn('2026-08')
  const file = await exported(asked, '2026-09')
  expect(file).toMatchObject({ count: 1 })
  expect(await exported(asked, '2026-08'), 'the earlier month').toMatchObject({ count: 0 })
  expect(await exported(asked, '2026-09'), 'again').toEqual(file)
})

test('a month is closed when all of it is in a file, and its file can still be made', async () => {
  const asked = await withdrawingIn('2026-09')
  await exported(asked, '2026-08')
  expect(await ledger.smembers(MONTHS), 'it waits').toEqual(['2026-09'])
  const file = await exported(asked, '2026-09')
  await markWithdrawal(asked.books, asked.id, 'paid')
  await exported(asked, '2026-10')
  expect(await ledger.smembers(MONTHS)).toEqual([])
  expect(await exported(asked, '2026-09')).toEqual(file)
})

test('a month that is under way stays open', async () => {
  const asked = await withdrawing()
  const month = monthOf(nowMs())
  expect(await exportPayouts(asked.books, month, Infinity)).toMatchObject({ count: 1 })
  expect(await ledger.smembers(MONTHS)).toEqual([month])
})

test.each([
  ['the first export', async () => { await ledger.del(keys.payoutsNoted(MODE)) }],
  ['rebuild earnings', async () => { await rebuildEarnings(shop) }],
])('%s finds withdrawals of a ledger that has no list', async (_, find) => {
  const asked = await withdrawingIn('2026-08')
  const file = await exported(asked, '2026-09')
  const lists = await ledger.keys(`payouts:{${MODE}}:20*`)
  await ledger.del(MONTHS, ...lists)
  await find()
  expect(await exported(asked, '2026-09')).toEqual(file)
  expect((await ledger.keys(`payouts:{${MODE}}:20*`)).toSorted()).toEqual(lists.toSorted())
})
