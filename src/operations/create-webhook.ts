import { Type } from 'typebox'
import { CLOSED, Optional } from '../contract/fields.ts'
import { defineOperation } from './define.ts'
import { EventPatterns, WEBHOOK_PROPERTIES, WebhookSecret, WebhookUrl } from './webhook-fields.ts'

export const createWebhook = defineOperation({
  name: 'create_webhook',
  title: 'Create a webhook',
  description: 'Has this key\'s events sent to a url, signed as Standard Webhooks. First it gets '
    + 'a signed webhook.challenge, which it answers with {"challenge": …} of the body. The secret '
    + 'is shown once. An account has at most 10 endpoints.',
  access: 'key',
  effect: 'create',
  tool: false,
  route: 'POST /webhooks',
  input: Type.Object({ url: WebhookUrl, events: Optional(EventPatterns) }, CLOSED),
  output: Type.Object({ ...WEBHOOK_PROPERTIES, secret: WebhookSecret }, CLOSED),
  fails: ['webhook_limit'],
  example: { url: 'https://agent.example.com/hook', events: ['order.*', 'refund.arrived'] },
  async handle(input, { caller, services }) {
    return await services.events.endpoints.create(caller, input) as never
  },
})
