import { expect, test } from 'vitest'
import { encodeCommand, isExpected, valueEnd } from './replay.ts'

const VALUES = ['+OK\r\n', '-ERR no\r\n', ':42\r\n', '$-1\r\n', '*-1\r\n', '*0\r\n', '$0\r\n\r\n',
  '$4\r\na\r\nb\r\n', '*2\r\n*2\r\n:1\r\n$1\r\nx\r\n$-1\r\n']

test('a value ends where it ends, and nowhere before', () => {
  for (const value of VALUES) {
    const bytes = Buffer.from(`${value}:7\r\n`)
    expect(valueEnd(bytes, 0)).toBe(value.length)
    for (let length = 0; length < value.length; length += 1) {
      expect(valueEnd(bytes.subarray(0, length), 0)).toBe(-1)
    }
  }
})

test('a command is one value, whatever its words are made of', () => {
  const command = encodeCommand(['SET', '键', 7, Buffer.from([0x0d, 0x0a, 0xff])])
  expect(valueEnd(Buffer.concat([command, command]), 0)).toBe(command.length)
})

test('an answer is a list whose first value begins as expected', () => {
  const is = (reply: string, expected: string) =>
    isExpected(Buffer.from(reply), Buffer.from(expected))
  expect(is('*2\r\n$6\r\nplaced\r\n$1\r\nx\r\n', '$6\r\nplaced')).toBe(true)
  expect(is('*12\r\n$6\r\nplaced\r\n', '$6\r\nplaced')).toBe(true)
  expect(is('*2\r\n$5\r\nstock\r\n', '$6\r\nplaced')).toBe(false)
  expect(is('-ERR no\r\n', '')).toBe(false)
})
