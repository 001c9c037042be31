import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { problemsOf } from '../validate.ts'
import {
  assertEventPatterns, EVENT_NAMES, EVENT_PATTERN, EVENT_TYPES, exampleOf, matchesTypes,
} from './catalogue.ts'
import { eventOf } from './describe.ts'
import { withCatalogue } from './markdown.ts'
import type { EventStream } from './read-events.ts'

const PERSONAL = /receiver|phone|address|province|city|district|payee|holder|email/

describe.each(EVENT_TYPES)('$name', (type) => {
  test('its example fits its schema, which is closed', () => {
    expect(problemsOf(type.data, structuredClone(type.example))).toEqual([])
    expect(type.data).toMatchObject({ type: 'object', additionalProperties: false })
  })

  test('its payload names nobody who receives goods or money', () => {
    expect(JSON.stringify(type.data)).not.toMatch(PERSONAL)
    expect(JSON.stringify(exampleOf(type))).not.toMatch(PERSONAL)
  })
})

test('names are unique, and of two words with a dot', () => {
  expect(new Set(EVENT_NAMES).size).toBe(EVENT_NAMES.length)
  for (const name of EVENT_NAMES) expect(name).toMatch(/^[a-z_]+\.[a-z_]+$/)
})

test('a name, a family and everything can be asked for, and nothing else', () => {
  const pattern = new RegExp(EVENT_PATTERN)
  const isKnown = (one: string): boolean => pattern.test(one)
    && EVENT_NAMES.some((name) => matchesTypes([one], name))
  expect(['*', 'order.*', 'order.paid', 'refund.arrived'].filter(isKnown)).toHaveLength(4)
  expect(['', 'order', 'order.', 'orders.*', 'order.paid.x', 'order*', '**', 'order.lost']
    .filter(isKnown)).toEqual([])
  expect(() => assertEventPatterns(['order.*', 'order.lost'], 'events')).toThrow('not valid')
  expect(matchesTypes(['order.*'], 'order.paid')).toBe(true)
  expect(matchesTypes(['order.*'], 'mall_order.paid')).toBe(false)
  expect(matchesTypes(['order.paid'], 'order.created')).toBe(false)
  expect(matchesTypes(['*'], 'click.recorded')).toBe(true)
})

const feed: EventStream = { name: 'o:ag_1', key: 'k', kind: 'feed', owner: 'ag_1' }
const describeFields = (stream: EventStream, id: string, fields: Record<string, string>) =>
  eventOf({ stream, id, at: 1_772_332_200_000, fields, entry: [id, Object.entries(fields).flat()] })

test.each([
  [{ event: 'created' }, 'order.created'],
  [{ event: 'merchant_accepted' }, 'order.accepted'],
  [{ event: 'closed', why: 'expired' }, 'order.expired'],
  [{ event: 'closed', why: 'cancelled' }, 'order.cancelled'],
  [{ event: 'closed' }, 'order.cancelled'],
  [{ event: 'refund_arrived', amount: '1990' }, 'refund.arrived'],
  [{ event: 'aftersale_requested' }, 'aftersale.requested'],
  [{ event: 'aftersale', status: 'approved', aftersale: 'AS1' }, 'aftersale.approved'],
  [{ event: 'mall_order', status: 'paid', source: 'mall_b', mall_order_no: '1', qty: '1',
    amount: '5' }, 'mall_order.paid'],
  [{ event: 'key_rotated', ends_at: '1772332200000' }, 'key.rotated'],
  [{ event: 'webhook_disabled', webhook_id: 'wh_1', reason: 'gone' }, 'webhook.disabled'],
])('an entry %j is %s, with a payload of its schema', (fields: object, name) => {
  const event = describeFields(feed, '7-1', { order_no: 'AM3VQ2Z7K8M1T5R9C4XD', ...fields })
  expect(event?.type).toBe(name)
  const type = EVENT_TYPES.find((one) => one.name === name)
  expect(problemsOf(type?.data ?? {}, JSON.parse(JSON.stringify(event?.data)))).toEqual([])
})

test('what the order says itself, and what this version does not know, is no event', () => {
  expect(describeFields(feed, '7-1', { event: 'aftersale', status: 'requested' })).toBeUndefined()
  expect(describeFields(feed, '7-1', { event: 'teleported' })).toBeUndefined()
})

test('an id derives from where the event came from, and not from its place in a feed', () => {
  const fields = { event: 'paid', order_no: 'AM3VQ2Z7K8M1T5R9C4XD', origin: '7:1700000000000-0' }
  const [one, again] = ['5-0', '6-0'].map((id) => describeFields(feed, id, fields)?.id)
  expect(one).toMatch(/^evt_[\w-]{22}$/)
  expect(again).toBe(one)
  expect(describeFields(feed, '5-0', { ...fields, origin: '7:1700000000000-1' })?.id).not.toBe(one)
})

test('the document has the catalogue as it is now', () => {
  const document = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8')
  expect(document, 'npm run docs writes it').toBe(withCatalogue(document))
  expect(document).toContain('| `order.shipped` |')
})
