import { Type } from 'typebox'
import { CLOSED, Optional, Text } from '../contract/fields.ts'
import { defineOperation } from './define.ts'
import { AttemptCursor, WEBHOOK_EXAMPLE, WebhookAttempt, WebhookId } from './webhook-fields.ts'

export const listWebhookAttempts = defineOperation({
  name: 'list_webhook_attempts',
  title: 'List attempts',
  description: 'Every attempt of 7 days to reach an endpoint, newest first (the last 1,000), '
    + 'with status, milliseconds and the beginning of the answer; with subject those of one order.',
  access: 'key',
  effect: 'read',
  tool: false,
  route: 'GET /webhooks/:webhook_id/attempts',
  input: Type.Object({
    webhook_id: WebhookId,
    subject: Optional(Text(140, 'An order number')),
    cursor: Optional(AttemptCursor),
    limit: Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  }, CLOSED),
  output: Type.Object({
    attempts: Type.Array(WebhookAttempt), next_cursor: Optional(AttemptCursor),
  }, CLOSED),
  fails: ['not_found'],
  example: { webhook_id: WEBHOOK_EXAMPLE, limit: 2 },
  async handle({ webhook_id, subject, cursor, limit = 20 }, { caller, services }) {
    const { attempts, next } = await services.events.attempts(caller, webhook_id,
      { before: cursor, subject, limit })
    return { attempts: attempts as never, ...(next !== undefined && { next_cursor: next }) }
  },
})
