import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ledger as keys } from '../redis/keys.ts'
import { CARD, openBooks, SECRETS } from '../testing/earnings-books.ts'
import type { Mode } from '../contract/money.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { refusalOf } from '../testing/products.ts'
import {
  makeWithdrawal, markWithdrawal, passesLuhn, readWithdrawal, readWithdrawals,
} from './withdrawals.ts'
import { exportPayouts } from './payouts.ts'
import { trace, type TraceLine } from './trace.ts'

const shop = await openOwnShop()
const books = (mode: Mode = 'sandbox') => openBooks({ ...shop, mode })
type Books = ReturnType<typeof books>
const request = (own: Books, amount: number, key: string = randomUUID()) =>
  makeWithdrawal(own, own.account, { idempotency_key: key, amount, payee: CARD })
const exported = (own: Books, month = '2026-11') =>
  exportPayouts({ ...own, accounts: [own.account] }, month, Infinity)
async function traced(name: string): Promise<TraceLine[]> {
  const lines: TraceLine[] = []
  for await (const line of trace(shop.ledger, name)) lines.push(line)
  return lines
}

describe('a withdrawal', () => {
  test('is at least CNY 10, at most what is withdrawable, and one at a time', async () => {
    const own = books()
    await own.settled(1500, 1500)
    expect(await refusalOf(request(own, 999))).toEqual(
      { error: 'withdrawal_refused', why: 'minimum', minimum: 1000 })
    expect(await refusalOf(request(own, 3001))).toEqual(
      { error: 'withdrawal_refused', why: 'balance', withdrawable: 3000 })
    expect(await request(own, 1000)).toMatchObject(
      { amount: 1000, status: 'requested', payout_month: null, duplicate: false })
    expect(await refusalOf(request(own, 1000))).toEqual(
      { error: 'withdrawal_refused', why: 'open_withdrawal' })
    expect(await own.balances()).toMatchObject({ withdrawable: 2000, reserved: 1000 })
    await own.audit()
  })

  test('to a payee that has to wait is in the file of the month in which it may be paid',
    async () => {
      const own = books()
      await own.settled(1500)
      const { withdrawal_id: id } = await makeWithdrawal(own, own.account, {
        idempotency_key: randomUUID(), amount: 1000, payee: CARD, payable_from: 5000,
      })
      expect(await readWithdrawal(own, id)).toMatchObject({
        payable_from: '1970-01-01T00:00:05.000Z',
      })
      const store = { ...own, accounts: [own.account] }
      // Requested in the file's month by the order of its list, payable after it.
      await own.ledger.zadd(keys.withdrawals(own.account, 'sandbox'), 1000, id)
      for (const end of [2000, 5000]) {
        expect(await exportPayouts(store, '1970-01', end)).toMatchObject({ count: 0 })
      }
      expect(await exportPayouts(store, '1970-02', 5001)).toMatchObject({ count: 1, fen: 1000 })
      expect(await exportPayouts(store, '1970-01', 5000)).toMatchObject({ count: 0 })
      await own.audit()
    })

  test('is cancelled by its owner until it is in a file', async () => {
    const own = books()
    await own.settled(1500)
    const cancel = (id: string) => markWithdrawal(own, id, 'failed', { isCancel: true })
    const { withdrawal_id: first } = await request(own, 1000)
    expect(await cancel(first)).toBe('marked')
    expect(await cancel(first)).toBe('done')
    expect(await own.balances()).toMatchObject({ withdrawable: 1500, reserved: 0 })
    const { withdrawal_id: second } = await request(own, 1000)
    await exported(own)
    expect(await cancel(second)).toBe('refused')
    expect(await own.balances()).toMatchObject({ withdrawable: 500, reserved: 1000 })
    await own.audit()
  })

  test('is one, of twenty that are asked for at once', async () => {
    const own = books()
    await own.settled(1500)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => request(own, 1000)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await own.balances()).toMatchObject({ withdrawable: 500, reserved: 1000 })
    await own.audit()
  })

  test('is the same for the same key, and never another request\'s', async () => {
    const own = books()
    await own.settled(5000)
    const key = randomUUID()
    const all = await Promise.all(Array.from({ length: 8 }, () => request(own, 1000, key)))
    expect(new Set(all.map(({ withdrawal_id: id }) => id)).size).toBe(1)
    expect(all.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
    expect(await refusalOf(request(own, 1001, key))).toEqual({ error: 'idempotency_mismatch' })
    expect(await refusalOf(makeWithdrawal(own, own.account, { idempotency_key: key, amount: 1000,
      payee: { ...CARD, holder: '王大明' } }))).toEqual({ error: 'idempotency_mismatch' })
    expect(await own.balances()).toMatchObject({ withdrawable: 4000, reserved: 1000 })
    expect(await readWithdrawals(own, own.account, 10)).toHaveLength(1)
  })

  test('is not for a trial', async () => {
    const own = books()
    await shop.ledger.hset(keys.account(own.account), 'kind', 'trial')
    await own.settled(1500)
    expect(await refusalOf(request(own, 1000))).toEqual(
      { error: 'withdrawal_refused', why: 'trial' })
  })

  test('keeps its payment details sealed, and shows them masked', async () => {
    const own = books()
    await own.settled(1500)
    const view = await request(own, 1000)
    expect(view.payee_masked).toEqual({ kind: 'bank_card', card: '**** 1111', holder: '王*' })
    const kept = JSON.stringify(await shop.ledger.hgetall(keys.records(own.account, 'sandbox')))
    expect(kept).not.toContain('41111111')
    expect(kept).not.toContain('小明')
    expect(JSON.stringify(view)).not.toContain('41111111')
  })
})

describe('a payee', () => {
  test('with a wrong digit, or of a wrong length, is refused', async () => {
    const own = books()
    await own.settled(1500)
    for (const card of ['4111111111111112', '41111111111', '42222222222222222222',
      '0000000000000000', '4111111111111111x']) {
      const payee = { kind: 'bank_card', card, holder: '王小明' } as const
      expect(await refusalOf(makeWithdrawal(own, own.account,
        { idempotency_key: randomUUID(), amount: 1000, payee }))).toMatchObject(
        { error: 'invalid_request', fields: [{ path: 'payee.card' }] })
    }
    expect(['79927398713', '4242424242424242', '6200000000000005'].map(passesLuhn))
      .toEqual([true, true, true])
  })

  test('cannot bring a formula into the operator\'s file', async () => {
    const own = books()
    const formulas = [['=1+1', '王小明'], ['a@b.cn', '=HYPERLINK("x")'], ['@x', '+1']]
    for (const [account, holder] of formulas) {
      const payee = { kind: 'payment_app', account: account ?? '', holder: holder ?? '' } as const
      expect(await refusalOf(makeWithdrawal(own, own.account,
        { idempotency_key: randomUUID(), amount: 1000, payee }))).toMatchObject(
        { error: 'invalid_request' })
    }
  })
})

describe('a payout', () => {
  test('stands in one month\'s file, the same each time, with details in clear', async () => {
    const own = books('live')
    await own.settled(5000)
    const { withdrawal_id: id } = await request(own, 1234)
    const { csv, count, fen } = await exported(own)
    expect({ count, fen }).toEqual({ count: 1, fen: 1234 })
    expect(csv.split('\n')[1]).toMatch(
      new RegExp(`^${id},${own.account},1234,12.34,bank_card,4111111111111111,王小明,2`))
    expect(await markWithdrawal(own, id, 'paid')).toBe('marked')
    expect(await markWithdrawal(own, id, 'paid')).toBe('done')
    expect(await markWithdrawal(own, id, 'failed')).toBe('refused')
    await request(own, 1000)
    expect((await exported(own, '2026-12')).csv).not.toContain(id)
    expect((await exported(own)).csv).toBe(csv)
    expect(await own.balances()).toMatchObject({ withdrawable: 2766, reserved: 1000, paid: 1234 })
    await own.audit()
  })

  test('stands in no file of a month that was over when it was asked for', async () => {
    const own = books()
    await own.settled(1500)
    const { withdrawal_id: id, requested_at } = await request(own, 1000)
    const until = (month: string, end: number) =>
      exportPayouts({ ...own, accounts: [own.account] }, month, end)
    const at = Date.parse(requested_at)
    expect(await until('2026-10', at)).toMatchObject({ count: 0, fen: 0 })
    expect(await readWithdrawal(own, id)).toMatchObject({ status: 'requested', payout_month: null })
    expect(await until('2026-11', at + 1)).toMatchObject({ count: 1, fen: 1000 })
  })

  test('is not paid before it went out, and one that failed gives the money back', async () => {
    const own = books()
    const [first, second] = await own.settled(1500, 1500)
    const { withdrawal_id: id } = await request(own, 2000)
    expect(await markWithdrawal(own, id, 'paid')).toBe('refused')
    await exported(own)
    expect(await markWithdrawal(own, id, 'failed')).toBe('marked')
    expect(await markWithdrawal(own, id, 'failed')).toBe('done')
    expect(await readWithdrawal(own, id)).toMatchObject({ status: 'failed' })
    expect(await own.balances()).toMatchObject({ withdrawable: 3000, reserved: 0, paid: 0 })
    await own.audit()
    const again = await request(own, 3000)
    const takes = (await traced(again.withdrawal_id)).filter(({ what }) => what === 'take')
    expect(takes).toEqual([first, second].map((subject) => expect.objectContaining(
      { subject, fen: 1500 })))
    await own.audit()
  })

  test('that failed gives its lots back at their old place: the oldest goes first again',
    async () => {
      const own = books()
      const [oldest] = await own.settled(1000, 1500)
      const taken = async (): Promise<{ id: string, subjects: string[] }> => {
        const { withdrawal_id: id } = await request(own, 1000)
        const lines = await traced(id)
        return { id, subjects: lines.flatMap((line) => ('taker' in line ? [line.subject] : [])) }
      }
      const { id, subjects } = await taken()
      expect(await markWithdrawal(own, id, 'failed')).toBe('marked')
      expect(subjects).toEqual([oldest])
      expect((await taken()).subjects).toEqual([oldest])
    })

  test('of an order that is invalid later is a debt, which the next lots pay', async () => {
    const own = books()
    const [old, other] = await own.settled(1200, 300)
    const { withdrawal_id: id } = await request(own, 1300)
    await exported(own)
    await markWithdrawal(own, id, 'paid')
    await own.reverse(old as string)
    // 200 were left of the other lot, and are taken at once.
    expect(await own.balances()).toMatchObject({ withdrawable: -1000, paid: 1300 })
    await own.audit()
    expect(await refusalOf(request(own, 1000))).toMatchObject({ why: 'balance' })
    const [later] = await own.settled(2500)
    expect(await own.balances()).toMatchObject({ withdrawable: 1500, paid: 1300 })
    await own.audit()
    const back = await traced(id)
    expect(back.filter(({ what }) => what === 'take')).toEqual([
      { what: 'take', taker: `withdrawal:${id}`, subject: old, order: old, fen: 1200 },
      { what: 'take', taker: `debt:${old}`, subject: other, order: other, fen: 200 },
      { what: 'take', taker: `debt:${old}`, subject: later, order: later, fen: 1000 },
      { what: 'take', taker: `withdrawal:${id}`, subject: other, order: other, fen: 100 },
    ])
    expect(back).toContainEqual({ what: 'debt', subject: old, amount: 1200, missing: 0 })
    expect(await request(own, 1500)).toMatchObject({ status: 'requested' })
    await own.audit()
  })

  test('of many orders that are invalid at once is one debt of all', async () => {
    const own = books()
    const subjects = await own.settled(...Array.from({ length: 60 }, () => 100))
    const { withdrawal_id: id } = await request(own, 5000)
    await exported(own)
    await Promise.all([markWithdrawal(own, id, 'paid'), ...subjects.map(own.reverse)])
    expect(await own.balances()).toMatchObject({ withdrawable: -5000, paid: 5000 })
    await own.audit()
    await own.settled(...Array.from({ length: 60 }, () => 100))
    expect(await own.balances()).toMatchObject({ withdrawable: 1000 })
    expect(await shop.ledger.zcard(keys.debts(own.account, 'sandbox'))).toBe(0)
    await own.audit()
  })

  test('needs more lots than one call takes, and names every one', async () => {
    const own = books()
    await own.settled(...Array.from({ length: 450 }, () => 10))
    const { withdrawal_id: id } = await request(own, 4444)
    const takes = (await traced(id)).flatMap((line) => (line.what === 'take' ? [line.fen] : []))
    expect(takes).toHaveLength(445)
    expect(takes.reduce((sum, fen) => sum + fen, 0)).toBe(4444)
    await exported(own)
    await markWithdrawal(own, id, 'failed')
    expect(await own.balances()).toMatchObject({ withdrawable: 4500 })
    await own.audit()
  })
})

test('an envelope of one withdrawal does not open for another', async () => {
  const { createPayeeSeal } = await import('./withdrawals.ts')
  const { seal, open } = createPayeeSeal(SECRETS)
  const envelope = seal({ kind: 'payment_app', account: 'a@b.cn', holder: '王小明' }, 'wd_1')
  expect(open(envelope, 'wd_1')).toMatchObject({ account: 'a@b.cn' })
  expect(() => open(envelope, 'wd_2')).toThrow('authenticate')
})
