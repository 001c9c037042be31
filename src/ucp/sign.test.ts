import { createHash, createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecrets } from '../secrets/derive.ts'
import { signatureOf } from './sign.ts'

const one = 'the-first-secret-of-this-test-of-signatures'
const other = 'the-other-secret-of-this-test-of-signatures'
const answer = { status: 200, contentType: 'application/json', body: Buffer.from('{"id":"x"}') }

test('an answer is signed by the published key, over its status, body and type', () => {
  const [key] = createSecrets(one).signingKeys
  const [[, digest], [, input], [, signature]] = signatureOf(answer, key) as
    [[string, string], [string, string], [string, string]]
  expect(digest).toBe(`sha-256=:${createHash('sha256').update('{"id":"x"}').digest('base64')}:`)
  const base = `"@status": 200\n"content-digest": ${digest}\n"content-type": application/json\n`
    + `"@signature-params": ${input.slice('sig1='.length)}`
  const bytes = Buffer.from(signature.slice('sig1=:'.length, -1), 'base64')
  const { kty, crv, x, y, kid } = key.jwk
  const published = createPublicKey({ format: 'jwk', key: { kty, crv, x, y } })
  const isValid = (text: string): boolean => verify('sha256', Buffer.from(text),
    { key: published, dsaEncoding: 'ieee-p1363' }, bytes)
  expect([isValid(base), isValid(base.replace('200', '201'))]).toEqual([true, false])
  expect(input).toBe(`sig1=("@status" "content-digest" "content-type");keyid="${kid}"`)
})

test('all secrets have a key, the first signs, and a node that starts again has the same', () => {
  const ids = (text: string): string[] =>
    createSecrets(text).signingKeys.map(({ jwk }) => `${jwk.kid} ${jwk.x}`)
  expect(ids(`${other},${one}`)).toEqual([...ids(other), ...ids(one)])
  expect(ids(one)).toEqual(ids(one))
  expect(ids(one)).not.toEqual(ids(other))
})
