/** What `npm start` does before it runs: sources become a few files, once for each state. */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compiledEntry } from '../config/compile.mjs'

const LINES = new URL('source-lines.ts', import.meta.url)

/** A small tree of sources and an empty cache. */
function openTree() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agentmall-compile-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [root, cache] = [join(folder, 'root'), join(folder, 'cache')]
  for (const name of ['src', 'adapters', 'config', 'node_modules']) {
    mkdirSync(join(root, name), { recursive: true })
  }
  for (const name of ['package.json', 'tsconfig.json']) writeFileSync(join(root, name), '{}')
  const write = (text: string): void => writeFileSync(join(root, 'src/cli.ts'), text)
  const run = (entry: string): string =>
    spawnSync(process.execPath, [entry], { encoding: 'utf8' }).stdout
  const builds = (): string[] => readdirSync(cache)
  return { root, cache, write, run, builds, compile: () => compiledEntry(cache, root) }
}

test('sources are compiled once, and again when one has changed', async () => {
  const { write, run, builds, compile } = openTree()
  write('const said: string = "one"; process.stdout.write(said)')
  const entry = await compile()
  expect(run(entry)).toBe('one')
  expect(await compile()).toBe(entry)
  write('const said: string = "two"; process.stdout.write(said)')
  expect(run(await compile())).toBe('two')
  expect(builds()).toHaveLength(2)
})

test('two starts at once leave one build and no draft', async () => {
  const { write, run, builds, compile } = openTree()
  write('process.stdout.write("here")')
  const [one, other] = await Promise.all([compile(), compile()])
  expect(one).toBe(other)
  expect(run(one)).toBe('here')
  expect(builds()).toHaveLength(1)
})

test('sources with an error leave nothing that the next start would run', async () => {
  const { write, builds, compile } = openTree()
  write('const = 1')
  await expect(compile()).rejects.toThrow('Expected identifier')
  expect(builds()).toEqual([])
})

test('a file beside a source is found, and a stack names the line of the source', async () => {
  const { root, write, run, compile } = openTree()
  writeFileSync(join(root, 'src/words.txt'), 'found')
  copyFileSync(LINES, join(root, 'src/source-lines.ts'))
  write(`import { readFileSync } from 'node:fs'
    import { nameSourceLines } from './source-lines.ts'
    interface Gone { readonly longer: string }
    nameSourceLines(import.meta.dirname)
    const fail = (): never => {
      throw new Error(readFileSync(new URL('words.txt', import.meta.url), 'utf8'))
    }
    try { fail() } catch (error) { process.stdout.write((error as Error).stack ?? '') }`)
  const said = run(await compile())
  expect(said).toContain('Error: found\n')
  expect(said).toMatch(/at fail \(file:\S+root\/src\/cli\.ts:6:\d+\)/)
})

test('builds that nobody used lately are removed, but for a few', async () => {
  const { cache, write, builds, compile } = openTree()
  write('process.stdout.write("now")')
  for (let n = 0; n < 9; n += 1) {
    const old = join(cache, `build-${n}`)
    mkdirSync(old, { recursive: true })
    const usedS = n < 6 ? 1_600_000_000 + n : Date.now() / 1000
    utimesSync(old, usedS, usedS)
  }
  const entry = await compile()
  expect(existsSync(entry)).toBe(true)
  expect(builds().toSorted()).toEqual(
    ['build-5', 'build-6', 'build-7', 'build-8', dirname(entry).slice(cache.length + 1)].toSorted())
})
