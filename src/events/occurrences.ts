/** An event as the Events extension of MCP has it, and which of them a subscription wants. */
import { type TObject, Type } from 'typebox'
import { CLOSED, Optional, OrderNo } from '../contract/fields.ts'
import { nowMs } from '../contract/time.ts'
import { type AgentEvent, EVENT_TYPES, type EventType } from './catalogue.ts'
import type { EndpointRecord, Subscription } from './endpoints.ts'
import { parsePositions, type Positions } from './read-events.ts'

export interface Occurrence {
  readonly eventId: string
  readonly name: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
  /** Safe to keep: all before it is done with. */
  readonly cursor?: string
}

export const occurrenceOf = (
  { id, type, timestamp, data }: AgentEvent, cursor?: string,
): Occurrence => ({
  eventId: id, name: type, timestamp, data, ...(cursor !== undefined && { cursor }),
})

/** Those that an agent can subscribe to: a test is asked for, and never happens. */
export const SUBSCRIBABLE: ReadonlyMap<string, EventType> = new Map(EVENT_TYPES
  .filter(({ name, audience }) => audience === 'agent' && name !== 'webhook.test')
  .map((type) => [type.name, type]))

const OF_ANY = Type.Object({}, CLOSED)
const OF_ORDER = Type.Object({
  order_no: Optional(Type.String({ ...OrderNo, description: 'Only of this order' })),
}, CLOSED)

/** What a subscription to a type may ask for. */
export const argumentsOf = ({ data }: EventType): TObject =>
  'order_no' in data.properties ? OF_ORDER : OF_ANY

/** Nobody renewed it in time. */
export const isOver = (
  { subscription, endsAt = Infinity }: Pick<EndpointRecord, 'subscription' | 'endsAt'>,
): boolean => (subscription?.expiresAt ?? endsAt) <= nowMs()

export const isSought = (
  { arguments: given, notBefore }: Pick<Subscription, 'arguments' | 'notBefore'>,
  { data, timestamp }: AgentEvent,
): boolean => Date.parse(timestamp) >= notBefore
  && Object.entries(given).every(([field, value]) => data[field] === value)

/** The positions up to which all that was to be delivered is done with. */
export const watermarkOf = (
  { waiting, positions, settled }: Pick<EndpointRecord, 'waiting' | 'positions' | 'settled'>,
): Positions => parsePositions(waiting === 0 ? positions : settled) ?? new Map()
