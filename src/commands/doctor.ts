import { Command } from 'commander'
import { withDeadline } from '../contract/time.ts'
import type { Config } from '../config.ts'
import { fail, reasonOf, type Finding } from '../doctor/finding.ts'
import {
  checkDataDir, checkHttpServer, checkNode, checkPort, checkPublicUrl, checkService,
} from '../doctor/machine.ts'
import { checkMalls } from '../doctor/malls.ts'
import { checkRedis } from '../doctor/redis.ts'
import type { Logger } from '../log.ts'
import { print } from './print.ts'

const CHECK_MS_MAX = 60_000

type Check = readonly [about: string, look: () => Finding | Promise<Finding | Finding[]>]

const checks = (config: Config, log: Logger): readonly Check[] => [
  ['Node', () => checkNode()],
  ['HTTP server', checkHttpServer],
  ['Data', () => checkDataDir(config)],
  ['Port', () => checkPort(config)],
  ['Service', () => checkService(config)],
  ['Address', () => checkPublicUrl(config)],
  ['Redis', () => checkRedis(config, log)],
  ['Platforms', () => checkMalls(config)],
]

/** `agentmall doctor`: the exit status is 1 when anything keeps the service from working. */
export function doctorCommand(config: Config, log: Logger): Command {
  return new Command('doctor')
    .description('look at this machine, Redis, its data and the platforms; say what is wrong')
    .option('--json', 'each finding as a line of JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const found = await examine(config, log)
      if (json) found.forEach(print)
      else process.stdout.write(told(found))
      if (found.some(({ level }) => level === 'fail')) process.exitCode = 1
    })
}

async function examine(config: Config, log: Logger): Promise<Finding[]> {
  const quiet = log.child({}, { level: 'silent' })
  const found = await Promise.all(checks(config, quiet).map(async ([about, look]) => {
    try {
      return await withDeadline(Promise.resolve(look()), CHECK_MS_MAX,
        () => new Error(`no answer in ${CHECK_MS_MAX / 1000} s`))
    } catch (error) {
      return fail(about, reasonOf(error), 'correct that, and ask the doctor again')
    }
  }))
  return found.flat()
}

function told(found: readonly Finding[]): string {
  const width = Math.max(...found.map(({ about }) => about.length))
  const lines = found.flatMap(({ about, level, says, todo }) => [
    `${level.padEnd(4)}  ${about.padEnd(width)}  ${says}`,
    ...(todo === undefined ? [] : [`${' '.repeat(width + 8)}→ ${todo}`]),
  ])
  const count = (level: Finding['level']): number =>
    found.filter((one) => one.level === level).length
  const [failed, warned] = [count('fail'), count('warn')]
  const sum = failed > 0 ? `${failed} to mend before the service can work.`
    : warned > 0 ? 'The service can work; see the warnings.' : 'Everything is well.'
  return `${lines.join('\n')}\n\n${sum}\n`
}
