/** Offers of malls in the catalogue: who sees them, and what their addresses do. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { skuIdOf } from '../contract/ids.ts'
import { generateCatalogue } from '../goods/generate.ts'
import type { CatalogueLine } from '../goods/line.ts'
import { ledger as keys } from '../redis/keys.ts'
import { mallLine, ownLine } from '../testing/goods.ts'
import { startTestMalls } from '../testing/malls.ts'
import { openUcpShop, type UcpShop } from '../testing/ucp-shop.ts'
import type { UcpAnswer } from '../testing/ucp.ts'

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
const QUERY = { query: '云砾 保温杯' }
const SEED = 'offers'
const malls = await startTestMalls({ seed: SEED, items: 300 })
const mall = malls.simulators.find(({ name }) => name === 'mall_b')!
let shop: UcpShop

const generated = [...generateCatalogue({ items: 300, seed: SEED })]
const [cup, large] = generated.filter(({ supply }) => supply === 'mall_b')
/** A mall sells a generated product by its number; what it is called is the test's. */
const sold = ({ product_id, external_id = '' }: CatalogueLine, facts: Partial<CatalogueLine>) =>
  mallLine(product_id, { supply: 'mall_b', external_id, specs: [], ...facts })
const lines = [
  ownLine(900_000, { title: '云砾 保温杯 红', group_id: 'g-cup', retail_price: 5000, specs: [] }),
  sold(cup!, {
    title: '云砾 保温杯 蓝', group_id: 'g-cup', retail_price: 4500, shop: '云砾专营店',
    coupon: { amount: 500, threshold: 4000 },
  }),
  sold(large!, { title: '云砾 保温杯 大号', group_id: 'g-large', retail_price: 8000 }),
]
const [OFFER, LARGE] = [cup!, large!].map(({ product_id }) => `shelf:${skuIdOf(product_id)}`) as
  [string, string]

beforeAll(async () => {
  shop = await openUcpShop(lines, { ...malls, seed: SEED })
})
afterAll(async () => {
  await shop.close()
  await malls.close()
})

const ask = (operation: string, payload: object, key?: string): Promise<UcpAnswer> =>
  shop.platform.rest(shop.node, operation, { payload, ...(key !== undefined && { key }) })
interface Variant { readonly id: string, readonly url: string }
const variantsOf = ({ body: { products } }: UcpAnswer): Variant[] =>
  products.flatMap(({ variants }: { variants: Variant[] }) => variants)
const offerFor = async (key: string, id = OFFER): Promise<string> =>
  variantsOf(await ask('search_catalog', QUERY, key)).find((one) => one.id === id)!.url

async function open(
  url: string, headers: Record<string, string> = { 'User-Agent': PERSON },
): Promise<{ status: number, to: string }> {
  const answer = await fetch(`${shop.node.url}${new URL(url).pathname}`,
    { redirect: 'manual', headers })
  return { status: answer.status, to: answer.headers.get('location') ?? '' }
}

test('a search without a key has what is ordered here, with one also what malls sell', async () => {
  const keyless = await ask('search_catalog', QUERY)
  expect(variantsOf(keyless).map(({ id }) => id)).toEqual(['90000001'])
  const keyed = await ask('search_catalog', QUERY, shop.key)
  const shelf = await shop.node.send('POST', '/v1/cps/local/goods', { body: { q: QUERY.query } })
  const ranked: { supply: string, sku_id: number, group_id: string }[] = shelf.envelope.data.items
  expect(new Set(variantsOf(keyed).map(({ id }) => id))).toEqual(new Set(ranked.map(
    ({ supply, sku_id }) => supply === 'own' ? String(sku_id) : `shelf:${sku_id}`)))
  expect(keyed.body.products.map(({ id }: { id: string }) => id))
    .toEqual([...new Set(ranked.map(({ group_id }) => `group:${group_id}`))])
  expect(keyed.body.messages).toMatchObject([{ type: 'info', code: 'sold_elsewhere' }])
  expect(await shop.platform.mcp(shop.node, 'search_catalog', { payload: QUERY, key: shop.key }))
    .toEqual(keyed)
})

test('an offer is a variant with its mall, price, coupon and an address of the agent', async () => {
  const { body } = await ask('lookup_catalog', { ids: [OFFER, 'group:g-large'] }, shop.key)
  const [offer] = body.products[0].variants
  expect(offer).toMatchObject({
    id: OFFER, price: { amount: 4000 }, list_price: { amount: 4500 },
    availability: { available: true }, seller: { name: '云砾专营店' },
    metadata: { sold_by: 'mall_b', coupon: { amount: 500, threshold: 4000 } },
    inputs: [{ id: OFFER, match: 'exact' }],
  })
  expect(body.products[1]).toMatchObject({ id: 'group:g-large', variants: [{ id: LARGE }] })
  expect(offer.url).toBe(await offerFor(shop.key))
  expect(await offerFor(await shop.node.newKey())).not.toBe(offer.url)
  const missing = await ask('lookup_catalog', { ids: [OFFER, OFFER.slice(6)] })
  expect([missing.body.products, missing.body.messages.length]).toEqual([[], 2])
})

test('a product shows variants of every seller to who has a key', async () => {
  const { body } = await ask('get_product', { id: OFFER }, shop.key)
  expect(body.product).toMatchObject({ id: 'group:g-cup', price_range: { min: { amount: 4000 } } })
  expect(body.product.variants[0].id).toBe(OFFER)
  expect(body.messages).toMatchObject([{ code: 'sold_elsewhere' }])
  const group = await ask('get_product', { id: 'group:g-cup' }, shop.key)
  expect(group.body.product.variants[0].id).toBe('90000001')
  expect((await ask('get_product', { id: 'group:g-cup' })).body.product.variants).toHaveLength(1)
})

test('whoever opens an address buys for its agent, and the mall is asked once', async () => {
  const key = await shop.node.newKey('t1')
  const url = await offerFor(key)
  const before = mall.calls()
  const opened = await open(url)
  expect(opened.status).toBe(302)
  const asked = mall.calls()
  expect(asked).toBeGreaterThan(before)
  expect(await open(url)).toEqual(opened)
  expect(mall.calls()).toBe(asked)
  const order = mall.purchase(new URL(opened.to).searchParams.get('url')!)
  expect(order).not.toBeNull()
  await expect.poll(async () => (await shop.node.send('POST', '/v1/cps/mall-b/orders',
    { key, body: {} })).envelope.data.orders).toMatchObject([{ amount: order?.amount }])
})

test('a visit counts as one of a link does: once, and of people alone', async () => {
  const key = await shop.node.newKey('t1')
  const url = await offerFor(key)
  const agent = (await shop.node.services.apiKeys.lookup(key))?.agent ?? ''
  const count = () => shop.node.services.ledger.xlen(keys.clicks(agent))
  await open(url, { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' })
  expect(await count()).toBe(0)
  await open(url)
  await open(url)
  expect(await count()).toBe(1)
})

test('an address that somebody changed leads nowhere, and asks nobody', async () => {
  const url = await offerFor(shop.key)
  const [item = '', agent = '', signature = ''] = new URL(url).pathname.split('/').slice(-3)
  const other = await shop.node.services.apiKeys.lookup(await shop.node.newKey())
  const before = mall.calls()
  for (const changed of [
    [LARGE, agent, signature], [item, other!.agent, signature], [item, agent, '0'.repeat(32)],
    [item, agent, `${signature}0`], ['x', 'y', 'z'],
  ]) {
    expect((await open(`${shop.node.url}/go/offers/${changed.join('/')}`)).status).toBe(404)
  }
  expect(mall.calls()).toBe(before)
})

test('where the mall makes no link a person comes to its page', async () => {
  const key = await shop.node.newKey('t1')
  const url = await offerFor(key, LARGE)
  mall.faults.add('*', 'html', 100)
  const opened = await open(url)
  mall.faults.clear()
  expect(opened).toEqual({ status: 302, to: expect.stringContaining('/malls/mall_b/goods/') })
  expect((await open(url)).to).not.toBe(opened.to)
})

test('an offer is no line of a checkout, and the refusal says where it is bought', async () => {
  const { body } = await ask('create_checkout',
    { line_items: [{ item: { id: OFFER }, quantity: 1 }] }, shop.key)
  expect(body.messages).toMatchObject([{ code: 'item_unavailable', severity: 'unrecoverable' }])
  expect(body.messages[0].content).toContain('buys it at the url')
})
