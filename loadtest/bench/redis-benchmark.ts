/** What redis-benchmark prints with --csv. */
import { BenchFailure, type Run } from './contender.ts'

export function readRedisBenchmark(output: string): Run {
  const rows = output.split('\n').filter((line) => line.startsWith('"'))
  const [head = [], values = []] = rows.slice(-2).map((row) => row.trim().slice(1, -1).split('","'))
  const value = (name: string): number => {
    // A command may hold quotes and commas, but it stands first: columns are counted from the end.
    const fromEnd = head.length - head.indexOf(name)
    return head.includes(name) ? Number(values.at(-fromEnd)) : NaN
  }
  const run = { rate: value('rps'), p50Ms: value('p50_latency_ms'), p99Ms: value('p99_latency_ms') }
  if (!Number.isFinite(run.rate)) throw new BenchFailure('redis-benchmark printed no rate')
  return run
}
