import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { ledger as keys } from '../redis/keys.ts'
import { OCTOBER_END, openBooks } from '../testing/earnings-books.ts'
import { Crash, createCrashes } from '../testing/crashes.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { readRecord } from './books.ts'
import { monthBounds, monthOf } from './month.ts'
import { settleAccount, settleAccounts } from './lots.ts'
import { statement } from './statement.ts'

const shop = await openOwnShop()

/** Commissions of 100 fen each, confirmed at these moments. */
async function earned(...moments: number[]) {
  const own = openBooks(shop)
  await Promise.all(moments.map((confirmedAt) => own.earn(`order:${randomUUID()}`,
    { amount: 2000, state: 'confirmed', confirmedAt })))
  return own
}

test('a month is China\'s: it begins at 16:00 UTC of the day before', () => {
  expect(monthBounds('2026-11')).toEqual({ start: OCTOBER_END, end: Date.UTC(2026, 10, 30, 16) })
  expect([OCTOBER_END - 1, OCTOBER_END].map(monthOf)).toEqual(['2026-10', '2026-11'])
  expect(['2026-13', '2026-1', '26-01', ''].map(monthBounds)).toEqual(Array(4).fill(undefined))
})

test('what was earned until a month\'s last millisecond is settled, nothing later', async () => {
  const own = await earned(OCTOBER_END - 40 * 86_400_000, OCTOBER_END - 1, OCTOBER_END)
  expect(await settleAccount(shop, own.account, OCTOBER_END)).toEqual(
    { account: own.account, entries: 2, fen: 200, hasMore: false })
  expect(await own.balances()).toMatchObject({ confirmed: 100, withdrawable: 200 })
  expect(await settleAccount(shop, own.account, OCTOBER_END)).toMatchObject({ entries: 0, fen: 0 })
  await own.audit()
})

test('a settlement that is cut off anywhere, and run again, settles everything once', async () => {
  for (let call = 0; call < 4; call += 1) {
    for (const isBefore of [true, false]) {
      const own = await earned(
        ...Array.from({ length: 250 }, (_, index) => OCTOBER_END - 1 - index))
      const durable = createCrashes(shop.durable).wrap({ call, isBefore })
      const cut = await settleAccount({ ...shop, durable }, own.account, OCTOBER_END)
        .catch((error: unknown) => error)
      // Three batches: a fourth call there is none.
      expect(cut instanceof Crash).toBe(call < 3)
      const { withdrawable, confirmed } = await own.balances()
      expect(withdrawable + confirmed).toBe(25_000)
      await own.audit()
      await Promise.all([1, 2].map(() => settleAccount(shop, own.account, OCTOBER_END)))
      expect(await own.balances()).toMatchObject({ withdrawable: 25_000, confirmed: 0 })
      await own.audit()
    }
  }
})

test('what is taken back after a settlement has found it is not settled', async () => {
  const own = openBooks(shop)
  const [gone, stays] = [`order:${randomUUID()}`, `order:${randomUUID()}`] as const
  for (const [index, subject] of [gone, stays].entries()) {
    await own.earn(subject,
      { amount: 2000, state: 'confirmed', confirmedAt: OCTOBER_END - 2 + index })
  }
  const ledger: typeof shop.ledger = Object.assign(Object.create(shop.ledger), {
    async zrangebyscore(...range: unknown[]) {
      const found: unknown = await Reflect.apply(shop.ledger.zrangebyscore, shop.ledger, range)
      await own.earn(gone, { amount: 2000, state: 'reversed' })
      return found
    },
  })
  expect(await settleAccount({ ...shop, ledger }, own.account, OCTOBER_END)).toMatchObject(
    { entries: 1, fen: 100 })
  expect(JSON.parse(await readRecord(shop, own.account, stays) ?? '')).toMatchObject(
    { state: 'settled', left: 100 })
  expect(await own.balances()).toMatchObject({ confirmed: 0, withdrawable: 100 })
  await own.audit()
})

test('every account with something to settle is found', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => earned(OCTOBER_END - 1)))
  const found: string[] = []
  for await (const { account, fen } of settleAccounts(shop, OCTOBER_END)) {
    found.push(account)
    expect(fen % 100).toBe(0)
  }
  expect(found).toEqual(expect.arrayContaining(all.map(({ account }) => account)))
  expect(new Set(found).size).toBe(found.length)
})

test('a statement holds a month\'s entries between what there was before and after', async () => {
  const own = await earned(OCTOBER_END - 1)
  await settleAccount(shop, own.account, OCTOBER_END)
  const [[, last] = ['', []]] = await shop.ledger.xrevrange(
    keys.entries(own.account, 'sandbox'), '+', '-', 'COUNT', 1)
  const at = Number(last[last.indexOf('at') + 1])
  const lines = async (bounds: { start: number, end: number }): Promise<string[]> => {
    let text = ''
    for await (const piece of statement(shop, own.account, bounds)) text += piece
    return text.trim().split('\n').map((line) => line.replace(/^[^,]*,/, ''))
  }
  expect(await lines({ start: 0, end: at + 10_000 })).toEqual([
    'entry,about,order_amount,bps,pending,confirmed,withdrawable,reserved,paid,mode',
    'balance before,,,,0,0,0,0,0,sandbox',
    expect.stringMatching(/^pending,order:[^,]*,2000,500,100,0,0,0,0,sandbox$/),
    expect.stringMatching(/^confirmed,order:[^,]*,2000,500,-100,100,0,0,0,sandbox$/),
    expect.stringMatching(/^settled,order:[^,]*,2000,500,0,-100,100,0,0,sandbox$/),
    'balance after,,,,0,0,100,0,0,sandbox',
  ])
  expect((await lines({ start: at + 10_000, end: at + 20_000 })).slice(1)).toEqual([
    'balance before,,,,0,0,100,0,0,sandbox', 'balance after,,,,0,0,100,0,0,sandbox'])
})
