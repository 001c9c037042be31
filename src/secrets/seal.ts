/** Personal data at rest: sealed with AES-256-GCM and bound to what it belongs to. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

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
  /** Throws when the envelope is not this subject's, was changed, or has a key that is not here. */
  open(envelope: string, subject: string): string
}

export interface SealKey {
  /** Stands in each envelope; without a dot. */
  readonly id: string
  /** 32 bytes; each kind of data has one of its own. */
  readonly key: Buffer
}

/**
 * The first key seals, every one opens. An envelope is `<kind>2.<key id>.<body>`, and its key is
 * derived from that key and the subject: random nonces under one key are safe for 2^32 envelopes
 * only. One from before there were ids is `<kind>1.<body>`: each key is tried on it.
 */
export function createSeal(kind: string, keys: readonly [SealKey, ...SealKey[]]): Seal {
  const [present, older] = [`${kind}2`, `${kind}1`]
  const bindingOf = (id: string, subject: string): string => `${present}.${id}:${subject}`
  const keyOf = (key: Buffer, bound: string): Buffer =>
    createHmac('sha256', key).update(bound).digest()
  return {
    seal(text, subject) {
      const [{ id, key }] = keys
      const bound = bindingOf(id, subject)
      return `${present}.${id}.${encrypt(text, keyOf(key, bound), bound)}`
    },
    open(envelope, subject) {
      const [version, ...parts] = envelope.split('.')
      if (version === older) return openOlder(parts[0] ?? '', `${older}:${subject}`, keys)
      if (version !== present) throw new Error('This was sealed in an unknown way.')
      const [id = '', body = ''] = parts
      const known = keys.find((one) => one.id === id)
      if (!known) {
        throw new Error('This is sealed under a secret that SECRET does not name: look at '
          + '"agentmall secret status", and add that secret behind the others.')
      }
      const bound = bindingOf(id, subject)
      return decrypt(body, keyOf(known.key, bound), bound)
    },
  }
}

/** The id of an envelope's key; undefined in one that names none. */
export const sealedUnder = (envelope: string): string | undefined =>
  /^[a-z]2\.([^.]+)\./.exec(envelope)?.[1]

function openOlder(body: string, bound: string, keys: readonly SealKey[]): string {
  for (const [index, { key }] of keys.entries()) {
    try {
      return decrypt(body, key, bound)
    } catch (error) {
      if (index === keys.length - 1) throw error
    }
  }
  throw new Error('There is no key.')
}

function encrypt(text: string, key: Buffer, bound: string): string {
  const nonce = nextNonce()
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(bound))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

function decrypt(body: string, key: Buffer, bound: string): string {
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(bound))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([text, decipher.final()]).toString()
}
