import { Type } from 'typebox'
import { CLOSED, Optional } from '../contract/fields.ts'
import { defineOperation } from './define.ts'
import {
  EventPatterns, WEBHOOK_EXAMPLE, WEBHOOK_PROPERTIES, WebhookId, WebhookUrl,
} from './webhook-fields.ts'

export const updateWebhook = defineOperation({
  name: 'update_webhook',
  title: 'Change a webhook',
  description: 'Changes what is given. Another url gets a challenge first, and so does an '
    + 'endpoint that is enabled again; enabled: false stops it.',
  access: 'key',
  effect: 'update',
  tool: false,
  route: 'PATCH /webhooks/:webhook_id',
  input: Type.Object({
    webhook_id: WebhookId,
    url: Optional(WebhookUrl),
    events: Optional(EventPatterns),
    enabled: Optional(Type.Boolean()),
  }, CLOSED),
  output: Type.Object(WEBHOOK_PROPERTIES, CLOSED),
  fails: ['not_found'],
  example: { webhook_id: WEBHOOK_EXAMPLE, events: ['order.*', 'aftersale.*'] },
  async handle({ webhook_id, ...changes }, { caller, services }) {
    return await services.events.endpoints.update(caller, webhook_id, changes) as never
  },
})
