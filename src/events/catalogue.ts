/**
 * The events that the service tells of. Feed, webhooks, their documents and MCP derive from this
 * table. Payloads carry identifiers and public facts, and never who receives the goods.
 */
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { ORDER_STATUSES } from '../../adapters/names.ts'
import { Refusal } from '../contract/errors.ts'
import { CLOSED, Fen, like, OneOf, Optional, OrderNo, Text, Time } from '../contract/fields.ts'
import { AFTERSALE_STATUSES, STATUSES } from '../orders/states.ts'

export interface EventType<D extends TObject = TObject> {
  readonly name: string
  /** Raised when a field changes its meaning or goes; new fields may come at any time. */
  readonly version: number
  readonly title: string
  readonly data: D
  readonly example: Static<D>
  /** `account`: only who follows the whole account gets it. */
  readonly audience: 'agent' | 'account'
}

/** As it leaves the service, in every form. */
export interface AgentEvent {
  /** The same for ever, for every endpoint and at every attempt. */
  readonly id: string
  readonly type: string
  readonly version: number
  /** When it happened, ISO 8601. */
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

const ID_EXAMPLE = 'evt_3kTMd0aX9bLqv1Zr8fUoYw'
export const EventId = like(Type.String({
  pattern: '^evt_[0-9A-Za-z_-]{22}$', description: 'The same for ever: tells repetitions apart',
}), ID_EXAMPLE)

const AGENT_EXAMPLE = 'ag_3f1c9a6e0b7d4e52'
const ORDER_EXAMPLE = { agent: AGENT_EXAMPLE, order_no: 'AM3VQ2Z7K8M1T5R9C4XD' } as const
const MALL_ORDER = '880011223344'

const Agent = Text(80, 'Public id of the agent')
const EventOrderNo = Type.String({ ...OrderNo, description: 'Order number' })

const Order = Type.Object({
  agent: Agent,
  order_no: EventOrderNo,
  status: OneOf(STATUSES, 'What the order is by this event'),
}, CLOSED)

const Aftersale = Type.Object({
  agent: Agent,
  order_no: EventOrderNo,
  aftersale_status: OneOf(AFTERSALE_STATUSES),
  aftersale_id: Optional(Text(40)),
}, CLOSED)

const Refund = Type.Object({
  agent: Agent, order_no: EventOrderNo, amount: Fen('What was given back, in fen'),
}, CLOSED)

const Changes = Type.Record(Type.String(), Type.Integer(), {
  description: 'What each balance book gained, in fen',
})

const Commission = Type.Object({
  agent: Optional(Agent),
  source: Text(20, '`own`, or the mall'),
  about: Text(140, 'The order, or the line of the mall\'s order'),
  changes: Changes,
}, CLOSED)

const Withdrawal = Type.Object({ withdrawal_id: Text(40), changes: Changes }, CLOSED)

const Click = Type.Object({
  agent: Agent,
  source: Text(20, 'The mall'),
  item_id: Type.Union([Text(200), Type.Null()]),
}, CLOSED)

const MallOrder = Type.Object({
  agent: Agent,
  source: Text(20, 'The mall'),
  mall_order_no: Text(64),
  item_id: Type.Union([Text(200), Type.Null()]),
  qty: Type.Integer({ minimum: 0 }),
  amount: Fen('What the buyer paid, in fen'),
  status: OneOf(ORDER_STATUSES),
}, CLOSED)

const KeyRotated = Type.Object({
  agent: Agent, old_keys_end_at: Time,
}, CLOSED)

const WebhookDisabled = Type.Object({
  webhook_id: Text(40), reason: OneOf(['gone', 'failing'] as const),
}, CLOSED)

const Test = Type.Object({ webhook_id: Text(40) }, CLOSED)

const eventType = <D extends TObject<TProperties>>(
  name: string, title: string, data: D, example: Static<D>,
  audience: EventType['audience'] = 'agent',
): EventType => ({ name, version: 1, title, data, example, audience })

const ofOrder = (
  name: string, status: Static<typeof Order>['status'], title: string,
): EventType => eventType(`order.${name}`, title, Order, { ...ORDER_EXAMPLE, status })

const ofAftersale = (status: (typeof AFTERSALE_STATUSES)[number], title: string): EventType =>
  eventType(`aftersale.${status}`, title, Aftersale,
    { ...ORDER_EXAMPLE, aftersale_status: status, aftersale_id: 'AS7K2M9QX4T1B8ZC3D' })

const ofCommission = (name: string, changes: Record<string, number>, title: string): EventType =>
  eventType(`commission.${name}`, title, Commission,
    { agent: AGENT_EXAMPLE, source: 'own', about: ORDER_EXAMPLE.order_no, changes })

const ofWithdrawal = (name: string, changes: Record<string, number>, title: string): EventType =>
  eventType(`withdrawal.${name}`, title, Withdrawal,
    { withdrawal_id: 'WD5T9C2K8M1Q7X4Z6B', changes }, 'account')

const ofMallOrder = (status: (typeof ORDER_STATUSES)[number], title: string): EventType =>
  eventType(`mall_order.${status}`, title, MallOrder, {
    agent: AGENT_EXAMPLE, source: 'mall_b', mall_order_no: MALL_ORDER,
    item_id: 'mall_b:6210033', qty: 1, amount: 12_900, status,
  })

export const EVENT_TYPES: readonly EventType[] = [
  ofOrder('created', 'pending_payment', 'An order was placed and waits for payment'),
  ofOrder('paid', 'paid', 'An order was paid'),
  ofOrder('accepted', 'merchant_accepted', 'The merchant accepted an order'),
  ofOrder('shipped', 'shipped', 'The parcel is on its way'),
  ofOrder('delivered', 'delivered', 'The parcel was delivered'),
  ofOrder('completed', 'completed', 'An order is complete'),
  ofOrder('expired', 'closed', 'An order was not paid in time and is closed'),
  ofOrder('cancelled', 'closed', 'An order was cancelled'),
  ofOrder('refunding', 'refunding', 'The refund of an order was decided'),
  ofOrder('refunded', 'refunded', 'An order is refunded; refund.arrived follows the money'),
  ofAftersale('requested', 'An after-sale was requested'),
  ofAftersale('approved', 'The merchant approved an after-sale'),
  ofAftersale('pickup_booked', 'A pickup of the goods is booked'),
  ofAftersale('returning', 'The goods are on their way back'),
  ofAftersale('received', 'The merchant has the goods'),
  ofAftersale('refunded', 'An after-sale ended in a refund'),
  ofAftersale('rejected', 'The merchant rejected an after-sale'),
  ofAftersale('cancelled', 'An after-sale was taken back'),
  eventType('refund.arrived', 'The payment provider gave money back', Refund,
    { ...ORDER_EXAMPLE, amount: 12_900 }),
  ofCommission('pending', { pending: 129 }, 'A commission is expected of a paid order'),
  ofCommission('confirmed', { pending: -129, confirmed: 129 }, 'A commission is earned'),
  ofCommission('settled', { confirmed: -129, withdrawable: 129 },
    'A commission can be withdrawn'),
  ofCommission('reversed', { pending: -129 }, 'A commission was taken back'),
  ofWithdrawal('requested', { withdrawable: -5000, reserved: 5000 },
    'A withdrawal was requested'),
  ofWithdrawal('paid', { reserved: -5000, paid: 5000 }, 'A withdrawal was paid'),
  ofWithdrawal('failed', { reserved: -5000, withdrawable: 5000 },
    'A withdrawal failed, and its money is back'),
  eventType('click.recorded', 'Somebody opened a link of the agent', Click,
    { agent: AGENT_EXAMPLE, source: 'mall_b', item_id: 'mall_b:6210033' }),
  ofMallOrder('pending', 'A mall reports an order that is not paid yet'),
  ofMallOrder('paid', 'A mall reports a paid order'),
  ofMallOrder('received', 'A mall reports that the buyer has the goods'),
  ofMallOrder('settled', 'A mall has settled an order'),
  ofMallOrder('invalid', 'A mall reports that an order does not count'),
  ofMallOrder('unknown', 'A mall reports a status that the service does not know'),
  eventType('key.rotated', 'The agent has a new key', KeyRotated,
    { agent: AGENT_EXAMPLE, old_keys_end_at: '2026-03-02T02:30:00.000Z' }),
  eventType('webhook.disabled', 'A webhook endpoint gets no more events', WebhookDisabled,
    { webhook_id: 'wh_5T9C2K8M1Q7X4Z6B', reason: 'failing' }),
  eventType('webhook.test', 'A test that was asked for', Test,
    { webhook_id: 'wh_5T9C2K8M1Q7X4Z6B' }),
]

const BY_NAME: ReadonlyMap<string, EventType> =
  new Map(EVENT_TYPES.map((type) => [type.name, type]))

export const EVENT_NAMES: readonly string[] = EVENT_TYPES.map(({ name }) => name)

export const eventTypeOf = (name: string): EventType | undefined => BY_NAME.get(name)

/** `*`, a name, or all names of a family such as `order.*`. */
export const EVENT_PATTERN = '^(\\*|[a-z_]{1,20}\\.([a-z_]{1,20}|\\*))$'

/** Refuses patterns that no event fits: what is misspelt would be waited for in vain. */
export function assertEventPatterns(patterns: readonly string[], path: string): void {
  const unknown = patterns.filter((pattern) =>
    !EVENT_NAMES.some((name) => matchesTypes([pattern], name)))
  if (unknown.length > 0) {
    throw new Refusal('invalid_request', {
      fields: [{ path, problem: `names no event: ${unknown.join(', ').slice(0, 200)}` }],
    })
  }
}

/** Whether an event's name is one of those that were asked for. */
export function matchesTypes(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => pattern === '*' || pattern === name
    || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1))))
}

/** The example of a type as a receiver gets it. */
export const exampleOf = ({ name, version, example }: EventType): AgentEvent => ({
  id: ID_EXAMPLE, type: name, version,
  timestamp: '2026-03-01T02:30:00.000Z', data: example,
})
