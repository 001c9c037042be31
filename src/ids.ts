/** Identifiers: what they look like, and how they are made. */
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { partitionOf } from './redis/keys.ts'

/** Crockford's base32: no letters that a person takes for digits. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `AM`, two characters of partition, sixteen of 80 bits of HMAC. */
export const ORDER_NO_PATTERN = '^AM[0-7][0-9A-HJKMNP-TV-Z]{17}$'
export const API_KEY_PATTERN = '^ak_(trial_)?[0-9A-Za-z]{32}$'

/** One product has one sku; two digits are kept for variants to come. */
export const skuIdOf = (productId: number): number => productId * 100 + 1
export const productIdOf = (skuId: number): number | undefined =>
  skuId % 100 === 1 ? Math.floor(skuId / 100) : undefined

export function base32(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32[(held >> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + BASE32[(held << (5 - bits)) & 31] : text
}

/** Unbiased random base62: bytes that would favour a character are thrown away. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

export const randomId = (prefix: string): string => `${prefix}${base32(randomBytes(10))}`

/** The partition that an order number names; undefined when it is not an order number. */
export function partitionOfOrder(orderNo: string): number | undefined {
  if (!new RegExp(ORDER_NO_PATTERN).test(orderNo)) return undefined
  return BASE32.indexOf(orderNo[2] ?? '') * 32 + BASE32.indexOf(orderNo[3] ?? '')
}

/** Every use of SECRET has its own key, so that one value can never pass for another. */
export interface Secrets {
  /** Stored form of an API key or binding code, base64url. */
  keyHash(key: string): string
  /** The same attempt always has the same order number. */
  orderNo(agent: string, idempotencyKey: string, productId: number): string
  /** 80 bits in base32 that the same parts always have. */
  id(purpose: string, ...parts: string[]): string
  /** Short authenticator for links that the service hands out. */
  token(purpose: string, subject: string): string
  tokenMatches(purpose: string, subject: string, token: string): boolean
  /** 32 bytes for AES-256-GCM over receiver data. */
  readonly receiverKey: Buffer
  /** 32 bytes for another use: e-mail addresses, passwords and the like; each has its own. */
  keyFor(use: string): Buffer
  /** Tells two secrets apart without telling either. */
  readonly fingerprint: string
}

export function createSecrets(secret: string): Secrets {
  const derive = (use: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'agentmall', use, 32))
  const keyHashKey = derive('api-key')
  const orderKey = derive('order-no')
  const tokenKey = derive('token')
  const idKey = derive('id')
  const hmac = (key: Buffer, ...parts: string[]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest()
  const token = (purpose: string, subject: string): string =>
    hmac(tokenKey, purpose, subject).subarray(0, 16).toString('base64url')
  return {
    keyHash: (key) => hmac(keyHashKey, key).toString('base64url'),
    orderNo(agent, idempotencyKey, productId) {
      const partition = partitionOf(productId)
      const digest = hmac(orderKey, agent, idempotencyKey.toLowerCase(), String(productId))
      const place = `${BASE32[partition >> 5]}${BASE32[partition & 31]}`
      return `AM${place}${base32(digest.subarray(0, 10))}`
    },
    id: (purpose, ...parts) => base32(hmac(idKey, purpose, ...parts).subarray(0, 10)),
    token,
    tokenMatches(purpose, subject, given) {
      const expected = Buffer.from(token(purpose, subject))
      const actual = Buffer.from(given)
      return expected.length === actual.length && timingSafeEqual(expected, actual)
    },
    receiverKey: derive('receiver'),
    keyFor: (use) => derive(`key-for:${use}`),
    fingerprint: createHash('sha256').update(derive('fingerprint')).digest('base64url'),
  }
}
