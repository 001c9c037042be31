/** `agentmall`: starts the service, and the operator's commands. */
import { Command } from 'commander'
import type { AtWork } from './commands/ledger.ts'
import { readConfig, type Config } from './config.ts'
import { sentenceOf } from './failure.ts'
import { createLogger, type Logger } from './log.ts'
import { VERSION } from './version.ts'

async function addCommands(program: Command, config: Config, log: Logger): Promise<void> {
  const { atWork } = await import('./commands/ledger.ts')
  const { keyCommands } = await import('./commands/key.ts')
  const { goodsCommands } = await import('./commands/goods.ts')
  const { rebuildCommands } = await import('./commands/rebuild.ts')
  const { outboxCommands } = await import('./commands/outbox.ts')
  const { verifyCommand } = await import('./commands/verify.ts')
  const { aftersalesCommands, ordersCommands } = await import('./commands/orders.ts')
  const { settleCommand, statementCommand } = await import('./commands/settle.ts')
  const { payoutsCommands } = await import('./commands/payouts.ts')
  const { traceCommand } = await import('./commands/trace.ts')
  const { doctorCommand } = await import('./commands/doctor.ts')
  const here: AtWork = (work) => atWork(config, log, work)
  program.addCommand(keyCommands(here))
  program.addCommand((await import('./commands/account.ts')).accountCommands(here))
  program.addCommand((await import('./commands/tier.ts')).tierCommands(here))
  program.addCommand((await import('./commands/terms.ts')).termsCommand(here))
  program.addCommand(goodsCommands(here))
  program.addCommand(ordersCommands(here))
  program.addCommand(aftersalesCommands(here))
  program.addCommand(rebuildCommands(here))
  program.addCommand(outboxCommands(here))
  program.addCommand(verifyCommand(here))
  const { backupCommand, restoreCommand } = await import('./commands/backup.ts')
  program.addCommand(backupCommand(here))
  program.addCommand(restoreCommand(config, log))
  program.addCommand(settleCommand(here))
  program.addCommand(statementCommand(here))
  program.addCommand(payoutsCommands(here))
  program.addCommand((await import('./commands/payments.ts')).paymentsCommands(config, here))
  program.addCommand(traceCommand(here))
  program.addCommand((await import('./commands/mode.ts')).modeCommand(here))
  program.addCommand((await import('./commands/secret.ts')).secretCommands(here))
  program.addCommand(doctorCommand(config, log))
  program.addCommand((await import('./commands/plugin.ts')).pluginCommands(config))
  program.addCommand((await import('./commands/console.ts')).consoleCommands(config))
  program.addCommand((await import('./commands/cluster.ts')).clusterCommand(config, log))
}

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
  // The two above start in a hurry; the code of the commands is loaded for nobody else.
  if (!['start', 'node'].includes(args[2] ?? '')) await addCommands(program, config, log)
  await program.parseAsync([...args])
}

/** Of a Redis that was lost, or takes no writes, while a command used it. */
async function redisSentence(error: unknown): Promise<string | undefined> {
  const { isAway } = await import('./redis/verdict.ts')
  if (!isAway(error)) return undefined
  const { name, message } = error as Error
  const reason = name === 'MaxRetriesPerRequestError' ? 'the connection was lost' : message
  return `Redis cannot be used (${reason}): see that it runs and has room.`
}

try {
  await main(process.argv)
} catch (error) {
  // What the operator can mend is said in one sentence; a defect keeps its stack.
  const { message, stack } = error as Error
  process.stderr.write(`${sentenceOf(error) ?? await redisSentence(error) ?? stack ?? message}\n`)
  process.exitCode = 1
}
