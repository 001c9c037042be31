import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { importsOf, loadedFrom } from '../testing/import-graph.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SIMULATOR = /^adapters\/(simulator\/|sandbox\.ts|[a-z-]+\/simulator)/

/** Code that is loaded only where a platform is simulated, or an operator plays a provider. */
const GATES = [
  'src/affiliate/sandbox-shops.ts', 'src/start/sandbox-malls.ts',
  'adapters/payment/simulator.ts',
]

const imports = ['src', 'adapters'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name)).filter((name) => name.endsWith('.ts'))
    .flatMap((name) => importsOf(name, readFileSync(join(ROOT, name), 'utf8'))))

test.each(['src/start/node-process.ts', 'src/cli.ts'])(
  'with real platforms only, the process of %s loads no simulator', (entry) => {
    const loaded = loadedFrom([entry], imports.filter(({ to }) => !GATES.includes(to)), true)
    expect(loaded.size).toBeGreaterThan(300)
    expect([...loaded].filter((name) => SIMULATOR.test(name))).toEqual([])
  })

/** The Redis that a machine without one brings along, and other tools of developers. */
const LOCAL = /^src\/dev\//
const LOCAL_GATE = 'src/dev/redis/embedded.ts'

test.each(['src/start/node-process.ts', 'src/start/start.ts', 'src/start/preparation.ts'])(
  'where settings name the Redis, the process of %s loads no code for a local one', (entry) => {
    const loaded = loadedFrom([entry], imports.filter(({ to }) => to !== LOCAL_GATE), true)
    expect(loaded.size).toBeGreaterThan(20)
    expect([...loaded].filter((name) => LOCAL.test(name))).toEqual([])
  })

/** What answers calls or makes a catalogue, and takes the memory of it. */
const HEAVY =
  /^(adapters\/(?!names)|src\/(goods|language|orders|accounts|earnings|operations|mcp)\/)/

test('the parent of the nodes loads nothing of what they do', () => {
  const loaded = loadedFrom(['src/start/start.ts'], imports, true)
  expect(loaded).toContain('src/start/supervisor.ts')
  expect([...loaded].filter((name) => HEAVY.test(name))).toEqual([])
})

test('a start without such settings loads the local Redis', () => {
  expect(loadedFrom(['src/start/start.ts'], imports, true)).toContain(LOCAL_GATE)
  expect(loadedFrom(['src/start/start.ts'], imports)).not.toContain(LOCAL_GATE)
})

test('only a call loads the simulators, never an import of a file', () => {
  const tests = /\.test\.ts$|\/testing\/|\/judged\//
  const gates = imports.filter(({ to, from }) => GATES.includes(to) && !tests.test(from))
  expect(gates.filter(({ type, lazy }) => !type && !lazy)).toEqual([])
  expect(new Set(gates.filter(({ lazy }) => lazy).map(({ to }) => to))).toEqual(new Set(GATES))
})
