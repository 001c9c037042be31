/** `agentmall`: starts the service, and the operator's commands. */
import { Command } from 'commander'
import type { WithLedger } from './commands/context.ts'
import { readConfig, type Config } from './config.ts'
import { sentenceOf } from './failure.ts'
import { createLogger, type Logger } from './log.ts'
import { nameSourceLines } from './source-lines.ts'
import { VERSION } from './version.ts'

async function addCommands(program: Command, config: Config, log: Logger): Promise<void> {
  const { withLedger } = await import('./commands/context.ts')
  const { accountCommands, keyCommands, termsCommand, tierCommands } =
    await import('./commands/account.ts')
  const { goodsCommands } = await import('./commands/goods.ts')
  const { aftersalesCommands, ordersCommands } = await import('./commands/orders.ts')
  const { outboxCommands, rebuildCommands, verifyCommand } = await import('./commands/repair.ts')
  const { archiveCommands } = await import('./commands/archive.ts')
  const { backupCommand, restoreCommand } = await import('./commands/backup.ts')
  const { payoutsCommands, settleCommand, statementCommand, traceCommand } =
    await import('./commands/earnings.ts')
  const { paymentsCommands } = await import('./commands/payments.ts')
  const { modeCommand, secretCommands } = await import('./commands/ledger-settings.ts')
  const { doctorCommand } = await import('./commands/doctor/index.ts')
  const { consoleCommands, pluginCommands } = await import('./commands/build.ts')
  const { clusterCommand } = await import('./commands/cluster.ts')
  const { listenCommand, triggerCommand } = await import('./commands/events.ts')
  const here: WithLedger = (work) => withLedger(config, log, work)
  // In the order in which `--help` lists them.
  for (const command of [
    keyCommands(here), accountCommands(here), tierCommands(here), termsCommand(here),
    goodsCommands(here), ordersCommands(here), aftersalesCommands(here), rebuildCommands(here),
    outboxCommands(here), verifyCommand(here), archiveCommands(here), backupCommand(here),
    restoreCommand(config, log), settleCommand(here), statementCommand(here), payoutsCommands(here),
    paymentsCommands(config, here), traceCommand(here), modeCommand(here), secretCommands(here),
    doctorCommand(config, log), pluginCommands(config), consoleCommands(config),
    clusterCommand(config, log), listenCommand(config), triggerCommand(config),
  ]) program.addCommand(command)
}

const HURRIED: ReadonlySet<string> = new Set(['start', 'node', 'workers', 'prepare'])

async function main(args: readonly string[]): Promise<void> {
  const config = readConfig()
  const log = createLogger(config.logLevel)
  const program = new Command('agentmall')
    .description('A commerce service for AI agents')
    .version(VERSION)
  program.command('start')
    .description('start the service, and the Redis it needs where REDIS_URL names none')
    .action(async () => (await import('./start/start.ts')).start(config, log))
  program.command('node', { hidden: true })
    .action(async () => (await import('./start/node-process.ts')).runNode())
  program.command('workers', { hidden: true })
    .action(async () => (await import('./start/node-process.ts')).runWorkers())
  program.command('prepare', { hidden: true })
    .action(async () => (await import('./start/preparation.ts')).runPreparation())
  // Those above start in a hurry; the code of the commands is loaded for nobody else.
  if (!HURRIED.has(args[2] ?? '')) await addCommands(program, config, log)
  await program.parseAsync([...args])
}

async function redisSentence(error: unknown): Promise<string | undefined> {
  const { unavailableSentence } = await import('./redis/command-errors.ts')
  return unavailableSentence(error)
}

nameSourceLines(import.meta.dirname)
try {
  await main(process.argv)
} catch (error) {
  // What the operator can mend is said in one sentence; a defect keeps its stack.
  const { message, stack } = error as Error
  process.stderr.write(`${sentenceOf(error) ?? await redisSentence(error) ?? stack ?? message}\n`)
  process.exitCode = 1
}
