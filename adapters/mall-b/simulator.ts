/** A small mall B: the gateway's checks, then its three operations over the shared catalogue. */
import { sameText } from '../signing.ts'
import {
  type Catalogue, commentsOf, createCatalogue, idOf, indexOfId, type SimOffer, type SimSearch,
} from '../simulator/catalogue.ts'
import {
  type SimDialect, type SimOptions, type SimRequest, type Simulator, startSimulator,
} from '../simulator/frame.ts'
import { carriedBy, packed, type ShortLinks } from '../simulator/links.ts'
import type { SimClick, SimOrder, SimOrders, SimState } from '../simulator/orders.ts'
import { linkOn } from '../text.ts'
import { chinaTime, DAY_MS, parseChinaTime } from '../time.ts'
import { BUSINESS, METHODS, NAME, type Settings, sign } from './signing.ts'

const SANDBOX = { appKey: 'sandbox-b-key', appSecret: 'sandbox-secret-b' } as const
const SKEW_MS = 6 * 60_000
const KNOWN = new Set<string>(Object.values(METHODS))

export async function startMallB(
  options: SimOptions,
): Promise<Simulator & { readonly settings: Settings }> {
  const simulator = await startSimulator(
    (orders, short) => dialect(options, orders, short), options)
  return {
    ...simulator,
    settings: {
      ...SANDBOX, baseUrl: `${simulator.url}/routerjson`, siteId: '5001', positionId: 6,
      hosts: [HOST], sceneId: 1, conversion: 'sub_union',
    },
  }
}

function dialect(
  { clock, assortment, shopUrl }: SimOptions, orders: SimOrders, short: ShortLinks,
): SimDialect {
  const catalogue = createCatalogue(NAME, assortment, {
    groupShare: 0.15, couponOn: 'price', shopUrl,
  })
  return {
    name: NAME,
    catalogue,
    operationOf: ({ params }) => (KNOWN.has(params['method'] ?? '')
      ? params['method'] as string : 'unknown'),
    appOf: ({ params }) => params['app_key'] ?? '',
    check: (request) => check(request, clock.now()),
    limited: ({ params }) => wrap(params['method'] ?? '', { code: 429, message: '超过调用频率' }),
    answer({ params }) {
      const method = params['method'] ?? ''
      return { data: business(method, params[BUSINESS]), wrap: (data) => wrap(method, data) }
    },
    indexOf: (id) => indexOfId(NAME, id),
    readPromotion,
  }

  function business(method: string, text: string | undefined): unknown {
    const body = bodyOf(text)
    const goods = body['goodsReqDTO']
    const code = body['promotionCodeReq']
    const rows = body['orderReq']
    const result = method === METHODS.goods && goods ? queryGoods(catalogue, goods, clock.now())
      : method === METHODS.orders && rows ? queryOrders(orders, rows, clock.now())
        : (method === METHODS.convertSubUnion || method === METHODS.convertCommon) && code
          ? promotion(catalogue, short, code, method) : invalid(401)
    return { requestId: 'sim', ...result }
  }
}

const invalid = (code: number): Refused => ({ code, message: '参数错误' })

function bodyOf(text: string | undefined): Record<string, Record<string, unknown> | undefined> {
  try {
    return Object(JSON.parse(text ?? '')) as ReturnType<typeof bodyOf>
  } catch {
    return {}
  }
}

/** The result is JSON text within JSON; the root has the gateway's spelling. */
function wrap(method: string, data: unknown): string {
  const root = method.replaceAll('.', '_')
  const key = `${root.slice(root.lastIndexOf('_') + 1)}Result`
  return JSON.stringify({ [`${root}_responce`]: { code: '0', [key]: JSON.stringify(data) } })
}

function check({ params }: SimRequest, now: number): string | null {
  const { app_key: app, sign: signature, timestamp, method } = params
  if (!app) return refusal('20', 'Missing app_key')
  if (app !== SANDBOX.appKey) return refusal('21', 'Invalid app_key')
  if (!signature) return refusal('11', 'Missing sign')
  if (!sameText(signature, sign(SANDBOX.appSecret, params))) return refusal('12', 'Invalid sign')
  if (!timestamp) return refusal('7', 'Missing timestamp')
  const at = parseChinaTime(timestamp)
  if (at === null || Math.abs(now - at) > SKEW_MS) return refusal('8', 'Invalid timestamp')
  if (!method) return refusal('14', 'Missing method')
  if (!KNOWN.has(method)) return refusal('15', 'Invalid method')
  return params['v'] ? null : refusal('4', 'Missing version')
}

const refusal = (code: string, text: string): string =>
  JSON.stringify({ error_response: { code, zh_desc: '网关拒绝', en_desc: text } })

// What mall B answers to a request that its gateway accepted.

const HOST = 'mall-b.example'
const HOUR_MS = 3_600_000
const FAR_MS = 4_000_000_000_000

interface Refused { readonly code: number, readonly message: string }
type Asked = Readonly<Record<string, unknown>>

const refused = (code: number): Refused => ({ code, message: '请求被拒绝' })
const yuan = (fen: number): number => fen / 100
const fenOf = (value: unknown): number | undefined =>
  (typeof value === 'number' ? Math.round(value * 100) : undefined)
const whole = (value: unknown, or: number): number => (value === undefined ? or : Number(value))

function queryGoods(catalogue: Catalogue, asked: Asked, now: number): object {
  // Older clients send no scene.
  const { sceneId = 1 } = asked
  if (sceneId !== 1) return refused(sceneId === 2 ? 403 : 401)
  const ids = asked['itemIds']
  if (Array.isArray(ids)) {
    if (ids.length > 20) return refused(401)
    const offers = ids.map((id) => offerOf(catalogue, String(id))).filter((one) => one !== null)
    return offers.length === 0 ? refused(201) : listed(offers, offers.length, now)
  }
  const pageSize = whole(asked['pageSize'], 20)
  const page = whole(asked['pageIndex'], 1)
  if (!(pageSize >= 1 && pageSize <= 30) || !(page >= 1) || !asked['keyword']) return refused(401)
  if (page * pageSize > 10_000) return refused(202)
  const found = catalogue.search({
    q: String(asked['keyword']), page, pageSize, min: fenOf(asked['pricefrom']),
    max: fenOf(asked['priceto']), withCoupon: asked['isCoupon'] === 1, sort: sortOf(asked),
  })
  return found.total === 0 ? refused(201)
    : listed(found.offers, Math.min(found.total, 10_000), now)
}

function sortOf({ sortName, sort }: Asked): SimSearch['sort'] {
  if (sortName === 'price') return sort === 'asc' ? 'price_asc' : 'price_desc'
  return sortName === 'inOrderCount30Days' ? 'sales' : undefined
}

const listed = (offers: readonly SimOffer[], totalCount: number, now: number): object =>
  ({ code: 200, message: 'success', totalCount, data: offers.map((one) => goodsRow(one, now)) })

function goodsRow(offer: SimOffer, now: number): object {
  const { product, price, coupon, groupPrice, expected } = offer
  const id = idOf(NAME, product.index)
  return {
    itemId: id,
    skuName: product.title,
    brandName: product.brand,
    owner: 'p',
    materialUrl: `item.${HOST}/detail/${id}.html`,
    // Addresses lack their scheme, where that is the mall's own.
    imageInfo: { imageList: offer.images.slice(0, 1).map((url) =>
      ({ url: url.replace(/^https:/, '') })) },
    priceInfo: {
      price: yuan(price), lowestPrice: yuan(groupPrice ?? price),
      lowestPriceType: groupPrice === null ? 1 : 2,
      lowestCouponPrice: yuan(Math.min(expected.payable, groupPrice ?? Infinity)),
    },
    commissionInfo: {
      commissionShare: offer.commissionBps / 100,
      commission: yuan(Math.floor(price * offer.commissionBps / 10_000)),
      couponCommission: yuan(Math.floor(expected.payable * offer.commissionBps / 10_000)),
    },
    couponInfo: { couponList: coupon ? [{
      link: couponLink(id), discount: yuan(coupon.amount), quota: yuan(coupon.threshold),
      bindType: 1, couponStyle: 0, isBest: 1, getStartTime: 0, getEndTime: FAR_MS,
      useStartTime: 0, useEndTime: FAR_MS,
    }] : [] },
    comments: offer.reviews,
    goodCommentsShare: offer.positivePercent,
    commentInfo: { commentList: commentsOf(offer, now).map(({ content, score, at }) =>
      ({ content, score, creationTime: chinaTime(at) })) },
    inOrderCount30Days: offer.sales,
    shopInfo: { shopId: 1000 + product.index, shopName: offer.shop },
    categoryInfo: { cid1: 1, cid1Name: product.category, cid3: 3, cid3Name: product.category },
  }
}

/** With an escape: decoding and encoding it again would change it. */
const couponLink = (id: string): string => `https://coupon.${HOST}/take?key=${id}%3D%2d&to=m`

const offerOf = (catalogue: Catalogue, id: string): SimOffer | null => {
  const index = indexOfId(NAME, id)
  return index === null ? null : catalogue.offer(index)
}

function promotion(
  catalogue: Catalogue, short: ShortLinks, asked: Asked, method: string,
): object {
  const material = String(asked['materialId'] ?? '')
  const subUnionId = String(asked['subUnionId'] ?? '')
  const coupon = asked['couponUrl']
  if (!material || (method === METHODS.convertCommon && !asked['siteId'])) return refused(2001212)
  if (subUnionId !== '' && !/^[A-Za-z0-9_-]{1,80}$/.test(subUnionId)) return refused(2001208)
  if (/^https?:/.test(material) && !linkOn([HOST], material)) return refused(2001107)
  const id = /\/detail\/([^/]+)\.html$/.exec(material)?.[1] ?? material
  const offer = offerOf(catalogue, id)
  if (!offer) return refused(2001102)
  if (coupon !== undefined && (!offer.coupon || coupon !== couponLink(id))) return refused(2001909)
  const click: SimClick = {
    index: offer.product.index, subId: subUnionId,
    echo: { positionId: String(asked['positionId'] ?? '') },
  }
  return {
    code: 200, message: 'success',
    data: {
      clickURL: `https://u.${HOST}/jda?e=&p=${packed(click)}`,
      ...(asked['chainType'] !== 1 && { shortURL: short.on(`u.${HOST}`, click) }),
    },
  }
}

const readPromotion = (link: string): SimClick | null =>
  carriedBy(HOST, link, 'p')

function queryOrders(orders: SimOrders, asked: Asked, now: number): object {
  const from = parseChinaTime(String(asked['startTime']))
  const to = parseChinaTime(String(asked['endTime']))
  const page = whole(asked['pageIndex'], 0)
  const pageSize = whole(asked['pageSize'], 0)
  if (from === null || to === null || page < 1 || pageSize < 1 || pageSize > 500
    || asked['type'] !== 3) return refused(2002400)
  // A second of grace, since both ends count.
  if (to - from > HOUR_MS + 1000 || from > to || from < now - 90 * DAY_MS) return refused(2002453)
  const rows = orders.within(from, to)
  if (rows.length > 10_000) return refused(2002452)
  return {
    code: 200, message: 'success', hasMore: rows.length > page * pageSize,
    data: rows.slice((page - 1) * pageSize, page * pageSize).map(orderRow),
  }
}

const VALID_CODES: Readonly<Record<SimState, number>> = {
  pending: 15, paid: 16, received: 17, settled: 17, refunded: 3, punished: 27,
}
const FINISHED = VALID_CODES.received

function orderRow(order: SimOrder): object {
  const { offer, state, reached } = order
  const final = state === 'received' || state === 'settled'
  const finished = reached.received
  // A finished order that was returned keeps its code: all its items are returned, its fee is 0.
  const returned = state === 'refunded' && finished !== undefined
  return {
    id: `${order.number}01`, orderId: order.number, parentId: 0,
    orderTime: chinaTime(order.orderedAt), modifyTime: chinaTime(order.updatedAt),
    finishTime: finished === undefined ? '' : chinaTime(finished),
    validCode: returned ? FINISHED : VALID_CODES[state],
    skuReturnNum: returned ? order.qty : 0,
    itemId: idOf(NAME, order.index), skuId: 0, skuName: offer.product.title, skuNum: order.qty,
    price: yuan(offer.price), commissionRate: offer.commissionBps / 100, finalRate: 100,
    estimateCosPrice: yuan(order.amount), estimateFee: yuan(order.commission),
    actualCosPrice: final ? yuan(order.amount) : 0, actualFee: final ? yuan(order.commission) : 0,
    payMonth: reached.settled !== undefined
      ? chinaTime(reached.settled ?? order.updatedAt).slice(0, 10).replaceAll('-', '') : 0,
    subUnionId: order.subId, positionId: Number(order.echo['positionId']) || 0, siteId: 5001,
  }
}
