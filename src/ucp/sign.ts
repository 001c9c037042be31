/** HTTP Message Signatures (RFC 9421) of answers, by the key that the profile publishes. */
import { createHash } from 'node:crypto'
import type { HeaderList } from '../contract/http.ts'
import type { SigningKey } from '../secrets/signing-key.ts'

const COMPONENTS = '("@status" "content-digest" "content-type")'

/** Headers that sign an answer's status, body and type. */
export function signatureOf(
  { status, contentType, body }: { status: number, contentType: string, body: Buffer },
  { jwk, sign }: SigningKey,
): HeaderList {
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
  const parameters = `${COMPONENTS};keyid="${jwk.kid}"`
  const base = [
    `"@status": ${status}`,
    `"content-digest": ${digest}`,
    `"content-type": ${contentType}`,
    `"@signature-params": ${parameters}`,
  ].join('\n')
  return [
    ['Content-Digest', digest],
    ['Signature-Input', `sig1=${parameters}`],
    ['Signature', `sig1=:${sign(Buffer.from(base)).toString('base64')}:`],
  ]
}
