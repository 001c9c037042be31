import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
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
