/** A small mall C: the gateway's checks, its registrations, then its five operations. */
import { sameText } from '../signing.ts'
import {
  type Catalogue, createCatalogue, idOf, indexOfId, type SimOffer, type SimSearch,
} from '../simulator/catalogue.ts'
import {
  type SimAnswer, type SimDialect, type SimOptions, type SimRequest, type Simulator,
  startSimulator,
} from '../simulator/frame.ts'
import { carriedBy, packed } from '../simulator/links.ts'
import type { SimClick, SimOrder, SimOrders, SimState } from '../simulator/orders.ts'
import { linkOn } from '../text.ts'
import { DAY_MS } from '../time.ts'
import {
  type CallType, NAME, REGISTRATION_CHANNEL, ROOTS, type Settings, sign, TYPES,
} from './signing.ts'

/** Its users count as registered, so that the sandbox needs no person with the mall's app. */
const OPEN_PID = '1000001_2000001'
/** Every operation needs its registration. */
export const STRICT_PID = '1000001_2000002'

export interface MallC extends Simulator {
  readonly settings: Settings
  /** A person opens the link of a registration and confirms; false for any other link. */
  register(link: string): boolean
}

export async function startMallC(options: SimOptions): Promise<MallC> {
  const registrations = createRegistrations()
  const simulator = await startSimulator(
    (orders) => dialect(options, orders, registrations), options)
  return {
    ...simulator,
    settings: {
      ...SANDBOX, baseUrl: `${simulator.url}/api/router`, pid: OPEN_PID,
      neutralUid: 'search', hosts: [HOST], itemUrl: ITEM_URL,
    },
    register(link) {
      const position = readPosition(link)
      if (position) registrations.add(position)
      return position !== null
    },
  }
}

type Registrations = ReturnType<typeof createRegistrations>

function createRegistrations() {
  const known = new Set<string>()
  const keyOf = ({ pid, custom }: Position): string => `${pid}|${custom}`
  return {
    add(position: Position) {
      known.add(keyOf(position))
    },
    requireKnown(position: Position) {
      if (position.pid === OPEN_PID || known.has(keyOf(position))) return
      throw new Refused(50001,
        '未传入已经授权备案过的相关参数(pid/custom_parameters)', '60001')
    },
  }
}

function dialect(
  { clock, assortment, shopUrl }: SimOptions, orders: SimOrders, registrations: Registrations,
): SimDialect {
  const catalogue = createCatalogue(NAME, assortment, {
    groupShare: 0, couponOn: 'price', shopUrl,
  })
  return {
    name: NAME,
    catalogue,
    operationOf: ({ params }) => (KNOWN.has(params['type'] ?? '')
      ? params['type'] as string : 'unknown'),
    appOf: ({ params }) => params['client_id'] ?? '',
    check: (request) => check(request, clock.now()),
    limited: (_, seconds) => errorBody(new Refused(70031, `调用过于频繁，请${seconds}秒后再试`)),
    answer: ({ params }) => answerOrRefuse(params['type'] as CallType, () =>
      business(params['type'] as CallType, params)),
    indexOf: (id) => indexOfId(NAME, id),
    readPromotion: readClick,
  }

  function business(type: CallType, asked: Asked): object {
    if (type === TYPES.orders) return listOrders(orders, asked, clock.now())
    const position = positionOf(type, asked)
    if (type === TYPES.register) return registration(asked, position)
    registrations.requireKnown(position)
    if (type === TYPES.search) return searchGoods(catalogue, asked, clock.now())
    return type === TYPES.detail ? detail(catalogue, asked, clock.now())
      : promotion(catalogue, asked, position)
  }
}

/** The three operations name their position in three ways. */
function positionOf(type: CallType, asked: Asked): Position {
  const pid = type === TYPES.convert ? asked['p_id'] : type === TYPES.register
    ? (parsed(asked['p_id_list']) as string[] | null)?.[0] : asked['pid']
  const custom = asked['custom_parameters'] ?? ''
  const fits = (pid === OPEN_PID || pid === STRICT_PID) && Buffer.byteLength(custom) <= 64
    && (custom === '' || uidOf(custom) !== '')
  if (!fits) throw new Refused(10000)
  return { pid, custom }
}

const uidOf = (custom: string): string =>
  (custom === '' ? '' : String((Object(parsed(custom)) as { uid?: unknown }).uid ?? ''))

function registration(asked: Asked, position: Position): object {
  if (Number(asked['channel_type']) !== REGISTRATION_CHANNEL) throw new Refused(10000)
  return { url_list: [registrationRow(position)], resource_list: [] }
}

function promotion(catalogue: Catalogue, asked: Asked, { pid, custom }: Position): object {
  const signs = parsed(asked['goods_sign_list'])
  if (!Array.isArray(signs) || signs.length === 0) throw new Refused(10000)
  const offers = signs.map((id) => offerOf(catalogue, String(id))).filter((one) => one !== null)
  return {
    goods_promotion_url_list: offers.map(({ product }) => promotionRow({
      index: product.index, subId: uidOf(custom), echo: { pid, custom },
    })),
  }
}

function answerOrRefuse(type: CallType, work: () => object): SimAnswer {
  try {
    return {
      data: { ...work(), request_id: 'sim' },
      wrap: (data) => JSON.stringify({ [ROOTS[type]]: data }),
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { data: {}, wrap: () => errorBody(error) }
  }
}

// What mall C answers to a request that its gateway accepted.

type Asked = Readonly<Record<string, string | undefined>>

const PAGE_SIZES = { min: 10, max: 100 } as const
/** The older ids are numbers without a relation to the newer ones. */
const FIRST_GOODS_ID = 600_000_000_000

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    throw new Refused(10000)
  }
}

function pageOf(asked: Asked, sizeDefault: number): { page: number, pageSize: number } {
  const page = Number(asked['page'] ?? 1)
  const pageSize = Number(asked['page_size'] ?? sizeDefault)
  const fits = Number.isInteger(page) && page >= 1 && page <= 10_000
    && pageSize >= PAGE_SIZES.min && pageSize <= PAGE_SIZES.max
  if (!fits) throw new Refused(10000)
  return { page, pageSize }
}

function searchGoods(catalogue: Catalogue, asked: Asked, now: number): object {
  const keyword = asked['keyword']
  if (!keyword) throw new Refused(10000)
  const list = `list_${Buffer.from(keyword).toString('base64url').slice(0, 40)}`
  const { page, pageSize } = pageOf(asked, 100)
  if (page > 1 && asked['list_id'] !== undefined && asked['list_id'] !== list) {
    throw new Refused(10000)
  }
  const ranges = (parsed(asked['range_list']) ?? []) as readonly Record<string, number>[]
  const paid = ranges.find((range) => range['range_id'] === 1)
  const found = /^https?:/.test(keyword) ? offersOfLink(catalogue, keyword) : catalogue.search({
    q: keyword, page, pageSize, min: paid?.['range_from'], max: paid?.['range_to'],
    withCoupon: asked['with_coupon'] === 'true', sort: SORTS[asked['sort_type'] ?? '0'],
  })
  return {
    goods_list: found.offers.map((offer) => goodsRow(offer, now)), total_count: found.total,
    list_id: list, search_id: `search_${list}`,
  }
}

const SORTS: Readonly<Record<string, SimSearch['sort']>> =
  { 6: 'sales', 9: 'price_asc', 10: 'price_desc' }

/** The mall's search takes its links too: of items, by either id, and of promotions. */
function offersOfLink(catalogue: Catalogue, link: string) {
  const params = linkOn([HOST], link)?.searchParams
  const old = Number(params?.get('goods_id') ?? NaN) - FIRST_GOODS_ID
  const index = readClick(link)?.index ?? indexOfId(NAME, params?.get('goods_sign') ?? '') ?? old
  const offer = catalogue.offer(index)
  return { offers: offer ? [offer] : [], total: offer ? 1 : 0 }
}

const offerOf = (catalogue: Catalogue, id: string): SimOffer | null => {
  const index = indexOfId(NAME, id)
  return index === null ? null : catalogue.offer(index)
}

function detail(catalogue: Catalogue, asked: Asked, now: number): object {
  if (!asked['goods_sign']) throw new Refused(10000)
  const offer = offerOf(catalogue, asked['goods_sign'])
  return { goods_details: offer ? [{
    ...goodsRow(offer, now),
    goods_gallery_urls: offer.images,
  }] : [] }
}

function goodsRow(offer: SimOffer, now: number): object {
  const { product, price, coupon, sales } = offer
  return {
    goods_sign: idOf(NAME, product.index),
    goods_name: product.title,
    goods_image_url: offer.images[0], goods_thumbnail_url: offer.images[0],
    min_group_price: price, min_normal_price: Math.round(price * 0.12) * 10,
    has_coupon: coupon !== null,
    coupon_discount: coupon?.amount ?? 0, coupon_min_order_amount: coupon?.threshold ?? 0,
    coupon_total_quantity: coupon ? 1000 : 0, coupon_remain_quantity: coupon ? 900 : 0,
    coupon_start_time: coupon ? Math.floor((now - DAY_MS) / 1000) : 0,
    coupon_end_time: coupon ? Math.floor((now + DAY_MS) / 1000) : 0,
    promotion_rate: offer.commissionBps / 10,
    sales_tip: sales < 10_000 ? String(sales) : `${Math.floor(sales / 1000) / 10}万+`,
    desc_txt: '高', serv_txt: '中', lgst_txt: '高',
    mall_id: 1000 + product.index, mall_name: offer.shop, merchant_type: 3,
    opt_name: product.category, brand_name: product.brand,
    subsidy_duo_amount_ten_million: 1,
  }
}

// What the gateway checks before any operation, and how it refuses.

const SANDBOX = {
  clientId: 'sandbox-c-client', clientSecret: 'sandbox-secret-c',
} as const
const KNOWN = new Set<string>(Object.values(TYPES))
const SKEW_MS = 600_000

/** The gateway's error, with its two layers of codes. */
class Refused extends Error {
  readonly code: number
  readonly subCode: string | null

  constructor(code: number, message = '参数错误', subCode: string | null = null) {
    super(message)
    this.code = code
    this.subCode = subCode
  }
}

const errorBody = ({ code, message, subCode }: Refused): string => JSON.stringify({
  error_response: {
    error_msg: '业务服务错误', sub_msg: message, sub_code: subCode, error_code: code,
    request_id: 'sim',
  },
})

function check({ params }: SimRequest, now: number): string | null {
  const { client_id: app, sign: signature, timestamp, type } = params
  const refuse = (code: number, message: string): string => errorBody(new Refused(code, message))
  if (!app) return refuse(10001, '公共参数错误:client_id')
  if (app !== SANDBOX.clientId) return refuse(10016, 'client下线或者clientId不正确')
  if (!signature || !sameText(signature, sign(SANDBOX.clientSecret, params))) {
    return refuse(20004, '签名sign校验失败')
  }
  if (!timestamp) return refuse(10001, '公共参数错误:timestamp')
  const at = Number(timestamp) * 1000
  if (!(Math.abs(now - at) <= SKEW_MS)) return refuse(20004, '签名sign校验失败')
  if (!type) return refuse(10001, '公共参数错误:type')
  return KNOWN.has(type) ? null : refuse(10017, 'type不正确')
}

// Links carry the click or the registration that opening them makes.

const HOST = 'mall-c.example'
const ITEM_URL = `https://mobile.${HOST}/goods.html?goods_sign={id}`

/** The credited position, or the one to register. */
interface Position {
  readonly pid: string
  readonly custom: string
}

function promotionRow(click: SimClick): object {
  const page = 'duo_coupon_landing.html'
  const query = `goods_sign=${idOf(NAME, click.index)}&click=${packed(click)}`
  return {
    ...linkRow(`${page}?${query}`),
    we_app_info: { app_id: 'wxsandboxmallc', page_path: `pages/web/web?${query}` },
  }
}

const registrationRow = (position: Position): object =>
  linkRow(`duo_auth.html?position=${packed(position)}`)

const linkRow = (path: string): object => ({
  url: `https://mobile.${HOST}/${path}`, mobile_url: `https://mobile.${HOST}/app.html?${path}`,
  short_url: `https://p.${HOST}/${path}`, mobile_short_url: `https://p.${HOST}/${path}`,
  schema_url: `mallc://open/${path}`,
})

const readClick = (link: string): SimClick | null => carriedBy(HOST, link, 'click')

const readPosition = (link: string): Position | null =>
  carriedBy(HOST, link, 'position')

// Orders.

function listOrders(orders: SimOrders, asked: Asked, now: number): object {
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
  // The mall's amount contains its own fee.
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
