/** Orders of the simulated food platform: a scroll is a picture of one moment, read in pages. */
import { idOf } from '../simulator/ids.ts'
import type { SimOrder, SimOrders, SimState } from '../simulator/orders.ts'
import { DAY_MS } from '../time.ts'
import { NAME } from './dialect.ts'
import { ACT_ID, refused, yuan, type Asked } from './sim-business.ts'

const SCROLLS_MAX = 200

interface Scroll {
  readonly orders: readonly SimOrder[]
  readonly limit: number
  at: number
}

export interface SimScrolls {
  query(asked: Asked, now: number): object
  /** Goes on as long as the count says that there is more. */
  withPlace(answer: unknown): unknown
}

export function createScrolls(orders: SimOrders): SimScrolls {
  const open = new Map<string, Scroll>()
  let next = 1

  function begin(asked: Asked, now: number): [string, Scroll] | null {
    const { platform, startTime, endTime, limit, queryTimeType, searchType } = asked
    const [from, to, count] = [startTime, endTime, limit].map(Number) as [number, number, number]
    const sound = (platform === 1 || platform === 2) && queryTimeType === 2 && searchType === 2
      && count >= 1 && count <= 100 && from <= to
      // A second of grace at each end, since windows are whole seconds.
      && to * 1000 - from * 1000 <= DAY_MS + 2000 && from * 1000 >= now - 90 * DAY_MS - 2000
    if (!sound) return null
    const id = `scroll-${next}`
    next += 1
    const found = orders.within(from * 1000, to * 1000)
      .filter(({ state }) => state !== 'pending')
    const scroll = { orders: found, limit: count, at: 0 }
    open.set(id, scroll)
    const oldest = open.size > SCROLLS_MAX ? open.keys().next().value : undefined
    if (oldest !== undefined) open.delete(oldest)
    return [id, scroll]
  }

  return {
    query(asked, now) {
      const given = asked['scrollId']
      const known = open.get(String(given))
      const [id, scroll] = known ? [String(given), known]
        : given === undefined ? begin(asked, now) ?? [] : []
      if (!scroll) return refused(1)
      // After its end a scroll that is followed all the same begins anew.
      const at = scroll.at < scroll.orders.length ? scroll.at : 0
      const page = scroll.orders.slice(at, at + scroll.limit)
      scroll.at = at + page.length
      return {
        code: 0, message: '成功',
        data: {
          place: [id, scroll.at], skuCount: scroll.orders.length, dataList: page.map(orderRow),
        },
      }
    },
    withPlace(answer) {
      const data = (answer as { data?: { place?: [string, number], skuCount?: number } }).data
      if (!data?.place) return answer
      const { place: [id, at], skuCount = 0, ...rest } = data
      const scrollId = at < skuCount ? id : null
      return { ...answer as object, data: { ...rest, skuCount, scrollId } }
    },
  }
}

const STATUS: Readonly<Record<SimState, string>> = {
  pending: '1', paid: '2', received: '3', settled: '6', refunded: '4', punished: '5',
}
const PART_STATUS: Readonly<Record<SimState, string>> = {
  pending: '1', paid: '1', received: '2', settled: '3', refunded: '4', punished: '1',
}
const seconds = (ms: number): number => Math.floor(ms / 1000)

function orderRow(order: SimOrder): object {
  const { offer, state, echo, commission } = order
  const refunded = state === 'refunded'
  const general = echo['actId'] === ACT_ID
  return {
    platform: 1, businessLine: general ? 1 : 7, orderId: String(order.number),
    payTime: seconds(order.reached.paid ?? order.orderedAt), updateTime: seconds(order.updatedAt),
    payPrice: yuan(order.amount), commissionRate: String(offer.commissionBps),
    profit: yuan(commission), cpaProfit: '0', sid: order.subId, appkey: 'sandbox-food-app',
    ...(general ? { actId: Number(ACT_ID), productId: null }
      : { actId: null, productViewSign: idOf(NAME, order.index) }),
    productName: offer.product.title, status: STATUS[state], tradeType: 1,
    refundPrice: refunded ? yuan(order.amount) : null,
    refundTime: refunded ? String(seconds(order.updatedAt)) : 'null',
    refundProfit: refunded ? yuan(commission) : 'null', cpaRefundProfit: '0',
    // Deliveries have no parts; a pack of coupons has one for each.
    orderDetail: general ? null : partsOf(order),
  }
}

function partsOf({ number, qty, amount, commission, state, updatedAt }: SimOrder): object[] {
  const share = (fen: number, nth: number): number =>
    Math.floor(fen / qty) + (nth < fen % qty ? 1 : 0)
  return Array.from({ length: qty }, (_, nth) => ({
    itemOrderId: `${number}${nth}`, couponStatus: PART_STATUS[state],
    basicAmount: yuan(share(amount, nth)), couponFee: yuan(share(commission, nth)),
    refundAmount: state === 'refunded' ? yuan(share(amount, nth)) : null,
    refundFee: null, refundTime: null, settleTime: null, finishTime: null,
    updateTime: String(seconds(updatedAt)),
  }))
}
