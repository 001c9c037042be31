import { Command } from 'commander'
import { showProgress } from '../progress.ts'
import { endSecrets, openingIds } from '../secrets/open.ts'
import { countSeals, resealAll, UNNAMED, type SealCount } from '../workers/reseal.ts'
import { withDurable, type AtWork, type Workplace } from './ledger.ts'
import { print } from './print.ts'

/** `agentmall secret …`: safe while everything runs, and to repeat. */
export function secretCommands(atWork: AtWork): Command {
  const command = new Command('secret').description('how SECRET is replaced by another one')

  command.command('status')
    .description('what is sealed under which secret, and which may be removed from SECRET')
    .action(() => atWork(async (place) => print(await status(place))))

  command.command('rotate')
    .description('seal everything under the first of SECRET, and say which may be removed')
    .action(() => atWork((place) => withDurable(place, async (durable) => {
      const show = showProgress()
      const resealed = await resealAll({ ...place, durable },
        (done, total) => show('Sealing', done, total)).finally(() => show.end())
      const { not_in_secret: others, ...found } = await status(place)
      // Whoever has such a secret, and a copy of the ledger from now on, opens nothing by it.
      const ended = found.left === 0 ? others : []
      await endSecrets(durable, ended)
      print({ resealed, ...found, ended })
      if (found.left > 0) process.exitCode = 1
    })))
  return command
}

const sumOf = ({ receivers, payees, addresses }: SealCount): number =>
  receivers + payees + addresses

async function status({ ledger, secrets }: Workplace) {
  const show = showProgress()
  const counts = await countSeals({ ledger, secrets },
    (done, total) => show('Counting', done, total)).finally(() => show.end())
  const [first] = secrets.ids
  const left = [...counts].filter(([id]) => id !== first)
    .reduce((sum, [, count]) => sum + sumOf(count), 0)
  const unnamed = counts.get(UNNAMED)
  return {
    sealed: Object.fromEntries(counts),
    seals: first,
    /** Values that the first secret does not open. */
    left,
    may_be_removed: secrets.ids.slice(1).filter((id) =>
      unnamed === undefined && sumOf(counts.get(id) ?? NONE) === 0),
    not_in_secret: (await openingIds(ledger)).filter((id) => !secrets.ids.includes(id)),
  }
}

const NONE: SealCount = { receivers: 0, payees: 0, addresses: 0 }
