/** The page of an item of our own: what it is, and how a person has it bought by an agent. */
import { escapeHtml } from '../html.ts'
import { yuanText } from '../money.ts'
import { page } from './page.ts'
import type { HttpReply } from './types.ts'

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

/** Both languages, since nobody knows who opens the page. */
const both = (chinese: string, english: string): string =>
  `<span>${chinese}</span> <span lang="en">${english}</span>`

export function itemPage(item: ShownItem, publicUrl: string): HttpReply {
  const how = item.supply === 'own' ? byAgent(item, publicUrl) : atMall(item)
  return page(200, item.title, `<img src="${escapeHtml(item.images[0] ?? '')}" alt="">`
    + `<h1>${escapeHtml(item.title)}</h1><p class="price">${yuanText(item.retail_price)}</p>`
    + `<p class="muted">${escapeHtml(item.shop)}</p>${how}`)
}

export const notFoundPage = (): HttpReply =>
  page(404, '没有这件商品 · not found', '<h1>没有这件商品 · No such item</h1>')

const atMall = ({ purchase_url }: ShownItem): string =>
  `<p><a href="${escapeHtml(purchase_url)}" rel="nofollow">${
    both('在商城购买', 'Buy it at its mall')}</a></p>`

function byAgent(item: ShownItem, publicUrl: string): string {
  const { sku_id, title, available_qty } = item
  const wish = `请通过 agentmall（${publicUrl}/mcp）购买 1 件商品 ${sku_id}「${title}」，`
    + '先问我收货地址，再把付款页给我。'
  const wishEn = `Use agentmall (${publicUrl}/mcp) to order 1 of item ${sku_id}. `
    + 'Ask me for the delivery address first, then show me the payment page.'
  const isSoldOut = available_qty === 0
  return `<p class="muted">${delivery(item)}</p>`
    + (isSoldOut ? `<p><strong>${both('暂时缺货', 'Out of stock')}</strong></p>` : '')
    + `<h2>${both('怎么买', 'How to buy')}</h2>`
    + `<p>${both('由您的购物助手（AI）下单，您在它给出的付款页付款。此页没有购买按钮。',
      'Your shopping agent orders it, and you pay on the page that it gives you. '
        + 'There is no button here.')}</p>`
    + `<ol><li>${both('把这句话发给您的助手：', 'Send this to your agent:')}`
    + `<pre class="wrap">${escapeHtml(wish)}</pre>`
    + `<pre class="wrap" lang="en">${escapeHtml(wishEn)}</pre></li>`
    + `<li>${both('助手还不认识 agentmall？把这段加进它的 MCP 设置：',
      'It does not know agentmall yet? Add this to its MCP settings:')}`
    + `<pre>${escapeHtml(mcpConfig(publicUrl))}</pre>`
    + `<p>${both(`密钥：<a href="${escapeHtml(publicUrl)}/console">控制台</a>免费领取。`,
      `The key is free in the <a href="${escapeHtml(publicUrl)}/console">console</a>. There is `
        + `also a <a href="${escapeHtml(publicUrl)}/plugin">plugin</a>.`)}</p></li>`
    + `<li><details><summary>${both('开发者：一次 REST 调用', 'For developers: one REST call')}`
    + `</summary><pre>${escapeHtml(restCall(item, publicUrl))}</pre>`
    + `<p>${both(`答案里的 pay_url 就是付款页。<a href="${escapeHtml(publicUrl)}/docs">文档</a>`,
      `pay_url in the answer is the payment page. <a href="${escapeHtml(publicUrl)}/docs">`
        + 'Documentation</a>')}</p></details></li></ol>`
}

function delivery({ retail_price, freight, free_ship_threshold, ship_within_hours }: ShownItem) {
  const isFree = freight === 0 || retail_price >= free_ship_threshold
  return both(
    `${isFree ? '包邮' : `运费 ${yuanText(freight)}，满 ${yuanText(free_ship_threshold)} 包邮`}，`
      + `${ship_within_hours} 小时内发货`,
    `${isFree ? 'Free delivery' : `Delivery ${yuanText(freight)}, free from `
      + yuanText(free_ship_threshold)}, ships within ${ship_within_hours} hours`)
}

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
