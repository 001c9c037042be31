/** Contenders take turns, so that whatever else the machine does meets all of them alike. */
import { BenchFailure, type Contender, type Group, type Run } from './contender.ts'
import { cpuSeconds } from './processes.ts'
import { monotonicMs } from '../../src/contract/time.ts'

export interface Pace {
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
