/** One run of one profile: k6 with its plan, k6's own report, and what the run came to. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync,
} from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError, type LoadSettings, setEnvironment } from '../../src/config.ts'
import { isoTime, nowMs } from '../../src/contract/time.ts'
import { writeWhole } from '../../src/files.ts'
import { HANDSHAKE_VERSIONS, MODERN_VERSIONS } from '../../src/mcp/eras.ts'
import { MODERN_META } from '../../src/testing/mcp.ts'
import { discover, loadMix } from './plan.ts'
import { serveDisturbances } from './disturbances.ts'
import type { Plan, ScriptSummary } from '../k6/plan.ts'
import type { Profile } from './profiles.ts'
import type { Target } from './target.ts'
import {
  callsOf, countsOf, judge, type RunRecord, stepsOf, summaryLine, totalOf,
} from './result.ts'

export const SCRIPTS = fileURLToPath(new URL('../k6/profiles/', import.meta.url))
/** Points of a curve in the report, at most. */
const POINTS_MAX = 300
/** Exit statuses of k6: all is well; a threshold was broken. */
const [DONE, THRESHOLD_BROKEN] = [0, 99]
/** Beyond twice the planned time: starting, waiting for what is in flight, summing up. */
const OVERTIME_MS = 180_000
/** Addresses of this machine for callers without a key, who are limited by them. */
const LOCAL_IPS = '127.0.0.2-127.0.0.251'
/** k6 collects garbage more rarely: on shared cores its pauses would be what is measured. */
const GOGC = '400'
const PRIVATE = { mode: 0o700, recursive: true } as const

export interface RunOptions {
  readonly name: string
  readonly profile: Profile
  readonly settings: Pick<LoadSettings, 'rate' | 'seconds' | 'vus' | 'slack'>
  readonly target: Target
  readonly k6: string
  /** Where the report goes, in a folder of its own. */
  readonly folder: string
}

export interface RunResult {
  readonly run: RunRecord
  readonly line: string
  readonly report: string
}

export async function runProfile(options: RunOptions): Promise<RunResult> {
  const { name, profile, target, k6 } = options
  const startedAt = isoTime(nowMs())
  const folder = join(options.folder, `${name}-${startedAt.replaceAll(/[:.]/g, '-')}`)
  mkdirSync(folder, PRIVATE)
  // The plan has keys: it does not outlive the run.
  const secret = mkdtempSync(join(tmpdir(), 'agentmall-load-'))
  const report = join(folder, 'report.html')
  const disturbances = target.disturbances && await serveDisturbances(target.disturbances)
  try {
    const plan = await planOf(options, disturbances?.url ?? null, join(folder, 'summary.json'))
    writeWhole(join(secret, 'plan.json'), JSON.stringify(plan))
    const memory = watchMemory(plan.baseUrls)
    const began = nowMs() / 1000
    try {
      await runK6(k6, [
        ...(profile.addresses && isLoopback(plan.baseUrls) ? ['--local-ips', LOCAL_IPS] : []),
        '-e', `PLAN=${join(secret, 'plan.json')}`, join(SCRIPTS, `${name}.ts`),
      ], { report, log: join(folder, 'k6.log'), seconds: plan.seconds })
    } finally {
      memory.stop()
    }
    const summary = JSON.parse(readFileSync(plan.summaryFile, 'utf8')) as ScriptSummary
    const judgements = judge(summary)
    const run: RunRecord = {
      profile: name, about: profile.about, startedAt, baseUrls: plan.baseUrls, rate: plan.rate,
      machine: `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
      seconds: Math.round(summary.state.testRunDurationMs / 1000),
      ok: profile.breaks === true || judgements.every(({ ok }) => ok),
      judgements, counts: countsOf(summary.metrics),
      total: totalOf(summary.metrics), calls: callsOf(summary.metrics),
      steps: stepsOf(summary.metrics, plan.seconds),
      marks: (disturbances?.happened ?? []).map(({ name, at }) =>
        ({ at: at - began, text: name })),
      memory: memory.samples.filter(({ at }) => at >= began)
        .map(({ at, mb }) => ({ at: at - began, mb })),
    }
    const line = summaryLine(run, profile)
    writeFileSync(join(folder, 'run.json'), `${JSON.stringify(run, null, 1)}\n`)
    return { run, line, report }
  } finally {
    await disturbances?.close()
    rmSync(secret, { recursive: true, force: true })
  }
}

async function planOf(
  { name, profile, settings, target }: RunOptions, control: string | null, summaryFile: string,
): Promise<Plan> {
  const { baseUrls, keys, otherKeys, quotaLeft } = target
  const found = await discover(baseUrls[0] as string, keys[0] as string)
  return {
    profile: name, baseUrls, keys, otherKeys, quotaLeft, control, summaryFile, ...found,
    rate: settings.rate ?? profile.rate,
    seconds: settings.seconds ?? profile.seconds,
    vus: settings.vus,
    slack: settings.slack,
    mix: loadMix({ item: found.items[0], slack: settings.slack }),
    mcp: {
      handshakeVersion: HANDSHAKE_VERSIONS[0], modernVersion: MODERN_VERSIONS[0],
      modernMeta: MODERN_META,
    },
  }
}

const isLoopback = (urls: readonly string[]): boolean =>
  process.platform === 'linux' && urls.every((url) => new URL(url).hostname === '127.0.0.1')

interface K6Options {
  readonly report: string
  readonly log: string
  readonly seconds: number
}

/** Resolves when k6 has ended, whatever its thresholds say. */
async function runK6(
  k6: string, args: readonly string[], { report, log, seconds }: K6Options,
): Promise<void> {
  setEnvironment({
    GOGC, K6_WEB_DASHBOARD: 'true', K6_WEB_DASHBOARD_EXPORT: report,
    // Only the page at the end: nothing listens.
    K6_WEB_DASHBOARD_PORT: '-1', K6_WEB_DASHBOARD_PERIOD: `${Math.ceil(seconds / POINTS_MAX)}s`,
  })
  const child = spawn(k6, ['run', '--quiet', '--no-color', '--no-usage-report', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'], timeout: seconds * 2000 + OVERTIME_MS,
    killSignal: 'SIGKILL',
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const output = createWriteStream(log, { mode: 0o600 })
  for (const stream of [child.stdout, child.stderr]) stream.pipe(output, { end: false })
  const [status] = await exited
  output.end()
  if (status !== DONE && status !== THRESHOLD_BROKEN) {
    throw new ConfigError(`k6 ended with status ${status ?? 'none'}: see ${log}.`)
  }
}

const EVERY_MS = 2000
const ASKED_MS_MAX = 1500
const RESIDENT = /^process_resident_memory_bytes(?:\{process="1"\})? (\d+)/m

export interface MemoryWatch {
  /** Of all addresses together, by seconds since the epoch. */
  readonly samples: readonly { readonly at: number, readonly mb: number }[]
  stop(): void
}

/** Services elsewhere keep their metrics to themselves: then there are no samples. */
export function watchMemory(baseUrls: readonly string[]): MemoryWatch {
  const samples: { at: number, mb: number }[] = []
  const look = async (): Promise<void> => {
    const parts = await Promise.all(baseUrls.map(residentMb))
    if (parts.includes(undefined)) return
    const mb = Math.round(parts.reduce<number>((sum, part) => sum + (part ?? 0), 0))
    samples.push({ at: nowMs() / 1000, mb })
  }
  const timer = setInterval(() => void look(), EVERY_MS)
  void look()
  return { samples, stop: () => clearInterval(timer) }
}

async function residentMb(baseUrl: string): Promise<number | undefined> {
  try {
    const response = await fetch(`${baseUrl}/metrics`, {
      signal: AbortSignal.timeout(ASKED_MS_MAX),
    })
    const bytes = RESIDENT.exec(await response.text())?.[1]
    return bytes === undefined ? undefined : Number(bytes) / 1024 ** 2
  } catch {
    return undefined
  }
}
