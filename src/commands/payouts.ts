import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { exportPayouts } from '../earnings/payouts.ts'
import { markWithdrawal, withdrawalOf } from '../earnings/withdrawals.ts'
import type { Mode } from '../contract/money.ts'
import { MODE_OPTION, withDurable, writableIn, type AtWork } from './ledger.ts'
import { print } from './print.ts'
import { pastMonth } from './settle.ts'

interface ExportOptions {
  readonly month: string
  readonly mode?: string
  readonly out?: string
}

const fileNameOf = (month: string, mode: Mode): string =>
  (mode === 'live' ? `payouts-${month}.csv` : `SANDBOX-do-not-pay-payouts-${month}.csv`)

/** `agentmall payouts export|mark` */
export function payoutsCommands(atWork: AtWork): Command {
  const command = new Command('payouts').description('withdrawals, as the operator pays them')

  command.command('export')
    .description('a month\'s payouts as CSV, with payment details in clear; the same each time')
    .requiredOption('--month <month>', 'YYYY-MM, in China\'s time; it must be over')
    .option(...MODE_OPTION)
    .option('--out <folder>', 'write it there, under a name that says what it is')
    .action(({ month, mode: of, out }: ExportOptions) => atWork((place) =>
      withDurable(place, async (durable) => {
        const books = writableIn(place, of)
        const { mode } = books
        const { end } = await pastMonth(place.ledger, month)
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
      return atWork((place) => withDurable(place, async (durable) => {
        for (const id of ids) {
          const of = withdrawalOf(id)
          const { ledger, mode } = writableIn(place, of?.mode)
          const code = await markWithdrawal({ ledger, durable, mode }, id, outcome)
          print({ withdrawal_id: id, outcome: code })
          if (code === 'refused' || code === 'missing') process.exitCode = 1
        }
      }))
    })
  return command
}
