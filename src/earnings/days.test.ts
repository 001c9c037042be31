import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { nowMs } from '../contract/time.ts'
import { ledger as keys } from '../redis/keys.ts'
import { OCTOBER_END, openBooks } from '../testing/earnings-books.ts'
import { testOfDay } from '../testing/over-midnight.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { readDays } from './days.ts'
import { mergeTrial } from './merge-trial.ts'
import { dayOf, monthsBetween } from './month.ts'

const store = await openOwnShop()
const today = () => dayOf(nowMs())

testOfDay('a day is told by source and agent what it brought, and what was taken back',
  async () => {
    const { earn, account, ledger } = openBooks(store)
    const order = `order:${randomUUID()}`
    await earn(order, { agent: 'ag_1', amount: 2000, state: 'pending' })
    await earn(order, { agent: 'ag_1', amount: 2000, state: 'pending' })
    await earn(`order:${randomUUID()}`, { agent: 'ag_2', amount: 1000, state: 'pending' })
    const line = `mall_b:${randomUUID()}`
    await earn(line, {
      agent: 'ag_1', amount: 600, state: 'confirmed', version: 1, confirmedAt: OCTOBER_END,
    })
    await earn(line, { agent: 'ag_1', amount: 600, state: 'reversed', version: 2 })
    const rows = await readDays({ ledger, mode: 'sandbox' }, account, today(), today())
    expect(rows.toSorted((a, b) => b.amount - a.amount)).toEqual([
      { day: today(), source: 'own', agent: 'ag_1', orders: 1, amount: 2000, commission: 100,
        reversed: 0 },
      { day: today(), source: 'own', agent: 'ag_2', orders: 1, amount: 1000, commission: 50,
        reversed: 0 },
      { day: today(), source: 'mall_b', agent: 'ag_1', orders: 1, amount: 600, commission: 30,
        reversed: 30 },
    ])
  })

testOfDay('what days brought less what was taken back is what the platform has paid in',
  async () => {
    const { earn, account, ledger, balances } = openBooks(store)
    for (const amount of [100, 2000, 777]) {
      await earn(`order:${randomUUID()}`, { agent: 'ag_1', amount, state: 'pending' })
    }
    await earn(`order:${randomUUID()}`, { agent: 'ag_1', amount: 900, state: 'reversed' })
    const rows = await readDays({ ledger, mode: 'sandbox' }, account, today(), today())
    const sum = rows.reduce((fen, { commission, reversed }) => fen + commission - reversed, 0)
    expect(sum).toBe(-(await balances()).platform)
  })

testOfDay('a line whose amount is corrected, or that comes back, is counted once', async () => {
  const { earn, account, ledger } = openBooks(store)
  const line = `mall_b:${randomUUID()}`
  const report = (version: number, amount: number, state: 'pending' | 'reversed') =>
    earn(line, { agent: 'ag_1', amount, state, version })
  await report(1, 10_000, 'pending')
  await report(2, 9000, 'pending')
  await report(3, 9000, 'reversed')
  await report(4, 8000, 'pending')
  expect(await readDays({ ledger, mode: 'sandbox' }, account, today(), today())).toEqual([{
    day: today(), source: 'mall_b', agent: 'ag_1', orders: 1, amount: 8000,
    commission: 500 + 450 + 400, reversed: 500 + 450,
  }])
})

testOfDay('what a trial brings along counts on the day it comes', async () => {
  const trial = openBooks(store)
  await store.ledger.hset(keys.account(trial.account), 'kind', 'trial')
  await trial.earn(`order:${randomUUID()}`, { agent: 'ag_t', amount: 2000, state: 'pending' })
  const { account, ledger } = openBooks(store)
  await mergeTrial(store, trial.account, account)
  expect(await readDays({ ledger, mode: 'sandbox' }, account, today(), today())).toEqual([
    { day: today(), source: 'own', agent: 'ag_t', orders: 1, amount: 2000, commission: 100,
      reversed: 0 },
  ])
})

test('days outside of what is asked for are left out', async () => {
  const { earn, account, ledger } = openBooks(store)
  await earn(`order:${randomUUID()}`, { agent: 'ag_1', amount: 2000, state: 'pending' })
  expect(await readDays({ ledger, mode: 'sandbox' }, account, '2026-01-01', '2026-01-31'))
    .toEqual([])
})

test('months between days, over the end of a year', () => {
  expect(monthsBetween('2026-11-30', '2027-02-01'))
    .toEqual(['2026-11', '2026-12', '2027-01', '2027-02'])
  expect(monthsBetween('2026-11-30', '2026-11-01')).toEqual(['2026-11'])
})

test('a day begins at midnight in China', () => {
  expect([dayOf(OCTOBER_END - 1), dayOf(OCTOBER_END)]).toEqual(['2026-10-31', '2026-11-01'])
})
