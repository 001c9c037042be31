/**
 * `npm run sentences -- --times`: how long a sentence takes to be understood, over the frozen set
 * and the three unseen rounds, once the compiler has seen all of them; and what is made once.
 */
import { readFile } from 'node:fs/promises'
import { monotonicMs } from '../../contract/time.ts'
import { prepareUnderstanding, understand } from '../understand.ts'

const ROUNDS = [1, 2, 3]
const UNSEEN = ['sentences', 'searches']
const TURNS = 8

/** Milliseconds; of the processor the mean, which other work does not lengthen. */
interface Times {
  readonly p50: number
  readonly p90: number
  readonly mean: number
  readonly cpu: number
}

export async function timesOf(frozen: readonly string[]): Promise<string> {
  const before = cpuMs()
  prepareUnderstanding()
  const made = cpuMs() - before
  const said = [...frozen, ...await unseen()]
  const turns = Array.from({ length: TURNS }, () => timed(said))
  const [best] = turns.toSorted((one, other) => one.cpu - other.cpu)
  return `made once: ${Math.round(made)} ms of CPU\n${said.length} sentences, `
    + `best of ${TURNS} turns: ${Object.entries(best ?? {}).map(([name, ms]) =>
      `${name} ${Number(ms).toFixed(2)} ms`).join(', ')}`
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function timed(said: readonly string[]): Times {
  const before = cpuMs()
  const times = said.map((sentence) => {
    const start = monotonicMs()
    understand(sentence)
    return monotonicMs() - start
  }).sort((one, other) => one - other)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  return { p50: at(0.5), p90: at(0.9), mean, cpu: (cpuMs() - before) / times.length }
}

async function unseen(): Promise<string[]> {
  const files = ROUNDS.flatMap((round) => UNSEEN.map((name) =>
    readFile(new URL(`../unseen/${round}/${name}.jsonl`, import.meta.url), 'utf8')))
  return (await Promise.all(files)).flatMap((text) => text.trim().split('\n')
    .map((line) => (JSON.parse(line) as { say: string }).say))
}
