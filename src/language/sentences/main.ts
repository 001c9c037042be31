/**
 * Prints how much of the frozen set is understood, by field and by set, and every difference:
 * `npm run sentences`. With `--times` only how long that takes.
 */
import { understand } from '../understand.ts'
import { allSentences, SETS } from './all.ts'
import { actualReading, expectedReading, FIELDS, wrongFields, type Field } from './compare.ts'
import type { Expected } from './expected.ts'
import { timesOf } from './times.ts'

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

if (process.argv.includes('--times')) {
  print(await timesOf(allSentences.map(({ say }) => say)))
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
