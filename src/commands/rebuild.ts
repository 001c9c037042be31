import { Command, InvalidArgumentError, Option } from 'commander'
import { MALL_NAMES } from '../../adapters/names.ts'
import { isoTime } from '../contract/time.ts'
import { startOfDay } from '../earnings/month.ts'
import { rebuildShelf } from '../goods/rebuild.ts'
import { showProgress } from '../progress.ts'
import { reloadViews } from '../redis/streams.ts'
import { requestRepetition } from '../workers/mall-orders.ts'
import { rebuildEarnings } from '../workers/rebuild-earnings.ts'
import { rebuildOrders } from '../workers/rebuild-orders.ts'
import { resetProgress } from '../workers/reset-progress.ts'
import { viewsOf } from './accounts-at-work.ts'
import { withDurable, type AtWork } from './ledger.ts'
import { print } from './print.ts'

/** `agentmall rebuild …`: safe while everything runs, and to repeat. */
export function rebuildCommands(atWork: AtWork): Command {
  const command = new Command('rebuild').description('make again what can be made again')

  command.command('shelf')
    .description('the searchable shelf, from the ledger; searches go on meanwhile')
    .action(() => atWork(async (place) => print(await rebuildShelf(place))))

  command.command('orders')
    .description('order lists, index by status, claims and feeds, from the orders; orders go on')
    .action(() => atWork(async ({ ledger, config }) => {
      const show = showProgress()
      try {
        const rebuilt = await rebuildOrders(ledger, {
          unpaidKeptMs: config.unpaidKeptMs,
          onProgress: (orders) => show('Orders', orders, orders),
        })
        print({ ...rebuilt, places: await resetProgress(ledger) })
      } finally {
        show.end()
      }
    }))

  command.command('earnings')
    .description('commissions, from orders and platforms\' lines: what no event brought, or undid')
    .action(() => atWork((place) => withDurable(place, async (durable) => {
      const show = showProgress()
      try {
        print(await rebuildEarnings({ ledger: place.ledger, durable },
          (orders) => show('Orders', orders, orders)))
      } finally {
        show.end()
      }
    })))

  command.command('mall-orders')
    .description('lines of platforms\' orders: the nodes read them again, and bring commissions')
    .requiredOption('--from <day>', 'the first day in China, as 2026-11-20; platforms keep 90', day)
    .addOption(new Option('--source <name>', 'one platform').choices(MALL_NAMES))
    .action(({ from, source }: { from: number, source?: string }) => atWork((place) =>
      withDurable(place, async (durable) => {
        const sources = source === undefined ? MALL_NAMES : [source]
        for (const name of sources) await requestRepetition(durable, name, from)
        print({ asked: true, sources, from: isoTime(from) })
      })))

  command.command('boards')
    .description('the stock boards of all nodes, from the stock itself')
    .action(() => atWork(async ({ ledger }) => {
      await reloadViews(ledger)
      print({ asked: true, within_s: 5 })
    }))

  command.command('views')
    .description('what the operator searches of accounts and agents, from the ledger')
    .action(() => atWork(async (place) => {
      const views = viewsOf(place)
      try {
        print(await views.rebuild())
      } finally {
        await views.close()
      }
    }))
  return command
}

function day(text: string): number {
  const start = startOfDay(text)
  if (start === undefined) throw new InvalidArgumentError('It must be a day, as 2026-11-20.')
  return start
}
