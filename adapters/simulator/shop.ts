/**
 * What a person sees of a simulated mall: an item, a button that buys it, the order, and a button
 * that returns it. Addresses are relative, so that a service can show the pages under its own.
 */
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { SourceName } from '../names.ts'
import { sameText } from '../signing.ts'
import type { SimOffer } from './catalogue.ts'
import type { Simulator, SimRequest } from './frame.ts'
import type { SimOrder, SimState } from './orders.ts'

export const SHOP_PATH = '/shop/'

export type ShopLocale = 'en' | 'zh'

/** One page of the shop: `title` is text, `above` (before the title) and `body` are HTML. */
export interface ShopPage {
  readonly locale: ShopLocale
  readonly title: string
  readonly above: string
  readonly body: string
  /** Where the page is in the other language. */
  readonly other: string
}
/** Renders a page in the style of the service around it: the whole document. */
export type Present = (page: ShopPage) => string

type Shop = Pick<Simulator, 'name' | 'token' | 'offer' | 'purchase' | 'order' | 'visit' | 'orders'>
  & { readonly draw: Draw | undefined, readonly present: Present | undefined }

/** An SVG of an item; views are 1, 2 and 3. */
export type Draw = (item: { title: string, category: string }, view: number) => string

interface Answer {
  readonly status: number
  readonly page?: Omit<ShopPage, 'locale' | 'other'> & { readonly other?: string }
  readonly svg?: string
  /** Where a person goes next, relative to the request. */
  readonly location?: string
}

const LINK_MAX = 4000
const IMAGE = /^(.{1,64})-([1-3])\.svg$/
const ESCAPES: Readonly<Record<string, string>> =
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
const yuan = (fen: number): string => `¥${(fen / 100).toFixed(2)}`

/** Without a service around it a page has no style. */
const plain: Present = ({ locale, title, above, body }) =>
  `<!doctype html><html lang="${locale}"><head><meta charset="utf-8">`
  + '<meta name="viewport" content="width=device-width,initial-scale=1">'
  + `<meta name="color-scheme" content="light dark"><title>${escaped(title)}</title></head>`
  + `<body><main>${above}<h1>${escaped(title)}</h1>${body}</main></body></html>`

export function answerShop(shop: Shop, request: SimRequest, response: ServerResponse): void {
  const locale = request.headers['accept-language']?.startsWith('en') ? 'en' : 'zh'
  const { status, page, svg, location } = answer({ shop, words: WORDS[locale] }, request)
  const other = `lang=${locale === 'en' ? 'zh' : 'en'}`
  const html = page && (shop.present ?? plain)({
    ...page, locale, other: `${page.other === undefined ? '?' : `${page.other}&`}${other}`,
  })
  response.writeHead(status, {
    'content-type': svg === undefined ? 'text/html; charset=utf-8'
      : 'image/svg+xml; charset=utf-8',
    'content-security-policy': 'default-src \'none\'; style-src \'unsafe-inline\'; '
      + 'img-src \'self\'; form-action \'self\'; base-uri \'none\'; frame-ancestors \'none\'',
    'referrer-policy': 'no-referrer',
    ...(location !== undefined && { location }),
  }).end(svg ?? html ?? '')
}

/** A shop, and its texts for this visitor. */
interface Visit {
  readonly shop: Shop
  readonly words: ShopWords
}

function answer(visit: Visit, { method, path, params }: SimRequest): Answer {
  const [page = '', name = '', ...rest] = path.slice(SHOP_PATH.length).split('/')
  if (rest.length > 0) return missing(visit)
  switch (`${method} ${page}`) {
    case 'GET visit': return itemPage(visit, { link: params['url'] ?? '' }, '')
    case 'GET s': return itemPage(visit, { link: name }, '../')
    case 'GET goods': return itemPage(visit, { id: name }, '../')
    case 'GET image': return image(visit, name)
    case 'GET order': return orderPage(visit, name)
    case 'POST buy': return buy(visit, params)
    case 'POST order': return returnOrder(visit, name)
    default: return missing(visit)
  }
}

/** By a promotion link, which names the credited agent, or by its id, without credit. */
type Lookup = { readonly link: string } | { readonly id: string }

const offerOf = (shop: Shop, lookup: Lookup): SimOffer | null =>
  ('id' in lookup ? shop.offer(lookup.id)
    : lookup.link.length <= LINK_MAX ? shop.visit(lookup.link) : null)

const soft = (text: string): string => `<p class="soft">${escaped(text)}</p>`
const banner = ({ shop, words }: Visit): string =>
  soft(`${words.malls[shop.name] ?? shop.name} · ${words.simulated}`)

function itemPage(visit: Visit, lookup: Lookup, up: string): Answer {
  const { shop, words } = visit
  const offer = offerOf(shop, lookup)
  if (!offer) return missing(visit)
  const { product, price, expected: { coupon, payable } } = offer
  const [field, value] = 'id' in lookup ? ['id', lookup.id] : ['url', lookup.link]
  const picture = `<img class="wide" src="${up}image/${escaped(offer.id)}-1.svg" alt="">`
  return { status: 200, page: {
    title: product.title,
    above: banner(visit) + picture,
    body: `<p class="price">${yuan(payable)}</p>`
      + (coupon ? soft(words.coupon(yuan(price), yuan(coupon.amount))) : '')
      + soft(offer.shop)
      + `<form method="post" action="${up}buy"><input type="hidden" name="${field}" value="`
      + `${escaped(value)}"><button>${words.buy}</button></form>`
      + ('id' in lookup ? soft(words.unattributed) : ''),
    ...(up === '' && { other: `?url=${encodeURIComponent(value)}` }),
  } }
}

function buy(visit: Visit, { url, id }: SimRequest['params']): Answer {
  const { shop } = visit
  const order = url !== undefined && url.length <= LINK_MAX ? shop.purchase(url)
    : id === undefined ? null : shop.order(id)
  return order ? { status: 303, location: `order/${tokenOf(shop, order)}` } : missing(visit)
}

/** Numbers can be guessed, and an order's page can return it: the address proves the buyer. */
function tokenOf({ token }: Shop, { number }: { readonly number: number }): string {
  const proof = createHmac('sha256', token).update(String(number)).digest('base64url')
  return `${number}-${proof.slice(0, 22)}`
}

function orderOf(shop: Shop, name: string): SimOrder | null {
  const number = Number(/^(\d{1,16})-/.exec(name)?.[1] ?? Number.NaN)
  return sameText(name, tokenOf(shop, { number })) ? shop.orders.get(number) : null
}

const RETURNABLE: readonly SimState[] = ['paid', 'received', 'settled']

function orderPage(visit: Visit, name: string): Answer {
  const { shop, words } = visit
  const order = orderOf(shop, name)
  if (!order) return missing(visit)
  const { offer, number, qty, amount, state, isTracked } = order
  return { status: 200, page: {
    title: `${words.order} ${number}`,
    above: banner(visit),
    body: `<p class="state">${words.states[state]}</p>`
      + `<p>${escaped(offer.product.title)} × ${qty}</p><p class="price">${yuan(amount)}</p>`
      + soft(isTracked ? words.tracked : words.untracked)
      + (RETURNABLE.includes(state)
        ? `<form method="post"><button class="quiet">${words.returnIt}</button></form>` : ''),
  } }
}

function returnOrder(visit: Visit, name: string): Answer {
  const { shop } = visit
  const order = orderOf(shop, name)
  if (!order) return missing(visit)
  if (RETURNABLE.includes(order.state)) shop.orders.move(order.number, 'refunded')
  return { status: 303, location: name }
}

function image(visit: Visit, file: string): Answer {
  const { shop } = visit
  const [, id = '', view = '1'] = IMAGE.exec(file) ?? []
  const offer = shop.offer(id)
  return offer && shop.draw ? { status: 200, svg: shop.draw(offer.product, Number(view)) }
    : missing(visit)
}

const missing = (visit: Visit): Answer => ({ status: 404, page: {
  title: visit.words.missing, above: banner(visit), body: soft(visit.words.missingLead),
} })

interface ShopWords {
  readonly malls: Readonly<Partial<Record<SourceName, string>>>
  readonly states: Readonly<Record<SimState, string>>
  readonly simulated: string
  coupon(price: string, amount: string): string
  readonly buy: string
  readonly unattributed: string
  readonly order: string
  readonly tracked: string
  readonly untracked: string
  readonly returnIt: string
  readonly missing: string
  readonly missingLead: string
}

const WORDS: Readonly<Record<ShopLocale, ShopWords>> = {
  en: {
    malls: { mall_a: 'Mall A', mall_b: 'Mall B', mall_c: 'Mall C', food: 'Food delivery' },
    states: {
      pending: 'Not paid', paid: 'Paid, on its way', received: 'Received',
      settled: 'Settled with the affiliate', refunded: 'Returned and refunded',
      punished: 'Penalised',
    },
    simulated: 'a simulated mall: no real money',
    coupon: (price, amount) => `${price} less a coupon of ${amount}`,
    buy: 'Buy (pretended)',
    unattributed: 'Opened without a purchase link: nobody earns a commission here.',
    order: 'Order',
    tracked: 'The agent sees this order, and each change of it, within seconds.',
    untracked: 'No agent is credited.',
    returnIt: 'Return it (pretended)',
    missing: 'No such page',
    missingLead: 'No such item or order; orders of a simulated mall end with its process.',
  },
  zh: {
    malls: { mall_a: 'A 商城', mall_b: 'B 商城', mall_c: 'C 商城', food: '外卖' },
    states: {
      pending: '待付款', paid: '已付款，待收货', received: '已收货', settled: '已结算',
      refunded: '已退货退款', punished: '已处罚',
    },
    simulated: '模拟商城，不收真钱',
    coupon: (price, amount) => `原价 ${price}，已减券 ${amount}`,
    buy: '购买（模拟）',
    unattributed: '此页没有推广链接，成交不计佣金。',
    order: '订单',
    tracked: '推广方数秒内可见此订单及其变化。',
    untracked: '无推广方。',
    returnIt: '退货退款（模拟）',
    missing: '没有这一页',
    missingLead: '商品或订单不存在；模拟商城重启后旧订单会消失。',
  },
}
