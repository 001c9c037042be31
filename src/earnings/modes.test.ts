import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { MODES, type Mode } from '../contract/money.ts'
import { ledger as keys } from '../redis/keys.ts'
import { CARD, OCTOBER_END, openBooks } from '../testing/earnings-books.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { refusalOf } from '../testing/products.ts'
import { auditAccount } from './audit.ts'
import { findEntry } from './books.ts'
import { mergeTrial } from './merge-trial.ts'
import { exportPayouts } from './payouts.ts'
import { settleAccounts } from './lots.ts'
import { statement } from './statement.ts'
import { trace } from './trace.ts'
import { makeWithdrawal, markWithdrawal, readWithdrawals } from './withdrawals.ts'

const shop = await openOwnShop()
const inMode = (mode: Mode, account?: string) => openBooks({ ...shop, mode }, account)
type Books = ReturnType<typeof inMode>

/** The two sets of books of one account. */
function both() {
  const sandbox = inMode('sandbox')
  return { account: sandbox.account, sandbox, live: inMode('live', sandbox.account) }
}
async function collect<T>(lines: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of lines) found.push(one)
  return found
}

const withdraw = (own: Books, amount: number, key: string = randomUUID()) =>
  makeWithdrawal(own, own.account, { idempotency_key: key, amount, payee: CARD })
const exported = (own: Books) => exportPayouts(own, '2026-11', Infinity)

test('pretended commissions settle into pretended books alone', async () => {
  const { sandbox, live, account } = both()
  await sandbox.earn('order:1', { amount: 40_000, state: 'confirmed', confirmedAt: 1000 })
  await live.earn('order:2', { amount: 60_000, state: 'confirmed', confirmedAt: 1000 })
  const settled = async (own: Books) => {
    const found = await collect(settleAccounts(own, OCTOBER_END))
    return found.filter((one) => one.account === account)
  }
  expect(await settled(live)).toEqual([{ account, entries: 1, fen: 3000 }])
  expect(await sandbox.balances()).toMatchObject({ confirmed: 2000, withdrawable: 0 })
  expect(await settled(sandbox)).toEqual([{ account, entries: 1, fen: 2000 }])
  expect(await live.balances()).toMatchObject({ confirmed: 0, withdrawable: 3000 })
  for (const own of [sandbox, live]) await own.audit()
})

test('no withdrawal of real money takes a pretended fen', async () => {
  const { sandbox, live } = both()
  await sandbox.settled(5000)
  await live.settled(1000)
  expect(await refusalOf(withdraw(live, 1001))).toMatchObject(
    { why: 'balance', withdrawable: 1000 })
  await withdraw(live, 1000)
  expect(await sandbox.balances()).toMatchObject({ withdrawable: 5000, reserved: 0 })
  // One may be open in each.
  await withdraw(sandbox, 5000)
  for (const own of [sandbox, live]) await own.audit()
})

test('a payout file has withdrawals of one mode; a pretended one cannot be paid', async () => {
  const { sandbox, live } = both()
  for (const own of [sandbox, live]) await own.settled(2000)
  const { withdrawal_id: pretended } = await withdraw(sandbox, 2000)
  const { withdrawal_id: real } = await withdraw(live, 1500)
  const files = { live: (await exported(live)).csv, sandbox: (await exported(sandbox)).csv }
  expect(files.live).toContain(real)
  expect(files.live).not.toContain(pretended)
  expect(files.live.trim().split('\n').slice(1)).toEqual(
    files.live.trim().split('\n').slice(1).filter((line) => line.endsWith(',live')))
  expect(files.live).toContain('4111111111111111')
  expect(files.sandbox).not.toContain(real)
  const line = files.sandbox.split('\n').find((one) => one.startsWith(pretended))
  expect(line).toMatch(/,bank_card,\*\*\*\* 1111,王\*,.*,SANDBOX: pretended money: do not pay$/)
  expect(files.sandbox).not.toContain('4111111111111111')
})

test('an id of a withdrawal says its mode, and is unknown in the other books', async () => {
  const { sandbox, live } = both()
  for (const own of [sandbox, live]) await own.settled(2000)
  const key = randomUUID()
  const { withdrawal_id: pretended } = await withdraw(sandbox, 2000, key)
  const { withdrawal_id: real } = await withdraw(live, 1000, key)
  expect([pretended, real]).toEqual([
    expect.stringMatching(/^wd_[0-9A-Z]{16}_/), expect.stringMatching(/^wd_live_[0-9A-Z]{16}_/)])
  await Promise.all([exported(sandbox), exported(live)])
  expect(await markWithdrawal(live, pretended, 'paid')).toBe('missing')
  expect(await markWithdrawal(sandbox, real, 'paid')).toBe('missing')
  expect(await markWithdrawal(live, real, 'paid')).toBe('marked')
  expect(await readWithdrawals(sandbox, sandbox.account, 9)).toMatchObject(
    [{ withdrawal_id: pretended, mode: 'sandbox', status: 'exported' }])
  expect(await readWithdrawals(live, live.account, 9)).toMatchObject(
    [{ withdrawal_id: real, mode: 'live', status: 'paid' }])
})

test('a reversal in one mode takes nothing from the other\'s lots', async () => {
  const { sandbox, live } = both()
  const [line = ''] = await sandbox.settled(2000)
  await live.settled(2000)
  const { withdrawal_id: id } = await withdraw(sandbox, 2000)
  await exported(sandbox)
  await markWithdrawal(sandbox, id, 'paid')
  await sandbox.reverse(line)
  expect(await sandbox.balances()).toMatchObject({ withdrawable: -2000 })
  expect(await live.balances()).toMatchObject({ withdrawable: 2000 })
  for (const own of [sandbox, live]) await own.audit()
})

test('a trial\'s commissions go to the account\'s books of their own mode', async () => {
  const [trial, own] = [both(), both()]
  await shop.ledger.hset(keys.account(trial.account), 'kind', 'trial')
  await trial.sandbox.earn('order:7', { amount: 2000, state: 'pending' })
  await trial.live.earn('order:8', { amount: 4000, state: 'confirmed', confirmedAt: 1 })
  await mergeTrial(shop, trial.account, own.account)
  expect(await own.sandbox.balances()).toMatchObject({ pending: 100, confirmed: 0 })
  expect(await own.live.balances()).toMatchObject({ pending: 0, confirmed: 200 })
  for (const mode of MODES) {
    await trial[mode].audit()
    await own[mode].audit()
  }
})

test('every entry, commission and statement line carries its mode', async () => {
  const { sandbox, live, account } = both()
  for (const own of [sandbox, live]) await own.earn('order:9', { amount: 2000, state: 'pending' })
  for (const own of [sandbox, live]) {
    expect(await findEntry(own, account, 'order:9:pending')).toMatchObject({ mode: own.mode })
    expect(JSON.parse(await shop.ledger.hget(keys.records(account, own.mode), 'order:9') ?? ''))
      .toMatchObject({ mode: own.mode })
    const csv = (await collect(statement(own, account, { start: 0, end: 4e12 }))).join('')
    expect(csv.trim().split('\n').slice(1).map((line) => line.split(',').at(-1)))
      .toEqual([own.mode, own.mode, own.mode])
  }
})

test('books of an older version, without modes, are the sandbox\'s', async () => {
  const { sandbox, account } = both()
  await sandbox.settled(2000)
  const [[streamId = '', fields = []] = []] =
    await shop.ledger.xrange(keys.entries(account, 'sandbox'), '-', '+', 'COUNT', 1)
  await shop.ledger.xadd(keys.entries(account, 'live'), streamId,
    ...fields.slice(0, fields.indexOf('mode')))
  const [entry] = (await shop.ledger.xrange(keys.entries(account, 'live'), '-', '+'))
  expect(entry?.[1]).not.toContain('mode')
  const { violations } = await auditAccount({ ...shop, mode: 'live' }, account)
  expect(violations).toContainEqual(
    { invariant: 'mode', detail: expect.stringMatching(/is an entry of sandbox$/) })
})

test('an order is traced in the books of its mode', async () => {
  const { live, account } = both()
  const [line = ''] = await live.settled(2000)
  const agent = `ag_${randomUUID()}`
  await shop.ledger.hset(keys.agent(agent), 'account', account)
  await shop.ledger.hset(keys.mallOrder('mall_b', line.slice('mall_b:'.length)), {
    agent, mode: 'live',
    data: JSON.stringify({ status: 'received', amount: 40_000, sub_id: null, updated_at: 1 }),
  })
  const lines = await collect(trace(shop.ledger, line))
  expect(lines[0]).toMatchObject({ what: 'order', mode: 'live' })
  expect(lines.filter(({ what }) => what === 'entry')).toHaveLength(3)
})
