/** Checks the ledger, and makes again what can be made again. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { MALL_NAMES } from '../../adapters/names.ts'
import { isoTime } from '../contract/time.ts'
import { startOfDay } from '../earnings/month.ts'
import { rebuildShelf } from '../goods/store.ts'
import { NO_CAPS } from '../orders/open-orders.ts'
import { showProgress } from '../progress.ts'
import { reloadViews } from '../redis/streams.ts'
import { EARNINGS_CHECKED } from '../verify/earnings-invariants.ts'
import {
  ELSEWHERE_INVARIANTS, ORDER_INVARIANTS, PARTITION_INVARIANTS,
} from '../verify/order-invariants.ts'
import { ACCOUNT_INVARIANTS, LEDGER_INVARIANTS } from '../verify/owner-invariants.ts'
import { MENDED_BY } from '../verify/report.ts'
import { verifyLedger, type VerifyReport } from '../verify/verify.ts'
import { deadLetters, retryDeadLetters } from '../workers/dead-letters.ts'
import { requestRepetition } from '../workers/mall-orders.ts'
import { orderEffects } from '../workers/order-effects.ts'
import { outboxState, resetProgress } from '../workers/outboxes.ts'
import { rebuildEarnings, rebuildOrders } from '../workers/rebuild.ts'
import { print, viewsOf, withDurable, type WithLedger } from './context.ts'

/** `agentmall verify`: the exit status is 1 when anything is wrong. */
export function verifyCommand(withLedger: WithLedger): Command {
  return new Command('verify')
    .description('hold the ledger against every invariant, while everything runs')
    .option('--json', 'the report as one line of JSON')
    .option('--list', 'say what is checked, and check nothing')
    .action(async ({ json, list }: { json?: boolean, list?: boolean }) => {
      if (list) {
        process.stdout.write(listed())
        return
      }
      await withLedger(async (context) => {
        const show = showProgress()
        const report = await verifyLedger(context, {
          onProgress: (done, total) => show('Verifying', done, total),
        }).finally(() => show.end())
        if (json) print(report)
        else process.stdout.write(reportText(report))
        if (report.violations.length > 0) process.exitCode = 1
      })
    })
}

function listed(): string {
  const rows = [
    ...[...PARTITION_INVARIANTS, ...ORDER_INVARIANTS]
      .map(({ invariant, says }): [string, string] => [invariant, says]),
    ...Object.entries({
      ...ELSEWHERE_INVARIANTS, ...LEDGER_INVARIANTS, ...EARNINGS_CHECKED,
      ...ACCOUNT_INVARIANTS,
    }),
  ]
  return rows.map(([invariant, says]) => `${invariant}: ${says}\n`).join('')
}

function reportText({ checked, violations, warnings }: VerifyReport): string {
  return [
    `Checked: ${Object.entries(checked).map(([what, count]) => `${count} ${what}`).join(', ')}.`,
    ...warnings.map((warning) => `Note: ${warning}`),
    ...violations.map(({ invariant, subject, detail }) =>
      `WRONG ${invariant} ${subject}: ${detail}`),
    violations.length === 0 ? 'No violation.' : `${violations.length} violations.`,
    ...mendedBy(violations),
    '',
  ].join('\n')
}

/** One line for each command that puts some of them right. */
function mendedBy(violations: VerifyReport['violations']): string[] {
  const commands = new Map<string, Set<string>>()
  for (const { invariant } of violations) {
    const command = MENDED_BY[invariant] ?? RUNBOOK
    commands.set(command, (commands.get(command) ?? new Set()).add(invariant))
  }
  return [...commands].map(([command, invariants]) =>
    `To mend ${[...invariants].join(', ')}: ${command}`)
}

const RUNBOOK = 'see "Books and lists after a lost master" in docs/reliability.md'

/** `agentmall rebuild …`: safe while everything runs, and to repeat. */
export function rebuildCommands(withLedger: WithLedger): Command {
  const command = new Command('rebuild').description('make again what can be made again')

  command.command('shelf')
    .description('the searchable shelf, from the ledger; searches go on meanwhile')
    .action(() => withLedger(async (context) => print(await rebuildShelf(context))))

  command.command('orders')
    .description('order lists, index by status, claims and feeds, from the orders; orders go on')
    .action(() => withLedger(async ({ ledger, config }) => {
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
    .action(() => withLedger((context) => withDurable(context, async (durable) => {
      const show = showProgress()
      try {
        print(await rebuildEarnings({ ledger: context.ledger, durable },
          (orders) => show('Orders', orders, orders)))
      } finally {
        show.end()
      }
    })))

  command.command('mall-orders')
    .description('lines of platforms\' orders: the nodes read them again, and bring commissions')
    .requiredOption('--from <day>', 'the first day in China, as 2026-11-20; platforms keep 90', day)
    .addOption(new Option('--source <name>', 'one platform').choices(MALL_NAMES))
    .action(({ from, source }: { from: number, source?: string }) => withLedger((context) =>
      withDurable(context, async (durable) => {
        const sources = source === undefined ? MALL_NAMES : [source]
        for (const name of sources) await requestRepetition(durable, name, from)
        print({ asked: true, sources, from: isoTime(from) })
      })))

  command.command('boards')
    .description('the stock boards of all nodes, from the stock itself')
    .action(() => withLedger(async ({ ledger }) => {
      await reloadViews(ledger)
      print({ asked: true, within_s: 5 })
    }))

  command.command('views')
    .description('what the operator searches of accounts and agents, from the ledger')
    .action(() => withLedger(async (context) => {
      const views = viewsOf(context)
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

/** `agentmall outbox [aside|retry]` */
export function outboxCommands(withLedger: WithLedger): Command {
  const command = new Command('outbox')
    .description('how far the workers are behind the orders, and what they could not do')
    .action(() => withLedger(async ({ ledger }) => {
      const { lagEntries, lagMs, aside, ahead } = await outboxState(ledger)
      print({ lag_entries: lagEntries, lag_ms: lagMs, aside, ahead })
    }))

  command.command('aside')
    .description('list the events that were set aside, with the reason')
    .action(() => withLedger(async ({ ledger }) => {
      for await (const found of deadLetters(ledger)) {
        for (const { reason, since, event } of found) print({ event, reason, since })
      }
    }))

  command.command('retry')
    .description('have the events that were set aside done now')
    .action(() => withLedger((context) => withDurable(context, async (durable) => {
      const { ledger } = context
      // What counts as unpaid ends by itself with its window.
      const orders = { endOpen: NO_CAPS.end }
      const report = await retryDeadLetters({
        ledger, durable, consumer: orderEffects({ ledger, durable, orders }),
      })
      print(report)
      if (report.failed > 0) process.exitCode = 1
    })))
  return command
}
