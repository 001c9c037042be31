import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readableLine } from './log-lines.ts'

const plain = (facts: object): string =>
  stripVTControlCharacters(readableLine(JSON.stringify({
    level: 30, time: '2026-11-23T05:01:06.423Z', pid: 7, ...facts,
  })))

test('a request on a terminal is one short line', () => {
  expect(plain({
    operation: 'search_goods', request_id: '82b1', method: 'GET', route: '/v1/goods', status: 200,
    ms: 70.95, bytes: 25_068, address: '127.0.0.1', msg: 'request',
  })).toMatch(/^\d\d:\d\d:\d\d 200 GET {2}\/v1\/goods search_goods 70\.95 ms request_id=82b1\n$/)
})

test('any other line is its message and its facts', () => {
  expect(plain({ level: 40, redis: '127.0.0.1:1', tries: 3, msg: 'Redis does not answer' }))
    .toMatch(/^[\d:]{8} Redis does not answer redis=127\.0\.0\.1:1 tries=3\n$/)
  expect(readableLine('no JSON\n')).toBe('no JSON\n')
})

test('an error and a warning differ in colour', () => {
  const line = (level: number): string => readableLine(JSON.stringify({ level, time: 0, msg: 'x' }))
  expect(line(50)).toContain('\u001b[31mx')
  expect(line(40)).toContain('\u001b[33mx')
  expect(line(30)).not.toContain('\u001b[3')
})

describe('the lines of a process that answers calls', () => {
  const LOG = JSON.stringify(new URL('log.ts', import.meta.url).href)

  /** What that program, which has such a log, leaves on its standard output. */
  async function linesOf(program: string, readAfter?: string) {
    const child = spawn(process.execPath, [
      '--import', import.meta.resolve('tsx'), '--input-type=module', '--eval',
      `const { createLogger } = await import(${LOG})
      const log = createLogger('info', { isBuffered: true, isTerminal: false })
      ${program}`,
    ], { stdio: ['ignore', 'pipe', 'pipe'] })
    if (readAfter !== undefined) {
      for await (const said of child.stderr) if (String(said).includes(readAfter)) break
    }
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')])
    return said.trimEnd().split('\n')
      .map((line) => JSON.parse(line) as
        { readonly n?: number, readonly msg?: string, readonly bytes?: number })
  }

  const MANY = 2000
  const many = `for (let n = 0; n < ${MANY}; n += 1) log.writeLine(JSON.stringify({ n }) + '\\n')
      log.warn('the last')`

  test('arrive in their order where it waits for them, with those of the logger', async () => {
    const lines = await linesOf(`${many}
      await log.drained()
      process.exit(0)`)
    expect(lines.slice(0, -1)).toEqual(Array.from({ length: MANY }, (_, n) => ({ n })))
    expect(lines.at(-1)).toMatchObject({ level: 40, msg: 'the last' })
  })

  test('all arrive where it ends without waiting, though not in their order', async () => {
    const lines = await linesOf(`${many}
      process.exit(0)`)
    const numbers = lines.flatMap(({ n }) => n ?? [])
    expect(numbers.toSorted((one, other) => one - other)).toEqual([...Array(MANY).keys()])
    expect(lines.filter(({ msg }) => msg === 'the last')).toHaveLength(1)
  })

  test('are bounded while nobody reads them, and a line says how much was dropped', async () => {
    const written = 40_000
    const lines = await linesOf(`
      const line = JSON.stringify({ text: 'x'.repeat(1000) }) + '\\n'
      for (let n = 0; n < ${written}; n += 1) log.writeLine(line)
      process.stderr.write('written')
      await log.drained()
      log.writeLine(line)
      await log.drained()
      process.exit(0)`, 'written')
    const dropped = lines.find(({ msg }) => msg !== undefined)
    expect(dropped?.msg).toBe('standard output is not read in time: lines were dropped')
    const lineBytes = 1012
    expect(lines.length - 1 + Number(dropped?.bytes) / lineBytes).toBe(written + 1)
    expect((lines.length - 1) * lineBytes).toBeLessThan(9_000_000)
  })
})
