/** Books that are closed by month: a statement does not read the entries of years again. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { nowMs } from '../contract/time.ts'
import { ledger as keys } from '../redis/keys.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { auditAccount } from './audit.ts'
import { balancesAt, readClosings } from './books.ts'
import { monthBounds, monthOf, monthsBetween } from './month.ts'
import { statement } from './statement.ts'

const { ledger } = await openOwnShop()
const store = { ledger, mode: 'sandbox' } as const
const MONTHS = monthsBetween('2024-01-01', '2026-06-30')
const A_MONTH = 40

const startOf = (month: string): number => monthBounds(month)?.start ?? 0

/** Books with entries of 1 fen each in 30 months, as they would stand today. */
async function oldBooks(): Promise<string> {
  const account = `ac_${randomUUID()}`
  for (const month of MONTHS) {
    for (let count = 0; count < A_MONTH; count += 1) {
      const at = startOf(month) + count * 60_000
      await ledger.xadd(keys.entries(account, 'sandbox'), `${at}-0`, 'id', `order:${at}:pending`,
        'at', at, 'legs', 'platform:-1 pending:1', 'facts', '{}')
    }
  }
  return account
}

async function statementOf(account: string, month: string): Promise<string> {
  let text = ''
  for await (const part of statement(store, account, monthBounds(month) ?? { start: 0, end: 0 })) {
    text += part
  }
  return text
}

/** Takes the entries before it away: whoever still reads them finds other sums. */
const forgetBefore = (account: string, month: string) =>
  ledger.xtrim(keys.entries(account, 'sandbox'), 'MINID', `${startOf(month)}-0`)

test('a statement after the first one reads its own month and nothing before it', async () => {
  const account = await oldBooks()
  const first = await statementOf(account, '2026-06')
  expect(first).toContain(`balance before,,,,${29 * A_MONTH},0,0,0,0,sandbox`)
  expect(first).toContain(`balance after,,,,${30 * A_MONTH},0,0,0,0,sandbox`)
  const earlier = await statementOf(account, '2025-03')
  await forgetBefore(account, '2026-06')
  expect(await statementOf(account, '2026-06')).toBe(first)
  expect((await statementOf(account, '2025-03')).split('\n')[1]).toBe(earlier.split('\n')[1])
})

test('a statement reads on from the last month that was closed', async () => {
  const account = await oldBooks()
  await statementOf(account, '2026-02')
  expect((await readClosings(store, account)).at(-1)?.end).toBe(startOf('2026-02'))
  await forgetBefore(account, '2026-02')
  expect(await balancesAt(store, account, startOf('2026-07'))).toMatchObject(
    { pending: 30 * A_MONTH, platform: -30 * A_MONTH })
})

test('the month that is under way, or ended less than a day ago, is not closed', async () => {
  const account = `ac_${randomUUID()}`
  await ledger.xadd(keys.entries(account, 'sandbox'), '*', 'id', 'order:1:pending',
    'at', nowMs(), 'legs', 'platform:-1 pending:1', 'facts', '{}')
  expect(await balancesAt(store, account, nowMs() + 400 * 86_400_000)).toMatchObject({ pending: 1 })
  expect(await readClosings(store, account)).toEqual([])
})

test('verify names a closing that is not the sum of its entries', async () => {
  const account = await oldBooks()
  await statementOf(account, '2026-06')
  const wrong = async () => (await auditAccount(store, account)).violations
    .filter(({ invariant }) => invariant === 'closing')
  expect(await wrong()).toEqual([])
  await ledger.hset(keys.closings(account, 'sandbox'), monthOf(startOf('2025-01')),
    JSON.stringify({ ...await balancesAt(store, account, startOf('2025-02')), pending: 7 }))
  expect(await wrong()).toEqual([{ invariant: 'closing',
    detail: expect.stringContaining(`with 7, and had ${13 * A_MONTH}`) }])
})
