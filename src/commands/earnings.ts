/** What accounts earned: settlement, statements, payouts, and the way of every fen. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { type Mode, yuanText } from '../contract/money.ts'
import { settleAccounts } from '../earnings/lots.ts'
import { monthBounds } from '../earnings/month.ts'
import { exportPayouts } from '../earnings/payouts.ts'
import { statement } from '../earnings/statement.ts'
import { trace, type TraceLine } from '../earnings/trace.ts'
import { markWithdrawal, withdrawalOf } from '../earnings/withdrawals.ts'
import type { RedisClient } from '../redis/connect.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { inMode, MODE_OPTION, print, withDurable, type WithLedger, writableIn } from './context.ts'

/** `agentmall settle --month 2026-11` */
export function settleCommand(withLedger: WithLedger): Command {
  return new Command('settle')
    .description('make withdrawable what was earned until a month\'s end, in China\'s time')
    .requiredOption('--month <month>', 'YYYY-MM; it must be over')
    .option(...MODE_OPTION)
    .action(({ month, mode: of }: { month: string, mode?: string }) => withLedger((context) =>
      withDurable(context, async (durable) => {
        const { ledger, mode } = writableIn(context, of)
        const { end } = await pastMonth(ledger, month)
        let accounts = 0
        let entries = 0
        let fen = 0
        for await (const settled of settleAccounts({ ledger, durable, mode }, end)) {
          print(settled)
          accounts += 1
          entries += settled.entries
          fen += settled.fen
        }
        print({ mode, month, accounts, entries, fen })
      })))
}

/** `agentmall statement ACCOUNT --month 2026-11` */
export function statementCommand(withLedger: WithLedger): Command {
  return new Command('statement')
    .description('an account\'s entries of a month as CSV')
    .argument('<account>')
    .requiredOption('--month <month>', 'YYYY-MM, in China\'s time')
    .option(...MODE_OPTION)
    .action((account: string, { month, mode }: { month: string, mode?: string }) =>
      withLedger(async (context) => {
        for await (const piece of statement(inMode(context, mode), account, knownMonth(month))) {
          process.stdout.write(piece)
        }
      }))
}

export function knownMonth(month: string): { start: number, end: number } {
  const bounds = monthBounds(month)
  if (!bounds) throw new ConfigError('--month must be a month, as 2026-11.')
  return bounds
}

/** By the ledger's clock. */
export async function pastMonth(
  ledger: RedisClient, month: string,
): Promise<{ start: number, end: number }> {
  const bounds = knownMonth(month)
  if (await redisTimeMs(ledger) < bounds.end) {
    throw new ConfigError(`${month} is not over yet, in China's time.`)
  }
  return bounds
}

interface ExportOptions {
  readonly month: string
  readonly mode?: string
  readonly out?: string
}

const fileNameOf = (month: string, mode: Mode): string =>
  (mode === 'live' ? `payouts-${month}.csv` : `SANDBOX-do-not-pay-payouts-${month}.csv`)

/** `agentmall payouts export|mark` */
export function payoutsCommands(withLedger: WithLedger): Command {
  const command = new Command('payouts').description('withdrawals, as the operator pays them')

  command.command('export')
    .description('a month\'s payouts as CSV, with payment details in clear; the same each time')
    .requiredOption('--month <month>', 'YYYY-MM, in China\'s time; it must be over')
    .option(...MODE_OPTION)
    .option('--out <folder>', 'write it there, under a name that says what it is')
    .action(({ month, mode: of, out }: ExportOptions) => withLedger((context) =>
      withDurable(context, async (durable) => {
        const books = writableIn(context, of)
        const { mode } = books
        const { end } = await pastMonth(context.ledger, month)
        const { csv, count, fen } = await exportPayouts({ ...books, durable }, month, end)
        const file = out === undefined ? undefined : join(out, fileNameOf(month, mode))
        if (file === undefined) process.stdout.write(csv)
        else writeFileSync(file, csv, { mode: 0o600 })
        process.stderr.write(`${JSON.stringify({ mode, month, payouts: count, fen, file })}\n`)
      })))

  command.command('mark <withdrawals...>')
    .description('say what became of payouts: `mark ID... paid`, or `mark ID... failed`')
    .action((given: string[]) => {
      const ids = given.slice(0, -1)
      const outcome = given.at(-1)
      if (ids.length === 0 || (outcome !== 'paid' && outcome !== 'failed')) {
        throw new ConfigError('Name withdrawals, and then paid or failed.')
      }
      return withLedger((context) => withDurable(context, async (durable) => {
        for (const id of ids) {
          const of = withdrawalOf(id)
          const { ledger, mode } = writableIn(context, of?.mode)
          const code = await markWithdrawal({ ledger, durable, mode }, id, outcome)
          print({ withdrawal_id: id, outcome: code })
          if (code === 'refused' || code === 'missing') process.exitCode = 1
        }
      }))
    })
  return command
}

/** `agentmall trace ORDER|WITHDRAWAL` */
export function traceCommand(withLedger: WithLedger): Command {
  return new Command('trace')
    .description('the way of every fen, from an order to its payout or back')
    .argument('<name>', 'an order number, a platform\'s line (mall_b:…) or a withdrawal\'s id')
    .option('--json', 'each line as JSON')
    .action((name: string, { json }: { json?: boolean }) => withLedger(async ({ ledger }) => {
      let isKnown = false
      for await (const line of trace(ledger, name)) {
        isKnown = true
        if (json) print(line)
        else process.stdout.write(`${traceText(line)}\n`)
      }
      if (!isKnown) throw new ConfigError('There is no order and no withdrawal of that name.')
    }))
}

const pretendedText = (mode: Mode): string => (mode === 'live' ? '' : ', pretended money')

export function traceText(line: TraceLine): string {
  switch (line.what) {
    case 'order':
      return `order ${line.order} of ${line.account}: ${yuanText(line.amount)}, ${line.state}`
        + pretendedText(line.mode)
    case 'entry': {
      const legs = Object.entries(line.legs)
        .map(([book, fen]) => `${book} ${fen > 0 ? '+' : ''}${fen}`).join(', ')
      const rate = line.bps === undefined ? '' : ` at ${line.bps} basis points`
      return `  ${line.at} ${line.id} in ${line.account}: ${legs || 'no money'}${rate}`
    }
    case 'lot':
      return `lot ${line.subject}: ${line.state}, ${yuanText(line.commission)}`
        + `${line.month === null ? '' : ` earned in ${line.month}`}, ${yuanText(line.left)} left`
    case 'take':
      return `  ${yuanText(line.fen)} of order ${line.order} went to ${line.taker}`
    case 'withdrawal':
      return `withdrawal ${line.withdrawal} of ${line.account}: ${yuanText(line.amount)}, `
        + `${line.state}${pretendedText(line.mode)}, `
        + (line.payout_month === null ? 'in no payout file'
          : `in the payout file of ${line.payout_month}`)
    case 'debt':
      return `debt of ${line.subject}: ${yuanText(line.amount)} had been taken when it was `
        + `reversed, ${yuanText(line.missing)} of it is still to be paid by later lots`
  }
}
