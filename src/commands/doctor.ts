import { Command } from 'commander'
import { createLocalBudget } from '../../adapters/budget.ts'
import { malls, SourceError, type FailureKind, type Source } from '../../adapters/index.ts'
import { MALL_NAMES, readMallSettings, type MallName } from '../affiliate/settings.ts'
import { nowMs } from '../clock.ts'
import { ConfigError, readOptionalFile, type Config } from '../config.ts'

const CLOCK = { now: nowMs }
const DEADLINE_MS = 8000
/** Says the platform knows us, whatever else is wrong. */
const SIGNED: ReadonlySet<FailureKind> = new Set(
  ['permission', 'registration', 'not_found', 'invalid_arg', 'quota', 'rate_limited'])
const UNREACHED: ReadonlySet<FailureKind> = new Set(['network', 'timeout', 'open', 'aborted'])

/** `agentmall doctor`: one real call to each platform that is configured. */
export function doctorCommand(config: Config): Command {
  return new Command('doctor')
    .description('ask each configured platform one question, and say what is wrong')
    .action(async () => {
      const settings = readMallSettings(
        readOptionalFile(config.mallsFile), config.mallVariables)
      const lines = await Promise.all(MALL_NAMES.map(async (name) => {
        const given = settings[name]
        return given === undefined
          ? { line: `${name}: sandbox (played by a simulator)`, isWell: true }
          : await examine(name, given)
      }))
      process.stdout.write(`${lines.map(({ line }) => line).join('\n')}\n`)
      if (lines.some(({ isWell }) => !isWell)) {
        throw new ConfigError('At least one platform does not work: see above.')
      }
    })
}

async function examine(name: MallName, given: object): Promise<{ line: string, isWell: boolean }> {
  const budget = createLocalBudget({ clock: CLOCK, ratePerSecond: 1, burst: 5 })
  // Checked against the mall's own schema when they were read.
  const source = malls[name].open(given as never, { clock: CLOCK, budget })
  try {
    await source.search({ q: '手机', page: 1, pageSize: 10 }, { deadlineMs: DEADLINE_MS })
    return { line: report(source, 'signature accepted'), isWell: true }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const { kind, code, link } = error
    const found = UNREACHED.has(kind) ? 'not reachable'
      : kind === 'auth' ? 'signature or credentials not accepted'
        : SIGNED.has(kind) ? 'signature accepted' : 'answered'
    const said = `${kind}${code === undefined ? '' : ` (code ${code})`}`
    const more = link === undefined ? '' : `; see ${link}`
    return { line: report(source, `${found}; ${said}${more}`), isWell: false }
  } finally {
    await source.close()
  }
}

function report(source: Source, found: string): string {
  const { skewMs } = source.health()
  const skew = skewMs === null ? 'clock skew unknown'
    : `clock skew ${(skewMs / 1000).toFixed(1)} s`
  return `${source.name}: configured; ${found}; ${skew}`
}
