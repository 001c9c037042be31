import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { boundsOf } from '../earnings/month.ts'
import { settle } from '../earnings/settle.ts'
import { statement } from '../earnings/statement.ts'
import { redisTimeMs } from '../redis/replies.ts'
import type { RedisClient } from '../redis/connect.ts'
import { inMode, MODE_OPTION, withDurable, writableIn, type AtWork } from './ledger.ts'
import { print } from './print.ts'

/** `agentmall settle --month 2026-11` */
export function settleCommand(atWork: AtWork): Command {
  return new Command('settle')
    .description('make withdrawable what was earned until a month\'s end, in China\'s time')
    .requiredOption('--month <month>', 'YYYY-MM; it must be over')
    .option(...MODE_OPTION)
    .action(({ month, mode: of }: { month: string, mode?: string }) => atWork((place) =>
      withDurable(place, async (durable) => {
        const { ledger, mode } = writableIn(place, of)
        const { end } = await pastMonth(ledger, month)
        let accounts = 0
        let entries = 0
        let fen = 0
        for await (const settled of settle({ ledger, durable, mode }, end)) {
          print(settled)
          accounts += 1
          entries += settled.entries
          fen += settled.fen
        }
        print({ mode, month, accounts, entries, fen })
      })))
}

/** `agentmall statement ACCOUNT --month 2026-11` */
export function statementCommand(atWork: AtWork): Command {
  return new Command('statement')
    .description('an account\'s entries of a month as CSV')
    .argument('<account>')
    .requiredOption('--month <month>', 'YYYY-MM, in China\'s time')
    .option(...MODE_OPTION)
    .action((account: string, { month, mode }: { month: string, mode?: string }) =>
      atWork(async (place) => {
        for await (const piece of statement(inMode(place, mode), account, knownMonth(month))) {
          process.stdout.write(piece)
        }
      }))
}

export function knownMonth(month: string): { start: number, end: number } {
  const bounds = boundsOf(month)
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
