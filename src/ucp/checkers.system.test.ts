/** What nobody here wrote, against a whole node: the reference client, the runner, the models. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../dev/redis/server.ts'
import { importCatalogue } from '../goods/import.ts'
import { mallLine, ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { startTestNode, type TestNode } from '../testing/node.ts'
import { servePlatform, type TestPlatform, UCP_FULFILLMENT, type UcpCall } from '../testing/ucp.ts'
import { payAt } from '../testing/ucp-purchase.ts'
import { type Checkers, installCheckers, openRunnerProxy } from '../testing/ucp-checkers.ts'

const MINUTES = 60_000
const PUBLIC_URL = 'https://mall.test'

const fulfillment = UCP_FULFILLMENT

let stores: OwnStores
let platform: TestPlatform
let checkers: Checkers
/** Published under a public address, and under its own. */
let published: TestNode
let local: TestNode
let key: string

beforeAll(async () => {
  stores = await ownStores()
  await importCatalogue(stores, [
    ...['红', '蓝', '绿'].map((colour, at) => ownLine(900_000 + at, {
      title: `云砾 保温杯 ${colour}`, group_id: 'g-cup', retail_price: 5000 + at * 1000,
      stock: at === 2 ? 0 : 500, specs: [{ name: '颜色', value: colour }],
    })),
    ...Array.from({ length: 24 }, (_, at) =>
      ownLine(910_000 + at, { title: `云砾 饭盒 ${at}号`, stock: 500 })),
    mallLine(920_000, { title: '云砾 台灯', coupon: { amount: 500, threshold: 1000 } }),
  ])
  platform = await servePlatform()
  checkers = await installCheckers(platform)
  const redis = { ...stores.urls, counters: stores.urls.ledger }
  published = await startTestNode({ redis, publicUrl: PUBLIC_URL })
  // Its address stands in what it says of itself, so that its port is chosen first.
  const port = await freePort()
  local = await startTestNode({ redis, port, publicUrl: `http://127.0.0.1:${port}` })
  key = await local.newKey()
}, 10 * MINUTES)
afterAll(async () => {
  await Promise.all([published.stop(), local.stop()])
  await checkers.close()
  stores.close()
  platform.close()
})

test('the reference client discovers, searches, reads, and goes to the hand-off', async () => {
  const business = ['--business', local.url]
  const found = await checkers.client(['discover', ...business])
  expect(Object.keys(found.result.negotiated['dev.ucp.shopping'].tools)).toContain('get_order')
  const { result: { products } } = await checkers.client(
    ['catalog', 'search', ...business, '--set', '/query=保温杯'])
  expect(products).toHaveLength(1)
  const product = await checkers.client(['catalog', 'get_product', '90000101', ...business])
  expect(product.result.product.variants[0].id).toBe('90000101')
  const keyed = [...business, '--header', `Authorization: Bearer ${key}`]
  const input = (value: object) => ['--input', JSON.stringify(value)]
  const created = await checkers.client(['checkout', 'create', ...keyed, ...input({
    line_items: [{ item: { id: '90000101' }, quantity: 2 },
      { item: { id: '91000001' }, quantity: 1 }],
  })])
  const { id } = created.result
  const updated = await checkers.client(['checkout', 'update', id, ...keyed, ...input({
    line_items: created.result.line_items.map(
      (line: { id: string, item: { id: string }, quantity: number }) =>
        ({ id: line.id, item: { id: line.item.id }, quantity: line.quantity })),
    fulfillment,
  })])
  expect(updated.result.status).toBe('ready_for_complete')
  const completed = await checkers.client(['checkout', 'complete', id, ...keyed, ...input({})])
  expect(completed.result).toMatchObject({ status: 'requires_escalation' })
  await pay(completed.result.continue_url)
  const order = await checkers.client(['order', 'get', id.replace('CK', 'CO'), ...keyed])
  expect(order.result.line_items).toHaveLength(2)
}, 5 * MINUTES)

const pay = (continueUrl: string): Promise<string> => payAt(local, continueUrl)

/** Deviations with their reasons; any other is a failure. */
const EXPLAINED: Readonly<Record<string, string>> = {
  'cart.conversion_idempotent': 'The runner wants status 200 where a cart\'s checkout is there '
    + 'already. It gets that checkout, with 201 as from every create: the specification wants the '
    + 'same session, and says nothing of the status.',
  'checkout.unavailable_business_outcome': 'The runner wants a line without stock to be left out '
    + 'of the checkout. Here it stays, named by a message: what a buyer asked for does not go '
    + 'without a word, and the specification does not ask for it.',
}

test('the conformance runner finds nothing that is not explained', async (context) => {
  const proxy = await openRunnerProxy({
    node: published.url, publicUrl: PUBLIC_URL, key, platform,
  })
  const cases = await checkers.conformance(proxy.url, {
    product_id: '91000001', currency: 'CNY', out_of_stock_id: '90000201',
    fulfillment_option_id: 'standard', signature: { responses: true },
    cart: { second_product_id: '91000101' },
    payment: { escalation_payment: { payment: { instruments: [] } } },
    unavailable: { business_outcome: true },
    negotiation: {
      validates_profile_url: true,
      unsupported_version_profile_url: `${platform.url}/old`,
      incompatible_caps_profile_url: `${platform.url}/x.y`,
      unreachable_profile_url: 'http://127.0.0.1:1/',
      malformed_profile_url: `${platform.url}/malformed`,
    },
    catalog: {
      variant_id: '90000101', configurable_product_id: 'group:g-cup', paginated_query: '饭盒',
      max_batch: 50, paginated_total: 24,
    },
  })
  proxy.close()
  const count = (outcome: string): number =>
    cases.filter((one) => one.outcome === outcome).length
  await context.annotate(`${count('passed')} passed, ${count('failed')} failed, ${
    count('skipped')} not applicable or not tested\n${cases.filter((one) =>
    one.outcome !== 'passed').map(({ name, outcome, reason }) =>
    `${outcome} ${name}: ${reason}`).join('\n')}`)
  expect(cases.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name).toSorted())
    .toEqual(Object.keys(EXPLAINED).toSorted())
  expect(count('passed')).toBeGreaterThan(40)
}, 5 * MINUTES)

test('every sample of docs/ucp.md runs, and prints what it says', async () => {
  const source = [...(await readFile(new URL('../../docs/ucp.md', import.meta.url), 'utf8'))
    .matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text).join('\n')
    .replaceAll('http://localhost:8080', local.url)
    .replaceAll('8081', String(await freePort()))
  const folder = await mkdtemp(join(tmpdir(), 'agentmall-ucp-'))
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', source],
    { cwd: folder, timeout: MINUTES })
  await rm(folder, { recursive: true })
  const printed = stdout.trim().split('\n')
  expect(printed.slice(0, 4))
    .toEqual(['2026-04-08', expect.stringContaining('保温杯'), 'ready_for_complete', 'paid: 200'])
  expect(printed.slice(4))
    .toEqual([expect.stringMatching(/^(processing|fulfilled)$/), 'li_1', 'group:g-cup'])
}, 2 * MINUTES)

/** The models of each operation's request and answer. */
const MODELS: Readonly<Record<string, readonly [request: string | undefined, answer: string]>> = {
  search_catalog: ['shopping.catalog_search:SearchRequest',
    'shopping.catalog_search:SearchResponse'],
  lookup_catalog: ['shopping.catalog_lookup:LookupRequest',
    'shopping.catalog_lookup:LookupResponse'],
  get_product: ['shopping.catalog_lookup:GetProductRequest',
    'shopping.catalog_lookup:GetProductResponse'],
  create_cart: ['shopping.cart_create_request:CartCreateRequest', 'shopping.cart:Cart'],
  get_cart: [undefined, 'shopping.cart:Cart'],
  update_cart: ['shopping.cart_update_request:CartUpdateRequest', 'shopping.cart:Cart'],
  cancel_cart: [undefined, 'shopping.cart:Cart'],
  create_checkout: ['shopping.checkout_create_request:CheckoutCreateRequest',
    'shopping.checkout:Checkout'],
  get_checkout: [undefined, 'shopping.checkout:Checkout'],
  update_checkout: ['shopping.checkout_update_request:CheckoutUpdateRequest',
    'shopping.checkout:Checkout'],
  complete_checkout: [undefined, 'shopping.checkout:Checkout'],
  cancel_checkout: [undefined, 'shopping.checkout:Checkout'],
  get_order: [undefined, 'shopping.order:Order'],
}

test('every request and answer of a whole purchase fits the published models', async () => {
  const documents: { model: string, value: unknown }[] = []
  const call = async (name: string, given: UcpCall = {}, over: 'rest' | 'mcp' = 'rest') => {
    const { body } = await platform[over](local, name, { key, ...given })
    const [request, answer] = MODELS[name]!
    if (request !== undefined) documents.push({ model: request, value: given.payload })
    const isError = body.ucp.status === 'error'
    documents.push({
      model: isError ? 'shopping.types.error_response:ErrorResponse' : answer, value: body,
    })
    return body
  }
  documents.push({ model: 'ucp:BusinessSchema',
    value: JSON.parse((await local.send('GET', '/.well-known/ucp')).text).ucp })
  await call('search_catalog', { payload: { query: '云砾', filters: { price: { max: 9000 } } } })
  await call('search_catalog', { payload: { query: '饭盒', pagination: { limit: 3 } } }, 'mcp')
  await call('lookup_catalog', { payload: { ids: ['90000101', 'group:g-cup', 'nothing'] } })
  await call('get_product', { payload: { id: 'group:g-cup' } })
  const offers = await call('search_catalog', { payload: { query: '云砾 台灯' } })
  expect(offers.products[0].variants[0].id).toBe('shelf:92000001')
  await call('lookup_catalog', { payload: { ids: ['shelf:92000001'] } })
  await call('get_product', { payload: { id: 'shelf:92000001' } })
  await call('get_product', { payload: { id: 'nothing' } }, 'mcp')
  const lines = { line_items: [{ item: { id: '90000101' }, quantity: 1 },
    { item: { id: '91000001' }, quantity: 2 }] }
  const cart = await call('create_cart', { payload: { line_items: [lines.line_items[0]] } })
  await call('update_cart', { id: cart.id, payload: { id: cart.id, ...lines } }, 'mcp')
  await call('get_cart', { id: cart.id })
  const { id } = await call('create_checkout', { payload: { cart_id: cart.id, line_items: [] } })
  const dropped = await call('create_cart', { payload: lines })
  await call('cancel_cart', { id: dropped.id })
  await call('update_checkout', { id, payload: { ...lines,
    fulfillment: { methods: [{ ...fulfillment.methods[0], line_item_ids: ['li_1', 'li_2'] }] },
    buyer: { first_name: '三', last_name: '张', email: 'a@example.com' } } })
  const { continue_url } = await call('complete_checkout', { id, payload: {} })
  await call('get_checkout', { id }, 'mcp')
  await call('get_order', { id: id.replace('CK', 'CO') })
  await pay(continue_url)
  await call('get_checkout', { id })
  const { line_items } = await call('get_order', { id: id.replace('CK', 'CO') }, 'mcp')
  expect(line_items).toHaveLength(2)
  const other = await call('create_checkout', { payload: lines }, 'mcp')
  await call('cancel_checkout', { id: other.id })
  await expect.poll(async () => (await call('get_order', { id: id.replace('CK', 'CO') }))
    .fulfillment.events.length).toBeGreaterThan(1)
  expect(documents.length).toBeGreaterThan(20)
  expect(await checkers.problems(documents)).toEqual([])
  expect(await checkers.problems([{ model: 'shopping.order:Order', value: {} }])).not.toEqual([])
}, 5 * MINUTES)
