/** The official conformance suite against every tool of a whole node, in both eras. */
import { afterAll, expect, test } from 'vitest'
import { failuresOf, readExpected, runConformance, tableOf } from '../testing/conformance/run.ts'
import { startTestNode } from '../testing/node.ts'

/** As on a developer's machine: the suite asks from one address and cannot send a key. */
const node = await startTestNode({ trustedProxies: [] })
afterAll(() => node.stop())

const ERAS = [
  { name: 'handshake.yml', revisions: ['2025-03-26', '2025-06-18', '2025-11-25'] },
  { name: 'modern.yml', revisions: ['2026-07-28'] },
]

test.for(ERAS)('what fails is what $name expects', async ({ name, revisions }, context) => {
  const expected = await readExpected(name)
  const seen = new Set<string>()
  for (const revision of revisions) {
    const run = await runConformance(`${node.url}/mcp`, revision, name)
    expect(run.exitCode, run.output).toBe(0)
    expect(run.checks.size).toBeGreaterThan(0)
    for (const failure of failuresOf(run)) seen.add(failure)
    await context.annotate(`${revision}\n\n${tableOf(run, expected)}`)
  }
  // The runner itself says nothing about a line whose check is gone.
  expect([...seen].toSorted()).toEqual([...expected.keys()].toSorted())
})

test.each(ERAS)('every line of $name has its reason', async ({ name }) => {
  const expected = await readExpected(name)
  expect([...expected].filter(([, reason]) => reason === undefined)).toEqual([])
})
