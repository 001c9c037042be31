import { Command } from 'commander'
import { rebuildShelf } from '../goods/rebuild.ts'
import { showProgress } from '../progress.ts'
import { reloadViews } from '../redis/streams.ts'
import { rebuildOrders } from '../workers/rebuild-orders.ts'
import type { AtWork } from './ledger.ts'
import { print } from './print.ts'

/** `agentmall rebuild shelf|orders|boards`: safe while everything runs, and to repeat. */
export function rebuildCommands(atWork: AtWork): Command {
  const command = new Command('rebuild').description('make again what can be made again')

  command.command('shelf')
    .description('the searchable shelf, from the ledger; searches go on meanwhile')
    .action(() => atWork(async (place) => print(await rebuildShelf(place))))

  command.command('orders')
    .description('agents\' order lists and claims, from the orders; orders go on meanwhile')
    .action(() => atWork(async ({ ledger }) => {
      const show = showProgress()
      try {
        print(await rebuildOrders(ledger, {
          onProgress: (orders) => show('Orders', orders, orders),
        }))
      } finally {
        show.end()
      }
    }))

  command.command('boards')
    .description('the stock boards of all nodes, from the stock itself')
    .action(() => atWork(async ({ ledger }) => {
      await reloadViews(ledger)
      print({ asked: true, within_s: 5 })
    }))
  return command
}
