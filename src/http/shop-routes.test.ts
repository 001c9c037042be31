import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { startTestNode } from '../testing/node.ts'
import { itemPage, type ShownItem } from './shop-routes.ts'

const PUBLIC_URL = 'https://shop.test'
const node = await startTestNode({ publicUrl: PUBLIC_URL })
afterAll(() => node.stop())

const unescaped = (html: string): string => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
  .replaceAll('&quot;', '"').replaceAll('&#39;', '\'').replaceAll('&amp;', '&')
const blocks = (html: string): string[] =>
  [...html.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, text = '']) => unescaped(text))

async function anOwnItem(): Promise<ShownItem> {
  const { envelope } = await node.send('GET', '/v1/goods?q=保温杯&page_size=50')
  const item = envelope.data.items.find((one: ShownItem) => (one.available_qty ?? 0) > 0)
  const one = await node.send('GET', `/v1/cps/local/goods/shelf:${item.sku_id}`)
  return one.envelope.data
}

test('an own item\'s page says how to buy it, and its REST call places the order', async () => {
  const item = await anOwnItem()
  expect(item.purchase_url).toBe(`${PUBLIC_URL}/item/${item.sku_id}`)
  const { status, text } = await node.send('GET', `/item/${item.sku_id}`)
  expect(status).toBe(200)
  const english = await node.send('GET', `/item/${item.sku_id}?lang=en`)
  expect([text, english.text].map((one) => /<h2>(.*?)<\/h2>/.exec(one)?.[1]))
    .toEqual(['怎么买', 'How to buy'])
  const [wish, config, call = ''] = blocks(text)
  for (const sentence of [wish, blocks(english.text)[0]]) {
    expect(sentence).toContain(`${PUBLIC_URL}/mcp`)
    expect(sentence).toContain(String(item.sku_id))
  }
  expect(JSON.parse(config ?? '').mcpServers.agentmall).toMatchObject({
    type: 'http', url: `${PUBLIC_URL}/mcp`,
  })
  expect(call).toContain(`curl ${PUBLIC_URL}/v1/orders `)
  const key = await node.newKey('t1')
  const body: unknown = JSON.parse(/-d '(.*)'$/s.exec(call)?.[1] ?? '')
  const placed = await node.send('POST', '/v1/orders', {
    key, body, headers: { 'Idempotency-Key': randomUUID() },
  })
  expect(placed.envelope).toMatchObject({ code: 0, data: { pay_url: expect.any(String) } })
})

test('a mall\'s item leads to its mall, and no title is markup', async () => {
  const item = { ...await anOwnItem(), title: '<b>"杯"</b>&' }
  const place = { publicUrl: PUBLIC_URL, locale: 'zh' } as const
  const own = itemPage(item, place)
  expect(String(own.body)).toContain('<h1>&lt;b&gt;&quot;杯&quot;&lt;/b&gt;&amp;</h1>')
  expect(String(own.body)).not.toContain('<b>')
  const purchase_url = 'https://item.jd.com/1.html?a=1&b=2'
  const page = String(itemPage({ ...item, supply: 'mall_b', purchase_url }, place).body)
  expect(page).toContain('href="https://item.jd.com/1.html?a=1&amp;b=2"')
  expect(page).not.toContain('<pre')
})

test('an unknown item gets a page that says so', async () => {
  for (const sku of ['1', '99999999999', 'x']) {
    const { status, text } = await node.send('GET', `/item/${sku}`)
    expect(status).toBe(404)
    expect(text).toMatch(/<main><h1[^>]*>没有这件商品<\/h1>/)
  }
})
