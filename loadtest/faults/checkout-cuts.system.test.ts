/** The short form of `npm run faults -- --checkouts`: the answer of each write is lost. */
import { expect, test } from 'vitest'
import { cutCheckouts, cutTable } from './checkout-cuts.ts'

const TIMEOUT_MS = 600_000

test('a checkout whose node is killed at each write is ended by another, whole', {
  timeout: TIMEOUT_MS,
}, async (context) => {
  const rows = await cutCheckouts({ cases: ['ordered'], whens: ['after'] })
  await context.annotate(cutTable(rows))
  expect(rows.filter(({ problem }) => problem !== undefined)).toEqual([])
  // A write for each of the three lines, one before them and one behind.
  expect(rows.length).toBeGreaterThan(4)
})
