/** Mall A's order rows: statuses, stages of income, and whose they are. */
import { expect, test } from 'vitest'
import { isOrderRow, type Pool, toOrderLine } from './mapping.ts'

const POOL: Pool = { adzoneId: '300', poolKind: 'adzone', poolIds: ['301', '302'] }

const order = (more: object = {}, pool: Pool = POOL) => {
  const row: unknown = {
    trade_id: '2800001', trade_parent_id: '28', tk_status: 12, refund_tag: 0,
    tk_create_time: '2026-01-02 10:00:00', tk_paid_time: '2026-01-02 10:01:00',
    modified_time: '2026-01-02 10:05:00', item_id: 'a1-b2', item_title: '耳机', item_num: 2,
    alipay_total_price: '199.90', pay_price: '0.00', tk_total_rate: '5.00%', income_rate: '6.00',
    pub_share_pre_fee: '9.99', pub_share_fee: '0.00', adzone_id: 301, relation_id: 0, ...more,
  }
  return isOrderRow(row) ? toOrderLine(row, pool) : null
}

test('a row is a line in fen and UTC', () => {
  expect(order()).toEqual({
    source: 'mall_a', line_id: '2800001', order_no: '28', item_id: 'a1-b2', title: '耳机', qty: 2,
    amount: 19_990, commission: { bps: 500, fen: 999 }, status: 'paid', mall_status: '12',
    sub_id: '301', ordered_at: Date.parse('2026-01-02T02:00:00Z'),
    paid_at: Date.parse('2026-01-02T02:01:00Z'), updated_at: Date.parse('2026-01-02T02:05:00Z'),
  })
})

test.each([
  [11, 'pending'], [12, 'paid'], [14, 'received'], [3, 'settled'], [13, 'invalid'],
  [99, 'unknown'], ['12', 'paid'],
])('status %j is %s', (tk_status, status) => {
  expect(order({ tk_status })?.status).toBe(status)
})

test('income is estimated until it is settled, and none when invalid', () => {
  const fees = { pub_share_pre_fee: '9.99', pub_share_fee: '4.99' }
  const fen = (tk_status: number) => order({ tk_status, ...fees })?.commission.fen
  expect([fen(12), fen(14), fen(3), fen(13)]).toEqual([999, 999, 499, 0])
})

test('what was received counts by what was settled on, after partial returns', () => {
  expect(order({ tk_status: 14, pay_price: '99.95' })?.amount).toBe(9995)
  expect(order({ tk_status: 14 })?.amount).toBe(19_990)
  expect(order({ tk_status: 12, pay_price: '99.95' })?.amount).toBe(19_990)
})

test('a settled order that came back is invalid by its tag alone', () => {
  for (const refund_tag of [1, '1']) {
    expect(order({ tk_status: 3, refund_tag, pub_share_fee: '9.99' })).toMatchObject({
      status: 'invalid', mall_status: '3 returned', commission: { fen: 0 },
    })
  }
})

test('rates come with their sign or without; one that cannot be is unknown', () => {
  const bps = (tk_total_rate: unknown) => order({ tk_total_rate })?.commission.bps
  expect([bps('15.5'), bps('15.50%'), bps('15.5 %'), bps(15.5)]).toEqual([1550, 1550, 1550, 1550])
  expect([bps(null), bps('much'), bps('-1'), bps('250')]).toEqual([600, null, null, null])
})

test('the pool says which id is the agent\'s; the neutral position is nobody\'s', () => {
  const row = { adzone_id: 300, relation_id: '9100000000000000001', special_id: 7 }
  expect(order(row)?.sub_id).toBeNull()
  expect(order(row, { ...POOL, poolKind: 'relation' })?.sub_id).toBe('9100000000000000001')
  expect(order(row, { ...POOL, poolKind: 'special' })?.sub_id).toBe('7')
  expect(order({ relation_id: 0 }, { ...POOL, poolKind: 'relation' })?.sub_id).toBeNull()
  expect(order({}, { adzoneId: '300' })?.sub_id).toBeNull()
})

test('ids of items are text or numbers, and may be absent', () => {
  expect(order({ item_id: 600000000001 })?.item_id).toBe('600000000001')
  expect([order({ item_id: null })?.item_id, order({ item_id: 0 })?.item_id]).toEqual([null, null])
})

test('a row without a time of change, or with one that is none, is no line', () => {
  expect([order({ modified_time: undefined }), order({ modified_time: 'soon' })])
    .toEqual([null, null])
})
