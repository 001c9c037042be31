/**
 * What a person sees of a simulated mall: an item, a button that buys it, the order, and a button
 * that returns it. Addresses are relative, so that a service can show the pages under its own.
 */
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { sameText } from '../signing.ts'
import type { SimOffer } from './catalogue.ts'
import type { Simulator, SimRequest } from './frame.ts'
import type { SimOrder, SimState } from './orders.ts'

export const SHOP_PATH = '/shop/'

type Shop = Pick<Simulator, 'name' | 'token' | 'offer' | 'purchase' | 'order' | 'visit' | 'orders'>
  & { readonly draw: Draw | undefined }

/** An SVG of an item; views are 1, 2 and 3. */
export type Draw = (item: { title: string, category: string }, view: number) => string

interface Answer {
  readonly status: number
  readonly html?: string
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
/** Both languages, since nobody knows who opens the page. */
const both = (chinese: string, english: string): string =>
  `<span lang="zh-CN">${chinese}</span> <span lang="en">${english}</span>`

export function answerShop(shop: Shop, request: SimRequest, response: ServerResponse): void {
  const { status, html, svg, location } = answer(shop, request)
  response.writeHead(status, {
    'content-type': svg === undefined ? 'text/html; charset=utf-8'
      : 'image/svg+xml; charset=utf-8',
    'content-security-policy': 'default-src \'none\'; style-src \'unsafe-inline\'; '
      + 'img-src \'self\'; form-action \'self\'; base-uri \'none\'; frame-ancestors \'none\'',
    'referrer-policy': 'no-referrer',
    ...(location !== undefined && { location }),
  }).end(svg ?? html ?? '')
}

function answer(shop: Shop, { method, path, params }: SimRequest): Answer {
  const [page = '', name = '', ...rest] = path.slice(SHOP_PATH.length).split('/')
  if (rest.length > 0) return missing(shop)
  switch (`${method} ${page}`) {
    case 'GET visit': return itemPage(shop, { link: params['url'] ?? '' }, '')
    case 'GET s': return itemPage(shop, { link: name }, '../')
    case 'GET goods': return itemPage(shop, { id: name }, '../')
    case 'GET image': return image(shop, name)
    case 'GET order': return orderPage(shop, name)
    case 'POST buy': return buy(shop, params)
    case 'POST order': return returnOrder(shop, name)
    default: return missing(shop)
  }
}

/** By a promotion link, which says who is credited, or by its id, for nobody's credit. */
type Wanted = { readonly link: string } | { readonly id: string }

const offerOf = (shop: Shop, wanted: Wanted): SimOffer | null =>
  ('id' in wanted ? shop.offer(wanted.id)
    : wanted.link.length <= LINK_MAX ? shop.visit(wanted.link) : null)

function itemPage(shop: Shop, wanted: Wanted, up: string): Answer {
  const offer = offerOf(shop, wanted)
  if (!offer) return missing(shop)
  const { product, price, expected } = offer
  const [field, value] = 'id' in wanted ? ['id', wanted.id] : ['url', wanted.link]
  const coupon = expected.coupon
  return page(shop, 200, `<img src="${up}image/${escaped(offer.id)}-1.svg" alt="">`
    + `<h1>${escaped(product.title)}</h1><p class="price">${yuan(expected.payable)}</p>`
    + (coupon ? `<p class="soft">${both(`原价 ${yuan(price)}，已减券 ${yuan(coupon.amount)}`,
      `${yuan(price)} less a coupon of ${yuan(coupon.amount)}`)}</p>` : '')
    + `<p class="soft">${escaped(offer.shop)}</p>`
    + `<form method="post" action="${up}buy"><input type="hidden" name="${field}" value="`
    + `${escaped(value)}"><button>${both('购买（模拟）', 'Buy (pretended)')}</button></form>`
    + ('id' in wanted ? `<p class="soft">${both('此页没有推广链接，成交不计佣金。',
      'Opened without a purchase link: nobody earns a commission here.')}</p>` : ''))
}

function buy(shop: Shop, { url, id }: SimRequest['params']): Answer {
  const order = url !== undefined && url.length <= LINK_MAX ? shop.purchase(url)
    : id === undefined ? null : shop.order(id)
  return order ? { status: 303, location: `order/${tokenOf(shop, order)}` } : missing(shop)
}

/** Numbers can be guessed, and an order's page can return it: the address proves who bought. */
function tokenOf({ token }: Shop, { number }: { readonly number: number }): string {
  const proof = createHmac('sha256', token).update(String(number)).digest('base64url')
  return `${number}-${proof.slice(0, 22)}`
}

function orderOf(shop: Shop, name: string): SimOrder | null {
  const number = Number(/^(\d{1,16})-/.exec(name)?.[1] ?? Number.NaN)
  return sameText(name, tokenOf(shop, { number })) ? shop.orders.get(number) : null
}

const STATES: Readonly<Record<SimState, string>> = {
  pending: both('待付款', 'Not paid'), paid: both('已付款，待收货', 'Paid, on its way'),
  received: both('已收货', 'Received'), settled: both('已结算', 'Settled with the affiliate'),
  refunded: both('已退货退款', 'Returned and refunded'), punished: both('已处罚', 'Penalised'),
}
const RETURNABLE: readonly SimState[] = ['paid', 'received', 'settled']

function orderPage(shop: Shop, name: string): Answer {
  const order = orderOf(shop, name)
  if (!order) return missing(shop)
  const { offer, number, qty, amount, state, isTracked } = order
  return page(shop, 200, `<h1>${both('订单', 'Order')} ${number}</h1>`
    + `<p class="state">${STATES[state]}</p>`
    + `<p>${escaped(offer.product.title)} × ${qty}</p><p class="price">${yuan(amount)}</p>`
    + (isTracked ? `<p class="soft">${both('推广方数秒内可见此订单及其变化。',
      'The agent sees this order, and each change of it, within seconds.')}</p>`
      : `<p class="soft">${both('无推广方。', 'No agent is credited.')}</p>`)
    + (RETURNABLE.includes(state) ? '<form method="post"><button class="quiet">'
      + `${both('退货退款（模拟）', 'Return it (pretended)')}</button></form>` : ''))
}

function returnOrder(shop: Shop, name: string): Answer {
  const order = orderOf(shop, name)
  if (!order) return missing(shop)
  if (RETURNABLE.includes(order.state)) shop.orders.move(order.number, 'refunded')
  return { status: 303, location: name }
}

function image(shop: Shop, file: string): Answer {
  const [, id = '', view = '1'] = IMAGE.exec(file) ?? []
  const offer = shop.offer(id)
  return offer && shop.draw ? { status: 200, svg: shop.draw(offer.product, Number(view)) }
    : missing(shop)
}

const missing = (shop: Shop): Answer =>
  page(shop, 404, `<h1>${both('没有这一页', 'No such page')}</h1><p class="soft">${
    both('商品或订单不存在；模拟商城重启后旧订单会消失。',
      'No such item or order; orders of a simulated mall end with its process.')}</p>`)

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#60646c;--card:#fff;--ground:#f2f3f5}
@media(prefers-color-scheme:dark){:root{--ink:#edeef0;--soft:#b0b4ba;--card:#1c1f23;
--ground:#101214}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;color:var(--ink);
background:var(--ground);font:16px/1.5 system-ui,-apple-system,"PingFang SC","Noto Sans SC",
sans-serif}
main{width:min(26rem,100%);background:var(--card);border-radius:1rem;padding:1.5rem;
border-top:.4rem solid #7c3aed;overflow-wrap:anywhere}
img{width:100%;border-radius:.75rem}h1{font-size:1.15rem;margin:.75rem 0}
.mall{margin:0 0 .75rem;color:var(--soft);font-size:.85rem}
.price{font-size:1.9rem;font-weight:700;margin:.5rem 0;font-variant-numeric:tabular-nums}
.soft,[lang=en]{color:var(--soft);font-size:.9rem}.state{font-weight:600}
button{width:100%;min-height:3.1rem;margin-top:.5rem;border:0;border-radius:.75rem;
background:#6d28d9;color:#fff;font:inherit;font-weight:600;cursor:pointer}
button.quiet{background:transparent;color:var(--ink);border:1px solid var(--soft)}
button [lang=en]{color:inherit}:focus-visible{outline:3px solid #f0b100;outline-offset:2px}`

function page(shop: Shop, status: number, body: string): Answer {
  const name = escaped(shop.name)
  return {
    status,
    html: '<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">'
      + '<meta name="viewport" content="width=device-width,initial-scale=1">'
      + `<title>${name} · sandbox</title><style>${STYLE}</style></head><body><main>`
      + `<p class="mall">${name} · ${both('模拟商城，不收真钱', 'a simulated mall: no real money')}`
      + `</p>${body}</main></body></html>`,
  }
}
