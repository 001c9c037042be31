import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownLine } from '../testing/goods.ts'
import type { TestNode } from '../testing/node.ts'
import { type TestPlatform } from '../testing/ucp.ts'
import { openUcpShop, type UcpShop } from '../testing/ucp-shop.ts'
import { UCP_CAPABILITIES, UCP_VERSION } from './capabilities.ts'
import { ucpOperations } from './table.ts'

let shop: UcpShop
let node: TestNode
let platform: TestPlatform
const colours = ['红', '蓝', '绿']
const lines = [
  ...colours.map((colour, at) => ownLine(900_000 + at, {
    title: `云砾 保温杯 ${colour}`, group_id: 'g-cup', retail_price: 5000 + at * 1000,
    stock: at === 2 ? 0 : 5,
    specs: [{ name: '颜色', value: colour }, { name: '容量', value: '500ml' }],
  })),
  ...Array.from({ length: 24 }, (_, at) =>
    ownLine(910_000 + at, { title: `云砾 饭盒 ${at}号`, category_id: 5 })),
]

beforeAll(async () => {
  shop = await openUcpShop(lines)
  ;({ node, platform } = shop)
})
afterAll(() => shop.close())

type Answer = Awaited<ReturnType<TestPlatform['rest']>>

const OPERATIONS: Record<string, string> = {
  '/catalog/search': 'search_catalog', '/catalog/lookup': 'lookup_catalog',
  '/catalog/product': 'get_product',
}
const rest = (path: string, payload: object, profile: string | null = '/'): Promise<Answer> =>
  platform.rest(node, OPERATIONS[path]!, { payload, profile })
const mcp = (name: string, payload: object, profile: string | null = '/'): Promise<Answer> =>
  platform.mcp(node, name, { payload, profile })

const idsOf = ({ body }: Answer): string[] =>
  body.products.flatMap(({ variants }: { variants: { id: string }[] }) =>
    variants.map(({ id }) => id))

test('the profile names both transports, what works here, and the key of signatures', async () => {
  const { status, headers, text } = await node.send('GET', '/.well-known/ucp')
  const { ucp, signing_keys: [key] } = JSON.parse(text)
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300'])
  expect(ucp).toMatchObject({ version: UCP_VERSION, payment_handlers: {} })
  expect(ucp.services['dev.ucp.shopping'].map((one: { transport: string, endpoint: string }) =>
    [one.transport, new URL(one.endpoint).pathname]))
    .toEqual([['rest', '/ucp'], ['mcp', '/ucp/mcp']])
  expect(Object.keys(ucp.capabilities))
    .toEqual(UCP_CAPABILITIES.map(({ name }) => name))
  const used = new Set(ucpOperations.map(({ capability }) => capability))
  expect(UCP_CAPABILITIES.filter(({ name, extends: of }) => !used.has(of ?? name))).toEqual([])
  expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256' })
})

test('a search finds what search_goods finds, in its order, over both transports', async () => {
  const query = { query: '云砾 饭盒', pagination: { limit: 5 } }
  const found = await rest('/catalog/search', query)
  const ours = await node.send('GET', `/v1/goods?q=${encodeURIComponent('云砾 饭盒')}&page_size=5`)
  expect(idsOf(found)).toEqual(ours.envelope.data.items.map(({ sku_id }: { sku_id: number }) =>
    String(sku_id)))
  expect((await mcp('search_catalog', query)).body).toEqual(found.body)
})

test('pages follow each other by their cursors, ten products each', async () => {
  const seen: string[] = []
  let cursor: string | undefined
  const sizes: number[] = []
  do {
    const answer = await rest('/catalog/search',
      { query: '饭盒', ...(cursor !== undefined && { pagination: { cursor } }) })
    sizes.push(answer.body.products.length)
    seen.push(...idsOf(answer))
    ;({ cursor } = answer.body.pagination)
  } while (cursor !== undefined)
  expect(sizes).toEqual([10, 10, 4])
  expect(new Set(seen).size).toBe(24)
  const odd = await rest('/catalog/search', { query: '饭盒', pagination: { cursor: 'x' } })
  expect([odd.status, odd.body.messages[0].path]).toEqual([400, '$.pagination.cursor'])
})

test('filters narrow a search, and an unknown category finds nothing', async () => {
  const priced = await rest('/catalog/search', { filters: { price: { min: 6000, max: 6500 } } })
  expect(idsOf(priced)).toEqual(['90000101'])
  const listed = await rest('/catalog/search',
    { query: '*', filters: { categories: ['5'] }, pagination: { limit: 99 } })
  expect(listed.body.pagination).toEqual({ has_next_page: false, total_count: 24 })
  expect((await rest('/catalog/search', { filters: { categories: ['Shoes'] } })).body.products)
    .toEqual([])
})

test('several categories are any of them, with words and without', async () => {
  const found = async (categories: string[], more: object = {}) => idsOf(await rest(
    '/catalog/search', { filters: { categories }, pagination: { limit: 50 }, ...more }))
  const [boxes, cups] = [await found(['5']), await found(['6'])]
  expect([boxes.length, cups.length]).toEqual([24, 3])
  expect(new Set(await found(['6', '5', '6', 'Shoes']))).toEqual(new Set([...boxes, ...cups]))
  expect(new Set(await found(['5', '6'], { query: '云砾' }))).toEqual(new Set([...boxes, ...cups]))
  expect(new Set(await found(['5', '7'], { query: '云砾' }))).toEqual(new Set(boxes))
  expect(await found(['7', '8'])).toEqual([])
})

test('a search without any input is refused over both transports', async () => {
  expect((await rest('/catalog/search', {})).status).toBe(400)
  const { status, body } = await mcp('search_catalog', {})
  expect([status, body.error.code]).toEqual([400, -32_602])
})

test('a body that came before is read as it was, and refused where it is no JSON', async () => {
  const post = async (body: string, type: string, path = '/') =>
    JSON.parse((await node.send('POST', '/ucp/catalog/search', {
      body,
      headers: { 'Content-Type': type, 'UCP-Agent': `profile="${platform.url}${path}"` },
    })).text)
  const body = '{"query":"云砾 饭盒","pagination":{"limit":3}}'
  const first = await post(body, 'application/json')
  expect(first.products).toHaveLength(3)
  expect(await post(body, 'application/json')).toEqual(first)
  expect((await post(body, 'text/plain')).code).toBe('unsupported_media_type')
  expect((await post(body, 'application/json', '/old')).code).toBe('version_unsupported')
  expect((await post(body.replace('3', '2'), 'application/json')).products).toHaveLength(2)
})

test('variants of one product are one product, with a price range', async () => {
  const { body: { products } } = await rest('/catalog/search', { query: '保温杯' })
  expect(products).toHaveLength(1)
  expect(products[0]).toMatchObject({
    id: 'group:g-cup',
    price_range: { min: { amount: 5000, currency: 'CNY' }, max: { amount: 7000 } },
  })
  // Its first image is the first variant's, and stands there once.
  expect(products[0].variants.map(({ media }: { media?: object[] }) => media?.length))
    .toEqual([undefined, 1, 1])
  expect(products[0].media).toHaveLength(1)
})

test('a lookup says which id led to which variant, each product once', async () => {
  const ids = ['90000101', 'group:g-cup', 'item:910000', '90000101', 'nothing', '91000001']
  const { body } = await rest('/catalog/lookup', { ids })
  expect(body.messages).toEqual([{ type: 'info', code: 'not_found', content: 'nothing' }])
  expect(body.products.map(({ id }: { id: string }) => id)).toEqual(['group:g-cup', 'item:910000'])
  const inputs = (at: number) => body.products[at].variants
    .map((one: { id: string, inputs: object[] }) => [one.id, one.inputs])
  expect(inputs(0)).toEqual([
    ['90000101', [{ id: '90000101', match: 'exact' }]],
    ['90000001', [{ id: 'group:g-cup', match: 'featured' }]],
  ])
  expect(inputs(1)).toEqual([['91000001', [
    { id: 'item:910000', match: 'featured' }, { id: '91000001', match: 'exact' }]]])
  const filtered = await rest('/catalog/lookup', { ids, filters: { price: { max: 5500 } } })
  expect(idsOf(filtered)).toEqual(['90000001'])
})

test('more than 50 ids are refused with the code of UCP', async () => {
  const ids = Array.from({ length: 51 }, (_, at) => String(at))
  const { status, body } = await rest('/catalog/lookup', { ids })
  expect([status, body.code]).toEqual([400, 'request_too_large'])
  expect((await mcp('lookup_catalog', { ids })).body.error.code).toBe(-32_602)
  expect((await rest('/catalog/lookup', { ids: ids.slice(1) })).status).toBe(200)
})

test('a product shows its options with their stock, the variant that was named first', async () => {
  const { body: { product } } = await rest('/catalog/product', { id: '90000101' })
  expect(product.variants.map(({ id }: { id: string }) => id)).toEqual(['90000101'])
  expect(product.selected).toEqual([{ name: '颜色', label: '蓝' }])
  expect(product.options).toEqual([{ name: '颜色', values: [
    { label: '红', exists: true, available: true }, { label: '蓝', exists: true, available: true },
    { label: '绿', exists: true, available: false },
  ] }])
  expect(product.variants[0]).toMatchObject({
    availability: { available: true, status: 'in_stock' }, price: { amount: 6000 },
    metadata: { available_quantity: 5, quantity_max: 99 },
  })
})

test('chosen options narrow a product, and those that no variant has are dropped', async () => {
  const choose = async (selected: object[], more: object = {}) =>
    (await rest('/catalog/product', { id: 'group:g-cup', selected, ...more })).body
  const green = await choose([{ name: '颜色', label: '绿' }])
  expect(green.product.variants.map(({ id }: { id: string }) => id)).toEqual(['90000201'])
  const relaxed = await choose([{ name: '颜色', label: '红' }, { name: '尺码', label: 'L' }],
    { preferences: ['颜色', '尺码'] })
  expect(relaxed.product.selected).toEqual([{ name: '颜色', label: '红' }])
  expect(await choose([], { filters: { price: { min: 9000 } } }))
    .toMatchObject({ ucp: { status: 'error' }, messages: [{ code: 'not_found' }] })
})

test('a product that is not there is an outcome over both transports', async () => {
  const { status, body } = await rest('/catalog/product', { id: 'item:1' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    ucp: { version: UCP_VERSION, status: 'error' },
    messages: [{ type: 'error', code: 'not_found', severity: 'unrecoverable' }],
  })
  expect((await mcp('get_product', { id: 'item:1' })).body).toEqual(body)
})

test('a platform without a profile, or of another version, is refused', async () => {
  const ids = ['90000001']
  const without = await rest('/catalog/lookup', { ids }, null)
  expect([without.status, without.body.code]).toEqual([400, 'invalid_profile_url'])
  const overMcp = await mcp('lookup_catalog', { ids }, null)
  expect([overMcp.status, overMcp.body.error.code, overMcp.body.error.data.code])
    .toEqual([400, -32_001, 'invalid_profile_url'])
  expect((await rest('/catalog/lookup', { ids }, '/old')).status).toBe(422)
})

test('a platform that lacks the capability gets an outcome that says so', async () => {
  const { status, body } = await rest('/catalog/lookup', { ids: ['90000001'] }, '/x.y')
  expect([status, body.ucp.status, body.messages[0].code])
    .toEqual([200, 'error', 'capabilities_incompatible'])
})

test('a key that is not known is a protocol error, and its answer asks for one', async () => {
  const { status, headers, text } = await node.send('POST', '/ucp/catalog/lookup', {
    key: 'ak_00000000000000000000000000000000', body: { ids: ['1'] },
  })
  expect([status, headers.get('www-authenticate'), JSON.parse(text).code])
    .toEqual([401, 'Bearer realm="ucp"', 'key_invalid'])
})

test('its tools are its own, and ours stay as many as they were', async () => {
  const list = async (path: string): Promise<string[]> => {
    const { text } = await node.send('POST', path,
      { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
    return JSON.parse(text).result.tools.map(({ name }: { name: string }) => name)
  }
  expect(await list('/ucp/mcp')).toEqual(ucpOperations.map(({ name }) => name))
  expect(await list('/mcp')).toHaveLength(20)
})
