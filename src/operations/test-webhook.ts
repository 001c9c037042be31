import { Type } from 'typebox'
import { CLOSED } from '../contract/fields.ts'
import { EventId } from '../events/catalogue.ts'
import { defineOperation } from './define.ts'
import { WEBHOOK_EXAMPLE, WebhookId } from './webhook-fields.ts'

export const testWebhook = defineOperation({
  name: 'test_webhook',
  title: 'Test a webhook',
  description: 'Sends a webhook.test event; an endpoint that is not active gets its challenge '
    + 'instead, at once. list_webhook_attempts tells what came of it.',
  access: 'key',
  effect: 'create',
  tool: false,
  route: 'POST /webhooks/:webhook_id/test',
  input: Type.Object({ webhook_id: WebhookId }, CLOSED),
  output: Type.Object({ event_id: EventId }, CLOSED),
  fails: ['not_found', 'webhook_limit'],
  example: { webhook_id: WEBHOOK_EXAMPLE },
  async handle({ webhook_id }, { caller, services }) {
    return await services.events.endpoints.test(caller, webhook_id)
  },
})
