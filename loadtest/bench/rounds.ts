/** Contenders, which take turns so that whatever else the machine does meets all alike. */
import { monotonicMs } from '../../src/contract/time.ts'
import { cpuSeconds, type Subject } from './processes.ts'

interface Pace {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
}

export interface Outcome {
  readonly runs: readonly Run[]
  /** Why there is no number. */
  readonly failure?: string
}

export type Outcomes = ReadonlyMap<string, Outcome>

export async function runGroup(
  { contenders }: Group, pace: Pace, say: (text: string) => void,
): Promise<Outcomes> {
  const runs = new Map<string, Run[]>(contenders.map(({ name }) => [name, []]))
  const failures = new Map<string, string>()

  async function attempt(contender: Contender, work: () => Promise<void>): Promise<void> {
    if (failures.has(contender.name)) return
    try {
      await work()
    } catch (error) {
      if (!(error instanceof BenchFailure)) throw error
      failures.set(contender.name, error.message)
      say(`  ${contender.name}: failed, ${error.message}`)
    }
  }

  for (const contender of contenders) {
    await attempt(contender, async () => {
      await contender.check?.()
      await timed(contender, pace.warmUpSeconds, 0)
    })
  }
  for (let round = 1; round <= pace.rounds; round += 1) {
    for (const contender of contenders) {
      await attempt(contender, async () => {
        const run = await timed(contender, pace.seconds, round)
        runs.get(contender.name)?.push(run)
        say(`  ${round}. ${contender.name}: ${Math.round(run.rate)}/s, p99 `
          + `${run.p99Ms.toFixed(2)} ms, ${Math.round((run.busy ?? 0) * 100)} % of a core`)
      })
    }
  }
  return new Map(contenders.map(({ name }) => {
    const failure = failures.get(name)
    return [name, { runs: runs.get(name) ?? [], ...(failure !== undefined && { failure }) }]
  }))
}

async function timed(contender: Contender, seconds: number, round: number): Promise<Run> {
  await contender.prepare?.(seconds, round)
  const [before, since] = [cpuSeconds(contender.pid), monotonicMs()]
  const run = await contender.run(seconds)
  if (before === undefined) return run
  const used = (cpuSeconds(contender.pid) ?? before) - before
  // A client starts and ends outside the time it reports: its answers tell how long it ran.
  const span = Math.min((monotonicMs() - since) / 1000, seconds)
  return { ...run, busy: used / span }
}

/** One timed run. */
export interface Run {
  /** Answers a second. */
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Share of one core that the answering process used; undefined where nobody looked. */
  readonly busy?: number
  /** Commands that all Redis servers ran meanwhile, for each answer. */
  readonly commands?: number
}

export interface Contender {
  readonly name: string
  /** The process that answers. */
  readonly pid: number
  /** Looks at answers before any is timed; throws where one is not what it should be. */
  check?(): Promise<void>
  /** What a run needs and what is not timed. */
  prepare?(seconds: number, round: number): Promise<void>
  /** Throws a BenchFailure where an answer was an error: such a run has no number. */
  run(seconds: number): Promise<Run>
}

export interface Comparison {
  readonly label: string
  readonly of: string
  readonly against: string
  readonly measure: 'rate' | 'p99Ms'
  /** At least this ratio of rates, at most this one of latencies; without it, for information. */
  readonly target?: number
  /** Why a ratio that misses its target says nothing on this machine. */
  readonly caveat?: string
}

export interface Group {
  readonly name: string
  readonly title: string
  /** Whose speed is asked for: with few cores it has one to itself. */
  readonly subject: Subject
  readonly contenders: readonly Contender[]
  readonly comparisons: readonly Comparison[]
  close?(): Promise<void>
}

/** A run that went wrong and has no number; the message is shown in the table. */
export class BenchFailure extends Error {}

/** The value below which this share of the values lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return NaN
  const sorted = values.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(place)] ?? NaN, sorted[Math.ceil(place)] ?? NaN]
  return low + (high - low) * (place - Math.floor(place))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** From 0 up to 1, the same ones each time: every run of the bench asks the same. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const pickFrom = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T
