import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { filesWith } from './plant.ts'
import { groups } from './table.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('the text of each fault stands in one place of the product', () => {
  const mutants = groups.flatMap((group) => group.mutants)
  expect(mutants.length).toBeGreaterThanOrEqual(80)
  const wrong = mutants.map((mutant) => ({ why: mutant.why, files: filesWith(ROOT, mutant) }))
    .filter(({ files }) => files.length !== 1)
  expect(wrong).toEqual([])
})

test('each fault changes its text', () => {
  expect(groups.flatMap(({ mutants }) => mutants).filter(({ text, becomes }) => text === becomes))
    .toEqual([])
})
