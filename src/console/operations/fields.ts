/** Fields that the console's operations share. */
import { Type } from 'typebox'
import { OwnerLimits } from '../../contract/caller.ts'
import { CLOSED, Fen, like, OneOf, Optional, Text, Time } from '../../contract/fields.ts'
import { LIST_SORTS } from '../../orders/lists.ts'
import { WINDOW } from '../../redis/listing.ts'

export const Email = like(Text(254, 'E-mail address', 3), 'shopper@example.com')
export const Password = like(
  Type.String({ minLength: 1, maxLength: 200, secret: true, description: 'Password' }),
  'correct horse battery staple')
export const AgentId = like(
  Type.String({ pattern: '^ag_[0-9A-Za-z_-]{8,64}$', description: 'Public id of an agent' }),
  'ag_3f1c9a6e0b7d4e52')
export const Label = Text(60, 'Name of the agent, for its owner')

/** "2026-11-21", China's time. */
export const Day = (description: string) =>
  like(Type.String({
    format: 'date', pattern: '^20', description: `${description}, a day of China's time`,
  }), '2026-11-21')
export const Month = like(Type.String({
  pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$', description: 'A month of China\'s time',
}), '2026-11')

/** An answer without data. */
export const Done = Type.Object({}, CLOSED)
export const NoInput = Type.Object({}, CLOSED)

export const SessionInfo = Type.Object({
  account: Text(64, 'Public id of the account'),
  email: Email,
  email_verified: Type.Boolean({ description: 'Whether its owner reads the mail of the address' }),
  csrf_token: Text(200, 'To be sent as X-CSRF-Token with every change'),
}, CLOSED)

const KeyInfo = Type.Object({
  key_id: Text(64, 'Names the key, and opens nothing'),
  prefix: Text(16, 'First characters of the key'),
  state: OneOf(['active', 'ending', 'revoked']),
  ends_at: Optional(Time),
  created_at: Time,
  last_used_at: Optional(Time),
}, CLOSED)

export const AgentInfo = Type.Object({
  agent: AgentId,
  label: Label,
  tier: Text(20),
  created_at: Time,
  limits: OwnerLimits,
  keys: Type.Array(KeyInfo, { description: 'Newest first' }),
}, CLOSED)

export const AgentLabel = Type.String({
  maxLength: 60, description: 'Name of the agent; empty where its owner gave none',
})

/** The commission of an order. */
export const Commission = Type.Object({
  state: OneOf(['pending', 'confirmed', 'settled', 'reversed'],
    '`reversed`: the amount was taken back'),
  amount: Fen('In fen'),
  bps: Type.Integer({ minimum: 0, maximum: 10_000, description: 'Rate in basis points' }),
}, CLOSED)

/** Filters and sorting of the account's lists. */
export const ListFields = {
  agent: Optional(AgentId),
  from: Optional(Day('First day')),
  to: Optional(Day('Last day')),
  sort: Optional(OneOf(LIST_SORTS, 'Default newest')),
  page: Optional(Type.Integer({ minimum: 1, maximum: WINDOW, default: 1, description: 'Page' })),
} as const

/** Fields beside the items of a page. */
export const PAGE_PROPERTIES = {
  page: Type.Integer({ minimum: 1, description: 'The one asked for, or the last there is' }),
  total: Type.Integer({ minimum: 0, description: 'Matches among those looked through' }),
  looked_through: Type.Integer({ minimum: 0, description: 'At most 2,000, the first of the sort' }),
  in_range: Type.Integer({ minimum: 0, description: 'Of the agent and the days, matching or not' }),
} as const
