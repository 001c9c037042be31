import { expect, test } from 'vitest'
import { isoTime } from '../contract/time.ts'
import { upcomingOf } from './next-steps.ts'
import type { AftersaleRecord } from './aftersale-record.ts'
import type { AftersaleStatus, Status } from './states.ts'

const aftersale = (
  status: AftersaleStatus, type: AftersaleRecord['given']['type'] = 'return_refund', pickup = true,
): AftersaleRecord => ({
  id: 'AS1', status, timeline: [],
  given: { type, pickup, fingerprint: '', refund_amount: 1, return_freight_payer: 'us' },
})
const ahead = (status: Status, ...aftersales: AftersaleRecord[]): string[] =>
  upcomingOf({ status, aftersales }).map(({ event, aftersale_status: after }) =>
    event ?? `after ${after ?? ''}`)

test('an order that nothing gets into goes its whole way', () => {
  expect(ahead('pending_payment'))
    .toEqual(['paid', 'merchant_accepted', 'shipped', 'delivered', 'completed'])
  expect(ahead('shipped')).toEqual(['delivered', 'completed'])
  for (const status of ['completed', 'closed', 'refunded'] as const) {
    expect(ahead(status)).toEqual([])
  }
})

test('while a return runs its steps come next, and no completion', () => {
  expect(ahead('delivered', aftersale('requested'))).toEqual(['after approved',
    'after pickup_booked', 'after returning', 'after received', 'after refunded'])
  expect(ahead('delivered', aftersale('approved', 'return_refund', false)))
    .toEqual(['after returning', 'after received', 'after refunded'])
  expect(ahead('refunding', aftersale('received'))).toEqual(['after refunded'])
  expect(ahead('refunding', aftersale('approved', 'refund_only'))).toEqual(['after refunded'])
  expect(ahead('shipped', aftersale('requested', 'refund_only')))
    .toEqual(['delivered', 'after approved', 'after refunded'])
})

test('a return that ended leaves the order its way; a refund without one is what is left', () => {
  expect(ahead('delivered', aftersale('rejected'))).toEqual(['completed'])
  expect(ahead('refunding')).toEqual(['refunded'])
})

test('the next step of the order and of its after-sale say when they are made', () => {
  expect(upcomingOf({ status: 'shipped', aftersales: [aftersale('returning')] },
    { due: 1000, afterDue: 2000 })).toEqual([
    { event: 'delivered', at: isoTime(1000) },
    { aftersale_status: 'received', at: isoTime(2000) }, { aftersale_status: 'refunded' },
  ])
  expect(upcomingOf({ status: 'delivered', aftersales: [] }, { due: 5000 }))
    .toEqual([{ event: 'completed', at: isoTime(5000) }])
})
