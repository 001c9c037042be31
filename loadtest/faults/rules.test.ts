/** Each way of breaking a promise, given to the rules as an answer, is recorded. */
import { expect, test } from 'vitest'
import { createModel, newAction, type Aftersale } from './model.ts'
import type { Data, Outcome } from './attempts.ts'
import { Rules, knownOf } from './rules.ts'

const ORDER = {
  order_no: 'AM000000000000000001', amount: 2590, freight: 600, status: 'pending_payment',
  items: [{ unit_price: 1990, qty: 1 }], duplicate: false, events: [] as Data[],
}
const done = (data: object): Outcome => ({ kind: 'done', data: { ...ORDER, ...data } })
const refused = (error: 'out_of_stock' | 'not_found' | 'order_state', data = {}): Outcome =>
  ({ kind: 'refused', error, data })
const event = (name: string) => ({ event: name, at: '2026-03-01T02:30:00.000Z' })

function scene() {
  const model = createModel()
  const rules = new Rules(model, true)
  const purchase = model.begin({ agent: 'ag_1', account: 'ac_1', apiKey: 'ak_1' }, {
    idempotency_key: '7f1f8e5e-3c1b-4a67-9d0e-5b8f2f8f6a10', merchant_id: 1, product_id: 1, qty: 1,
    receiver: { phone: '1' },
  })
  const known = () => knownOf(purchase, 0)
  const broken = () => model.violations.map(({ rule }) => rule)
  return { model, rules, purchase, known, broken }
}

test('what a good service answers breaks nothing', () => {
  const { rules, purchase, known, broken } = scene()
  rules.checkPlaced(purchase, known(), { kind: 'unknown', why: 'unavailable' })
  rules.checkPlaced(purchase, known(), done({}))
  rules.checkPlaced(purchase, known(), done({ duplicate: true }))
  rules.checkOtherBody(purchase, known(),
    { kind: 'refused', error: 'idempotency_mismatch', data: {} })
  rules.checkPaid(purchase, known(), done({}))
  rules.checkRead(purchase, known(), done({ status: 'paid', events: [event('paid')] }))
  rules.checkCancelled(purchase, known(), done({ status: 'closed' }))
  rules.checkCancelled(purchase, known(), done({ status: 'closed' }))
  expect(broken()).toEqual([])
})

test('an order that is lost, doubled, changed or refused afterwards is noticed', () => {
  const { rules, purchase, known, broken } = scene()
  rules.checkPlaced(purchase, known(), done({}))
  rules.checkPlaced(purchase, known(), refused('out_of_stock', { available_qty: 0 }))
  rules.checkPlaced(purchase, known(), done({}))
  rules.checkPlaced(purchase, known(), done({ duplicate: true, amount: 2591 }))
  rules.checkPlaced(purchase, known(), done({ duplicate: true, order_no: 'AM000000000000000002' }))
  rules.checkOtherBody(purchase, known(), done({ duplicate: true }))
  rules.checkRead(purchase, known(), refused('not_found'))
  expect(broken()).toEqual([
    'same key, same order', 'one first answer', 'an acknowledged order never changes',
    'amounts add up', 'an acknowledged order never changes', 'same key, other body: 422',
    'an acknowledged order is never lost',
  ])
})

test('a payment, a cancel or a timeline that is taken back is noticed', () => {
  const { rules, purchase, known, broken } = scene()
  rules.checkPlaced(purchase, known(), done({}))
  rules.checkPaid(purchase, known(), done({}))
  rules.checkPaid(purchase, known(), refused('order_state'))
  rules.checkRead(purchase, known(), done({ events: [event('created')] }))
  rules.checkRead(purchase, known(), done({ events: [event('paid')] }))
  rules.checkCancelled(purchase, known(), done({ status: 'closed' }))
  rules.checkCancelled(purchase, known(), refused('order_state'))
  expect(broken()).toEqual([
    'a paid order never closes by itself', 'an acknowledged payment is never lost',
    'a timeline is never rewritten', 'a cancel can be repeated',
  ])
})

test('stock that is there, errors that are not documented and second after-sales are noticed',
  () => {
    const { rules, purchase, known, broken } = scene()
    const request: Aftersale = { key: 'k', input: {}, action: newAction(), ids: new Set() }
    rules.checkPlaced(purchase, known(), refused('out_of_stock', { available_qty: 3 }))
    rules.checkPlaced(purchase, known(), { kind: 'wrong', what: 'status 500' })
    rules.checkRequested(purchase, request, known(), done({ aftersale_id: 'AS1' }))
    rules.checkRequested(purchase, request, known(), done({ aftersale_id: 'AS2' }))
    expect(broken()).toEqual([
      'out of stock means it', 'only documented answers', 'same key, same after-sale',
    ])
  })
