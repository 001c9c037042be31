/**
 * The service of goods that the shops on other SDKs ask: pages by brand, items, and what an order
 * comes to, each made before it is asked for. The first message names the file of goods; the port
 * is the answer.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { uws } from '../../../../src/http/native.ts'
import type { ShopItem } from '../../shop.ts'

const PAGE_ITEMS = 10

const [{ file }] = await once(process, 'message') as [{ file: string }]
process.once('disconnect', () => process.exit(0))
const items = JSON.parse(readFileSync(file, 'utf8')) as ShopItem[]
const byBrand = new Map<string, ShopItem[]>()
for (const item of items) {
  const brand = item.title.split(' ')[0] ?? ''
  byBrand.set(brand, [...byBrand.get(brand) ?? [], item])
}
const pages = new Map([...byBrand].map(([brand, found]) =>
  [brand, JSON.stringify({ items: found.slice(0, PAGE_ITEMS) })]))
const texts = new Map(items.map((item) => [String(item.sku_id), JSON.stringify(item)]))
const prices = new Map(items.map((item) => [item.product_id, item.retail_price]))
const EMPTY = JSON.stringify({ items: [] })
let orders = 0

function totalOf(body: string): string {
  const { product_id, qty } = JSON.parse(body) as { product_id: number, qty: number }
  orders += 1
  return JSON.stringify({
    order_no: `AM${String(orders).padStart(18, '0')}`, amount: (prices.get(product_id) ?? 0) * qty,
  })
}

uws.App()
  .get('/goods', (response, request) => {
    response.writeHeader('Content-Type', 'application/json')
      .end(pages.get(request.getQuery('brand') ?? '') ?? EMPTY)
  })
  .get('/goods/:sku_id', (response, request) => {
    const text = texts.get(request.getParameter(0) ?? '')
    response.writeStatus(text === undefined ? '404 Not Found' : '200 OK')
      .writeHeader('Content-Type', 'application/json').end(text ?? '{}')
  })
  .post('/total', (response) => {
    let body = ''
    response.onAborted(() => {})
    response.onData((chunk, isLast) => {
      body += Buffer.from(chunk).toString('utf8')
      if (isLast) response.writeHeader('Content-Type', 'application/json').end(totalOf(body))
    })
  })
  .listen('127.0.0.1', 0, (socket) => {
    process.send?.({ port: socket ? uws.us_socket_local_port(socket) : 0 })
  })
