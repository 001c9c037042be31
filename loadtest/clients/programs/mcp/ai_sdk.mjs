// @ai-sdk/mcp, in both of its eras, with a subscription to events: ai_sdk.mjs URL KEY
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createMCPClient, experimental_createMCPEventWebhook as createWebhook } from '@ai-sdk/mcp'

const DEADLINE_MS = 20_000
const [url = '', key = ''] = process.argv.slice(2)
const print = (...words) => process.stdout.write(`${words.join(' ')}\n`)

/** Its subscriptions, as its documentation has a store. */
function createStore() {
  const kept = new Map()
  return {
    get: async (one) => kept.get(one),
    getById: async (id) => [...kept.values()].find((one) => one.id === id),
    set: async (one) => { kept.set(one.key, one) },
    update: async (one, patch) => { kept.set(one, { ...kept.get(one), ...patch }) },
    delete: async (one) => { kept.delete(one) },
  }
}

/** Its own handler of webhooks checks each signature, and the form of what comes. */
async function openReceiver(store, onEvent) {
  const handle = createWebhook({
    store, onEvent, onError: (error) => print('problem', error.message),
  })
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const answer = await handle(new Request(`http://127.0.0.1${request.url}`, {
      method: request.method, headers: request.headers, body: Buffer.concat(chunks),
    }))
    response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  return { server, address: `http://127.0.0.1:${server.address().port}/hook` }
}

const connect = (token, options = {}) => createMCPClient({
  transport: { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${token}` } },
  ...options,
})

async function shop(options) {
  const store = createStore()
  let tell
  const told = new Promise((resolve) => { tell = resolve })
  const { server, address } = await openReceiver(store, async (one) => { tell(one) })
  const client = await connect(key, { ...options, experimental_events: { store } })
  const events = client.experimental_events
  print('tools', (await client.listTools()).tools.length)
  const granted = await events.subscribe({
    name: 'order.created',
    delivery: { mode: 'webhook', url: address, allowInsecureLocalhost: true },
  })
  const call = async (name, input) =>
    (await client.callTool({ name, arguments: input })).structuredContent
  const { items: [item] } = await call('search_goods', { q: '杯', page_size: 5 })
  const order = {
    idempotency_key: randomUUID(), merchant_id: item.merchant_id, product_id: item.product_id,
    qty: 1,
    receiver: {
      name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
      address: '文三路 1 号',
    },
  }
  const { order_no } = await call('create_order', order)
  print('order', order_no)
  const again = await call('create_order', order)
  print('again', again.order_no, again.duplicate)
  const { error } = await call('create_order', { ...order, qty: 2 })
  print('refusal', error.error, error.hint)
  const { event } = await told
  if (event.data.order_no !== order_no) print('problem', 'an event of another order')
  const renewed = await events.refresh({ id: granted.id })
  if (renewed.id !== granted.id) print('problem', 'another subscription')
  await events.unsubscribe({ id: granted.id })
  print('besides', event.name, 'by webhook, renewed and ended')
  await client.close()
  server.close()
  server.closeAllConnections()
}

setTimeout(() => {
  print('problem', 'no event in time')
  process.exit(1)
}, 2 * DEADLINE_MS).unref()

for (const protocolVersionDiscovery of [false, true]) await shop({ protocolVersionDiscovery })
try {
  await (await connect(`ak_${'0'.repeat(32)}`)).listTools()
} catch (refused) {
  print('refusal key_invalid', String(refused.message).replaceAll('\n', ' '))
}
