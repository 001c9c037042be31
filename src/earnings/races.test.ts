/** What happens between one of our reads and the write that follows from it. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { CARD, openBooks } from '../testing/earnings-books.ts'
import { Crash, createCrashes } from '../testing/crashes.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { refusalOf } from '../testing/products.ts'
import { readBookEntries, readRecords } from './books.ts'
import { reconcileCommission, type Earned } from './commission.ts'
import { mergeTrial } from './merge-trial.ts'
import { exportPayouts } from './payouts.ts'
import { takesField, withdrawalField } from './records.ts'
import { makeWithdrawal, markWithdrawal, readWithdrawals } from './withdrawals.ts'

const shop = await openOwnShop()
type Books = ReturnType<typeof openBooks>

/** Writes before the first of which something else happens. */
function after(work: () => Promise<unknown>): Durable {
  let isDone = false
  return {
    ...shop.durable,
    async run(...call) {
      if (!isDone) {
        isDone = true
        await work()
      }
      return await shop.durable.run(...call)
    },
  }
}

async function kindsOf({ account }: Books): Promise<string[]> {
  const kinds: string[] = []
  for await (const page of readBookEntries(shop, account)) {
    kinds.push(...page.map(({ id }) => id.replace(/^.*:/, '')))
  }
  return kinds
}

/** Its claim and its posting are through, its lots not named. */
async function cutOffRequest(own: Books, amount: number): Promise<void> {
  const durable = createCrashes(shop.durable).wrap({ call: 2, isBefore: false })
  await expect(makeWithdrawal({ ...own, durable }, own.account,
    { idempotency_key: randomUUID(), amount, payee: CARD })).rejects.toThrow(Crash)
}

const exported = (own: Books) =>
  exportPayouts({ ...own, accounts: [own.account] }, '2026-10', Infinity)
const pending = { amount: 2000, state: 'pending' } as const

test('a commission that meets a merge goes to the account', async () => {
  const [trial, own] = [openBooks(shop, `tr_${randomUUID()}`), openBooks(shop)]
  await shop.ledger.hset(keys.account(trial.account), 'kind', 'trial')
  const durable = after(() => mergeTrial(shop, trial.account, own.account))
  await reconcileCommission({ ...shop, durable }, `order:${randomUUID()}`,
    async () => ({ account: trial.account, mode: 'sandbox', ...pending }))
  expect(await trial.balances()).toMatchObject({ pending: 0, platform: 0 })
  expect(await own.balances()).toMatchObject({ pending: 100, platform: -100 })
  await own.audit()
})

test('a request for money that was cut off has its lots before one is taken back', async () => {
  const own = openBooks(shop)
  const [first = ''] = await own.settled(600, 600)
  await cutOffRequest(own, 1000)
  await own.reverse(first)
  expect(await own.balances()).toMatchObject({ withdrawable: -400, reserved: 1000 })
  await own.audit()
  const { fen, csv } = await exported(own)
  expect(fen).toBe(1000)
  expect(await markWithdrawal(own, csv.split('\n')[1]?.split(',')[0] ?? '', 'paid')).toBe('marked')
  await own.audit()
})

test('a lot that is about to be taken back meets a request for money: that has it first',
  async () => {
    const own = openBooks(shop)
    const [first = ''] = await own.settled(600, 600)
    const durable = after(() => cutOffRequest(own, 1000))
    await reconcileCommission({ ...shop, durable }, first,
      async () => ({
        account: own.account, mode: 'sandbox', amount: 0, state: 'reversed', version: 2,
      }))
    expect(await own.balances()).toMatchObject({ withdrawable: -400, reserved: 1000 })
    expect(await exported(own)).toMatchObject({ count: 1, fen: 1000 })
    await own.audit()
  })

test('the operator\'s file has a request that was cut off with all its lots', async () => {
  const own = openBooks(shop)
  const lots = await own.settled(600, 600)
  await cutOffRequest(own, 1000)
  const [{ withdrawal_id: id } = { withdrawal_id: '' }] = await readWithdrawals(own, own.account, 1)
  expect(await exported(own)).toMatchObject({ count: 1, fen: 1000 })
  const [record, part] = await readRecords(shop, own.account,
    [withdrawalField(id), takesField(withdrawalField(id), 0)])
  expect(JSON.parse(record ?? '')).toMatchObject({ state: 'exported', missing: 0, parts: 1 })
  expect(JSON.parse(part ?? '')).toEqual([[lots[0], 600], [lots[1], 400]])
})

test('a request for money that was cut off, and then fails, gives back what it never took',
  async () => {
    const own = openBooks(shop)
    await own.settled(600, 600)
    await cutOffRequest(own, 1000)
    const [{ withdrawal_id: id } = { withdrawal_id: '' }] =
      await readWithdrawals(own, own.account, 1)
    expect(await markWithdrawal(own, id, 'failed')).toBe('marked')
    expect(await own.balances()).toMatchObject({ withdrawable: 1200, reserved: 0 })
    await own.audit()
  })

test('while a failed withdrawal\'s lots are on their way back there is no other one', async () => {
  const own = openBooks(shop)
  await own.settled(600, 600)
  const request = () => makeWithdrawal(own, own.account,
    { idempotency_key: randomUUID(), amount: 1000, payee: CARD })
  const { withdrawal_id: id } = await request()
  const durable = createCrashes(shop.durable).wrap({ call: 0, isBefore: false })
  await expect(markWithdrawal({ ...own, durable }, id, 'failed')).rejects.toThrow(Crash)
  expect(await own.balances()).toMatchObject({ withdrawable: 1200, reserved: 0 })
  expect(await refusalOf(request())).toMatchObject({ why: 'open_withdrawal' })
  await own.audit()
  expect(await markWithdrawal(own, id, 'failed')).toBe('done')
  expect(await request()).toMatchObject({ status: 'requested' })
  await own.audit()
})

/** One consumer acts on a line as it was, after another has dealt with what it is now. */
async function overtaken(own: Books, subject: string, old: object, now: object): Promise<void> {
  const line = { current: { account: own.account, mode: 'sandbox', ...old } as Earned }
  let isFirst = true
  await reconcileCommission(shop, subject, async () => {
    const read = line.current
    if (isFirst) {
      isFirst = false
      line.current = { account: own.account, mode: 'sandbox', ...now } as Earned
      await reconcileCommission(shop, subject, async () => line.current)
    }
    return read
  })
}

test('an old reading of a line that was taken back begins nothing', async () => {
  const [own, subject] = [openBooks(shop), `mall_b:${randomUUID()}`]
  await own.earn(subject, { ...pending, version: 1 })
  await overtaken(own, subject, { ...pending, version: 1 },
    { ...pending, state: 'reversed', version: 2 })
  expect(await kindsOf(own)).toEqual(['pending', 'reversed'])
  await own.audit()
})

test('nor does one of the second in which the line was taken back', async () => {
  const [own, subject] = [openBooks(shop), `mall_b:${randomUUID()}`]
  await own.earn(subject, { ...pending, version: 1 })
  await overtaken(own, subject, { ...pending, version: 1 },
    { ...pending, state: 'reversed', version: 1 })
  expect(await kindsOf(own)).toEqual(['pending', 'reversed'])
  await own.audit()
})

test('an old reading is made good where the present state had asked for nothing', async () => {
  const [own, subject] = [openBooks(shop), `mall_b:${randomUUID()}`]
  const back = { ...pending, state: 'reversed' } as const
  await own.earn(subject, { ...back, version: 1 })
  await overtaken(own, subject, { ...pending, version: 2 }, { ...back, version: 3 })
  expect(await own.balances()).toMatchObject({ pending: 0, platform: 0 })
  expect(await kindsOf(own)).toEqual(['void', 'pending', 'reversed'])
  await own.audit()
})
