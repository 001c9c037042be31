/** `agentmall archive …`: what a worker does each day, by hand, and what is in the archive. */
import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { startOfDay } from '../earnings/month.ts'
import { archiveBefore, archiveOrders, recallOrder } from '../workers/order-archive.ts'
import { resealArchive } from '../workers/reseal-archive.ts'
import type { OrderArchive } from '../orders/archive/archive.ts'
import type { Durable } from '../redis/durable.ts'
import { print, withDurable, type CommandContext, type WithLedger } from './context.ts'

type Context = CommandContext & { readonly archive: OrderArchive, readonly durable: Durable }

export function archiveCommands(withLedger: WithLedger): Command {
  const command = new Command('archive').description('ended orders that left the ledger')
  const withArchive = (work: (context: Context) => Promise<void>): Promise<void> =>
    withLedger((context) => withDurable(context, async (durable) => {
      const { archive } = context
      if (!archive) {
        throw new ConfigError('Set ARCHIVE_DIR, the folder that ended orders go to, or '
          + 'ARCHIVE_S3_ENDPOINT and the others of a bucket.')
      }
      await work({ ...context, archive, durable })
    }))

  command.command('run')
    .description('move orders that ended so long ago, as the worker does; a line for each file')
    .option('--before <day>', 'ended before this day in China, as 2026-08-01')
    .action(({ before: day }: { before?: string }) => withArchive(async (context) => {
      const latest = await archiveBefore(context.ledger, context.config.archiveAfterDays)
      const before = day === undefined ? latest : startOfDay(day)
      if (before === undefined) throw new ConfigError('--before must be a day, as 2026-08-01.')
      if (before > latest) {
        throw new ConfigError(`An order stays for ${context.config.archiveAfterDays} days after `
          + 'its end: name an earlier day, or set ARCHIVE_AFTER_DAYS.')
      }
      for (;;) {
        const run = await archiveOrders(context, before)
        print(run)
        if (run.archived === 0) return
      }
    }))

  command.command('status')
    .description('a line for each file: its orders, bytes, and the secrets of their receivers')
    .action(() => withArchive(async ({ archive }) => {
      for (const facts of await archive.files()) print(facts)
    }))

  command.command('recall <orders...>')
    .description('have orders on the ledger again, so that they can be refunded')
    .action((orders: string[]) => withArchive(async (context) => {
      for (const order_no of orders) {
        const recalled = await recallOrder(context, order_no)
        print({ order_no, recalled })
        if (!recalled) process.exitCode = 1
      }
    }))

  command.command('reseal')
    .description('write files with receivers under an older secret anew, under the first of SECRET')
    .action(() => withArchive(async (context) => {
      for await (const line of resealArchive(context)) print(line)
    }))
  return command
}
