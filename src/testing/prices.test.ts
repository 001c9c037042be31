/** One meaning of a price over all operations that tell one. */
import { afterAll, expect, test } from 'vitest'
import { startTestNode } from './node.ts'

const node = await startTestNode()
afterAll(() => node.stop())
const key = await node.newKey('t1')

const RECEIVER = {
  name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路 1 号',
}

interface Row { attribute: string, cells: { value: string }[] }

async function data(method: string, path: string, body?: object) {
  const { envelope } = await node.send(method, `/v1${path}`, {
    key, ...(body && { body }),
    ...(path === '/orders' && { headers: { 'Idempotency-Key': crypto.randomUUID() } }),
  })
  expect(envelope).toMatchObject({ code: 0 })
  return envelope.data
}

/** Few merchants ask for freight. */
const CHEAP = ['抽纸', '湿巾', '厨房纸', '垃圾袋', '卷纸', '饼干', '薯片', '牙膏', '洗洁精', '毛巾', '袜子', '酱油',
  '醋', '面条', '苏打水']

async function cheapItems() {
  const pages = await Promise.all(CHEAP.map((name) =>
    data('GET', `/goods?q=${encodeURIComponent(name)}&page_size=50`)))
  return pages.flatMap(({ items }) => items).filter((item) =>
    item.freight > 0 && item.qty_cap === 99 && item.available_qty > 0
    && item.retail_price < item.free_ship_threshold && item.unit_price)
}

test('final_price is the goods after coupons everywhere, and every total says what it adds',
  async () => {
    const [item, other] = await cheapItems()
    const { sku_id, product_id, merchant_id, final_price, freight, unit_price } = item
    expect(final_price).toBe(item.retail_price)
    const item_id = `shelf:${sku_id}`
    const told = [
      await data('GET', `/goods/${sku_id}`),
      await data('GET', `/cps/local/goods/${item_id}`),
      (await data('POST', '/cps/local/goods', { q: item.title, page_size: 50 })).items
        .find((one: typeof item) => one.sku_id === sku_id),
    ]
    for (const one of told) expect(one).toMatchObject({ final_price, freight, unit_price })

    const { items } = await data('POST', '/cps/smart-search',
      { query: item.title, sources: ['shelf'], page_size: 30 })
    const found = items.flatMap(({ offers, ...lead }: typeof item) =>
      [lead, ...offers]).find((one: typeof item) => one.item_id === item_id && one.final_price)
    expect(found).toMatchObject({
      final_price, price: { freight, payable: final_price + freight, unit_price },
    })

    const { rows } = await data('POST', '/cps/compare',
      { items: [item_id, `shelf:${other.sku_id}`] }) as { rows: Row[] }
    const cell = (name: string) =>
      rows.find(({ attribute }) => attribute === name)?.cells[0]?.value
    expect([cell('final_price'), cell('freight'), cell('payable')])
      .toEqual([final_price, freight, final_price + freight].map(String))

    const total = {
      goods_amount: final_price, freight, amount: final_price + freight,
      grand_total: final_price + freight,
    }
    const wish = { merchant_id, product_id, qty: 1 }
    expect(await data('POST', '/orders/preview', wish))
      .toMatchObject({ unit_price: final_price, ...total })
    expect(await data('POST', '/orders', { ...wish, receiver: RECEIVER }))
      .toMatchObject({ items: [{ unit_price: final_price }], ...total })
  })

test('goods of our own say what a fair unit of them costs', async () => {
  const { items: [item] } = await data('GET', '/goods?q=抽纸')
  expect(item.unit_price).toEqual({ fen: expect.any(Number), per: '100 sheets' })
})
