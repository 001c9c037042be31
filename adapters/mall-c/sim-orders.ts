/** What the simulated mall C tells of its orders. */
import { idOf } from '../simulator/ids.ts'
import type { SimOrder, SimOrders, SimState } from '../simulator/orders.ts'
import { DAY_MS } from '../time.ts'
import { NAME } from './dialect.ts'
import { FIRST_GOODS_ID, pageOf, type Asked } from './sim-business.ts'
import { Refused } from './sim-gateway.ts'

export function listOrders(orders: SimOrders, asked: Asked, now: number): object {
  const from = Number(asked['start_update_time'] ?? NaN) * 1000
  const to = Number(asked['end_update_time'] ?? NaN) * 1000
  const { page, pageSize } = pageOf(asked, 100)
  const fits = to >= from && to - from <= DAY_MS && from >= now - 90 * DAY_MS
  if (!fits) throw new Refused(10000)
  const rows = orders.within(from, to)
  return {
    order_list: rows.slice((page - 1) * pageSize, page * pageSize).map(orderRow),
    ...(asked['return_count'] !== 'false' && { total_count: rows.length }),
  }
}

const STATUSES: Readonly<Record<SimState, number>> = {
  pending: -1, paid: 1, received: 2, settled: 5, refunded: 4, punished: 10,
}

function orderRow(order: SimOrder): object {
  const { offer, reached, state } = order
  const seconds = (ms: number | undefined): number | null =>
    (ms === undefined ? null : Math.floor(ms / 1000))
  // The mall states its own fee within what it pays.
  const fee = Math.floor(order.commission / 10)
  return {
    order_sn: `260102-${order.number}`, order_id: String(order.number),
    order_status: STATUSES[state], order_status_desc: state === 'refunded' ? '审核失败' : '',
    fail_reason: state === 'refunded' ? '订单已退款' : null,
    order_create_time: seconds(order.orderedAt), order_pay_time: seconds(reached.paid),
    order_group_success_time: seconds(reached.paid), order_verify_time: null,
    order_receive_time: seconds(reached.received), order_settle_time: seconds(reached.settled),
    order_modify_at: seconds(order.updatedAt),
    goods_id: FIRST_GOODS_ID + order.index, goods_sign: idOf(NAME, order.index),
    goods_name: offer.product.title, goods_price: offer.price, goods_quantity: order.qty,
    order_amount: order.amount, promotion_rate: offer.commissionBps / 10,
    promotion_amount: order.commission + fee, duo_id_service_fee: fee,
    custom_parameters: order.echo['custom'] ?? '', p_id: order.echo['pid'] ?? '',
    price_compare_status: 0, cpa_new: 0, type: 0,
  }
}
