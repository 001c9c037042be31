import { Command } from 'commander'
import { createLocalBudget } from '../../../adapters/limits.ts'
import { type FailureKind, malls, type Source, SourceError } from '../../../adapters/index.ts'
import { MALL_NAMES, type MallName } from '../../../adapters/names.ts'
import { readMallSettings } from '../../affiliate/settings.ts'
import { type Config, readOptionalFile } from '../../config.ts'
import { nowMs, withDeadline } from '../../contract/time.ts'
import type { Logger } from '../../log.ts'
import { print } from '../context.ts'
import { fail, type Finding, ok, reasonOf } from './finding.ts'
import {
  checkArchive, checkDataDir, checkHttpServer, checkNode, checkPort, checkPublicUrl, checkService,
} from './machine.ts'
import { checkRedis } from './redis.ts'

const CHECK_MS_MAX = 60_000

type Check = readonly [about: string, look: () => Finding | Promise<Finding | Finding[]>]

const checks = (config: Config, log: Logger): readonly Check[] => [
  ['Node', () => checkNode()],
  ['HTTP server', checkHttpServer],
  ['Data', () => checkDataDir(config)],
  ['Archive', () => checkArchive(config)],
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
      else process.stdout.write(textOf(found))
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

function textOf(found: readonly Finding[]): string {
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

/** Platforms: one real question to each that is configured. */

const CLOCK = { now: nowMs }
const DEADLINE_MS = 8000
const MALLS = 'config/malls.json or their variables'
/** Says the platform knows us, whatever else is wrong. */
const SIGNED: ReadonlySet<FailureKind> = new Set(
  ['permission', 'registration', 'not_found', 'invalid_arg', 'quota', 'rate_limited'])
const UNREACHED: ReadonlySet<FailureKind> = new Set(['network', 'timeout', 'open', 'aborted'])

export async function checkMalls(config: Config): Promise<Finding[]> {
  const settings = readMallSettings(readOptionalFile(config.mallsFile), config.mallVariables)
  return await Promise.all(MALL_NAMES.map(async (name) => {
    const given = settings[name]
    if (given !== undefined) return await examineMall(name, given)
    return ok(name, config.sandbox ? 'played by a simulator' : 'not configured, and so not asked')
  }))
}

async function examineMall(name: MallName, given: object): Promise<Finding> {
  const budget = createLocalBudget({ clock: CLOCK, ratePerSecond: 1, burst: 5 })
  // Checked against the mall's own schema when they were read.
  const source = malls[name].open(given as never, { clock: CLOCK, budget })
  try {
    await source.search({ q: '手机', page: 1, pageSize: 10 }, { deadlineMs: DEADLINE_MS })
    return ok(name, report(source, 'signature accepted'))
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const { kind, code, link } = error
    const found = UNREACHED.has(kind) ? 'not reachable'
      : kind === 'auth' ? 'signature or credentials not accepted'
        : SIGNED.has(kind) ? 'signature accepted' : 'answered'
    const said = `${kind}${code === undefined ? '' : ` (code ${code})`}`
    return fail(name, report(source, `${found}; ${said}`), link === undefined
      ? `check its settings in ${MALLS} and the clock of this machine` : `see ${link}`)
  } finally {
    await source.close()
  }
}

function report(source: Source, found: string): string {
  const { skewMs } = source.health()
  const skew = skewMs === null ? 'clock skew unknown'
    : `clock skew ${(skewMs / 1000).toFixed(1)} s`
  return `configured; ${found}; ${skew}`
}
