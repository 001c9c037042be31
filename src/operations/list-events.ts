import { Type } from 'typebox'
import { CLOSED, like, Optional, Text, Time } from '../contract/fields.ts'
import { assertEventPatterns, EVENT_PATTERN, EventId } from '../events/catalogue.ts'
import { defineOperation } from './define.ts'

const WAIT_MS_MAX = 25_000
/** A request has its answer before its deadline. */
const MARGIN_MS = 1500

const Cursor = like(Type.String({
  pattern: '^(latest|[0-9A-Za-z_-]{6,6000})$',
  description: 'next_cursor of the answer before; latest: only what comes; default: what is kept',
}), 'latest')

const ONE = EVENT_PATTERN.slice(1, -1)

export const listEvents = defineOperation({
  name: 'list_events',
  title: 'Follow events',
  description: 'What happened to this key\'s orders, after-sales, commissions and links, oldest '
    + 'first, of the last 7 days. With wait_ms it answers once there is something. Go on from '
    + 'next_cursor, on any node. The same as server-sent events with Accept: text/event-stream.',
  access: 'key',
  effect: 'read',
  tool: false,
  route: 'GET /events',
  input: Type.Object({
    after: Optional(Cursor),
    types: Optional(like(Type.String({
      pattern: `^${ONE}(,${ONE}){0,39}$`, maxLength: 1000,
      description: 'Names or families with commas: order.*,refund.arrived',
    }), 'order.*,refund.arrived')),
    wait_ms: Optional(Type.Integer({
      minimum: 0, maximum: WAIT_MS_MAX, default: 0,
      description: 'How long to wait for an event; less where the service says so',
    })),
    limit: Optional(Type.Integer({
      minimum: 1, maximum: 100, default: 50, description: 'Most events in one answer',
    })),
  }, CLOSED),
  output: Type.Object({
    events: Type.Array(Type.Object({
      id: EventId,
      type: Text(60, 'Of the event catalogue'),
      version: Type.Integer({ minimum: 1 }),
      timestamp: Time,
      data: Type.Object({}, { additionalProperties: true, description: 'By the type' }),
    }, CLOSED)),
    next_cursor: Cursor,
    has_more: Type.Boolean({ description: 'More is there: ask again at once' }),
    is_trimmed: Type.Boolean({
      description: 'Events before these were dropped unread: read the orders themselves',
    }),
  }, CLOSED),
  fails: [],
  example: { types: 'order.*,refund.arrived', limit: 2 },
  async handle({ after, types, wait_ms = 0, limit = 50 }, { caller, services }) {
    const { events, config: { requestDeadlineMs } } = services
    const patterns = types?.split(',')
    if (patterns) assertEventPatterns(patterns, 'types')
    return await events.list(caller, {
      after, types: patterns, limit, signal: caller.client.signal,
      waitMs: Math.max(0, Math.min(wait_ms, requestDeadlineMs - MARGIN_MS)),
    }) as never
  },
})
