/** Receivers: encrypted where they are kept, masked wherever they are shown. */
import type { Static } from 'typebox'
import type { Receiver as ReceiverSchema } from '../contract/fields.ts'
import type { Seal } from '../secrets/seal.ts'

export type Receiver = Static<typeof ReceiverSchema>

/** Bound to the order: an envelope moved to another order does not open. */
export const sealReceiver = (receiver: Receiver, orderNo: string, seal: Seal): string =>
  seal.seal(JSON.stringify(receiver), orderNo)

/** For the merchant who ships; throws when the envelope is not this order's or was changed. */
export const openReceiver = (envelope: string, orderNo: string, seal: Seal): Receiver =>
  JSON.parse(seal.open(envelope, orderNo)) as Receiver

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
