import { Type } from 'typebox'
import { CLOSED, Time } from '../contract/fields.ts'
import { defineOperation } from './define.ts'
import { WEBHOOK_EXAMPLE, WebhookId, WebhookSecret } from './webhook-fields.ts'

export const rotateWebhookSecret = defineOperation({
  name: 'rotate_webhook_secret',
  title: 'Rotate a webhook\'s secret',
  description: 'A new secret, shown once. For a day everything is signed by both, so that '
    + 'the receiver can change over in its own time.',
  access: 'key',
  effect: 'create',
  tool: false,
  route: 'POST /webhooks/:webhook_id/secret',
  input: Type.Object({ webhook_id: WebhookId }, CLOSED),
  output: Type.Object({ secret: WebhookSecret, old_secret_ends_at: Time }, CLOSED),
  fails: ['not_found'],
  example: { webhook_id: WEBHOOK_EXAMPLE },
  async handle({ webhook_id }, { caller, services }) {
    return await services.events.endpoints.rotate(caller, webhook_id)
  },
})
