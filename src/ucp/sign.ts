/** HTTP Message Signatures (RFC 9421) of answers and of webhooks, by the key of the profile. */
import { createHash } from 'node:crypto'
import type { HeaderList } from '../contract/http.ts'
import type { SigningKey } from '../secrets/signing-key.ts'

export const digestOf = (body: Buffer): string =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`

/** A part of a message by its name in the signature, and its value. */
type Component = readonly [name: string, value: string]

/** Headers that sign these parts, in this order. */
function signed(components: readonly Component[], { jwk, sign }: SigningKey): HeaderList {
  const names = components.map(([name]) => `"${name}"`).join(' ')
  const parameters = `(${names});keyid="${jwk.kid}"`
  const base = [...components, ['@signature-params', parameters] as const]
    .map(([name, value]) => `"${name}": ${value}`).join('\n')
  return [
    ['Signature-Input', `sig1=${parameters}`],
    ['Signature', `sig1=:${sign(Buffer.from(base)).toString('base64')}:`],
  ]
}

/** Of an answer's status, body and type. */
export function signatureOf(
  { status, contentType, body }: { status: number, contentType: string, body: Buffer },
  key: SigningKey,
): HeaderList {
  const digest = digestOf(body)
  return [['Content-Digest', digest], ...signed([
    ['@status', String(status)], ['content-digest', digest], ['content-type', contentType],
  ], key)]
}

/** The headers of a request with a body, with its signature of all of them. */
export function signedRequest(
  { method, url, headers, body }: {
    method: string, url: string, headers: HeaderList, body: Buffer,
  },
  key: SigningKey,
): Readonly<Record<string, string>> {
  const { host, pathname, search } = new URL(url)
  const all: HeaderList = [...headers, ['content-digest', digestOf(body)]]
  return Object.fromEntries([...all, ...signed([
    ['@method', method], ['@authority', host], ['@path', pathname],
    ...(search !== '' ? [['@query', search] as const] : []),
    ...all,
  ], key)])
}
