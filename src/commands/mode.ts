import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { goLive, readLedgerMode, sandboxLeft } from '../workers/ledger-mode.ts'
import { withDurable, type AtWork } from './ledger.ts'
import { print } from './print.ts'

/** `agentmall mode [live]` */
export function modeCommand(atWork: AtWork): Command {
  const command = new Command('mode')
    .description('whether the ledger is of the sandbox or live, and what is pretended on it')
    .action(() => atWork(async ({ ledger }) => {
      print({ mode: await readLedgerMode(ledger) ?? null, ...await sandboxLeft(ledger) })
    }))
  command.command('live')
    .description('go live for good; without --confirm only say what would become of what')
    .option('--confirm', 'end orders in flight, leave pretended money behind, accept real payments')
    .action(({ confirm }: { confirm?: boolean }) => atWork((place) =>
      withDurable(place, async (durable) => {
        const { ledger } = place
        if (await readLedgerMode(ledger) === 'live') {
          print({ mode: 'live', changed: false })
          return
        }
        if (place.config.sandbox) {
          throw new ConfigError('SANDBOX is on: give this command the settings of the live '
            + 'service, with SANDBOX=off.')
        }
        if (confirm) {
          const { orders: ended, ...kept } = await goLive({ ...place, durable })
          print({ mode: 'live', changed: true, ended, kept_as_record: kept })
          return
        }
        const { orders, ...money } = await sandboxLeft(ledger)
        print({ mode: await readLedgerMode(ledger) ?? null, would_end: orders,
          would_keep_as_record: money })
        process.stderr.write('Nothing was changed. With --confirm orders in flight are ended and '
          + 'their units are back in stock, pretended money stays a record that is never paid, and '
          + 'the ledger is live for good.\n')
      })))
  return command
}
