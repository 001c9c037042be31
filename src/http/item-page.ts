/** The page of an item of our own: what it is, and how a person has it bought by an agent. */
import { escapeHtml } from '../html.ts'
import { yuanText } from '../contract/money.ts'
import type { InBoth } from '../site/locale.ts'
import { cardReply, noticeReply, type CardPlace } from './card-reply.ts'
import type { HttpReply } from '../contract/http.ts'

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

interface Words {
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
  wish(item: ShownItem, mcpUrl: string): string
  delivery(item: ShownItem, isFree: boolean): string
}

const link = (address: string, text: string): string =>
  `<a href="${escapeHtml(address)}">${text}</a>`

const WORDS: InBoth<Words> = {
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
    wish: ({ sku_id, title }, mcpUrl) => `Use agentmall (${mcpUrl}) to order 1 of item ${sku_id}, `
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
    wish: ({ sku_id, title }, mcpUrl) => `请通过 agentmall（${mcpUrl}）购买 1 件商品 ${sku_id}`
      + `「${title}」，先问我收货地址，再把付款页给我。`,
    delivery: ({ freight, free_ship_threshold, ship_within_hours }, isFree) =>
      `${isFree ? '包邮' : `运费 ${yuanText(freight)}，满 ${yuanText(free_ship_threshold)} 包邮`}，`
        + `${ship_within_hours} 小时内发货`,
  },
}

export function itemPage(item: ShownItem, place: CardPlace): HttpReply {
  const how = item.supply === 'own' ? byAgent(item, place) : atMall(item, WORDS[place.locale])
  return cardReply(200, place, {
    title: item.title,
    above: `<img class="wide" src="${escapeHtml(item.images[0] ?? '')}" alt="">`,
    body: `<p class="price">${yuanText(item.retail_price)}</p>`
      + `<p class="soft">${escapeHtml(item.shop)}</p>${how}`,
    // Imported items have pictures anywhere.
    allowances: { 'img-src': ['*', 'data:'] },
  })
}

export const notFoundPage = (place: CardPlace): HttpReply => noticeReply(404, place, {
  en: ['No such item', 'It may have been taken off the shelf. Ask your agent to search again.'],
  zh: ['没有这件商品', '商品可能已下架。请让助手重新搜索。'],
})

const atMall = ({ purchase_url }: ShownItem, words: Words): string =>
  `<p><a href="${escapeHtml(purchase_url)}" rel="nofollow">${words.buyAtMall}</a></p>`

function byAgent(item: ShownItem, { publicUrl, locale }: CardPlace): string {
  const words = WORDS[locale]
  const { retail_price, freight, free_ship_threshold, available_qty } = item
  const isFree = freight === 0 || retail_price >= free_ship_threshold
  const inDocuments = `?lang=${locale}`
  return `<p class="soft">${words.delivery(item, isFree)}</p>`
    + (available_qty === 0 ? `<p><strong>${words.soldOut}</strong></p>` : '')
    + `<h2>${words.howToBuy}</h2><p>${words.lead}</p>`
    + `<ol><li>${words.send}`
    + block(words.wish(item, `${publicUrl}/mcp`), words.send, 'wrap') + '</li>'
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
