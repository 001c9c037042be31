/** Platforms: one real question to each that is configured. */
import { createLocalBudget } from '../../adapters/budget.ts'
import { malls, SourceError, type FailureKind, type Source } from '../../adapters/index.ts'
import { readMallSettings } from '../affiliate/settings.ts'
import { MALL_NAMES, type MallName } from '../../adapters/names.ts'
import { nowMs } from '../contract/time.ts'
import { readOptionalFile, type Config } from '../config.ts'
import { fail, ok, type Finding } from './finding.ts'

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
    if (given !== undefined) return await examine(name, given)
    return ok(name, config.sandbox ? 'played by a simulator' : 'not configured, and so not asked')
  }))
}

async function examine(name: MallName, given: object): Promise<Finding> {
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
