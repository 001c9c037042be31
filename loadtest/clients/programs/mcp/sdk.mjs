// The official JavaScript SDKs: sdk.mjs sdk|client URL KEY
import { randomUUID } from 'node:crypto'

const [name = '', url = '', key = ''] = process.argv.slice(2)
const print = (...words) => process.stdout.write(`${words.join(' ')}\n`)
const { Client, StreamableHTTPClientTransport } = name === 'sdk' ? {
  ...await import('@modelcontextprotocol/sdk/client/index.js'),
  ...await import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
} : await import('@modelcontextprotocol/client')

async function connect(token, options) {
  const client = new Client({ name: 'clients', version: '1.0.0' }, options)
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  }))
  return client
}

async function shop(options) {
  const client = await connect(key, options)
  const { tools } = await client.listTools()
  print('tools', tools.length)
  const call = async (tool, input) =>
    (await client.callTool({ name: tool, arguments: input })).structuredContent
  const { items: [item] } = await call('search_goods', { q: '杯', page_size: 5 })
  const order = {
    idempotency_key: randomUUID(), merchant_id: item.merchant_id, product_id: item.product_id,
    qty: 1,
    receiver: {
      name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
      address: '文三路 1 号',
    },
  }
  print('order', (await call('create_order', order)).order_no)
  const again = await call('create_order', order)
  print('again', again.order_no, again.duplicate)
  const { error } = await call('create_order', { ...order, qty: 2 })
  print('refusal', error.error, error.hint)
  print('besides', client.getNegotiatedProtocolVersion?.()
    ?? client.transport?.protocolVersion ?? '')
  await client.close()
}

for (const mode of name === 'sdk' ? [undefined] : ['legacy', 'auto']) {
  await shop(mode && { versionNegotiation: { mode } })
}
try {
  await (await connect(`ak_${'0'.repeat(32)}`)).listTools()
} catch (refused) {
  print('refusal key_invalid', String(refused.message).replaceAll('\n', ' '))
}
