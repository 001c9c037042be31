import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { ConfigError } from '../config.ts'
import { exportPayouts } from '../earnings/payouts.ts'
import { trace } from '../earnings/trace.ts'
import { makeWithdrawal, markWithdrawal } from '../earnings/withdrawals.ts'
import { isoTime } from '../contract/time.ts'
import { monthOf } from '../earnings/month.ts'
import { ledger as keys } from '../redis/keys.ts'
import { CARD, openBooks } from '../testing/earnings-books.ts'
import { testOfDay } from '../testing/over-midnight.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { knownMonth, pastMonth, traceText } from './earnings.ts'

const shop = await openOwnShop()

testOfDay('a month is settled when the ledger\'s clock says that it is over in China', async () => {
  const now = await redisTimeMs(shop.ledger)
  await expect(pastMonth(shop.ledger, monthOf(now))).rejects.toThrow('is not over yet')
  const { start } = knownMonth(monthOf(now))
  expect(await pastMonth(shop.ledger, monthOf(start - 1))).toMatchObject({ end: start })
  expect(() => knownMonth('november')).toThrow(ConfigError)
})

testOfDay('a fen is followed from its order to the payout, and back through a refund', async () => {
  const own = openBooks(shop)
  const [line = ''] = await own.settled(1500)
  await shop.ledger.hset(keys.agent('ag_of_the_trace'), 'account', own.account)
  await shop.ledger.hset(keys.mallOrder('mall_b', line.slice('mall_b:'.length)), {
    agent: 'ag_of_the_trace',
    data: JSON.stringify({ status: 'received', amount: 30_000, sub_id: null, updated_at: 1 }),
  })
  const { withdrawal_id: id } = await makeWithdrawal(own, own.account,
    { idempotency_key: randomUUID(), amount: 1200, payee: CARD })
  await exportPayouts({ ...own, accounts: [own.account] }, '2026-10', Infinity)
  await markWithdrawal(own, id, 'paid')
  await own.reverse(line)
  const [payer] = await own.settled(2000)

  const lines: string[] = []
  for await (const one of trace(shop.ledger, line)) lines.push(traceText(one))
  const short = lines.map((one) => one.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, 'TIME')
    .replaceAll(own.account, 'ACCOUNT').replaceAll(line, 'LINE').replaceAll(payer ?? '', 'PAYER')
    .replaceAll(id.replace(own.account, 'ACCOUNT'), 'WITHDRAWAL'))
  expect(short).toEqual([
    'order LINE of ACCOUNT: ¥300.00, confirmed, pretended money',
    '  TIME LINE:pending in ACCOUNT: platform -1500, pending +1500 at 500 basis points',
    '  TIME LINE:confirmed in ACCOUNT: pending -1500, confirmed +1500 at 500 basis points',
    '  TIME LINE:settled in ACCOUNT: confirmed -1500, withdrawable +1500 at 500 basis points',
    '  TIME LINE:reversed in ACCOUNT: withdrawable -1500, platform +1500 at 500 basis points',
    'lot LINE: reversed, ¥15.00 earned in 2026-10, ¥0.00 left',
    '  ¥12.00 of order LINE went to withdrawal:WITHDRAWAL',
    'withdrawal WITHDRAWAL of ACCOUNT: ¥12.00, paid, pretended money, '
      + 'in the payout file of 2026-10',
    '  TIME withdrawal:WITHDRAWAL:requested in ACCOUNT: withdrawable -1200, reserved +1200',
    '  TIME withdrawal:WITHDRAWAL:exported in ACCOUNT: no money',
    '  TIME withdrawal:WITHDRAWAL:paid in ACCOUNT: reserved -1200, paid +1200',
    'debt of LINE: ¥12.00 had been taken when it was reversed, ¥0.00 of it is still to be paid '
      + 'by later lots',
    '  ¥12.00 of order PAYER went to debt:LINE',
  ])
  expect(lines[1]).toContain(isoTime(await redisTimeMs(shop.ledger)).slice(0, 7))
})
