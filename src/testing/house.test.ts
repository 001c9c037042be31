/** The house rules, as tests: what a reviewer would otherwise have to remember. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { KNOWN_NAMES, oldWordIn } from './dictionary.ts'
import { circlesOf, importsOf } from './import-graph.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILE_LINES_MAX = 400
const LINE_LENGTH_MAX = 100

const folders = ['src', 'adapters', 'loadtest', 'config']
  .filter((folder) => existsSync(join(ROOT, folder)))
const files = folders.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name)))
  .filter((name) => /\.(tsx?|mjs|lua|css)$/.test(name))
const text = new Map(files.map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]))
const isTest = (name: string): boolean => name.endsWith('.test.ts') || name.includes('/testing/')
const product = files.filter((name) => !isTest(name) && !name.startsWith('config'))
const lines = (name: string): string[] => (text.get(name) ?? '').split('\n')

/** What it writes is text for readers to run. */
const SAMPLES = 'src/http/reference/examples.ts'

/** Files other than `allowed` in which the pattern stands. */
const offenders = (pattern: RegExp, allowed: readonly string[], among = product): string[] =>
  among.filter((name) => !allowed.includes(name) && pattern.test(text.get(name) ?? ''))

describe('size', () => {
  test('no file is over 400 lines', () => {
    expect(files.filter((name) => lines(name).length > FILE_LINES_MAX)).toEqual([])
  })

  test('no line is longer than 100 columns', () => {
    const long = files.flatMap((name) => lines(name)
      .map((line, at) => ({ at: `${name}:${at + 1}`, length: line.length }))
      .filter(({ length }) => length > LINE_LENGTH_MAX))
    expect(long).toEqual([])
  })

  test('the linter refuses a function over 70 lines, blank ones and comments counted', () => {
    const { rules, overrides } = JSON.parse(readFileSync(join(ROOT, 'config/oxlint.json'), 'utf8'))
    expect(rules['max-lines-per-function']).toEqual(['error',
      { max: 70, skipBlankLines: false, skipComments: false, IIFEs: true }])
    expect(overrides).toEqual([{
      files: ['**/*.test.ts'],
      rules: { 'max-lines-per-function': 'off' },
    }])
  })
})

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm

/** Names of the browser's program and the node's never meet. */
const programOf = (name: string): string => (name.startsWith('src/console/page/') ? 'page' : 'node')
/** A mall has the same files and names as the next; the words of sentences keep their own. */
const OBVIOUS = /^(adapters\/[^/]+|src\/language)\//
/** Written twice on purpose. */
const TWICE: Readonly<Record<string, string>> = {
  Spec: 'adapters import nothing of src, and their contract has its own schema',
}

interface Named { readonly name: string, readonly line: string }

/** Exported names of the product that stand in more than one file. */
function namesTwice(): Map<string, Named[]> {
  const named = new Map<string, Named[]>()
  for (const name of product.filter((one) => /^(src|adapters)\//.test(one) && !OBVIOUS.test(one))) {
    for (const [line, word = ''] of (text.get(name) ?? '').matchAll(EXPORTED)) {
      const key = `${programOf(name)} ${word}`
      if (!Object.hasOwn(TWICE, word)) named.set(key, [...named.get(key) ?? [], { name, line }])
    }
  }
  return new Map([...named].filter(([, of]) => new Set(of.map(({ name }) => name)).size > 1))
}

/** The schema of a field beside the domain's type of it, as with TypeBox: one thing, one name. */
const isSchemaAndType = (of: readonly Named[]): boolean => of.length === 2
  && of.some(({ name, line }) => name.endsWith('fields.ts') && line.startsWith('export const'))
  && of.some(({ line }) => /^export (type|interface) /.test(line))

describe('one term, one meaning', () => {
  const exported = files.filter((name) => /\.tsx?$/.test(name)).flatMap((name) =>
    [...(text.get(name) ?? '').matchAll(EXPORTED)].map(([, word = '']) => ({ name, word })))
  const fileNames = files.map((name) =>
    ({ name, word: basename(name).replace(/(\.test|\.system)*\.\w+$/, '') }))

  test('no exported name and no file name has a word that the dictionary replaced', () => {
    expect(exported.length).toBeGreaterThan(1000)
    const wrong = [...exported, ...fileNames].filter(({ word }) => !KNOWN_NAMES.includes(word))
      .flatMap(({ name, word }) => {
        const old = oldWordIn(word)
        return old ? [`${name}: ${word} has "${old.not}", say ${old.but}`] : []
      })
    expect(wrong).toEqual([])
  })

  test('an exported name stands once, or its folder makes it obvious', () => {
    const wrong = [...namesTwice()].filter(([, of]) => !isSchemaAndType(of))
      .map(([word, of]) => `${word}: ${of.map(({ name }) => name).join(', ')}`)
    expect(wrong).toEqual([])
  })

  test('a name that is still allowed an old word is still there', () => {
    const words = new Set([...exported, ...fileNames].map(({ word }) => word))
    expect(KNOWN_NAMES.filter((name) => !words.has(name))).toEqual([])
  })

  test('the glossary has at most 60 terms, each once, in rooms that there are', () => {
    const rows = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8').split('\n')
      .filter((line) => line.startsWith('| ')).slice(1)
      .map((line) => line.split('|').map((cell) => cell.trim()))
    expect(rows.length).toBeGreaterThan(40)
    expect(rows.length).toBeLessThanOrEqual(60)
    expect(new Set(rows.map(([, term]) => term)).size).toBe(rows.length)
    const rooms = rows.flatMap(([, , , where = '']) => [...where.matchAll(/`([^`]+)`/g)])
      .map(([, room = '']) => room)
    expect(rooms.filter((room) => !existsSync(join(ROOT, room)))).toEqual([])
  })

  test('an old word is found alone and inside a longer name, and not inside another word', () => {
    const names = ['isAway', 'Workplace', 'GoLivePlace', 'set-aside', 'INBOTH', 'IN_BOTH', 'ask']
    expect(names.map((name) => oldWordIn(name)?.not))
      .toEqual(['away', 'workplace', 'place', 'aside', undefined, 'both', 'ask'])
    expect(['placeOrder', 'Standing', 'askAll', 'bears', 'Account'].map(oldWordIn))
      .toEqual([undefined, undefined, undefined, undefined, undefined])
  })
})

describe('one place for one thing', () => {
  test('one file reads the environment', () => {
    // The planter writes it, for the tests that it runs.
    const allowed = ['src/config.ts', SAMPLES, 'loadtest/mutants/plant.ts']
    expect(offenders(/process\.env/, allowed)).toEqual([])
  })

  test('one file owns the clock', () => {
    expect(offenders(/Date\.now|new Date\(\)|performance\.now|setTimeout\(resolve/,
      ['src/contract/time.ts', 'src/console/page/format.ts', 'src/orders/cashier-script.ts']))
      .toEqual([])
  })

  test('two files touch uWebSockets: its loader and the exchange', () => {
    expect(offenders(/from '(\.\/native\.ts|uWebSockets\.js)'/,
      ['src/http/native.ts', 'src/http/exchange.ts', 'src/http/access.ts'])).toEqual([])
  })

  test('one file spells Redis keys', () => {
    expect(offenders(/['"`]\{p\$|`(idem|key|agent|acct|lease|rate|bell):\{?\$\{/,
      ['src/redis/keys.ts'])).toEqual([])
  })

  test('nothing prints but the log, the command line and the progress bar', () => {
    expect(offenders(/console\.(log|error|warn|info|debug)/, [SAMPLES]))
      .toEqual([])
  })
})

/**
 * Lower layers first; a file may import from its own layer and those before it, and a type import
 * counts like any other. The last is for what puts a node together, and stands beside it.
 */
const LAYERS = [
  ['src/contract/'],
  ['src/config.ts', 'src/config-values.ts', 'src/failure.ts', 'src/files.ts', 'src/log.ts',
    'src/log-lines.ts', 'src/mail/', 'src/measures.ts', 'src/outbound.ts', 'src/progress.ts',
    'src/redis/', 'src/secrets/', 'src/site/', 'src/validate.ts', 'src/version.ts'],
  ['src/limits/', 'src/idempotency/'],
  ['src/goods/', 'src/language/'],
  ['src/accounts/', 'src/earnings/', 'src/orders/'],
  ['src/affiliate/'],
  ['src/events/'],
  ['src/services.ts'],
  ['src/operations/', 'src/workers/'],
  ['src/plugin/'],
  ['src/gate/'],
  ['src/http/', 'src/mcp/', 'src/ucp/'],
  ['src/console/'],
  ['src/'],
]
const layerOf = (name: string): number =>
  LAYERS.findIndex((prefixes) => prefixes.some((prefix) => name.startsWith(prefix)))

/** Faces and platforms: rooms that must not know each other, though they share a layer or none. */
const STRANGERS = [
  ['src/http/', /^src\/(mcp|ucp|console)\//],
  ['src/mcp/', /^src\/(http|ucp|console)\//],
  ['src/ucp/', /^src\/(http|mcp|console)\//],
  ['src/contract/', /^(?!src\/contract\/)/],
  ['adapters/', /^src\//],
] as const

const CIRCLE_FILES_MAX = 4

const imports = files.filter((name) => /\.tsx?$/.test(name))
  .flatMap((name) => importsOf(name, text.get(name) ?? ''))
const isProduct = new Set(product)
const ofProduct = imports.filter(({ from }) => isProduct.has(from))

/** What starts servers, browsers or whole services for one test file. */
const SERVERS = new Set([
  ...['ledger', 'shelf', 'cluster', 'recovery', 'service', 'page']
    .map((name) => `src/testing/${name}.ts`),
  'loadtest/earnings/ledger.ts', 'loadtest/faults/testbed.ts',
])

const UNFINISHED = /\.(skip|only|todo)\(|await (sleep|delay)\(/

describe('structure', () => {
  test('imports point one way, type imports counted', () => {
    const wrong = ofProduct.filter(({ from, to }) => from.startsWith('src/')
      && to.startsWith('src/') && layerOf(to) > layerOf(from))
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })

  test.each(STRANGERS)('%s imports nothing of %s', (room, others) => {
    const wrong = ofProduct.filter(({ from, to }) => from.startsWith(room) && others.test(to))
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })

  test('no circle of imports has more than 4 files, type imports counted', () => {
    expect(circlesOf(imports).filter((circle) => circle.length > CIRCLE_FILES_MAX)).toEqual([])
  })

  test('the top level holds what it should, and little else', () => {
    const wanted = new Set(['Dockerfile', 'README.md', 'adapters', 'config', 'docker-compose.yml',
      'docs', 'loadtest', 'package-lock.json', 'package.json', 'src', 'tsconfig.json',
      'node_modules'])
    const extra = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !wanted.has(name))
    expect(extra).toEqual([])
  })

  test('a test never skips or sleeps', () => {
    const wrong = files.filter((name) => isTest(name) && name !== relative(ROOT,
      fileURLToPath(import.meta.url)))
      .filter((name) => UNFINISHED.test(text.get(name) ?? ''))
    expect(wrong).toEqual([])
  })

  test('a test that starts servers of its own is in the system tier', () => {
    const wrong = imports.filter(({ from, to }) => SERVERS.has(to)
      && from.endsWith('.test.ts') && !from.endsWith('.system.test.ts'))
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })

  test('a test in a browser starts nothing before it is known that there is one', () => {
    const inBrowser = files.filter((name) => isTest(name) && name.startsWith('src/console/page/'))
    expect(offenders(/^(?:const [^=]+= )?await /m, [], inBrowser)).toEqual([])
  })

  test('a test that waits has patience: expect.poll as configured, or eventually', () => {
    const tests = files.filter(isTest)
    expect(offenders(/vi\.wait(For|Until)\b/, [
      'src/testing/eventually.ts', 'src/testing/house.test.ts',
    ], tests)).toEqual([])
    expect(offenders(/expect\.poll\([^;]{0,200}\{ timeout: \d{3,4}[ ,]/, [], tests)).toEqual([])
  })
})
