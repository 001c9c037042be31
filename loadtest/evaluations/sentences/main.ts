/**
 * Prints how much of the frozen set is understood, by field and by set, and every difference:
 * `npm run sentences`. With `--times` only how long a sentence takes, over the frozen set and the
 * first three unseen rounds, once the compiler has seen all of them; and what is made once.
 */
import { monotonicMs } from '../../../src/contract/time.ts'
import { prepareUnderstanding, understand } from '../../../src/language/understand.ts'
import { readJsonl } from '../jsonl.ts'
import {
  actualReading, allSentences, expectedReading, FIELDS, SETS, wrongFields, type Expected,
  type Field,
} from './expected.ts'

const ROUNDS = [1, 2, 3]
const UNSEEN = ['sentences', 'searches']
const TURNS = 8

const print = (text: string): void => { process.stdout.write(`${text}\n`) }
const percent = (right: number, all: number): string =>
  `${(100 * right / all).toFixed(1)} %`.padStart(8)

function score(sentences: readonly Expected[]) {
  const wrong = new Map<Field, number>()
  let right = 0
  for (const expected of sentences) {
    const understood = understand(expected.say)
    const fields = wrongFields(expected, understood)
    if (fields.length === 0) right += 1
    else print(expected.say)
    for (const field of fields) {
      wrong.set(field, (wrong.get(field) ?? 0) + 1)
      print(`  ${field}: expected ${JSON.stringify(expectedReading(expected)[field])}, `
        + `understood ${JSON.stringify(actualReading(understood, expected)[field])}`)
    }
  }
  return { right, all: sentences.length, wrong }
}

/** Milliseconds; of the processor the mean, which other work does not lengthen. */
interface Times {
  readonly p50: number
  readonly p90: number
  readonly mean: number
  readonly cpu: number
}

function timesOf(frozen: readonly string[]): string {
  const before = cpuMs()
  prepareUnderstanding()
  const made = cpuMs() - before
  const said = [...frozen, ...unseen()]
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

const unseen = (): string[] => ROUNDS.flatMap((round) => UNSEEN.flatMap((name) =>
  readJsonl<{ say: string }>(`unseen/${round}/${name}.jsonl`).map(({ say }) => say)))

if (process.argv.includes('--times')) {
  print(timesOf(allSentences.map(({ say }) => say)))
  process.exit()
}
const scores = Object.entries(SETS).map(([name, sentences]) => ({ name, ...score(sentences) }))
const all = scores.reduce((sum, one) => sum + one.all, 0)
print(`\n${all} sentences`)
for (const field of FIELDS) {
  const wrong = scores.reduce((sum, one) => sum + (one.wrong.get(field) ?? 0), 0)
  print(`  ${field.padEnd(12)}${percent(all - wrong, all)}`)
}
print('every field right')
for (const { name, right, all: count } of scores) {
  print(`  ${name.padEnd(12)}${percent(right, count)}  of ${count}`)
}
print(`  ${'all'.padEnd(12)}${percent(scores.reduce((sum, one) => sum + one.right, 0), all)}`)
