/**
 * Pages for buyers: images, an item, the cashier. The payment provider's notices are checked by
 * their signature and recorded before the answer.
 */
import escapeHtml from 'escape-html'
import { Refusal } from '../contract/errors.ts'
import type { HttpReply, HttpRequest, Route } from '../contract/http.ts'
import { productIdOf } from '../contract/ids.ts'
import { yuanText } from '../contract/money.ts'
import { drawItem } from '../goods/image.ts'
import type { Limits } from '../limits/limits.ts'
import { createCashier, type CashierPage, type ItemLook } from '../orders/cashier.ts'
import { NOTICE_PATH } from '../orders/payment-provider.ts'
import type { Services } from '../services.ts'
import { type CardContext, cardReply, localeOf, noticeReply, type PerLocale } from '../site/page.ts'

const IMAGE = /^([0-9]{3,12})-([1-9])\.svg$/
const SKU_ID = /^[1-9][0-9]{2,11}$/
const FORM = /^application\/x-www-form-urlencoded[\t ]*(?:;|$)/i
/** A form with one token. */
const PAY_BYTES_MAX = 1024
const IMAGE_AGE_S = 86_400

export interface ShownItem {
  readonly sku_id: number
  readonly product_id: number
  readonly group_id?: string
  readonly merchant_id: number
  readonly supply: string
  readonly title: string
  readonly retail_price: number
  readonly freight: number
  readonly free_ship_threshold: number
  readonly ship_within_hours: number
  /** Null where only a mall knows it. */
  readonly available_qty: number | null
  readonly category_id: number
  readonly images: readonly string[]
  readonly shop: string
  readonly purchase_url: string
}

interface ItemWords {
  readonly buyAtMall: string
  readonly soldOut: string
  readonly howToBuy: string
  readonly lead: string
  readonly send: string
  readonly configure: string
  readonly key: (console: string, plugin: string) => string
  readonly developers: string
  readonly payUrl: string
  readonly documents: string
  request(item: ShownItem, mcpUrl: string): string
  delivery(item: ShownItem, isFree: boolean): string
}

const link = (address: string, text: string): string =>
  `<a href="${escapeHtml(address)}">${text}</a>`

const ITEM_WORDS: PerLocale<ItemWords> = {
  en: {
    buyAtMall: 'Buy it at its mall',
    soldOut: 'Out of stock',
    howToBuy: 'How to buy',
    lead: 'Your shopping agent orders it, and you pay on the page that it gives you. There is no '
      + 'button here.',
    send: 'Send this to your agent:',
    configure: 'It does not know agentmall yet? Add this to its MCP settings:',
    key: (console, plugin) => `The key is free in the ${link(console, 'console')}. There is also a `
      + `${link(plugin, 'plugin')}.`,
    developers: 'For developers: one REST call',
    payUrl: 'pay_url in the answer is the payment page.',
    documents: 'Documentation',
    request: ({ sku_id, title }, mcpUrl) =>
      `Use agentmall (${mcpUrl}) to order 1 of item ${sku_id}, `
      + `“${title}”. Ask me for the delivery address first, then show me the payment page.`,
    delivery: ({ freight, free_ship_threshold, ship_within_hours }, isFree) =>
      `${isFree ? 'Free delivery' : `Delivery ${yuanText(freight)}, free from `
        + yuanText(free_ship_threshold)}, ships within ${ship_within_hours} hours`,
  },
  zh: {
    buyAtMall: '在商城购买',
    soldOut: '暂时缺货',
    howToBuy: '怎么买',
    lead: '由您的购物助手（AI）下单，您在它给出的付款页付款。此页没有购买按钮。',
    send: '把这句话发给您的助手：',
    configure: '助手还不认识 agentmall？把这段加进它的 MCP 设置：',
    key: (console, plugin) =>
      `密钥在${link(console, '控制台')}免费领取，也可以安装${link(plugin, '插件')}。`,
    developers: '开发者：一次 REST 调用',
    payUrl: '应答里的 pay_url 就是付款页。',
    documents: '文档',
    request: ({ sku_id, title }, mcpUrl) => `请通过 agentmall（${mcpUrl}）购买 1 件商品 ${sku_id}`
      + `「${title}」，先问我收货地址，再把付款页给我。`,
    delivery: ({ freight, free_ship_threshold, ship_within_hours }, isFree) =>
      `${isFree ? '包邮' : `运费 ${yuanText(freight)}，满 ${yuanText(free_ship_threshold)} 包邮`}，`
        + `${ship_within_hours} 小时内发货`,
  },
}

export function shopPages(services: Services): Route[] {
  const cashier = createCashier(services.orders, (skuId) => cashierItem(services, skuId))
  return [
    {
      method: 'GET',
      pattern: '/images/:file',
      handler: (request) => imageReply(services, request.params['file'] ?? ''),
    },
    {
      method: 'GET',
      pattern: '/item/:sku_id',
      async handler(request) {
        const item = await findItem(services, request.params['sku_id'] ?? '')
        const { publicUrl } = services.config
        const context = { publicUrl, locale: localeOf(request, 'zh') }
        return item ? itemPage(item, context) : notFoundPage(context)
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

const reply = ({ status, headers, html }: CashierPage): HttpReply =>
  ({ status, headers, body: html })

async function findItem({ goods }: Services, skuId: string): Promise<ShownItem | undefined> {
  if (!SKU_ID.test(skuId) || productIdOf(Number(skuId)) === undefined) return undefined
  try {
    return (await goods.offer(`shelf:${skuId}`)).toJSON() as ShownItem
  } catch (error) {
    if (error instanceof Refusal && error.error === 'not_found') return undefined
    throw error
  }
}

/** Pictures of other hosts are left out: they would learn of every payer. */
async function cashierItem(services: Services, skuId: number): Promise<ItemLook | undefined> {
  const item = await findItem(services, String(skuId))
  const own = `${services.config.publicUrl}/`
  const picture = item?.images.find((address) => address.startsWith(own))?.slice(own.length)
  return item && { shop: item.shop, image: picture }
}

async function imageReply(services: Services, file: string): Promise<HttpReply> {
  const [, skuId = '', view = '1'] = IMAGE.exec(file) ?? []
  const item = await findItem(services, skuId)
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

export function itemPage(item: ShownItem, context: CardContext): HttpReply {
  const how = item.supply === 'own'
    ? byAgent(item, context) : atMall(item, ITEM_WORDS[context.locale])
  return cardReply(200, context, {
    title: item.title,
    above: `<img class="wide" src="${escapeHtml(item.images[0] ?? '')}" alt="">`,
    body: `<p class="price">${yuanText(item.retail_price)}</p>`
      + `<p class="soft">${escapeHtml(item.shop)}</p>${how}`,
    // Imported items have pictures anywhere.
    allowances: { 'img-src': ['*', 'data:'] },
  })
}

const notFoundPage = (context: CardContext): HttpReply => noticeReply(404, context, {
  en: ['No such item', 'It may have been taken off the shelf. Ask your agent to search again.'],
  zh: ['没有这件商品', '商品可能已下架。请让助手重新搜索。'],
})

const atMall = ({ purchase_url }: ShownItem, words: ItemWords): string =>
  `<p><a href="${escapeHtml(purchase_url)}" rel="nofollow">${words.buyAtMall}</a></p>`

function byAgent(item: ShownItem, { publicUrl, locale }: CardContext): string {
  const words = ITEM_WORDS[locale]
  const { retail_price, freight, free_ship_threshold, available_qty } = item
  const isFree = freight === 0 || retail_price >= free_ship_threshold
  const inDocuments = `?lang=${locale}`
  return `<p class="soft">${words.delivery(item, isFree)}</p>`
    + (available_qty === 0 ? `<p><strong>${words.soldOut}</strong></p>` : '')
    + `<h2>${words.howToBuy}</h2><p>${words.lead}</p>`
    + `<ol><li>${words.send}`
    + block(words.request(item, `${publicUrl}/mcp`), words.send, 'wrap') + '</li>'
    + `<li>${words.configure}${block(mcpConfig(publicUrl), words.configure)}`
    + `<p>${words.key(`${publicUrl}/console`, `${publicUrl}/plugin${inDocuments}`)}</p></li>`
    + `<li><details><summary>${words.developers}</summary>`
    + block(restCall(item, publicUrl), words.developers)
    + `<p>${words.payUrl} ${link(`${publicUrl}/docs${inDocuments}`, words.documents)}</p>`
    + '</details></li></ol>'
}

/** Reachable by keyboard, since it may scroll. */
const block = (text: string, label: string, kind = ''): string =>
  `<pre${kind && ` class="${kind}"`} tabindex="0" aria-label="${label}">${escapeHtml(text)}</pre>`

const mcpConfig = (publicUrl: string): string => JSON.stringify({
  mcpServers: {
    agentmall: {
      type: 'http', url: `${publicUrl}/mcp`, headers: { Authorization: 'Bearer ak_…' },
    },
  },
}, null, 2)

/** Fields of the receiver as the person fills them in. */
const RECEIVER = {
  name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路 1 号',
}

function restCall({ merchant_id, product_id }: ShownItem, publicUrl: string): string {
  const body = JSON.stringify({ merchant_id, product_id, qty: 1, receiver: RECEIVER }, null, 2)
  return `curl ${publicUrl}/v1/orders \\\n  -H "Authorization: Bearer $AGENTMALL_API_KEY" \\\n`
    + '  -H "Idempotency-Key: $(uuidgen)" \\\n  -H "Content-Type: application/json" \\\n'
    + `  -d '${body}'`
}

export function paymentRoutes(
  { orders, log }: Pick<Services, 'orders' | 'log'>, limits: Pick<Limits, 'authFailed'>,
): Route[] {
  const { provider, payments, mode } = orders
  if (!provider || mode !== 'live') return []

  async function refuse(request: HttpRequest, why: string): Promise<HttpReply> {
    const { refusal } = await limits.authFailed(request.address)
    if (refusal) throw refusal
    log.warn({ why, address: request.address }, 'payment notice refused')
    return noticeAnswer(why === 'format' ? 400 : 401, { error: { code: why } })
  }

  async function handler(request: HttpRequest): Promise<HttpReply> {
    const body = await request.body()
    const notice = provider!.readNotice({ header: (name) => request.header(name), body })
    if (notice.kind === 'refused') return await refuse(request, notice.why)
    if (notice.kind === 'other') return noticeAnswer(200, { data: { outcome: 'ignored' } })
    const recorded = await payments.record(notice.payment, provider!.name, mode)
    request.note({ order_no: notice.payment.orderNo, payment: recorded.outcome })
    if (recorded.outcome === 'stray') {
      log.warn({ order_no: notice.payment.orderNo, why: recorded.why }, 'payment goes back')
    }
    return noticeAnswer(200, { data: recorded })
  }

  return [{ method: 'POST', pattern: NOTICE_PATH, handler }]
}

const noticeAnswer = (status: number, content: object): HttpReply => ({
  status,
  headers: [['Content-Type', 'application/json; charset=utf-8'], ['Cache-Control', 'no-store']],
  body: JSON.stringify(content),
})
