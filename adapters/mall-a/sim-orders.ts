/** Mall A's orders by one of their times, in pages that follow a place. */
import type { SimOrder, SimOrders, SimState, SimTime } from '../simulator/orders.ts'
import { chinaTime, parseChinaTime } from '../time.ts'
import { invalid, missing, whole, yuan, type Asked } from './sim-wire.ts'

const LONG_MS = 3 * 3_600_000
const SHORT_MS = 20 * 60_000
/** A second at each end, since both count. */
const GRACE_MS = 2000
/** Days of the big sales, in China. */
const PEAK = /^\d{4}-(?:06-18|11-11) /

/** By `query_type`: created, paid, settled, updated. */
const TIMES: Readonly<Record<string, SimTime>> = {
  1: ({ orderedAt }) => orderedAt,
  2: ({ reached }) => reached.paid,
  3: ({ reached }) => reached.settled,
  4: ({ updatedAt }) => updatedAt,
}

export function queryOrders(orders: SimOrders, asked: Asked, now: number): object {
  for (const name of ['start_time', 'end_time']) if (!asked[name]) return missing(name)
  const from = parseChinaTime(asked['start_time'])
  const to = parseChinaTime(asked['end_time'])
  const page = whole(asked['page_no'], 1, 100)
  const pageSize = whole(asked['page_size'], 20, 100)
  const place = asked['position_index']
  const timeOf = TIMES[asked['query_type'] ?? '1']
  if (!timeOf) return invalid('query_type')
  if (from === null || to === null || from > to) return invalid('start_time')
  if (page === null || pageSize === null) return invalid('page_size')
  if (page > 1 && !place) return missing('position_index')
  const span = PEAK.test(chinaTime(now)) ? SHORT_MS : LONG_MS
  if (to - from > span + GRACE_MS) return invalid('end_time')
  const [at = 0, number = 0] = (place ?? '0_0').split('_').map(Number)
  const rows = orders.within(from, to, timeOf).filter((order) => {
    const time = timeOf(order) ?? 0
    return time > at || (time === at && order.number > number)
  })
  const some = rows.slice(0, pageSize)
  const last = some.at(-1)
  return {
    data: {
      has_next: rows.length > some.length, has_pre: page > 1,
      page_no: page, page_size: pageSize,
      position_index: last ? `${timeOf(last)}_${last.number}` : place ?? '',
      results: { publisher_order_dto: some.map(orderRow) },
    },
  }
}

const STATUSES: Readonly<Record<SimState, number>> = {
  pending: 11, paid: 12, received: 14, settled: 3, refunded: 13, punished: 13,
}

/** What was settled and comes back keeps its status, and gets a tag. */
function orderRow(order: SimOrder): object {
  const { offer, state, reached, echo } = order
  const returned = state === 'refunded' && reached.settled !== undefined
  const final = state === 'received' || state === 'settled' || returned
  const rate = (offer.commissionBps / 100).toFixed(2)
  const at = (reach: SimState): string | null => {
    const ms = reached[reach]
    return ms === undefined ? null : chinaTime(ms)
  }
  return {
    trade_id: `${order.number}01`, trade_parent_id: String(order.number),
    tk_status: returned ? STATUSES.settled : STATUSES[state], refund_tag: returned ? 1 : 0,
    tk_create_time: chinaTime(order.orderedAt), tk_paid_time: at('paid'), tb_paid_time: at('paid'),
    tk_earning_time: at('settled'), modified_time: chinaTime(order.updatedAt),
    item_id: echo['item'], item_title: offer.product.title, item_num: order.qty,
    item_price: yuan(offer.price), alipay_total_price: yuan(order.amount),
    pay_price: final ? yuan(order.amount) : '0.00',
    income_rate: `${rate}%`, tk_total_rate: `${rate}%`, pub_share_rate: '100.00',
    pub_share_pre_fee: yuan(order.commission),
    pub_share_fee: state === 'settled' || returned ? yuan(order.commission) : '0.00',
    adzone_id: echo['adzone'], relation_id: echo['relation'] || 0, special_id: echo['special'] || 0,
    order_type: '天猫', seller_shop_title: offer.shop,
  }
}
