/** Tools called by the page: both faces, by a session instead of a key. */
import { afterAll, expect, test } from 'vitest'
import { openOwner } from '../testing/console.ts'
import { startTestNode, type McpAnswer } from '../testing/node.ts'
import { attemptAt, supplyProduct } from '../testing/products.ts'

const node = await startTestNode()
afterAll(() => node.stop())

type Owner = Awaited<ReturnType<typeof openOwner>>

const headersOf = ({ browser, agent }: Owner, given: Record<string, string> = {}) => ({
  Cookie: browser.cookie, 'X-CSRF-Token': browser.csrf, 'X-Agent': agent, ...given,
})

const rest = (
  owner: Owner, method: string, path: string, given: Record<string, string> = {}, body?: object,
) => node.send(method, `/console/api/tools/v1${path}`, {
  ...(body && { body }), headers: headersOf(owner, given),
})

async function mcp(owner: Owner, name: string, input: object) {
  const { text } = await node.send('POST', '/console/api/tools/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
    headers: headersOf(owner, { 'MCP-Protocol-Version': '2025-11-25' }),
  })
  return JSON.parse(text) as McpAnswer['body']
}

test('a session orders and reads for its agent over both faces, as a key of it would', async () => {
  const owner = await openOwner(node)
  const product = await supplyProduct(node.services.ledger)
  const { idempotency_key: key, ...body } = attemptAt(product)
  const placed = await rest(owner, 'POST', '/orders', { 'Idempotency-Key': key }, body)
  expect(placed.envelope).toMatchObject({ code: 0, agent_ref: owner.agent })
  const { order_no } = placed.envelope.data
  // One key of idempotency, one order, whichever face and whoever signs.
  const again = await mcp(owner, 'create_order', { idempotency_key: key, ...body })
  expect(again.result.structuredContent).toMatchObject({ order_no, duplicate: true })
  expect((await rest(owner, 'GET', `/orders/${order_no}`)).envelope.data.order_no).toBe(order_no)
  const withKey = await node.send('GET', `/v1/orders/${order_no}`, { key: owner.apiKey })
  expect(withKey.envelope.data.order_no).toBe(order_no)
  expect(withKey.headers.get('ratelimit-policy'))
    .toBe((await rest(owner, 'GET', `/orders/${order_no}`)).headers.get('ratelimit-policy'))
})

test('calls without the token or from another site are refused, reads too', async () => {
  const owner = await openOwner(node)
  const forged = [
    await rest(owner, 'GET', '/goods', { 'X-CSRF-Token': '' }),
    await rest(owner, 'GET', '/goods', { Origin: 'https://elsewhere.example' }),
    await rest(owner, 'POST', '/orders', { 'X-CSRF-Token': 'x' }, {}),
    await rest(owner, 'GET', '/goods', { 'X-CSRF-Token': (await openOwner(node)).browser.csrf }),
  ]
  expect(forged.map(({ status, envelope }) => [status, envelope.data.error]))
    .toEqual(forged.map(() => [403, 'csrf_refused']))
  for (const answer of forged) expect(answer.headers.get('access-control-allow-origin')).toBeNull()
})

test('calls without a session or an agent of its account are refused', async () => {
  const owner = await openOwner(node)
  const stranger = await openOwner(node)
  const errorOf = async (given: Record<string, string>) =>
    (await rest(owner, 'GET', '/goods', given)).envelope.data.error
  expect(await errorOf({ Cookie: '' })).toBe('sign_in_required')
  expect(await errorOf({ 'X-Agent': '' })).toBe('invalid_request')
  expect(await errorOf({ 'X-Agent': stranger.agent })).toBe('not_found')
  await owner.browser.call('DELETE', `/agents/${owner.agent}`)
  expect(await errorOf({})).toBe('not_found')
  // The header opens nothing where a key is asked for.
  const bare = await node.send('GET', '/v1/orders', { headers: headersOf(stranger) })
  expect(bare.status).toBe(401)
})

test('limits of an agent hold for calls by the session, too', async () => {
  const owner = await openOwner(node)
  await owner.browser.call('PUT', `/agents/${owner.agent}/limits`, { limits: { read_only: true } })
  const { idempotency_key: key, ...body } = attemptAt(await supplyProduct(node.services.ledger))
  const refused = await rest(owner, 'POST', '/orders', { 'Idempotency-Key': key }, body)
  expect([refused.status, refused.envelope.data.error]).toEqual([403, 'key_not_allowed'])
  const overMcp = await mcp(owner, 'create_order', { idempotency_key: key, ...body })
  expect(overMcp.result).toMatchObject({ isError: true })
})
