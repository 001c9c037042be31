import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { OrderLine } from '../../adapters/index.ts'
import { keepOrder, listMallOrders } from '../affiliate/mall-orders.ts'
import { readBalances } from '../earnings/books.ts'
import { auditAccount } from '../earnings/audit.ts'
import { exportPayouts } from '../earnings/payouts.ts'
import { settleAccount } from '../earnings/lots.ts'
import { makeWithdrawal, markWithdrawal } from '../earnings/withdrawals.ts'
import { ledger as keys } from '../redis/keys.ts'
import { CARD, SECRETS } from '../testing/earnings-books.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { newBuyer } from '../testing/products.ts'
import { mallCommissionWorker } from './mall-orders.ts'

const shop = await openOwnShop()
const SOURCE = 'mall_b'
const worker = () => mallCommissionWorker({ ...shop, source: SOURCE })

async function work(): Promise<void> {
  const own = worker()
  while (await own.tick()) { /* There is more. */ }
}

/** An agent with a mark, and what the platform reports of a line under it. */
async function lineOf() {
  const { agent, account } = newBuyer()
  const [mark, id] = [randomUUID().replaceAll('-', ''), randomUUID()]
  await shop.ledger.hset(keys.agent(agent), 'account', account)
  await shop.ledger.hset(keys.subId(SOURCE, mark), 'agent', agent)
  let updated_at = 1_790_000_000_000
  const report = (status: OrderLine['status'], amount = 10_000, afterMs = 1000) =>
    keepOrder(shop.ledger, {
      source: SOURCE, line_id: id, order_no: id, item_id: '1', title: '茶', qty: 1, amount,
      commission: { bps: null, fen: 0 }, status, mall_status: '1', sub_id: mark,
      ordered_at: updated_at, paid_at: updated_at, updated_at: updated_at += afterMs,
    }, 'sandbox')
  const balances = () => readBalances(shop, account)
  return { id, mark, agent, account, report, balances }
}

test('a line earns as it is reported: pending, confirmed, and clawed back', async () => {
  const { report, balances, account } = await lineOf()
  for (const [status, expected] of [
    ['pending', { pending: 0 }], ['paid', { pending: 500 }],
    ['received', { pending: 0, confirmed: 500 }], ['settled', { confirmed: 500 }],
    ['unknown', { confirmed: 500 }], ['invalid', { confirmed: 0, platform: 0 }],
  ] as const) {
    await report(status)
    await work()
    await work()
    expect(await balances()).toMatchObject(expected)
  }
  expect((await auditAccount(shop, account)).violations).toEqual([])
})

test('several changes within one second of the platform are followed each', async () => {
  const { report, balances, account } = await lineOf()
  for (const [status, amount, expected] of [
    ['paid', 10_000, { pending: 500 }], ['invalid', 10_000, { pending: 0 }],
    ['paid', 4000, { pending: 200 }], ['received', 4000, { pending: 0, confirmed: 200 }],
    ['received', 6000, { confirmed: 300 }], ['invalid', 6000, { confirmed: 0, platform: 0 }],
  ] as const) {
    await report(status, amount, 0)
    await work()
    expect(await balances()).toMatchObject(expected)
  }
  expect((await auditAccount(shop, account)).violations).toEqual([])
})

test('a line that comes back, or whose amount changes, is counted as it is at last', async () => {
  const { report, balances, account } = await lineOf()
  await report('received')
  await work()
  await settleAccount(shop, account, Infinity)
  expect(await balances()).toMatchObject({ withdrawable: 500 })
  await report('received', 4000)
  await work()
  expect(await balances()).toMatchObject({ withdrawable: 0, confirmed: 200, platform: -200 })
  await report('invalid')
  await work()
  expect(await balances()).toMatchObject({ confirmed: 0, platform: 0 })
  await report('paid', 6000)
  await work()
  expect(await balances()).toMatchObject({ pending: 300, platform: -300 })
  expect((await auditAccount(shop, account)).violations).toEqual([])
})

test('a line that is returned after its commission was paid out is a debt', async () => {
  const { report, balances, account } = await lineOf()
  await report('settled', 40_000)
  await work()
  await settleAccount(shop, account, Infinity)
  const own = { ...shop, secrets: SECRETS }
  const { withdrawal_id } = await makeWithdrawal(own, account, {
    idempotency_key: randomUUID(), amount: 2000, payee: CARD,
  })
  await exportPayouts({ ...own, accounts: [account] }, '2026-11', Infinity)
  await markWithdrawal(own, withdrawal_id, 'paid')
  await report('invalid', 40_000)
  await work()
  expect(await balances()).toMatchObject({ withdrawable: -2000, paid: 2000 })
  expect((await auditAccount(shop, account)).violations).toEqual([])
})

test('a line under a trial\'s mark has the trial\'s rate in the account it went to', async () => {
  const { mark, account, report, balances } = await lineOf()
  const trial = `tr_${randomUUID()}`
  await shop.ledger.hset(keys.account(trial), {
    kind: 'trial', terms: '0:700', merged_into: account, merged_at: '2999-01-01T00:00:00.000Z',
  })
  await shop.ledger.hset(keys.subId(SOURCE, mark), 'account', trial)
  await report('paid')
  await work()
  expect(await balances()).toMatchObject({ pending: 700, platform: -700 })
})

test('an agent is shown what the books say of a line, before that what they would', async () => {
  const { report, agent, account } = await lineOf()
  await shop.ledger.hset(keys.account(account), 'kind', 'account')
  const shown = async () =>
    (await listMallOrders(shop.ledger, SOURCE, { agent, account }, {})).orders[0]?.commission
  await report('paid')
  expect(await shown()).toBe(500)
  await work()
  await shop.ledger.hset(keys.account(account), 'terms', '0:700')
  expect(await shown()).toBe(500)
  // Another amount is another round, at the rate that the line had; one that fell is none.
  await report('received', 4000)
  await work()
  expect(await shown()).toBe(200)
  await report('invalid')
  expect(await shown()).toBe(0)
  await work()
  expect(await shown()).toBe(0)
  const other = await lineOf()
  await shop.ledger.hset(keys.account(other.account), 'terms', '0:700')
  await other.report('paid')
  const { orders } = await listMallOrders(shop.ledger, SOURCE, other, {})
  expect(orders.map(({ commission }) => commission)).toEqual([700])
})

test('changes that were trimmed before they were read are made good', async () => {
  const [first, second] = [await lineOf(), await lineOf()]
  await work()
  await first.report('paid')
  await second.report('paid')
  await shop.ledger.xtrim(keys.mallEvents(SOURCE), 'MAXLEN', 1)
  await work()
  expect(await first.balances()).toMatchObject({ pending: 500 })
  expect(await second.balances()).toMatchObject({ pending: 500 })
})

test('where nothing changed nothing is written, and nothing read a second time', async () => {
  const { report } = await lineOf()
  await report('paid')
  await work()
  let runs = 0
  const durable = { ...shop.durable, run: () => Promise.reject(new Error(`run ${runs += 1}`)) }
  const idle = mallCommissionWorker({ ...shop, durable, source: SOURCE })
  for (let tick = 0; tick < 3; tick += 1) expect(await idle.tick()).toBe(false)
  expect(runs).toBe(0)
})
