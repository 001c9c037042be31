/** How good the ranking of smart search is: `npm run judged [-- --below 0.8]`. */
import { parseArgs } from 'node:util'
import { createWorld } from './world.ts'
import { judgedSentences, mean, measure, type Measured, PRODUCTS } from './measure.ts'

const { values: options } = parseArgs({ options: {
  count: { type: 'string', default: '160' },
  /** Prints each sentence that scores below this. */
  below: { type: 'string', default: '0' },
} })
const print = (line: string): void => { process.stdout.write(`${line}\n`) }
const figure = (value: number): string => value.toFixed(3).padStart(7)

const world = createWorld(PRODUCTS)
const all = judgedSentences(Number(options.count)).map((sentence) => measure(world, sentence))
for (const { sentence, ndcg, first } of all) {
  if (ndcg !== null && ndcg < Number(options.below)) {
    print(`${figure(ndcg)}  first ${first}  ${sentence.form}: ${sentence.say}`)
  }
}

function row(name: string, measured: readonly Measured[]): void {
  const answered = measured.filter(({ ndcg }) => ndcg !== null)
  print(`${name.padEnd(28)}${String(answered.length).padStart(5)}/${measured.length}`
    + figure(mean(answered.map(({ before }) => before)))
    + figure(mean(answered.map(({ ndcg }) => ndcg)))
    + figure(mean(answered.map(({ first }) => first)))
    + String(answered.reduce((sum, { repeated }) => sum + repeated, 0)).padStart(5))
}

print('form                        found   arrival nDCG@10 first  repeated')
for (const form of new Set(all.map(({ sentence }) => sentence.form))) {
  row(form, all.filter(({ sentence }) => sentence.form === form))
}
row('all', all)
