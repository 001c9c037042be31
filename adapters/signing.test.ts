import { expect, test } from 'vitest'
import { hmacOf, md5Wrapped, sameText, signedText, type SignedParams } from './signing.ts'
import vectors from './vectors.json' with { type: 'json' }

interface Vector {
  readonly id: string
  readonly kind: string
  readonly secret: string
  readonly params?: SignedParams
  readonly canonical?: string
  readonly sign: string
}

const SIGNERS: Readonly<Record<string, (secret: string, params: SignedParams) => string>> = {
  md5_wrap_upper: md5Wrapped,
  md5_wrap_lower: (secret, params) => md5Wrapped(secret, params).toLowerCase(),
  hmac_md5_upper: (secret, params) => hmacOf('md5', secret, params),
  hmac_sha256_upper: (secret, params) => hmacOf('sha256', secret, params),
}
const sorted = (vectors as unknown as readonly Vector[]).filter(({ kind }) => kind in SIGNERS)

test('every vector over sorted parameters has its signature', () => {
  expect(sorted.length).toBe(16)
  for (const { id, kind, secret, params = {}, canonical, sign } of sorted) {
    expect(SIGNERS[kind]?.(secret, params), id).toBe(sign)
    expect(signedText(params), id).toBe(canonical ?? signedText(params))
  }
})

test('a signature does not sign itself', () => {
  expect(signedText({ b: '2', sign: 'x', a: '1' })).toBe('a1b2')
})

test('texts are the same only when they are', () => {
  expect([sameText('abc', 'abc'), sameText('abc', 'abd'), sameText('abc', 'ab')])
    .toEqual([true, false, false])
})
