/** What holds for the whole ledger: its mode, and the secret that its data are sealed with. */
import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { showProgress } from '../progress.ts'
import { endSecrets, openingIds } from '../secrets/open.ts'
import { goLive, readLedgerMode, sandboxLeft } from '../workers/ledger-mode.ts'
import { countSeals, resealAll, type SealCount, UNNAMED } from '../workers/reseal.ts'
import { type CommandContext, print, withDurable, type WithLedger } from './context.ts'

/** `agentmall mode [live]` */
export function modeCommand(withLedger: WithLedger): Command {
  const command = new Command('mode')
    .description('whether the ledger is of the sandbox or live, and what is pretended on it')
    .action(() => withLedger(async ({ ledger }) => {
      print({ mode: await readLedgerMode(ledger) ?? null, ...await sandboxLeft(ledger) })
    }))
  command.command('live')
    .description('go live for good; without --confirm only say what would become of what')
    .option('--confirm', 'end orders in flight, leave pretended money behind, accept real payments')
    .action(({ confirm }: { confirm?: boolean }) => withLedger((context) =>
      withDurable(context, async (durable) => {
        const { ledger } = context
        if (await readLedgerMode(ledger) === 'live') {
          print({ mode: 'live', changed: false })
          return
        }
        if (context.config.sandbox) {
          throw new ConfigError('SANDBOX is on: give this command the settings of the live '
            + 'service, with SANDBOX=off.')
        }
        if (confirm) {
          const { orders: ended, ...kept } = await goLive({ ...context, durable })
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

/** `agentmall secret …`: safe while everything runs, and to repeat. */
export function secretCommands(withLedger: WithLedger): Command {
  const command = new Command('secret').description('how SECRET is replaced by another one')

  command.command('status')
    .description('what is sealed under which secret, and which may be removed from SECRET')
    .action(() => withLedger(async (context) => print(await status(context))))

  command.command('rotate')
    .description('seal everything under the first of SECRET, and say which may be removed')
    .action(() => withLedger((context) => withDurable(context, async (durable) => {
      const show = showProgress()
      const resealed = await resealAll({ ...context, durable },
        (done, total) => show('Sealing', done, total)).finally(() => show.end())
      const { not_in_secret: others, ...found } = await status(context)
      // Whoever has such a secret, and a copy of the ledger from now on, opens nothing by it.
      const ended = found.left === 0 ? others : []
      await endSecrets(durable, ended)
      print({ resealed, ...found, ended })
      if (found.left > 0) process.exitCode = 1
    })))
  return command
}

const sumOf = ({ receivers, payees, addresses, webhooks }: SealCount): number =>
  receivers + payees + addresses + webhooks

async function status({ ledger, archive, secrets }: CommandContext) {
  const show = showProgress()
  const counts = await countSeals({ ledger, secrets },
    (done, total) => show('Counting', done, total)).finally(() => show.end())
  const [first] = secrets.ids
  const left = [...counts].filter(([id]) => id !== first)
    .reduce((sum, [, count]) => sum + sumOf(count), 0)
  const unnamed = counts.get(UNNAMED)
  const archived = await sealedInArchive(archive)
  return {
    sealed: Object.fromEntries(counts),
    /** Receivers of orders that left the ledger: `agentmall archive reseal` seals them anew. */
    ...(Object.keys(archived).length > 0 && { archived }),
    seals: first,
    /** Values that the first secret does not open. */
    left,
    may_be_removed: secrets.ids.slice(1).filter((id) =>
      unnamed === undefined && sumOf(counts.get(id) ?? NONE) === 0
        && !archived[UNNAMED] && !archived[id]),
    not_in_secret: (await openingIds(ledger)).filter((id) => !secrets.ids.includes(id)),
  }
}

async function sealedInArchive(
  archive: CommandContext['archive'],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { sealed } of await archive?.files() ?? []) {
    for (const [id, count] of Object.entries(sealed)) {
      counts[id || UNNAMED] = (counts[id || UNNAMED] ?? 0) + count
    }
  }
  return counts
}

const NONE: SealCount = { receivers: 0, payees: 0, addresses: 0, webhooks: 0 }
