/** Receivers: encrypted where they are kept, masked wherever they are shown. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import type { Receiver as ReceiverSchema } from '../operations/fields.ts'

export type Receiver = Static<typeof ReceiverSchema>

/** Names the cipher and the key, so that both can change while old orders stay readable. */
const VERSION = 'r1'
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

/** Bound to the order: an envelope moved to another order does not open. */
export function sealReceiver(receiver: Receiver, orderNo: string, key: Buffer): string {
  const nonce = nextNonce()
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(`${VERSION}:${orderNo}`))
  const text = Buffer.concat([cipher.update(JSON.stringify(receiver), 'utf8'), cipher.final()])
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`
}

/** For the merchant who ships; throws when the envelope is not this order's or was changed. */
export function openReceiver(envelope: string, orderNo: string, key: Buffer): Receiver {
  const [version, body = ''] = envelope.split('.')
  if (version !== VERSION) throw new Error('This receiver was sealed in an unknown way.')
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(`${VERSION}:${orderNo}`))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
  return JSON.parse(Buffer.concat([text, decipher.final()]).toString()) as Receiver
}

/** Enough for a person to recognise it, too little to find somebody by it. */
export function maskReceiver(receiver: Receiver): Receiver {
  const { province, city, district } = receiver
  return {
    name: maskName(receiver.name),
    phone: maskPhone(receiver.phone),
    province,
    city,
    district,
    address: '****',
  }
}

/** The first character of a name of two or more; nothing tells how long the rest is. */
function maskName(name: string): string {
  const characters = [...name.trim()]
  return characters.length > 1 ? `${characters[0]}*` : '*'
}

/** 138****1234 for a Chinese mobile; of any other number the last two digits, if it is long. */
function maskPhone(phone: string): string {
  const number = phone.replaceAll(/[^\d+]/g, '')
  const mobile = /^(?:\+?86)?(1[3-9]\d)\d{4}(\d{4})$/.exec(number)
  if (mobile) return `${mobile[1]}****${mobile[2]}`
  const digits = number.replace('+', '')
  return digits.length >= 8 ? `****${digits.slice(-2)}` : '****'
}
