import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { EARNINGS_INVARIANTS } from '../earnings/audit.ts'
import { postEntries, type Legs } from '../earnings/books.ts'
import { readJson, type CommissionRecord } from '../earnings/records.ts'
import { exportPayouts } from '../earnings/payouts.ts'
import { makeWithdrawal } from '../earnings/withdrawals.ts'
import { createSecrets } from '../secrets/derive.ts'
import { createLogger } from '../log.ts'
import { ledger as keys } from '../redis/keys.ts'
import { everyPath, orderAlong } from '../testing/every-state.ts'
import { CARD, OCTOBER_END, openBooks } from '../testing/earnings-books.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { SHOP_SECRET } from '../testing/products.ts'
import { ConsumerWorker } from '../workers/consumer.ts'
import { orderEffects } from '../workers/order-effects.ts'
import { rebuildEarnings } from '../workers/rebuild.ts'
import { EARNED_INVARIANTS, EARNINGS_CHECKED } from './earnings-invariants.ts'
import { verifyLedger } from './verify.ts'

const shop = await openOwnShop()
const { ledger } = shop
const secrets = createSecrets(SHOP_SECRET)

const verify = () => verifyLedger({ ledger, secrets, log: createLogger('silent') })
const about = async (subject: string) => (await verify()).violations
  .filter((one) => one.subject === subject).map(({ invariant }) => invariant)

async function settle(): Promise<void> {
  const worker = new ConsumerWorker(orderEffects(shop), shop)
  await worker.begin?.()
  while (await worker.tick()) { /* There is more. */ }
}

/** With lines that there are, a pending and a confirmed order, and money in every book. */
async function rich() {
  const own = openBooks(shop)
  const subjects = await own.settled(3000, 3000)
  for (const subject of subjects) {
    await ledger.hset(keys.mallOrder('mall_b', subject.slice('mall_b:'.length)), {
      data: JSON.stringify({ updated_at: 0 }) })
  }
  await makeWithdrawal(own, own.account,
    { idempotency_key: randomUUID(), amount: 4000, payee: CARD })
  await exportPayouts({ ...own, accounts: [own.account] }, '2026-10', Infinity)
  return { ...own, subjects }
}
type Rich = Awaited<ReturnType<typeof rich>>

const entry = ({ account }: Rich, legs: Legs): Promise<unknown> =>
  postEntries(shop, account, [{ id: `test:${randomUUID()}`, legs }])
async function change({ account, subjects }: Rich, to: Partial<CommissionRecord>): Promise<void> {
  const [subject = ''] = subjects
  const text = await ledger.hget(keys.records(account, 'sandbox'), subject) ?? ''
  await ledger.hset(keys.records(account, 'sandbox'), subject,
    JSON.stringify({ ...readJson<CommissionRecord>(text), ...to }))
}

const BREAKS: [keyof typeof EARNINGS_INVARIANTS, string, (own: Rich) => Promise<unknown>][] = [
  ['legs', 'an entry whose legs do not sum to zero', ({ account }) => ledger.xadd(
    keys.entries(account, 'sandbox'), '*', 'id', 'x:y', 'at', 1, 'legs', 'pending:5',
    'facts', '{}')],
  ['closing', 'a month that was closed with another sum', ({ account }) =>
    shop.ledger.hset(keys.closings(account, 'sandbox'), '2020-01', JSON.stringify({
      platform: -1, pending: 1, confirmed: 0, withdrawable: 0, reserved: 0, paid: 0,
    }))],
  ['balance', 'a balance that was changed past its entries', ({ account }) =>
    ledger.hincrby(keys.balances(account, 'sandbox'), 'withdrawable', 1)],
  ['once', 'an entry that is there twice', async ({ account }) => {
    const [first] = await ledger.xrange(keys.entries(account, 'sandbox'), '-', '+', 'COUNT', 1)
    await ledger.xadd(keys.entries(account, 'sandbox'), '*', ...first?.[1] ?? [])
  }],
  ['mode', 'an entry of the other mode', ({ account }) => ledger.xadd(
    keys.entries(account, 'sandbox'), '*', 'id', 'x:z', 'at', 1, 'legs', '', 'facts', '{}',
    'mode', 'live')],
  ['mode', 'a commission of the other mode', (own) => change(own, { mode: 'live' })],
  ['book', 'a book below zero', ({ account }) =>
    ledger.hincrby(keys.balances(account, 'sandbox'), 'pending', -5)],
  ['commission', 'a commission of another rate', (own) => change(own, { bps: 700 })],
  ['state', 'fen that are pending for nothing', (own) => entry(own, { platform: -5, pending: 5 })],
  ['lots', 'fen that are withdrawable and of no lot', (own) =>
    entry(own, { platform: -5, withdrawable: 5 })],
  ['taken', 'a lot that was taken by nobody', (own) =>
    change(own, { takes: { 'withdrawal:wd_none': 3000 } })],
  ['payout', 'fen that were paid for nothing', (own) =>
    entry(own, { withdrawable: -5, paid: 5 })],
]

describe('what is broken by hand is found and named', () => {
  test.each(BREAKS)('%s: %s', async (invariant, _, damage) => {
    const own = await rich()
    expect(await about(own.account)).toEqual([])
    await damage(own)
    expect(await about(own.account)).toContain(`earnings_${invariant}`)
  })

  test('source: a commission of an order that there is not', async () => {
    const own = openBooks(shop)
    await own.earn('order:AM00ABCDEFGHJKMNPQRS', { amount: 2000, state: 'pending' })
    expect(await about(own.account)).toEqual(['source'])
  })

  test('source: a line that says otherwise', async () => {
    const own = await rich()
    await ledger.hset(keys.mallOrder('mall_b', own.subjects[0]?.slice('mall_b:'.length) ?? ''), {
      data: JSON.stringify({ updated_at: 1, status: 'invalid', amount: 1 }) })
    expect(await about(own.account)).toEqual(['source'])
  })

  test('earned: orders of every state have their commission, one without is found', async () => {
    const orders = await Promise.all(everyPath().map(({ path }) =>
      orderAlong(shop, shop.brief, path)))
    await settle()
    expect((await verify()).violations.filter(({ invariant }) => invariant === 'earned'))
      .toEqual([])
    const paid = orders[everyPath().findIndex(({ status }) => status === 'paid')]
    const { account } = JSON.parse(await ledger.hget(
      keys.order(paid?.product.partition ?? 0, paid?.orderNo ?? ''), 'given') ?? '{}')
    for (const name of ['entries', 'posted', 'balances', 'records'] as const) {
      await ledger.del(keys[name](account, 'sandbox'))
    }
    expect(await about(paid?.orderNo ?? '')).toEqual(['earned'])
    await rebuildEarnings(shop)
    expect(await about(paid?.orderNo ?? '')).toEqual([])
  })

  test('every invariant of earnings is broken above', () => {
    const broken = new Set<string>([...BREAKS.map(([invariant]) => `earnings_${invariant}`),
      ...Object.keys(EARNED_INVARIANTS)])
    expect(Object.keys(EARNINGS_CHECKED).filter((name) => !broken.has(name))).toEqual([])
  })
})

test('an audit of books that are posted to all the while raises no alarm', async () => {
  const own = await rich()
  const state = { isOver: false }
  const posting = (async () => {
    for (let turn = 0; turn < 300; turn += 1) {
      const subject = `order:${randomUUID()}`
      await own.earn(subject, { amount: 2000, state: 'pending' })
      await own.earn(subject, { amount: 2000, state: 'confirmed', confirmedAt: OCTOBER_END })
    }
  })().then(() => { state.isOver = true })
  while (!state.isOver) {
    const { violations } = await verify()
    expect(violations.filter(({ subject, invariant }) =>
      subject === own.account && invariant !== 'source')).toEqual([])
  }
  await posting
})
