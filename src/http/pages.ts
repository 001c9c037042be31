/** The few addresses that people's browsers open: images, an item, the cashier. */
import { Refusal } from '../errors.ts'
import { drawItem } from '../goods/image.ts'
import { productIdOf } from '../ids.ts'
import { createCashier } from '../orders/cashier.ts'
import type { Page } from '../orders/cashier-page.ts'
import type { Services } from '../services.ts'
import { itemPage, notFoundPage, type ShownItem } from './item-page.ts'
import type { HttpReply, HttpRequest, Route } from './types.ts'

const IMAGE = /^([0-9]{3,12})-([1-9])\.svg$/
const SKU_ID = /^[1-9][0-9]{2,11}$/
const FORM = /^application\/x-www-form-urlencoded[\t ]*(?:;|$)/i
/** A form with one token. */
const PAY_BYTES_MAX = 1024
const IMAGE_AGE_S = 86_400

export function pages(services: Services): Route[] {
  const cashier = createCashier(services.orders)
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
        return item ? itemPage(item, services.config.publicUrl) : notFoundPage()
      },
    },
    {
      method: 'GET',
      pattern: '/pay/:order_no',
      handler: async (request) => reply(await cashier.show(
        orderNoOf(request), new URLSearchParams(request.query).get('t') ?? '')),
    },
    {
      method: 'POST',
      pattern: '/pay/:order_no',
      bodyBytesMax: PAY_BYTES_MAX,
      async handler(request) {
        const body = await request.body()
        if (!FORM.test(request.header('content-type') ?? '')) {
          throw new Refusal('unsupported_media_type', {
            hint: 'Open pay_url in a browser and press the button there.',
          })
        }
        const token = new URLSearchParams(body.toString()).get('t') ?? ''
        return reply(await cashier.pay(orderNoOf(request), token))
      },
    },
  ]
}

const orderNoOf = ({ params }: HttpRequest): string => params['order_no'] ?? ''

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
