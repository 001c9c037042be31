/** Which state, amount and commission an order of the food platform comes to. */
import { expect, test } from 'vitest'
import { isOrderRow, toOrderLine } from './mapping.ts'

const order = (more: object = {}) => {
  const row: unknown = {
    orderId: '280000000000', payTime: 1_767_319_200, updateTime: 1_767_319_500,
    payPrice: '110.00', commissionRate: '300', profit: '3.30', cpaProfit: '0', tradeType: 1,
    sid: 'ag_7f3k9q', actId: null, productViewSign: 'Abc_1', productName: '双人套餐', status: '2',
    refundPrice: null, refundProfit: 'null', cpaRefundProfit: 'null', orderDetail: null, ...more,
  }
  return isOrderRow(row) ? toOrderLine(row, '33') : null
}
const part = (couponStatus: string, amount = '10.00', more: object = {}) => ({
  couponStatus, basicAmount: amount, couponFee: '0.30', refundAmount: null, refundFee: null,
  updateTime: '1767319500', ...more,
})
const PARTS_MIXED = [
  part('1', '40.00', { couponFee: '1.20' }), part('3', '60.00', { couponFee: '1.80' }),
  part('4', '10.00', { couponFee: '0.30', refundAmount: '10.00', updateTime: '1767319900' }),
]

test('a row is a line in fen and UTC', () => {
  expect(order()).toEqual({
    source: 'food', line_id: '280000000000', order_no: '280000000000', item_id: 'Abc_1',
    title: '双人套餐', qty: 1, amount: 11_000, commission: { bps: 300, fen: 330 },
    status: 'paid', mall_status: '2', sub_id: 'ag_7f3k9q', ordered_at: null,
    paid_at: 1_767_319_200_000, updated_at: 1_767_319_500_000,
  })
})

test.each([
  ['2', 'paid'], ['3', 'received'], ['4', 'invalid'], ['5', 'invalid'], ['6', 'settled'],
  [3, 'received'], ['9', 'unknown'], [null, 'unknown'], ['null', 'unknown'],
])('without parts, status %s is %s', (status, expected) => {
  expect(order({ status })?.status).toBe(expected)
})

test.each([
  [['1'], 'paid'], [['2'], 'received'], [['3'], 'settled'], [['4'], 'invalid'],
  [['3', '1'], 'paid'], [['2', '3'], 'received'], [['4', '3'], 'settled'], [['4', '4'], 'invalid'],
  [['3', '8'], 'unknown'],
])('with parts %j the order is %s, whatever it says itself', (states, expected) => {
  for (const status of ['2', '3', '4', '6', '9']) {
    expect(order({ status, orderDetail: states.map((state) => part(state)) })?.status)
      .toBe(expected)
  }
})

test('an order under examination is invalid, however far its parts are', () => {
  expect(order({ status: '5', orderDetail: [part('2'), part('3')] }))
    .toMatchObject({ status: 'invalid', commission: { fen: 0 } })
})

test('of mixed parts those that are left count, and the latest change is the order\'s', () => {
  expect(order({ status: '6', profit: '3.30', orderDetail: PARTS_MIXED })).toMatchObject({
    status: 'paid', mall_status: '6:1,3,4', qty: 3, amount: 10_000, commission: { fen: 300 },
    updated_at: 1_767_319_900_000,
  })
})

test('a part that is invalid without an amount given back is taken off whole', () => {
  expect(order({ orderDetail: [part('2', '100.00'), part('4', '10.00')] })?.amount).toBe(10_000)
})

test('refunds of what goes on are taken off the amount and the commission', () => {
  expect(order({ refundPrice: '10.00', refundProfit: '0.30' }))
    .toMatchObject({ amount: 10_000, commission: { fen: 300 } })
  expect(order({ orderDetail: [part('2', '110.00', { refundAmount: '5', refundFee: '0.10' })] }))
    .toMatchObject({ amount: 10_500, commission: { fen: 20 } })
})

test('parts without fees leave the commission of the whole', () => {
  expect(order({ orderDetail: [part('2', '110.00', { couponFee: null })] })?.commission.fen)
    .toBe(330)
})

test('an order that earns by the piece has its own fields', () => {
  expect(order({ tradeType: 2, profit: '0', cpaProfit: '4.00', cpaRefundProfit: '1.00' })
    ?.commission.fen).toBe(300)
})

test('what was bought with the general coupon is named so; else by product, or not at all', () => {
  expect(order({ productViewSign: null, actId: 33 })?.item_id).toBe('general')
  expect(order({ productViewSign: 'null', actId: '34', productId: 99 })?.item_id).toBe('99')
  expect(order({ productViewSign: null, productId: 0 })?.item_id).toBeNull()
})

test('nobody\'s order has no sub-id', () => {
  expect([order({ sid: '' }), order({ sid: null }), order({ sid: 'null' })]
    .map((line) => line?.sub_id)).toEqual([null, null, null])
})

test('a row without any time, or whose parts are none, is no line', () => {
  expect(order({ payTime: null, updateTime: 'null' })).toBeNull()
  expect(order({ orderDetail: ['x'] })).toBeNull()
  expect(order({ updateTime: null })?.updated_at).toBe(1_767_319_200_000)
})
