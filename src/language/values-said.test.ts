/** Values in the words of shoppers, for goods drawn at random, against all values of the goods. */
import { expect, test } from 'vitest'
import { readJsonl } from '../../loadtest/evaluations/jsonl.ts'
import { comeFirst, type Said } from './testing/said-values.ts'

/** How many of a hundred sentences must find the right values, and put them before all others. */
const FLOOR = 91

const said = readJsonl<Said>(new URL('values-said.jsonl', import.meta.url))

test(`of ${said.length} sentences ${FLOOR} % find the value that they mean`, () => {
  const wrong = said.filter((one) => !comeFirst(one)).map(({ say }) => say)
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(said.length * (1 - FLOOR / 100))
})
