import { createCipheriv, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSeal, sealedUnder } from './seal.ts'

const [key, next] = [{ id: 'one', key: randomBytes(32) }, { id: 'two', key: randomBytes(32) }]
const seal = createSeal('x', [key])

/** As code sealed before envelopes named their key. */
function sealedBefore(text: string, subject: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key.key, nonce)
  cipher.setAAD(Buffer.from(`x1:${subject}`))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `x1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

test('an envelope opens for its subject, its kind and its key alone', () => {
  const envelope = seal.seal('某人@example.com', 'ac_1')
  expect(envelope).toMatch(/^x2\.one\.[0-9A-Za-z_-]+$/)
  expect(seal.open(envelope, 'ac_1')).toBe('某人@example.com')
  expect(() => seal.open(envelope, 'ac_2')).toThrow(Error)
  expect(() => createSeal('x', [{ ...key, key: next.key }]).open(envelope, 'ac_1')).toThrow(Error)
  expect(() => createSeal('y', [key]).open(envelope, 'ac_1')).toThrow(/unknown way/)
  expect(() => createSeal('y', [key]).open(envelope.replace('x2', 'y2'), 'ac_1')).toThrow(Error)
  const renamed = createSeal('x', [{ ...key, id: 'two' }])
  expect(() => renamed.open(envelope.replace('one', 'two'), 'ac_1')).toThrow(Error)
})

test('the first of several keys seals, and every one opens what names it', () => {
  const before = seal.seal('text', 'ac_1')
  const both = createSeal('x', [next, key])
  const after = both.seal('text', 'ac_1')
  expect([before, after].map(sealedUnder)).toEqual(['one', 'two'])
  expect([before, after].map((one) => both.open(one, 'ac_1'))).toEqual(['text', 'text'])
  expect(() => seal.open(after, 'ac_1')).toThrow(/a secret that SECRET does not name/)
})

test('an envelope from before there were ids opens with the key that it was sealed with', () => {
  const envelope = sealedBefore('text', 'ac_1')
  expect(sealedUnder(envelope)).toBeUndefined()
  expect(createSeal('x', [key, next]).open(envelope, 'ac_1')).toBe('text')
  expect(createSeal('x', [next, key]).open(envelope, 'ac_1')).toBe('text')
  expect(() => createSeal('x', [next]).open(envelope, 'ac_1')).toThrow(Error)
  expect(() => seal.open(envelope, 'ac_2')).toThrow(Error)
})

test('what is no envelope does not open', () => {
  for (const envelope of [
    '', 'x1', 'x1.', 'x1.AAAA', `x1.${'A'.repeat(36)}`, 'x2', 'x2.one', 'x2.one.', 'x2.one.AAAA',
    `x2.one.${'A'.repeat(36)}`, `x2..${'A'.repeat(36)}`,
  ]) {
    expect(() => seal.open(envelope, 'ac_1')).toThrow(Error)
  }
})

test('a thousand envelopes of one text are a thousand', () => {
  const envelopes = Array.from({ length: 1000 }, () => seal.seal('x', 'y'))
  expect(new Set(envelopes).size).toBe(1000)
})
