/** The official conformance suite against every tool of a whole node, in both eras. */
import { afterAll, expect, test } from 'vitest'
import { createGate } from '../gate/invoke.ts'
import { createLimits } from '../gate/limits.ts'
import { errorReply } from '../http/envelope.ts'
import { listen } from '../http/listen.ts'
import { createRoutes } from '../http/server.ts'
import { failuresOf, readExpected, runConformance, tableOf } from '../testing/conformance/run.ts'
import { startTestNode } from '../testing/node.ts'

const node = await startTestNode()
const { services } = node
/** The suite asks from one address, without a key, and faster than anybody may. */
const limits = { ...createLimits(services.counters), admit: () => ({ headers: [] }) }
const gate = createGate(services, limits)
const listener = await listen({
  ...services.config,
  routes: createRoutes({ services, gate, limits, unready: () => Promise.resolve(undefined) }),
  log: services.log,
  onError: (error, request) => errorReply(error, request.id),
})
afterAll(async () => {
  await listener.close()
  await node.stop()
})

/** Three processes, one after the other, on a machine that is shared. */
const LIMIT = { timeout: 120_000 }

const ERAS = [
  { name: 'handshake.yml', revisions: ['2025-03-26', '2025-06-18', '2025-11-25'] },
  { name: 'modern.yml', revisions: ['2026-07-28'] },
]

test.for(ERAS)('what fails is what $name expects', LIMIT, async ({ name, revisions }, context) => {
  const expected = await readExpected(name)
  const seen = new Set<string>()
  for (const revision of revisions) {
    const run = await runConformance(`http://127.0.0.1:${listener.port}/mcp`, revision, name)
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
