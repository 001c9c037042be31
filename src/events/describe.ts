/** What an entry of a stream means as an event: its id, type and payload. */
import { createHash } from 'node:crypto'
import { isoTime } from '../contract/time.ts'
import { bookEntryOf } from '../earnings/books.ts'
import { describeEntry } from '../earnings/statement.ts'
import type { Status } from '../orders/states.ts'
import { type AgentEvent, eventTypeOf } from './catalogue.ts'
import { type StreamEntry, unlessUnreadable } from './read-events.ts'

type Described = Pick<AgentEvent, 'type' | 'data'>
type Fields = Readonly<Record<string, string | undefined>>

/** Orders' events in the outbox, by what they are called there. */
const ORDER_EVENTS: Readonly<Record<string, readonly [name: string, status: Status]>> = {
  created: ['created', 'pending_payment'],
  paid: ['paid', 'paid'],
  merchant_accepted: ['accepted', 'merchant_accepted'],
  shipped: ['shipped', 'shipped'],
  delivered: ['delivered', 'delivered'],
  completed: ['completed', 'completed'],
  refunding: ['refunding', 'refunding'],
  refunded: ['refunded', 'refunded'],
}

/** Undefined for an entry that is no event, or of a type that this version does not know. */
export const eventOf = (entry: StreamEntry): AgentEvent | undefined =>
  unlessUnreadable(entry, () => {
    const found = describe(entry)
    const type = found && eventTypeOf(found.type)
    if (!found || !type) return undefined
    return {
      id: idOf(originOf(entry)), type: found.type, version: type.version,
      timestamp: isoTime(entry.at), data: found.data,
    }
  })

/** Derives from where the event came from, so that every reader gives it the same. */
export const idOf = (origin: string): string =>
  `evt_${createHash('sha256').update(origin).digest('base64url').slice(0, 22)}`

function originOf({ stream: { kind, owner, mode }, id, fields }: StreamEntry): string {
  const { origin, id: posting } = fields
  if (kind === 'books') return JSON.stringify([kind, owner, mode ?? '', posting])
  return JSON.stringify(origin === undefined ? [kind, owner, id] : [kind, owner, origin])
}

function describe(entry: StreamEntry): Described | undefined {
  const { stream: { kind, owner }, fields } = entry
  if (kind === 'books') return describePosting(entry)
  if (kind === 'clicks') {
    const { source = '', item } = fields
    const item_id = item ? `${source}:${item}` : null
    return { type: 'click.recorded', data: { agent: owner, source, item_id } }
  }
  const { event = '' } = fields
  if (event === 'mall_order') return describeMallOrder(owner, fields)
  if (event === 'key_rotated') {
    const ends = isoTime(Number(fields['ends_at']))
    return { type: 'key.rotated', data: { agent: owner, old_keys_end_at: ends } }
  }
  if (event === 'webhook_disabled') {
    const { webhook_id, reason } = fields
    return { type: 'webhook.disabled', data: { webhook_id, reason } }
  }
  return describeOrder(owner, event, fields)
}

function describeOrder(agent: string, event: string, fields: Fields): Described | undefined {
  const { order_no, status, aftersale, why, amount } = fields
  const known = ORDER_EVENTS[event]
  if (known) {
    return { type: `order.${known[0]}`, data: { agent, order_no, status: known[1] } }
  }
  if (event === 'closed') {
    return { type: `order.${why ?? 'cancelled'}`, data: { agent, order_no, status: 'closed' } }
  }
  if (event === 'refund_arrived') {
    return { type: 'refund.arrived', data: { agent, order_no, amount: Number(amount) } }
  }
  if (event === 'aftersale_requested') return aftersaleEvent({ agent, order_no }, 'requested')
  // The order says itself that one was requested.
  if (event !== 'aftersale' || !status || status === 'requested') return undefined
  return aftersaleEvent({ agent, order_no, ...(aftersale && { aftersale_id: aftersale }) }, status)
}

const aftersaleEvent = (facts: object, status: string): Described =>
  ({ type: `aftersale.${status}`, data: { ...facts, aftersale_status: status } })

function describeMallOrder(agent: string, fields: Fields): Described {
  const { source, mall_order_no, item_id, qty, amount, status } = fields
  return {
    type: `mall_order.${status}`,
    data: {
      agent, source, mall_order_no, item_id: item_id || null, qty: Number(qty),
      amount: Number(amount), status,
    },
  }
}

/** How the books call what became of a withdrawal whose money came back. */
const RETURNED = ['returning', 'failed']

function describePosting({ entry }: StreamEntry): Described | undefined {
  const posting = bookEntryOf(entry)
  const described = describeEntry(posting)
  if (!described) return undefined
  const { type, data: { kind, about, source, changes } } = described
  if (type === 'withdrawal') {
    return {
      type: `withdrawal.${RETURNED.includes(kind) ? 'failed' : kind}`,
      data: { withdrawal_id: about, changes },
    }
  }
  const { agent } = posting.facts
  return {
    type: `commission.${kind}`,
    data: { ...(typeof agent === 'string' && { agent }), source, about, changes },
  }
}
