/** `agentmall`: starts the service, and the operator's commands. */
import { Command } from 'commander'
import { goodsCommands, rebuildCommands } from './commands/goods.ts'
import { keyCommands } from './commands/key.ts'
import { atWork, type AtWork } from './commands/ledger.ts'
import { ConfigError, readConfig } from './config.ts'
import { createLogger } from './log.ts'
import { runNode } from './start/node-process.ts'
import { start } from './start/start.ts'
import { VERSION } from './version.ts'

async function main(args: readonly string[]): Promise<void> {
  const config = readConfig()
  const log = createLogger(config.logLevel)
  const here: AtWork = (work) => atWork(config, log, work)
  const program = new Command('agentmall')
    .description('A commerce service for AI agents')
    .version(VERSION)
  program.command('start')
    .description('start the service, and the Redis it needs where REDIS_URL names none')
    .action(() => start(config, log))
  program.command('node', { hidden: true }).action(runNode)
  program.addCommand(keyCommands(here))
  program.addCommand(goodsCommands(here))
  program.addCommand(rebuildCommands(here))
  await program.parseAsync([...args])
}

try {
  await main(process.argv)
} catch (error) {
  // A wrong setting or a missing part is said in one sentence; anything else keeps its stack.
  const { message, stack } = error as Error
  process.stderr.write(`${error instanceof ConfigError ? message : stack ?? message}\n`)
  process.exitCode = 1
}
