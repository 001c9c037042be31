import { Command } from 'commander'
import { createDurable } from '../redis/durable.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { asideEvents, retryAside } from '../workers/aside.ts'
import { orderEffects } from '../workers/order-effects.ts'
import { outboxState } from '../workers/outbox-state.ts'
import type { AtWork, Workplace } from './ledger.ts'
import { print } from './print.ts'

/** `agentmall outbox [aside|retry]` */
export function outboxCommands(atWork: AtWork): Command {
  const command = new Command('outbox')
    .description('how far the workers are behind the orders, and what they could not do')
    .action(() => atWork(async ({ ledger }) => {
      const { lagEntries, lagMs, aside } = await outboxState(ledger)
      print({ lag_entries: lagEntries, lag_ms: lagMs, aside })
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
    .action(() => atWork(async (place) => {
      const report = await retryAll(place)
      print(report)
      if (report.failed > 0) process.exitCode = 1
    }))
  return command
}

async function retryAll({ ledger, urls, config, log }: Workplace) {
  const client = openRedis(urls.ledger, log)
  const durable = createDurable({ client, replicas: config.ledgerReplicas, log })
  try {
    await untilReady(client, 'ledger')
    return await retryAside({ ledger, durable, consumer: orderEffects({ ledger, durable }) })
  } finally {
    durable.close()
  }
}
