import { Type } from 'typebox'
import { Refusal } from '../contract/errors.ts'
import { CLOSED, Optional, Time } from '../contract/fields.ts'
import { EventId } from '../events/catalogue.ts'
import { defineOperation } from './define.ts'
import { WEBHOOK_EXAMPLE, WebhookId } from './webhook-fields.ts'

export const resendWebhook = defineOperation({
  name: 'resend_webhook',
  title: 'Send events again',
  description: 'One event of the log, or all that were kept since a time (7 days at most), with '
    + 'the ids that they had: give event_id or since.',
  access: 'key',
  effect: 'create',
  tool: false,
  route: 'POST /webhooks/:webhook_id/resend',
  input: Type.Object({
    webhook_id: WebhookId, event_id: Optional(EventId), since: Optional(Time),
  }, CLOSED),
  output: Type.Object({ queued: Type.Integer({ minimum: 0 }) }, CLOSED),
  fails: ['not_found', 'webhook_limit'],
  example: { webhook_id: WEBHOOK_EXAMPLE, since: '2026-03-01T00:00:00.000Z' },
  async handle({ webhook_id, event_id, since }, { caller, services }) {
    if ((event_id === undefined) === (since === undefined)) {
      throw new Refusal('invalid_request', {
        fields: [{ path: 'event_id', problem: 'give event_id or since, and not both' }],
      })
    }
    const what = event_id === undefined ? { since: Date.parse(since ?? '') }
      : { eventId: event_id }
    return { queued: await services.events.resend(caller, webhook_id, what) }
  },
})
