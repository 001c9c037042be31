/** Fields of webhook endpoints and of their log. */
import { Type } from 'typebox'
import { CLOSED, like, OneOf, Optional, Text, Time } from '../contract/fields.ts'
import { EVENT_PATTERN, EventId } from '../events/catalogue.ts'

export const WEBHOOK_EXAMPLE = 'wh_5T9C2K8M1Q7X4Z6B'

export const WebhookId = like(Type.String({
  pattern: '^wh_[0-9A-HJKMNP-TV-Z]{16}$', description: 'Of create_webhook',
}), WEBHOOK_EXAMPLE)

export const WebhookUrl = Text(2048, 'Where events are sent: https at a public address')

export const EventPatterns = Type.Array(
  like(Type.String({ pattern: EVENT_PATTERN, description: 'A name, a family or *' }), 'order.*'),
  { minItems: 1, maxItems: 40, uniqueItems: true, description: 'Which events' })

export const WebhookSecret = like(Type.String({
  pattern: '^whsec_[0-9A-Za-z+/]{43}=$', secret: true,
  description: 'Signs what is sent (Standard Webhooks); shown once: keep it',
}), 'whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwRVhBTVBMRTAwMDA=')

export const WEBHOOK_PROPERTIES = {
  webhook_id: WebhookId,
  url: WebhookUrl,
  agent: Optional(Text(80, 'Whose key made it, and whose events it gets')),
  events: EventPatterns,
  agents: Optional(Type.Array(Text(80), { maxItems: 25, description: 'Only of these agents' })),
  state: OneOf(['unproven', 'active', 'disabled'] as const,
    'unproven until the receiver has answered the challenge'),
  reason: Optional(OneOf(['gone', 'failing'] as const, 'Why it was disabled')),
  created_at: Time,
  failing_since: Optional(Time),
  succeeded_at: Optional(Time),
  failed_at: Optional(Time),
  waiting: Type.Integer({ minimum: 0, description: 'Deliveries that wait' }),
}

export const AttemptCursor = like(Type.String({
  pattern: '^\\d{1,15}-\\d{1,10}$', description: 'next_cursor of the page before',
}), '1772332200000-0')

export const ATTEMPT_PROPERTIES = {
  attempt_id: Text(40),
  event_id: EventId,
  type: Text(60),
  subject: Text(140, 'The order, or another thing whose events go in order'),
  at: Time,
  ms: Type.Integer({ minimum: 0, description: 'Until its end' }),
  attempt: Type.Integer({ minimum: 1, description: 'Which one for this event' }),
  outcome: OneOf(['done', 'later', 'dropped', 'gone'] as const,
    'later: it is tried again; dropped: it was the last one'),
  status: Optional(Type.Integer({ description: 'HTTP status of the answer' })),
  problem: Optional(Text(200, 'Why there was no answer')),
  answer: Optional(Text(1024, 'What the answer begins with')),
}

export const WebhookAttempt = Type.Object(ATTEMPT_PROPERTIES, CLOSED)
