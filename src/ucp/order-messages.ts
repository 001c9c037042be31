/** What platforms are told of their orders: the whole order, signed by the key of the profile. */
import { createHash } from 'node:crypto'
import { Refusal } from '../contract/errors.ts'
import type { PlatformMessages } from '../events/platforms.ts'
import type { Services } from '../services.ts'
import { ORDER } from './capabilities.ts'
import { orderIdOf } from './checkout/session.ts'
import { withEnvelope } from './operation.ts'
import { orderAnswer } from './order.ts'
import { PROFILE_PATH } from './profile.ts'
import { signedRequest } from './sign.ts'

type Used = Pick<Services, 'checkouts' | 'orders' | 'secrets' | 'config'>

export const createOrderMessages = (services: Used): PlatformMessages => ({
  async subjectOf({ id }, orderNo) {
    const checkout = await services.checkouts.ofOrder(orderNo)
    return checkout?.follower === id ? orderIdOf(checkout.id) : undefined
  },

  async compose({ agent, url }, subject, { id, timestamp }) {
    const order = await orderAnswer(services, agent, subject).catch((error: unknown) => {
      if (error instanceof Refusal && error.error === 'not_found') return undefined
      throw error
    })
    if (!order) return undefined
    const body = withEnvelope(ORDER, new Set([ORDER]), order).bytes
    const webhookId = uuidOf(id)
    const headers = signedRequest({
      method: 'POST', url, body,
      headers: [
        ['content-type', 'application/json'],
        ['ucp-agent', `profile="${services.config.publicUrl}${PROFILE_PATH}"`],
        ['webhook-id', webhookId],
        ['webhook-timestamp', String(Math.floor(Date.parse(timestamp) / 1000))],
        ['idempotency-key', webhookId],
      ],
    }, services.secrets.signingKeys[0])
    return { headers, body: body.toString() }
  },
})

/** The specification wants a UUID; an event has the same at every attempt. */
function uuidOf(eventId: string): string {
  const bytes = createHash('sha256').update(eventId).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
