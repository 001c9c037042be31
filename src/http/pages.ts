/** The few addresses that people's browsers open: images, an item, the cashier. */
import { Refusal } from '../contract/errors.ts'
import { drawItem } from '../goods/image.ts'
import { productIdOf } from '../contract/ids.ts'
import { createCashier } from '../orders/cashier.ts'
import type { ItemLook, Page } from '../orders/cashier-page.ts'
import type { Services } from '../services.ts'
import { localeOf } from '../site/locale.ts'
import { itemPage, notFoundPage, type ShownItem } from './item-page.ts'
import type { HttpReply, HttpRequest, Route } from '../contract/http.ts'

const IMAGE = /^([0-9]{3,12})-([1-9])\.svg$/
const SKU_ID = /^[1-9][0-9]{2,11}$/
const FORM = /^application\/x-www-form-urlencoded[\t ]*(?:;|$)/i
/** A form with one token. */
const PAY_BYTES_MAX = 1024
const IMAGE_AGE_S = 86_400

export function pages(services: Services): Route[] {
  const cashier = createCashier(services.orders, (skuId) => lookOf(services, skuId))
  return [
    {
      method: 'GET',
      pattern: '/images/:file',
      handler: (request) => image(services, request.params['file'] ?? ''),
    },
    {
      method: 'GET',
      pattern: '/item/:sku_id',
      async handler(request) {
        const item = await find(services, request.params['sku_id'] ?? '')
        const { publicUrl } = services.config
        const place = { publicUrl, locale: localeOf(request, 'zh') }
        return item ? itemPage(item, place) : notFoundPage(place)
      },
    },
    {
      method: 'GET',
      pattern: '/pay/:order_no',
      handler: async (request) => reply(await cashier.show(
        orderNoOf(request), tokenIn(request.query), localeOf(request, 'zh'))),
    },
    {
      method: 'GET',
      pattern: '/pay/:order_no/state',
      handler: async (request) =>
        reply(await cashier.state(orderNoOf(request), tokenIn(request.query))),
    },
    {
      method: 'POST',
      pattern: '/pay/:order_no',
      bodyBytesMax: PAY_BYTES_MAX,
      async handler(request) {
        const form = (await request.body()).toString()
        if (!FORM.test(request.header('content-type') ?? '')) {
          throw new Refusal('unsupported_media_type', {
            hint: 'Open pay_url in a browser and press the button there.',
          })
        }
        const locale = localeOf({ query: form, header: (name) => request.header(name) }, 'zh')
        return reply(await cashier.pay(orderNoOf(request), tokenIn(form), locale))
      },
    },
  ]
}

const orderNoOf = ({ params }: HttpRequest): string => params['order_no'] ?? ''

/** Of a query or a form. */
const tokenIn = (text: string): string => new URLSearchParams(text).get('t') ?? ''

const reply = ({ status, headers, html }: Page): HttpReply => ({ status, headers, body: html })

async function find({ goods }: Services, skuId: string): Promise<ShownItem | undefined> {
  if (!SKU_ID.test(skuId) || productIdOf(Number(skuId)) === undefined) return undefined
  try {
    return (await goods.offer(`shelf:${skuId}`)).toJSON() as ShownItem
  } catch (error) {
    if (error instanceof Refusal && error.error === 'not_found') return undefined
    throw error
  }
}

/** Pictures of other hosts are left out: they would learn of every payer. */
async function lookOf(services: Services, skuId: number): Promise<ItemLook | undefined> {
  const item = await find(services, String(skuId))
  const own = `${services.config.publicUrl}/`
  const image = item?.images.find((address) => address.startsWith(own))?.slice(own.length)
  return item && { shop: item.shop, image }
}

async function image(services: Services, file: string): Promise<HttpReply> {
  const [, skuId = '', view = '1'] = IMAGE.exec(file) ?? []
  const item = await find(services, skuId)
  if (!item) throw new Refusal('not_found')
  return {
    status: 200,
    headers: [
      ['Content-Type', 'image/svg+xml; charset=utf-8'],
      ['Cache-Control', `public, max-age=${IMAGE_AGE_S}`],
      // An SVG opened by itself is a document: it may run nothing and fetch nothing.
      ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'"],
    ],
    body: drawItem(item, Number(view)),
  }
}
