import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { exportPayouts } from '../earnings/payouts.ts'
import { makeWithdrawal, markWithdrawal } from '../earnings/withdrawals.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { CARD, OCTOBER_END, openBooks } from '../testing/earnings-books.ts'
import { refusalOf } from '../testing/products.ts'
import { ADDRESS, before, newEmail, openAccounts, PASSWORD } from './testing/accounts.ts'

const node = await openAccounts()
const { accounts, ledger } = node
afterAll(() => node.close())

/** An owner whose orders earned this much, settled. */
async function ownerOf(...commissions: number[]) {
  const email = newEmail()
  await accounts.register(email, PASSWORD, ADDRESS)
  const { account = '' } = await accounts.signIn(email, PASSWORD, ADDRESS) ?? {}
  const books = openBooks(node, account)
  await books.settled(...commissions)
  const place = { ...books, secrets: node.secrets }
  const request = (durable: Durable = node.durable) => makeWithdrawal({ ...place, durable },
    account, { idempotency_key: randomUUID(), amount: 1000, payee: CARD })
  const remove = (forfeit = false, by = accounts) =>
    by.deleteAccount(account, PASSWORD, ADDRESS, { forfeit })
  const state = () => ledger.hget(keys.account(account), 'state')
  return { ...place, email, request, remove, state }
}

test('an account with a withdrawal under way is not closed, not even with forfeit', async () => {
  const { request, remove, state, email, account, ...place } = await ownerOf(1000)
  const { withdrawal_id: id } = await request()
  for (const forfeit of [false, true]) {
    expect(await refusalOf(remove(forfeit))).toMatchObject(
      { error: 'withdrawal_refused', why: 'open_withdrawal' })
  }
  expect(await state()).toBe('active')
  expect(await accounts.signIn(email, PASSWORD, ADDRESS)).toMatchObject({ account })
  await exportPayouts({ ...place, accounts: [account] }, '2026-10', Infinity)
  expect(await markWithdrawal(place, id, 'paid')).toBe('marked')
  expect(await remove()).toBe(true)
  expect(await state()).toBe('deleted')
})

test('money that is left is not lost in silence', async () => {
  const { remove, state, earn, balances } = await ownerOf(300)
  await earn(`order:${randomUUID()}`, { amount: 2000, state: 'pending' })
  expect(await refusalOf(remove())).toMatchObject({
    error: 'withdrawal_refused', why: 'money_left', pending: 100, confirmed: 0, withdrawable: 300,
  })
  expect(await state()).toBe('active')
  expect(await remove(true)).toBe(true)
  expect(await state()).toBe('deleted')
  expect(await balances()).toMatchObject({ pending: 100, withdrawable: 300 })
})

test.each(['pending', 'confirmed', 'withdrawable'] as const)(
  'a fen that is %s is money, too', async (book) => {
    const { remove, state, earn, settled } = await ownerOf()
    if (book === 'withdrawable') await settled(1)
    else {
      await earn(`order:${randomUUID()}`, { amount: 20, state: book, confirmedAt: OCTOBER_END })
    }
    expect(await refusalOf(remove())).toMatchObject({
      why: 'money_left', pending: 0, confirmed: 0, withdrawable: 0, [book]: 1,
    })
    expect(await state()).toBe('active')
  })

test('who owes money may not leave, unless the operator writes it off', async () => {
  const { remove, reverse, request, settled, account, ...place } = await ownerOf()
  const [line = ''] = await settled(1000)
  const { withdrawal_id: id } = await request()
  await exportPayouts({ ...place, accounts: [account] }, '2026-10', Infinity)
  await markWithdrawal(place, id, 'paid')
  await reverse(line)
  expect(await place.balances()).toMatchObject({ withdrawable: -1000 })
  for (const forfeit of [false, true]) {
    expect(await refusalOf(remove(forfeit))).toMatchObject(
      { error: 'withdrawal_refused', why: 'debt', owed: 1000 })
  }
  expect(await place.state()).toBe('active')
  expect(await accounts.close(account, { writeOff: true })).toBe(true)
  expect(await place.state()).toBe('deleted')
})

test('a withdrawal that comes while the account is closed is refused', async () => {
  const { request, remove, balances, state, audit } = await ownerOf(1000)
  const late = before('earnings-post', () => remove(true))(node.durable)
  expect(await refusalOf(request(late))).toEqual({ error: 'withdrawal_refused', why: 'closed' })
  expect(await state()).toBe('deleted')
  expect(await balances()).toMatchObject({ withdrawable: 1000, reserved: 0 })
  await audit()
})

test('a closing that comes while money is withdrawn is refused', async () => {
  const { request, remove, state } = await ownerOf(1000)
  const late = await openAccounts({ wrap: before('account-close', () => request()) })
  expect(await refusalOf(remove(true, late.accounts))).toMatchObject({ why: 'open_withdrawal' })
  expect(await state()).toBe('active')
  await late.close()
})

test('of a closing and a withdrawal at once one is refused, whichever comes first', async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    const { request, account, state, balances } = await ownerOf(1000)
    const [asked, closed] = await Promise.allSettled(
      [request(), accounts.close(account, { forfeit: true })])
    expect([asked.status, closed.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    const isClosed = closed.status === 'fulfilled'
    expect(await state()).toBe(isClosed ? 'deleted' : 'active')
    expect(await balances()).toMatchObject({ reserved: isClosed ? 0 : 1000 })
  }
})
