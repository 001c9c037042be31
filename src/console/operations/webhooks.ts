/** Webhook endpoints of an account and of its agents, and the log of what was sent to them. */
import { Type } from 'typebox'
import { agentOfOrder, AGENTS_MAX, assertOwn } from '../../accounts/agent-records.ts'
import { Refusal } from '../../contract/errors.ts'
import {
  CLOSED, Optional, ORDER_NO_EXAMPLE, OrderNo, Time,
} from '../../contract/fields.ts'
import { EventId } from '../../events/catalogue.ts'
import { defineOperation } from '../../operations/define.ts'
import {
  ATTEMPT_PROPERTIES, AttemptCursor, EventPatterns, WEBHOOK_EXAMPLE, WEBHOOK_PROPERTIES,
  WebhookAttempt, WebhookId, WebhookSecret, WebhookUrl,
} from '../../operations/webhook-fields.ts'
import type { RedisClient } from '../../redis/connect.ts'
import { AgentId, Done, NoInput } from './fields.ts'

const EVENT_EXAMPLE = 'evt_3kTMd0aX9bLqv1Zr8fUoYw'

const Agents = Type.Array(AgentId, {
  maxItems: AGENTS_MAX, uniqueItems: true, description: 'Only events of these; empty: of all',
})
const Endpoint = Type.Object(WEBHOOK_PROPERTIES, CLOSED)
const Named = Type.Object({ webhook_id: WebhookId }, CLOSED)
const Queued = Type.Object({
  queued: Type.Integer({ minimum: 0, description: 'Deliveries that wait because of it' }),
}, CLOSED)

/** The account's own and those that its agents' keys made. */
const ownerOf = ({ account }: { readonly account: string }) => ({ account })

async function assertOwnAgents(
  ledger: RedisClient, account: string, agents: readonly string[] = [],
): Promise<void> {
  await Promise.all(agents.map((agent) => assertOwn(ledger, account, agent)))
}

export const listAccountWebhooks = defineOperation({
  name: 'list_account_webhooks',
  title: 'Webhooks',
  description: 'The endpoints of the account and of its agents, at most ten together.',
  access: 'owner',
  effect: 'read',
  route: 'GET /webhooks',
  input: NoInput,
  output: Type.Object({ webhooks: Type.Array(Endpoint) }, CLOSED),
  fails: [],
  example: {},
  async handle(_, { caller, services }) {
    return { webhooks: await services.events.endpoints.list(ownerOf(caller)) as never }
  },
})

export const createAccountWebhook = defineOperation({
  name: 'create_account_webhook',
  title: 'Create a webhook',
  description: 'Has events of the account sent to a url, signed as Standard Webhooks. It gets a '
    + 'challenge first. The secret is shown once, in this answer.',
  access: 'owner',
  effect: 'create',
  route: 'POST /webhooks',
  input: Type.Object({
    url: WebhookUrl, events: Optional(EventPatterns), agents: Optional(Agents),
  }, CLOSED),
  output: Type.Object({ ...WEBHOOK_PROPERTIES, secret: WebhookSecret }, CLOSED),
  fails: ['not_found', 'webhook_limit'],
  example: { url: 'https://shop.example.com/hook', events: ['order.*', 'commission.*'] },
  async handle(input, { caller, services: { ledger, events } }) {
    await assertOwnAgents(ledger, caller.account, input.agents)
    return await events.endpoints.create(ownerOf(caller), input) as never
  },
})

export const getAccountWebhook = defineOperation({
  name: 'get_account_webhook',
  title: 'One webhook',
  description: 'Its state, when an attempt last succeeded and failed, and how many wait.',
  access: 'owner',
  effect: 'read',
  route: 'GET /webhooks/:webhook_id',
  input: Named,
  output: Endpoint,
  fails: ['not_found'],
  example: { webhook_id: WEBHOOK_EXAMPLE },
  async handle({ webhook_id }, { caller, services }) {
    return await services.events.endpoints.view(ownerOf(caller), webhook_id) as never
  },
})

export const updateAccountWebhook = defineOperation({
  name: 'update_account_webhook',
  title: 'Change a webhook',
  description: 'Changes what is given. Another url gets a challenge first, and so does an '
    + 'endpoint that is enabled again.',
  access: 'owner',
  effect: 'update',
  route: 'PATCH /webhooks/:webhook_id',
  input: Type.Object({
    webhook_id: WebhookId,
    url: Optional(WebhookUrl),
    events: Optional(EventPatterns),
    agents: Optional(Agents),
    enabled: Optional(Type.Boolean()),
  }, CLOSED),
  output: Endpoint,
  fails: ['not_found'],
  example: { webhook_id: WEBHOOK_EXAMPLE, enabled: true },
  async handle({ webhook_id, ...changes }, { caller, services: { ledger, events } }) {
    await assertOwnAgents(ledger, caller.account, changes.agents)
    return await events.endpoints.update(ownerOf(caller), webhook_id, changes) as never
  },
})

export const deleteAccountWebhook = defineOperation({
  name: 'delete_account_webhook',
  title: 'Delete a webhook',
  description: 'Nothing more is sent to it; what waits and its log go with it.',
  access: 'owner',
  effect: 'update',
  route: 'DELETE /webhooks/:webhook_id',
  input: Named,
  output: Done,
  fails: ['not_found'],
  example: { webhook_id: WEBHOOK_EXAMPLE },
  async handle({ webhook_id }, { caller, services }) {
    await services.events.endpoints.remove(ownerOf(caller), webhook_id)
    return {}
  },
})

export const rotateAccountWebhookSecret = defineOperation({
  name: 'rotate_account_webhook_secret',
  title: 'Rotate a webhook\'s secret',
  description: 'A new secret, shown once; for a day the present one signs beside it.',
  access: 'owner',
  effect: 'create',
  route: 'POST /webhooks/:webhook_id/secret',
  input: Named,
  output: Type.Object({ secret: WebhookSecret, old_secret_ends_at: Time }, CLOSED),
  fails: ['not_found'],
  example: { webhook_id: WEBHOOK_EXAMPLE },
  async handle({ webhook_id }, { caller, services }) {
    return await services.events.endpoints.rotate(ownerOf(caller), webhook_id)
  },
})

export const testAccountWebhook = defineOperation({
  name: 'test_account_webhook',
  title: 'Test a webhook',
  description: 'Sends a webhook.test event; an endpoint that is not active gets its challenge '
    + 'instead, at once.',
  access: 'owner',
  effect: 'create',
  route: 'POST /webhooks/:webhook_id/test',
  input: Named,
  output: Type.Object({ event_id: EventId }, CLOSED),
  fails: ['not_found', 'webhook_limit'],
  example: { webhook_id: WEBHOOK_EXAMPLE },
  async handle({ webhook_id }, { caller, services }) {
    return await services.events.endpoints.test(ownerOf(caller), webhook_id)
  },
})

export const listAccountWebhookAttempts = defineOperation({
  name: 'list_account_webhook_attempts',
  title: 'Attempts',
  description: 'Attempts of 7 days to reach an endpoint, the last 1,000, newest first, with '
    + 'what the answer begins with.',
  access: 'owner',
  effect: 'read',
  route: 'GET /webhooks/:webhook_id/attempts',
  input: Type.Object({
    webhook_id: WebhookId,
    cursor: Optional(AttemptCursor),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  }, CLOSED),
  output: Type.Object({
    attempts: Type.Array(WebhookAttempt), next_cursor: Optional(AttemptCursor),
  }, CLOSED),
  fails: ['not_found'],
  example: { webhook_id: WEBHOOK_EXAMPLE, limit: 20 },
  async handle({ webhook_id, cursor, limit }, { caller, services }) {
    const { attempts, next } = await services.events.attempts(ownerOf(caller), webhook_id,
      { before: cursor, limit })
    return { attempts: attempts as never, ...(next !== undefined && { next_cursor: next }) }
  },
})

export const resendAccountEvent = defineOperation({
  name: 'resend_account_event',
  title: 'Send an event again',
  description: 'One of the log, with the id that it had.',
  access: 'owner',
  effect: 'create',
  route: 'POST /webhooks/:webhook_id/events/:event_id/resend',
  input: Type.Object({ webhook_id: WebhookId, event_id: EventId }, CLOSED),
  output: Queued,
  fails: ['not_found', 'webhook_limit'],
  example: { webhook_id: WEBHOOK_EXAMPLE, event_id: EVENT_EXAMPLE },
  async handle({ webhook_id, event_id }, { caller, services }) {
    const owner = ownerOf(caller)
    return { queued: await services.events.resend(owner, webhook_id, { eventId: event_id }) }
  },
})

export const resendAccountEvents = defineOperation({
  name: 'resend_account_events',
  title: 'Send events again',
  description: 'All that were kept since a time (7 days at most), with the ids that they had.',
  access: 'owner',
  effect: 'create',
  route: 'POST /webhooks/:webhook_id/resend',
  input: Type.Object({ webhook_id: WebhookId, since: Time }, CLOSED),
  output: Queued,
  fails: ['not_found', 'webhook_limit'],
  example: { webhook_id: WEBHOOK_EXAMPLE, since: '2026-03-01T00:00:00.000Z' },
  async handle({ webhook_id, since }, { caller, services }) {
    const what = { since: Date.parse(since) }
    return { queued: await services.events.resend(ownerOf(caller), webhook_id, what) }
  },
})

export const listOrderAttempts = defineOperation({
  name: 'list_order_attempts',
  title: 'Attempts about an order',
  description: 'Of all endpoints of the account, the last 50 of 7 days, newest first.',
  access: 'owner',
  effect: 'read',
  route: 'GET /orders/:order_no/attempts',
  input: Type.Object({ order_no: OrderNo }, CLOSED),
  output: Type.Object({
    attempts: Type.Array(Type.Object({
      ...ATTEMPT_PROPERTIES, webhook_id: WebhookId, url: WebhookUrl,
    }, CLOSED)),
  }, CLOSED),
  fails: ['not_found'],
  example: { order_no: ORDER_NO_EXAMPLE },
  async handle({ order_no }, { caller: { account }, services: { ledger, orders, events } }) {
    await agentOfOrder(ledger, account, order_no)
    const order = await orders.find(order_no)
    if (!order) throw new Refusal('not_found')
    return { attempts: await events.attemptsAbout(account, order_no, order.createdAt) as never }
  },
})
