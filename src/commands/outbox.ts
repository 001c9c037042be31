import { Command } from 'commander'
import { NO_CAPS } from '../orders/open-orders.ts'
import { asideEvents, retryAside } from '../workers/aside.ts'
import { orderEffects } from '../workers/order-effects.ts'
import { outboxState } from '../workers/outbox-state.ts'
import { withDurable, type AtWork } from './ledger.ts'
import { print } from './print.ts'

/** `agentmall outbox [aside|retry]` */
export function outboxCommands(atWork: AtWork): Command {
  const command = new Command('outbox')
    .description('how far the workers are behind the orders, and what they could not do')
    .action(() => atWork(async ({ ledger }) => {
      const { lagEntries, lagMs, aside, ahead } = await outboxState(ledger)
      print({ lag_entries: lagEntries, lag_ms: lagMs, aside, ahead })
    }))

  command.command('aside')
    .description('list the events that were set aside, with the reason')
    .action(() => atWork(async ({ ledger }) => {
      for await (const found of asideEvents(ledger)) {
        for (const { reason, since, event } of found) print({ event, reason, since })
      }
    }))

  command.command('retry')
    .description('have the events that were set aside done now')
    .action(() => atWork((place) => withDurable(place, async (durable) => {
      const { ledger } = place
      // What counts as unpaid ends by itself with its window.
      const orders = { endOpen: NO_CAPS.end }
      const report = await retryAside({
        ledger, durable, consumer: orderEffects({ ledger, durable, orders }),
      })
      print(report)
      if (report.failed > 0) process.exitCode = 1
    })))
  return command
}
