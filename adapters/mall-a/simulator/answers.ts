/**
 * What the simulated mall A answers about goods, shops and orders, in both generations of its
 * methods, and how it writes: refusals, yuan, lists wrapped or plain, long numbers.
 */
import {
  between, type Catalogue, idOf, indexOfId, randomOf, type SimOffer, type SimSearch,
} from '../../simulator/catalogue.ts'
import type { SimOrder, SimOrders, SimState, SimTime } from '../../simulator/orders.ts'
import { chinaTime, DAY_MS, parseChinaTime } from '../../time.ts'
import { type Method, METHODS, NAME } from '../signing.ts'

/** The tail is another one each day; the head stays. */
export const wireId = (index: number, now: number): string => `${idOf(NAME, index)}-${
  Math.floor(randomOf(NAME, index, Math.floor(now / DAY_MS)) * 36 ** 6).toString(36)}`

export const indexOf = (id: string): number | null => indexOfId(NAME, id.split('-', 1)[0] ?? '')

const SORTS: Readonly<Record<string, SimSearch['sort']>> = {
  match_des: undefined, total_sales_des: 'sales',
  final_promotion_price_asc: 'price_asc', final_promotion_price_des: 'price_desc',
  price_asc: 'price_asc', price_des: 'price_desc',
}
const ALL = 1_000_000

export function search(catalogue: Catalogue, asked: Asked, method: Method, now: number): object {
  const { adzone_id: adzone, q, sort = 'match_des', biz_scene_id: scene } = asked
  if (!adzone) return missing('adzone_id')
  if (!q) return missing('q')
  if (/^https?:/.test(q) && scene !== '2') return invalid('q')
  const page = whole(asked['page_no'], 1, ALL)
  const pageSize = whole(asked['page_size'], 20, 100)
  if (page === null || pageSize === null || !(sort in SORTS)) {
    return refuse(41, 'Invalid Arguments', 'isv.invalid-parameter')
  }
  const legacy = method === METHODS.searchLegacy
  const min = Number(asked['start_price'] ?? 0) * 100
  const max = Number(asked['end_price'] ?? ALL) * 100
  // The older search bounds the price before coupons.
  const found = catalogue.search({
    q, page: 1, pageSize: ALL, sort: SORTS[sort], withCoupon: asked['has_coupon'] === 'true',
    ...(!legacy && { min, max }),
  }).offers.filter(({ price }) => !legacy || (price >= min && price <= max))
  const rows = found.slice((page - 1) * pageSize, page * pageSize).map((offer) => {
    // The search for one known item answers no id, unless the scene is comparing prices.
    const id = offer.product.title === q && scene !== '2' ? undefined
      : wireId(offer.product.index, now)
    return legacy ? flatRow(offer, id) : { item_id: id, ...nestedRow(offer) }
  })
  return { total_results: found.length, result_list: { map_data: rows } }
}

export function details(catalogue: Catalogue, asked: Asked, method: Method): object {
  const legacy = method === METHODS.itemsLegacy
  const name = legacy ? 'num_iids' : 'item_id'
  const ids = asked[name]?.split(',')
  if (!ids) return missing(name)
  if (ids.length > (legacy ? 40 : 20)) return invalid(name)
  const rows = ids.flatMap((id) => {
    const index = indexOf(id)
    const offer = index === null ? null : catalogue.offer(index)
    if (!offer) return []
    // Its own id is digits, as in the old generation; the requested id stands beside.
    const own = String(600_000_000_000 + offer.product.index)
    if (!legacy) return { item_id: own, input_item_iid: id, ...nestedRow(offer) }
    const { shop_title: nick, category_name: leaf, ...row } = flatRow(offer, undefined)
    return { num_iid: own, input_num_iid: id, ...row, nick, cat_leaf_name: leaf }
  })
  const key = legacy ? 'n_tbk_item' : 'tbk_item_detail'
  return { results: { [key]: rows } }
}

/** As the mall writes addresses: without the scheme, where that is its own. */
const picture = (url: string | undefined): string => (url ?? '').replace(/^https:/, '')

const shown = ({ product, images, shop, sales }: SimOffer) => ({
  title: product.title,
  pict_url: picture(images[0]),
  small_images: { string: images.slice(1, 2).map(picture) },
  category_name: product.category,
  shop_title: shop,
  user_type: /旗舰店|官方店/.test(shop) ? 1 : 0,
  volume: sales,
})

function nestedRow(offer: SimOffer): object {
  const { product, price, coupon, expected, commissionBps } = offer
  const step = coupon && {
    promotion_title: '商品券', promotion_id: `p${product.index}`,
    promotion_desc: `满${yuan(coupon.threshold)}元减${yuan(coupon.amount)}元`,
    promotion_start_time: '1767196800000', promotion_end_time: '4102444800000',
  }
  return {
    item_basic_info: { ...shown(offer), brand_name: product.brand },
    price_promotion_info: {
      reserve_price: yuan(Math.round(price * 1.2)), zk_final_price: yuan(price),
      final_promotion_price: yuan(expected.payable),
      ...(step && (expected.coupon ? {
        final_promotion_path_list: { final_promotion_path_map_data: [
          { ...step, promotion_fee: yuan(expected.coupon.amount) },
        ] },
      } : { more_promotion_list: { more_promotion_map_data: [step] } })),
    },
    publish_info: {
      income_rate: String(commissionBps / 100), commission_type: 'MKT',
      income_info: {
        commission_amount: yuan(Math.floor(expected.payable * commissionBps / 10_000)),
        subsidy_amount: '0.00',
      },
      click_url: `//s.click.${HOST}/t?e=neutral`,
    },
  }
}

function flatRow(offer: SimOffer, id: string | undefined) {
  const { price, coupon, commissionBps } = offer
  return {
    ...shown(offer),
    ...(id !== undefined && { item_id: id, commission_rate: String(commissionBps) }),
    reserve_price: yuan(Math.round(price * 1.2)), zk_final_price: yuan(price),
    ...(coupon && id !== undefined && {
      coupon_id: 'c1', coupon_amount: yuan(coupon.amount),
      coupon_start_fee: yuan(coupon.threshold),
      coupon_info: `满${yuan(coupon.threshold)}元减${yuan(coupon.amount)}元`,
      coupon_start_time: '2026-01-01', coupon_end_time: '2099-12-31',
      coupon_total_count: 1000, coupon_remain_count: 900,
    }),
  }
}

const SHOP_KINDS = /旗舰店|专卖店|官方店|优选店/

export function shops(catalogue: Catalogue, asked: Asked): object {
  const { q, fields } = asked
  if (!fields) return missing('fields')
  if (!q) return missing('q')
  const page = whole(asked['page_no'], 1, 100)
  const pageSize = whole(asked['page_size'], 20, 100)
  if (page === null || pageSize === null) return invalid('page_no')
  const goods = q.replace(SHOP_KINDS, '')
  const { offers } = catalogue.search({ q: goods, page: 1, pageSize: 2000 })
  // A shop's picture is that of the first thing it sells.
  const first = new Map(offers.toReversed().map((offer) => [offer.shop, offer]))
  const found = [...new Set(offers.map(({ shop }) => shop))].filter((shop) =>
    (goods === q || shop.includes(q))
    && (asked['is_tmall'] !== 'true' || /旗舰店|官方店/.test(shop)))
  const rows = found.slice((page - 1) * pageSize, page * pageSize).map((shop) =>
    shopRow(shop, first.get(shop)?.images[0]))
  return { total_results: found.length, results: { n_tbk_shop: rows } }
}

function shopRow(title: string, image: string | undefined): object {
  const id = `22${between(10 ** 8, 10 ** 9, title)}00000000`
  return {
    user_id: id, shop_title: title, seller_nick: title,
    shop_type: /旗舰店|官方店/.test(title) ? 'B' : 'C',
    pict_url: picture(image), shop_url: `//shop${id}.${HOST}/`,
  }
}

// Orders by one of their times, in pages that follow a position.

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
  const position = asked['position_index']
  const timeOf = TIMES[asked['query_type'] ?? '1']
  if (!timeOf) return invalid('query_type')
  if (from === null || to === null || from > to) return invalid('start_time')
  if (page === null || pageSize === null) return invalid('page_size')
  if (page > 1 && !position) return missing('position_index')
  const span = PEAK.test(chinaTime(now)) ? SHORT_MS : LONG_MS
  if (to - from > span + GRACE_MS) return invalid('end_time')
  const [at = 0, number = 0] = (position ?? '0_0').split('_').map(Number)
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
      position_index: last ? `${timeOf(last)}_${last.number}` : position ?? '',
      results: { publisher_order_dto: some.map(orderRow) },
    },
  }
}

const STATUSES: Readonly<Record<SimState, number>> = {
  pending: 11, paid: 12, received: 14, settled: 3, refunded: 13, punished: 13,
}

/** An order returned after its settlement keeps its status, and gets a tag. */
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

// The form of answers.

export const HOST = 'mall-a.example'
export const ADZONE = '300'
/** Beyond 2^53, and written as numbers. */
export const POOL: readonly string[] = Array.from({ length: 64 }, (_, nth) =>
  `91000000000000000${String(nth).padStart(2, '0')}`)

export type Asked = Readonly<Record<string, string>>

export interface Refused {
  readonly error: { readonly code: number, readonly msg: string, readonly sub_code?: string }
}

export const refuse = (code: number, msg: string, sub?: string): Refused =>
  ({ error: { code, msg, ...(sub !== undefined && { sub_code: sub, sub_msg: '请求被拒绝' }) } })
export const missing = (name: string): Refused =>
  refuse(40, 'Missing Required Arguments', `isv.missing-parameter:${name}`)
export const invalid = (name: string): Refused =>
  refuse(15, 'Remote service error', `isv.invalid-parameter:${name}`)

export const yuan = (fen: number): string => (fen / 100).toFixed(2)

/** A whole number within its bounds, the default when absent, or null. */
export function whole(text: string | undefined, or: number, max: number): number | null {
  if (text === undefined) return or
  const number = Number(text)
  return Number.isInteger(number) && number >= 1 && number <= max ? number : null
}

const KNOWN = new Set<string>(Object.values(METHODS))
export const methodOf = ({ method }: Asked): Method | null =>
  (method !== undefined && KNOWN.has(method) ? method as Method : null)

/**
 * Lists stand under a typed key, which an empty one lacks; a caller who asks for plain ones gets
 * no root, and an empty list as a list: the public clients parse nothing else there.
 */
export function wrap(method: Method, simplified: boolean, data: unknown): string {
  const body = simplified ? plain(data)
    : { [`${method.slice('taobao.'.length).replaceAll('.', '_')}_response`]: typed(data) }
  return JSON.stringify(body).replaceAll(NUMBERS, '"$1":$2')
}

const NUMBERS = /"(user_id|seller_id|adzone_id|relation_id|special_id)":"(\d+)"/g
const TYPED = new Set([
  'map_data', 'n_tbk_shop', 'n_tbk_item', 'tbk_item_detail', 'publisher_order_dto', 'string',
  'final_promotion_path_map_data', 'more_promotion_map_data', 'item_url_list',
  'material_url_list',
])

const plain = (data: unknown): unknown => mapLists(data, (_, list) => list)
const typed = (data: unknown): unknown =>
  mapLists(data, (key, list) => (list.length > 0 ? { [key]: list } : {}))

/** Writes each list that stands alone under its typed key another way. */
function mapLists(
  value: unknown, write: (key: string, list: readonly unknown[]) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((one) => mapLists(one, write))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [[key, list] = ['', null]] = entries
  if (entries.length === 1 && TYPED.has(key) && Array.isArray(list)) {
    return write(key, list.map((one) => mapLists(one, write)))
  }
  return Object.fromEntries(entries.map(([name, inner]) => [name, mapLists(inner, write)]))
}
