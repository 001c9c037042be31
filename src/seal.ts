/** Personal data at rest: sealed with AES-256-GCM and bound to what it belongs to. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Random bytes come cheaper by the thousand. */
let pool = Buffer.alloc(0)

function nextNonce(): Buffer {
  if (pool.length < NONCE_BYTES) pool = randomBytes(NONCE_BYTES * 256)
  const nonce = pool.subarray(0, NONCE_BYTES)
  pool = pool.subarray(NONCE_BYTES)
  return nonce
}

export interface Seal {
  /** The envelope opens for this subject alone. */
  seal(text: string, subject: string): string
  /** Throws when the envelope is not this subject's, or was changed. */
  open(envelope: string, subject: string): string
}

/**
 * `version` stands before each envelope: it names cipher and key, so that both can change while
 * old envelopes stay readable. Each kind of data has a version and a key (32 bytes) of its own.
 */
export function createSeal(version: string, key: Buffer): Seal {
  const bound = (subject: string): Buffer => Buffer.from(`${version}:${subject}`)
  return {
    seal(text, subject) {
      const nonce = nextNonce()
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(bound(subject))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const body = Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
      return `${version}.${body}`
    },
    open(envelope, subject) {
      const [given, body = ''] = envelope.split('.')
      if (given !== version) throw new Error('This was sealed in an unknown way.')
      const bytes = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(bound(subject))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString()
    },
  }
}
