import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { createDurable } from '../redis/durable.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { asideEvents, retryAside } from '../workers/aside.ts'
import { CONSUMER_NAMES, outboxConsumers } from '../workers/consumers.ts'
import { outboxStates } from '../workers/outbox-state.ts'
import type { AtWork, Workplace } from './ledger.ts'
import { print } from './print.ts'

interface Only { consumer?: string }

/** `agentmall outbox [aside|retry]` */
export function outboxCommands(atWork: AtWork): Command {
  const command = new Command('outbox')
    .description('how far the workers are behind the orders, and what they could not do')
    .action(() => atWork(async ({ ledger }) => {
      for (const { consumer, lagEntries, lagMs, aside } of await outboxStates(ledger)) {
        print({ consumer, lag_entries: lagEntries, lag_ms: lagMs, aside })
      }
    }))

  withConsumer(command.command('aside')
    .description('list the events that were set aside, with the reason'))
    .action(({ consumer }: Only) => atWork(async ({ ledger }) => {
      for await (const found of asideEvents(ledger, known(consumer))) {
        for (const { consumer: name, reason, since, event } of found) {
          print({ consumer: name, event, reason, since })
        }
      }
    }))

  withConsumer(command.command('retry')
    .description('have the events that were set aside done now'))
    .action(({ consumer }: Only) => atWork(async (place) => {
      const report = await retryAll(place, known(consumer))
      print(report)
      if (report.failed + report.unknown > 0) process.exitCode = 1
    }))
  return command
}

const withConsumer = (command: Command): Command =>
  command.option('--consumer <name>', `only one: ${CONSUMER_NAMES.join(', ')}`)

function known(consumer: string | undefined): string | undefined {
  if (consumer !== undefined && !CONSUMER_NAMES.includes(consumer)) {
    throw new ConfigError(`--consumer must be ${CONSUMER_NAMES.join(', ')}.`)
  }
  return consumer
}

async function retryAll({ ledger, urls, config, log }: Workplace, consumer: string | undefined) {
  const client = openRedis(urls.ledger, log)
  const durable = createDurable({ client, replicas: config.ledgerReplicas, log })
  try {
    await untilReady(client, 'ledger')
    const consumers = outboxConsumers(durable, ledger)
    return await retryAside({ ledger, durable, consumers }, consumer)
  } finally {
    durable.close()
  }
}
