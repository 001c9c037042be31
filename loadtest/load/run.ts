/** One run of one profile: k6 with its plan, what it measured, and the report. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync,
} from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { isoTime, nowMs } from '../../src/contract/time.ts'
import { ConfigError, setEnvironment, type LoadSettings } from '../../src/config.ts'
import { HANDSHAKE_VERSIONS } from '../../src/mcp/handshake.ts'
import { MODERN_VERSIONS } from '../../src/mcp/modern.ts'
import { writeWhole } from '../../src/redis/files.ts'
import { MODERN_META } from '../../src/testing/mcp.ts'
import { discover } from './discover.ts'
import { watchMemory } from './memory.ts'
import { loadMix } from './mix.ts'
import type { Plan, ScriptSummary } from './plan.ts'
import type { Profile } from './profiles.ts'
import { reportPage } from './report.ts'
import { callsOf, Samples, together } from './samples.ts'
import type { Target } from './target.ts'
import { serveTroubles } from './trouble.ts'
import { countsOf, judge, summaryLine, type RunRecord } from './verdict.ts'

export const SCRIPTS = fileURLToPath(new URL('../k6/profiles/', import.meta.url))
const BINS = 120
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
  const troubles = target.troubles && await serveTroubles(target.troubles)
  try {
    const plan = await planOf(options, troubles?.url ?? null, join(folder, 'summary.json'))
    writeWhole(join(secret, 'plan.json'), JSON.stringify(plan))
    const memory = watchMemory(plan.baseUrls)
    const samples = new Samples()
    try {
      await runK6(k6, [
        ...(profile.addresses && isLoopback(plan.baseUrls) ? ['--local-ips', LOCAL_IPS] : []),
        '-e', `PLAN=${join(secret, 'plan.json')}`, join(SCRIPTS, `${name}.ts`),
      ], samples, { log: join(folder, 'k6.log'), msMax: plan.seconds * 2000 + OVERTIME_MS })
    } finally {
      memory.stop()
    }
    const summary = JSON.parse(readFileSync(plan.summaryFile, 'utf8')) as ScriptSummary
    const judgements = judge(summary)
    const series = samples.all()
    const began = samples.firstSecond ?? nowMs() / 1000
    const run: RunRecord = {
      profile: name, about: profile.about, startedAt, baseUrls: plan.baseUrls, rate: plan.rate,
      machine: `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
      seconds: Math.round(summary.state.testRunDurationMs / 1000),
      ok: profile.breaks === true || judgements.every(({ ok }) => ok),
      judgements, counts: countsOf(summary.metrics),
      total: callsOf(together(series), BINS), calls: series.map((one) => callsOf(one, BINS)),
      marks: (troubles?.happened ?? []).map(({ trouble, at }) =>
        ({ at: at - began, text: trouble })),
      memory: memory.samples.filter(({ at }) => at >= began)
        .map(({ at, mb }) => ({ at: at - began, mb })),
    }
    const line = summaryLine(run, profile)
    const report = join(folder, 'report.html')
    writeFileSync(join(folder, 'run.json'), `${JSON.stringify(run, null, 1)}\n`)
    writeFileSync(report, reportPage(run, line))
    return { run, line, report }
  } finally {
    await troubles?.close()
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
  readonly log: string
  readonly msMax: number
}

/** Resolves when k6 has ended, whatever its thresholds say. */
async function runK6(
  k6: string, args: readonly string[], samples: Samples, { log, msMax }: K6Options,
): Promise<void> {
  setEnvironment({ GOGC })
  const child = spawn(k6, [
    'run', '--quiet', '--no-color', '--no-usage-report', '--out', 'csv=-', ...args,
  ], { stdio: ['ignore', 'pipe', 'pipe'], timeout: msMax, killSignal: 'SIGKILL' })
  const exited = once(child, 'exit') as Promise<[number | null]>
  child.stderr.pipe(createWriteStream(log, { mode: 0o600 }))
  for await (const line of createInterface({ input: child.stdout })) samples.add(line)
  const [status] = await exited
  if (status !== DONE && status !== THRESHOLD_BROKEN) {
    throw new ConfigError(`k6 ended with status ${status ?? 'none'}: see ${log}.`)
  }
}
