/** Signatures of what is sent to webhook endpoints, as Standard Webhooks 1.0 has them. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const PREFIX = 'whsec_'
/** The standard wants 24 to 64. */
const SECRET_BYTES = 32

export const newSigningSecret = (): string =>
  PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** What a client brings of its own: 24 to 64 bytes in Base64. */
export function isSigningSecret(text: string): boolean {
  const encoded = text.slice(PREFIX.length)
  const bytes = Buffer.from(encoded, 'base64')
  return text.startsWith(PREFIX) && bytes.length >= 24 && bytes.length <= 64
    && bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '')
}

/** Whether a receiver's answer has the challenge that it was sent, as JSON. */
export function answersChallenge(text: string, challenge: string): boolean {
  try {
    const { challenge: answer } = JSON.parse(text) as { challenge?: unknown }
    return typeof answer === 'string' && timingSafeEqual(digestOf(answer), digestOf(challenge))
  } catch {
    return false
  }
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

export interface SignedMessage {
  readonly id: string
  readonly body: string
  /** Of the attempt, not of the event, in seconds. */
  readonly timestampS: number
}

/** The headers of one attempt; while a secret is rotated there is a signature by each. */
export function signedHeaders(
  { id, body, timestampS }: SignedMessage, secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    const text = `${id}.${timestampS}.${body}`
    return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': signatures.join(' '),
  }
}
