/** A key pair of ECDSA on P-256 for what others verify; derived, so that all nodes have it. */
import { createECDH, createPrivateKey, sign } from 'node:crypto'

export interface PublicJwk {
  readonly kid: string
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  readonly use: 'sig'
  readonly alg: 'ES256'
}

export interface SigningKey {
  readonly jwk: PublicJwk
  /** The two numbers of the signature, 32 bytes each. */
  sign(bytes: Buffer): Buffer
}

const COORDINATE_BYTES = 32
const TRIES = 8

export function createSigningKey(derive: (use: string) => Buffer, kid: string): SigningKey {
  const { secret, point } = keyPair(derive)
  const [x, y] = [point.subarray(1, 1 + COORDINATE_BYTES), point.subarray(1 + COORDINATE_BYTES)]
    .map((coordinate) => coordinate.toString('base64url')) as [string, string]
  const jwk: PublicJwk = { kid, kty: 'EC', crv: 'P-256', x, y, use: 'sig', alg: 'ES256' }
  const key = createPrivateKey({
    format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y, d: secret.toString('base64url') },
  })
  return { jwk, sign: (bytes) => sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }) }
}

/** One value of 2^32 is no private key of the curve: the next one is taken. */
function keyPair(derive: (use: string) => Buffer): { secret: Buffer, point: Buffer } {
  const curve = createECDH('prime256v1')
  for (let nth = 0; nth < TRIES; nth += 1) {
    const secret = derive(`key-for:signing${nth === 0 ? '' : `:${nth}`}`)
    try {
      curve.setPrivateKey(secret)
      return { secret, point: curve.getPublicKey() }
    } catch {
      // Not between 1 and the order of the curve.
    }
  }
  throw new Error('No signing key could be derived.')
}
