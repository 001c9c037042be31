/** Signatures of platforms (RFC 9421), by the keys of their profile. A key of ours still decides
 * who calls: a platform that signs shows that nobody changed what it sent. */
import { createPublicKey, verify as verifyBytes } from 'node:crypto'
import { httpbis } from 'http-message-signatures'
import { Refusal } from '../contract/errors.ts'
import type { HttpRequest } from '../contract/http.ts'
import { type PlatformKey, type Platforms, profileInHeader } from './platform.ts'
import { digestOf } from './sign.ts'

/** By the curve of a key. */
const HASHES: Readonly<Record<string, string>> = { 'P-256': 'sha256', 'P-384': 'sha384' }
/** Signatures that are looked at of one request. */
const SIGNATURES_MAX = 4
const HEADERS = [
  'ucp-agent', 'idempotency-key', 'content-digest', 'content-type', 'signature', 'signature-input',
] as const

const refused = (reason: string, hint: string, cause?: unknown): Refusal =>
  new Refusal('signature_refused', { reason, hint }, cause)

const wrong = (reason: string, hint: string): Refusal =>
  new Refusal('invalid_request', { reason, hint })

export const hasSignature = (request: HttpRequest): boolean =>
  request.header('signature-input') !== undefined || request.header('signature') !== undefined

export async function verifySignature(
  request: HttpRequest, platforms: Platforms, publicUrl: string,
): Promise<void> {
  const [input, signature] = [request.header('signature-input'), request.header('signature')]
  if (input === undefined || signature === undefined) {
    throw refused('signature_missing', 'Send both Signature-Input and Signature, or neither.')
  }
  if (input.split('keyid=').length > SIGNATURES_MAX + 1) {
    throw refused('signature_invalid', `At most ${SIGNATURES_MAX} signatures are looked at.`)
  }
  const body = await request.body()
  if (body.length > 0 && request.header('content-digest') !== digestOf(body)) {
    throw wrong('digest_mismatch', 'Content-Digest must be the sha-256 of the body as it is sent.')
  }
  const { signing_keys: keys = [] } =
    await platforms.profile(profileInHeader(request.header('ucp-agent')))
  if (!await isSigned(request, keys, { publicUrl, hasBody: body.length > 0 })) {
    throw refused('key_not_found', 'No key of signing_keys in your profile has this keyid.')
  }
}

/** Undefined where it is by none of the keys; refuses one that is by a key, and wrong. */
async function isSigned(
  request: HttpRequest, keys: readonly PlatformKey[],
  { publicUrl, hasBody }: { publicUrl: string, hasBody: boolean },
): Promise<boolean> {
  const { method, path, query } = request
  const url = `${new URL(publicUrl).origin}${path}${query === '' ? '' : `?${query}`}`
  const headers = Object.fromEntries(HEADERS.flatMap((name) => {
    const value = request.header(name)
    return value === undefined ? [] : [[name, value]]
  }))
  try {
    const found = await httpbis.verifyMessage({
      requiredFields: [
        '@method', '@authority', '@path', 'ucp-agent',
        ...(query === '' ? [] : ['@query']),
        ...(headers['idempotency-key'] === undefined ? [] : ['idempotency-key']),
        ...(hasBody ? ['content-digest', 'content-type'] : []),
      ],
      keyLookup: async ({ keyid }) => verifierOf(keys.find(({ kid }) => kid === keyid)),
    }, { method, url, headers })
    if (found === false) throw new Error('The signature is another\'s.')
    return found === true
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw refused('signature_invalid', 'Sign @method, @authority (of the address in our profile), '
      + '@path, @query, ucp-agent, idempotency-key, content-digest and content-type: those that '
      + 'the request has.', error)
  }
}

function verifierOf(key: PlatformKey | undefined) {
  if (!key) return null
  const { kid, kty, crv, x, y } = key
  const hash = HASHES[crv ?? '']
  if (kty !== 'EC' || hash === undefined) {
    throw wrong('algorithm_unsupported', 'Sign with a key of P-256 or P-384.')
  }
  return {
    id: kid,
    verify: async (data: Buffer, signature: Buffer) => verifyBytes(hash, data, {
      key: createPublicKey({ format: 'jwk', key: { kty, crv, x, y } }), dsaEncoding: 'ieee-p1363',
    }, signature),
  }
}
