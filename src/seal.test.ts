import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSeal } from './seal.ts'

const key = randomBytes(32)
const seal = createSeal('x1', key)

test('an envelope opens for its subject, its kind and its key alone', () => {
  const envelope = seal.seal('某人@example.com', 'ac_1')
  expect(envelope).toMatch(/^x1\.[0-9A-Za-z_-]+$/)
  expect(seal.open(envelope, 'ac_1')).toBe('某人@example.com')
  expect(() => seal.open(envelope, 'ac_2')).toThrow(Error)
  expect(() => createSeal('x1', randomBytes(32)).open(envelope, 'ac_1')).toThrow(Error)
  expect(() => createSeal('x2', key).open(envelope, 'ac_1')).toThrow(/unknown way/)
  expect(() => createSeal('x2', key).open(envelope.replace('x1', 'x2'), 'ac_1')).toThrow(Error)
})

test('what is no envelope does not open', () => {
  for (const envelope of ['', 'x1', 'x1.', 'x1.AAAA', `x1.${'A'.repeat(36)}`]) {
    expect(() => seal.open(envelope, 'ac_1')).toThrow(Error)
  }
})

test('a thousand envelopes of one text are a thousand', () => {
  const envelopes = Array.from({ length: 1000 }, () => seal.seal('x', 'y'))
  expect(new Set(envelopes).size).toBe(1000)
})
