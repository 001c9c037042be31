import { Type } from 'typebox'
import { CLOSED } from '../contract/fields.ts'
import { defineOperation } from './define.ts'
import { WEBHOOK_EXAMPLE, WebhookId } from './webhook-fields.ts'

export const deleteWebhook = defineOperation({
  name: 'delete_webhook',
  title: 'Delete a webhook',
  description: 'Nothing more is sent to it; what waits and its log go with it.',
  access: 'key',
  effect: 'update',
  tool: false,
  route: 'DELETE /webhooks/:webhook_id',
  input: Type.Object({ webhook_id: WebhookId }, CLOSED),
  output: Type.Object({ webhook_id: WebhookId }, CLOSED),
  fails: ['not_found'],
  example: { webhook_id: WEBHOOK_EXAMPLE },
  async handle({ webhook_id }, { caller, services }) {
    await services.events.endpoints.remove(caller, webhook_id)
    return { webhook_id }
  },
})
