/** What the command makes of programs that pass, fail, or cannot be run here. */
import { expect, test } from 'vitest'
import { ERRORS } from '../../src/contract/errors.ts'
import { operations } from '../../src/operations/index.ts'
import { startListener } from '../../src/testing/listener.ts'
import {
  type Ending, NotRun, programOf, reasonOf, type TriedClient, tryClient, type Workspace,
} from './try-client.ts'
import { GENERATORS, MCP_CLIENTS } from './tried-clients.ts'
import { hasFailed, hasPassed, summaryOf, tableOf } from './report.ts'

const ORDER = 'AM3VQ2Z7K8M1T5R9C4XD'
const hint = (name: 'idempotency_mismatch' | 'key_invalid'): string => ERRORS[name].hint
const SAID = [
  'read get_goods_detail 杯', 'read cps_smart_search shelf:1', 'read cps_compare source',
  `order ${ORDER}`, 'read get_order_status pending_payment', `again ${ORDER} true`,
  `refusal idempotency_mismatch ${hint('idempotency_mismatch')}`,
  `refusal key_invalid key_invalid: unknown. ${hint('key_invalid')} (request_id 1)`,
]
const TOOLS = `tools ${operations.filter(({ tool }) => tool !== false).length}`

/** A node that knows one order, and a workspace on which every program ends so. */
async function tryIt(ending: Ending, subject: Partial<TriedClient> = {}) {
  const { port } = await startListener({
    [`GET /v1/orders/${ORDER}`]: () => ({ status: 200, body: '{}' }),
  })
  const workspace: Workspace = {
    folder: '/nowhere', log: '/nowhere/log.txt', run: async () => '', fetch: async () => '',
    runToEnd: async () => ending,
  }
  return tryClient({
    name: 'made-up', version: '1.0.0', generate: async () => {}, compile: async () => ['true'],
    ...subject,
  }, { url: `http://127.0.0.1:${port}`, key: 'ak_test' }, async () => workspace)
}

test('a client that reads, orders once and shows its refusals has passed', async () => {
  const row = await tryIt({ output: SAID.join('\n') })
  expect(hasPassed(row)).toBe(true)
  expect(tableOf('generator', ['generates', 'reads', 'order'], [row])).toBe([
    '| generator | version | generates | reads | order |', '|---|---|---|---|---|',
    '| made-up | 1.0.0 | yes | 4 of 4 | yes |',
  ].join('\n'))
  expect(summaryOf([row])).toBe('1 passed, 0 failed, 0 not run')
})

test.each([
  ['reads', SAID.filter((line) => !line.includes('compare'))],
  ['order', SAID.map((line) => line.replaceAll(ORDER, 'AM0'))],
  ['duplicate', SAID.map((line) => line.replace('true', 'false'))],
  ['duplicate', SAID.map((line) => line.replace(`again ${ORDER}`, 'again AM0'))],
  ['refusals', SAID.map((line) => line.replace(hint('key_invalid'), 'Server error'))],
  ['refusals', SAID.filter((line) => !line.includes('mismatch'))],
])('without the right %s it has failed', async (column, said) => {
  const row = await tryIt({ output: said.join('\n') })
  expect(hasFailed(row)).toBe(true)
  expect(Object.keys(row.cells).filter((name) => !row.cells[name]?.isRight)).toEqual([column])
  expect(tableOf('generator', [column], [row])).toContain('**NO**')
})

test('a program that ends early has failed with its reason, whatever it said before', async () => {
  const row = await tryIt({ output: SAID.join('\n'), failure: 'panicked' })
  expect(row.failure).toContain('panicked')
  expect(hasFailed(row)).toBe(true)
  expect(summaryOf([row])).toMatch(/made-up: failed: panicked .*\n0 passed, 1 failed, 0 not run/)
})

test('what the machine lacks is not run: neither passed nor failed', async () => {
  const row = await tryIt({ output: '' }, {
    compile: async () => [programOf('no-such-compiler')],
  })
  expect(row).toMatchObject({ notRun: 'no-such-compiler is not installed' })
  expect([hasPassed(row), hasFailed(row)]).toEqual([false, false])
  expect(summaryOf([row]))
    .toBe('made-up: not run: no-such-compiler is not installed\n0 passed, 0 failed, 1 not run')
  expect(() => programOf('no-such-compiler')).toThrow(NotRun)
})

test('an MCP client is held to all tools, and a problem that it names is a failure', async () => {
  const subject: Partial<TriedClient> = { generate: undefined }
  const passed = await tryIt({ output: [TOOLS, ...SAID, 'besides 2026-07-28'].join('\n') }, subject)
  expect(hasPassed(passed)).toBe(true)
  expect(passed.cells['besides']?.text).toBe('2026-07-28')
  for (const said of [['tools 19', ...SAID], [TOOLS, ...SAID, 'problem format uuid']]) {
    const row = await tryIt({ output: said.join('\n') }, subject)
    expect(hasFailed(row)).toBe(true)
  }
  const own = SAID.map((line) => line.replace(hint('key_invalid'), 'Auth required'))
  const words = { ...subject, wordsFor401: 'Auth required' }
  expect(hasPassed(await tryIt({ output: [TOOLS, ...own].join('\n') }, words))).toBe(true)
})

test('the reason of a failure is the line that names it, else the last one', () => {
  const error = new Error('Command failed')
  expect(reasonOf('warning: a\nerror[E0277]: no Display\nhelp: b', '', error))
    .toBe('error[E0277]: no Display')
  expect(reasonOf('', 'one\ntwo\n', error)).toBe('two')
  expect(reasonOf('', '', error)).toBe('Command failed')
})

test('each subject has a name of its own and a version without a range', () => {
  const subjects = [...GENERATORS, ...MCP_CLIENTS]
  const names = subjects.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  for (const { version } of subjects) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})
