/** What a person sees who follows a promotion link in the sandbox: the item, and a button. */
import type { ServerResponse } from 'node:http'
import type { Simulator, SimRequest } from './frame.ts'

type Shop = Pick<Simulator, 'name' | 'purchase' | 'visit'>

const URL_MAX = 4000
const ESCAPES: Readonly<Record<string, string>> =
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

const page = (body: string): string => '<!doctype html><html lang="zh-CN"><meta charset="utf-8">'
  + '<meta name="viewport" content="width=device-width,initial-scale=1"><title>Sandbox mall</title>'
  + '<style>body{font:16px/1.5 system-ui,sans-serif;max-width:440px;'
  + 'margin:10vh auto;padding:0 16px}'
  + 'button{font:inherit;padding:10px 20px}</style>'
  + `<body>${body}`

export function answerVisit(shop: Shop, request: SimRequest, response: ServerResponse): void {
  const link = request.params['url'] ?? ''
  const isOrder = request.method === 'POST'
  const offer = link.length <= URL_MAX ? shop.visit(link) : null
  const order = offer && isOrder ? shop.purchase(link) : null
  const name = escaped(shop.name)
  const body = !offer ? `<h1>没有这件商品 · No such item</h1><p>${name}</p>`
    : `<p>${name} · 模拟商城 · sandbox</p><h1>${escaped(offer.product.title)}</h1>`
      + `<p>¥${(offer.expected.payable / 100).toFixed(2)}</p>${order
        ? `<p>已下单 · Ordered: ${order.number}</p>`
        : '<form method="post" action="/visit"><input type="hidden" name="url" value="'
          + `${escaped(link)}"><button>购买（模拟） · Buy (pretended)</button></form>`}`
  response.writeHead(offer ? 200 : 404, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': 'default-src \'none\'; style-src \'unsafe-inline\'; '
      + 'form-action \'self\'; frame-ancestors \'none\'',
    'referrer-policy': 'no-referrer',
  }).end(page(body))
}
