/** Identifiers: what they look like, and how they are made. */
import { randomBytes } from 'node:crypto'

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

const ORDER_NO = new RegExp(ORDER_NO_PATTERN)

/** The partition that an order number names; undefined when it is not an order number. */
export function partitionOfOrder(orderNo: string): number | undefined {
  if (!ORDER_NO.test(orderNo)) return undefined
  return BASE32.indexOf(orderNo[2] ?? '') * 32 + BASE32.indexOf(orderNo[3] ?? '')
}

/** The two characters of an order number that name its partition. */
export const partitionText = (partition: number): string =>
  `${BASE32[partition >> 5]}${BASE32[partition & 31]}`
