import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { exportPayouts } from '../earnings/payouts.ts'
import { markWithdrawal } from '../earnings/withdrawals.ts'
import { withDurable, type AtWork } from './ledger.ts'
import { print } from './print.ts'
import { pastMonth } from './settle.ts'

/** `agentmall payouts export|mark` */
export function payoutsCommands(atWork: AtWork): Command {
  const command = new Command('payouts').description('withdrawals, as the operator pays them')

  command.command('export')
    .description('a month\'s payouts as CSV, with payment details in clear; the same each time')
    .requiredOption('--month <month>', 'YYYY-MM, in China\'s time; it must be over')
    .action(({ month }: { month: string }) => atWork((place) =>
      withDurable(place, async (durable) => {
        const { end } = await pastMonth(place.ledger, month)
        const { csv, count, fen } = await exportPayouts({ ...place, durable }, month, end)
        process.stdout.write(csv)
        process.stderr.write(`${JSON.stringify({ month, payouts: count, fen })}\n`)
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
          const code = await markWithdrawal({ ledger: place.ledger, durable }, id, outcome)
          print({ withdrawal_id: id, outcome: code })
          if (code === 'refused' || code === 'missing') process.exitCode = 1
        }
      }))
    })
  return command
}
