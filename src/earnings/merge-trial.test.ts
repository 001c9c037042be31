import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { ledger as keys } from '../redis/keys.ts'
import { OCTOBER_END, openBooks } from '../testing/earnings-books.ts'
import { Crash, createCrashes } from '../testing/crashes.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { refusalOf } from '../testing/products.ts'
import { postEntries } from './books.ts'
import { reconcileCommission } from './commission.ts'
import { mergeTrial } from './merge-trial.ts'
import { settleAccount } from './lots.ts'
import { setTerms } from './records.ts'

const shop = await openOwnShop()

/** Of each state some: pending, confirmed, settled and reversed. */
async function trialOf(count: number) {
  const own = openBooks(shop, `tr_${randomUUID()}`)
  await shop.ledger.hset(keys.account(own.account), 'kind', 'trial')
  await own.settled(...Array.from({ length: count }, () => 100))
  const subjects = Array.from({ length: count * 3 }, () => `order:${randomUUID()}`)
  await Promise.all(subjects.map(async (subject, index) => {
    await own.earn(subject, { amount: 2000, state: 'pending' })
    if (index % 3 === 1) {
      await own.earn(subject, { amount: 2000, state: 'confirmed', confirmedAt: OCTOBER_END })
    }
    if (index % 3 === 2) await own.earn(subject, { amount: 2000, state: 'reversed' })
  }))
  return { ...own, subjects }
}

const ALL = { pending: 7000, confirmed: 7000, withdrawable: 7000 }
const NOTHING = { platform: 0, pending: 0, confirmed: 0, withdrawable: 0 }

test('everything that a trial earned is the account\'s, once, however often merged', async () => {
  const [trial, own] = [await trialOf(70), openBooks(shop)]
  await own.settled(500)
  await Promise.all(Array.from({ length: 4 }, () => mergeTrial(shop, trial.account, own.account)))
  await mergeTrial(shop, trial.account, own.account)
  expect(await trial.balances()).toMatchObject(NOTHING)
  expect(await own.balances()).toMatchObject({ ...ALL, withdrawable: 7500, platform: -21_500 })
  await own.audit()
  await trial.audit()
})

test('a merge that is cut off anywhere, and repeated, moves everything once', async () => {
  let isCut = true
  for (let call = 0; isCut; call += 1) {
    for (const isBefore of [true, false]) {
      const [trial, own] = [await trialOf(70), openBooks(shop)]
      const durable = createCrashes(shop.durable).wrap({ call, isBefore })
      const error = await mergeTrial({ ...shop, durable }, trial.account, own.account)
        .catch((one: unknown) => one)
      isCut = error instanceof Crash
      if (isCut) await mergeTrial(shop, trial.account, own.account)
      expect(await trial.balances()).toMatchObject(NOTHING)
      expect(await own.balances()).toMatchObject(ALL)
      await own.audit()
      await trial.audit()
    }
    expect(call, 'there is an end').toBeLessThan(20)
  }
})

test('what happens to a trial\'s orders meanwhile, and after, happens to the account', async () => {
  const [trial, own] = [await trialOf(70), openBooks(shop)]
  const complete = (subject: string) => reconcileCommission(shop, subject, async () => (
    {
      account: trial.account, mode: 'sandbox', amount: 2000, state: 'confirmed',
      confirmedAt: OCTOBER_END - 1,
    }))
  const pending = trial.subjects.filter((_, index) => index % 3 === 0)
  await Promise.all([mergeTrial(shop, trial.account, own.account),
    ...pending.slice(0, 60).map(complete)])
  await Promise.all(pending.map(complete))
  expect(await own.balances()).toMatchObject({ pending: 0, confirmed: 14_000 })
  await settleAccount(shop, trial.account, OCTOBER_END)
  await settleAccount(shop, own.account, OCTOBER_END)
  expect(await own.balances()).toMatchObject({ confirmed: 7000, withdrawable: 14_000 })
  expect(await trial.balances()).toMatchObject(NOTHING)
  await own.audit()
  await trial.audit()
})

test('a merged trial takes nothing in, and belongs to one account for good', async () => {
  const [trial, own, other] = [await trialOf(1), openBooks(shop), openBooks(shop)]
  await mergeTrial(shop, trial.account, own.account)
  expect(await refusalOf(mergeTrial(shop, trial.account, other.account)))
    .toEqual({ error: 'not_found' })
  expect(await refusalOf(mergeTrial(shop, own.account, trial.account)))
    .toEqual({ error: 'not_found' })
  expect(await refusalOf(mergeTrial(shop, own.account, own.account)))
    .toEqual({ error: 'not_found' })
  const late = await trialOf(0)
  expect(await refusalOf(mergeTrial(shop, late.account, trial.account)))
    .toEqual({ error: 'not_found' })
  expect(await shop.ledger.hexists(keys.account(late.account), 'merged_into')).toBe(0)
  expect(await postEntries(shop, trial.account, [])).toEqual({ mergedInto: own.account })
})

test('a line that changed in the trial keeps its rate where the merge has not come to it yet',
  async () => {
    const [trial, own] = [await trialOf(0), openBooks(shop)]
    await setTerms(shop.durable, trial.account, 700)
    const line = `mall_b:${randomUUID()}`
    await trial.earn(line, { amount: 2000, state: 'pending', version: 1 })
    await trial.earn(line, { amount: 4000, state: 'pending', version: 2 })
    const durable = createCrashes(shop.durable).wrap({ call: 0, isBefore: false })
    await expect(mergeTrial({ ...shop, durable }, trial.account, own.account))
      .rejects.toThrow(Crash)
    await trial.earn(line,
      { amount: 4000, state: 'confirmed', version: 3, confirmedAt: OCTOBER_END - 1 })
    expect(await trial.balances()).toMatchObject(NOTHING)
    expect(await own.balances()).toMatchObject({ confirmed: 280, pending: 0, platform: -280 })
    await own.audit()
    await trial.audit()
  })
