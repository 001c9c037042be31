/** The samples as programs: each is run, and what it sends is what the operation's example says. */
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../operations/index.ts'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { entryOf, exampleIn } from './model.ts'
import { samplesOf } from './examples.ts'

interface Sent {
  readonly method: string
  readonly path: string
  readonly query: Record<string, string>
  readonly headers: Record<string, string | undefined>
  readonly body: unknown
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const run = promisify(execFile)
const sent: Sent[] = []
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    sent.push({
      method: request.method ?? '', path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers as Sent['headers'], body: body === '' ? undefined : JSON.parse(body),
    })
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ code: 0, msg: 'ok', data: { answer: sent.length } }))
  })
})
await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
afterAll(() => { server.close() })
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
const entries = operations.map(entryOf)
const options = { timeout: PATIENCE_MS, env: { ...process.env, KEY: 'ak_sample' } }

/** All programs of a language, one after the other, in one process. */
const PROGRAMS = {
  javascript: (programs: readonly string[]) => run(process.execPath, ['--input-type=module', '-e',
    programs.map((one) => `await (async () => {\n${one}\n})()`).join('\n')], options),
  python: (programs: readonly string[]) => run('python3', ['-c',
    `import json, sys\nfor one in json.loads(sys.argv[1]): exec(one, {})`,
    JSON.stringify(programs)], options),
} as const

describe.each(Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[])('%s', (language) => {
  let first = 0
  let output = ''
  beforeAll(async () => {
    first = sent.length
    const programs = entries.map((entry) => samplesOf(entry, base)[language]);
    ({ stdout: output } = await PROGRAMS[language](programs))
  })

  test('every program prints what it was answered', () => {
    expect(output.match(/answer/g)).toHaveLength(entries.length)
  })

  test.each(entries.map((entry, at) => [entry.operation.name, entry, at] as const))(
    '%s sends its example', (_name, entry, at) => {
      const { method, path, query, headers, body } = sent[first + at] as Sent
      const values = exampleIn(entry, 'path')
      expect([method, path]).toEqual([entry.method, `/v1${entry.path.replaceAll(/\{(\w+)\}/g,
        (_, name: string) => encodeURIComponent(String(values[name])))}`])
      const wanted = exampleIn(entry, 'body')
      expect(body).toEqual(Object.keys(wanted).length === 0 ? undefined : wanted)
      expect(query).toEqual(Object.fromEntries(Object.entries(exampleIn(entry, 'query'))
        .map(([name, value]) => [name, String(value)])))
      expect(headers['authorization'])
        .toBe(entry.operation.access === 'key' ? 'Bearer ak_sample' : undefined)
      expect(body === undefined || headers['content-type'] === 'application/json').toBe(true)
      const needsUuid = Object.keys(exampleIn(entry, 'header')).length > 0
      expect(UUID.test(headers['idempotency-key'] ?? '')).toBe(needsUuid)
    })
})
