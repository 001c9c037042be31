/** A platform of UCP for tests: serves its profile on loopback, and calls a node over both ways. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Capability, ORDER, UCP_CAPABILITIES, UCP_VERSION } from '../ucp/capabilities.ts'
import { ucpOperations } from '../ucp/table.ts'
import type { TestNode } from './node.ts'

export const UCP_DESTINATION = {
  street_address: '文三路 1 号', address_locality: '杭州市西湖区', address_region: '浙江省',
  address_country: 'CN', first_name: '三', last_name: '张', phone_number: '13800001234',
}
export const UCP_FULFILLMENT = {
  methods: [{ type: 'shipping', destinations: [UCP_DESTINATION] }],
}

export interface UcpAnswer {
  readonly status: number
  // Tests look into whatever came back.
  readonly body: any // oxlint-disable-line typescript/no-explicit-any
}

export interface UcpCall {
  readonly id?: string
  readonly payload?: object
  readonly key?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** Path of the profile: `/` declares all, `/old` another version, `/malformed` is none. */
  readonly profile?: string | null
}

export interface TestPlatform {
  readonly url: string
  /** In the profiles that it serves from then on: where it is told of orders, and its keys. */
  webhookUrl?: string
  signingKeys?: readonly object[]
  rest(node: TestNode, operation: string, call?: UcpCall): Promise<UcpAnswer>
  /** The structured content of a result, or the error. */
  mcp(node: TestNode, operation: string, call?: UcpCall): Promise<UcpAnswer>
  close(): void
}

export async function servePlatform(): Promise<TestPlatform> {
  const server = createServer((request, response) => {
    const named = (name: string) => UCP_CAPABILITIES.find((one) => one.name === name) ?? { name }
    const capabilities = request.url === '/' ? UCP_CAPABILITIES : [named(request.url!.slice(1))]
    const version = request.url === '/old' ? '2026-01-11' : UCP_VERSION
    if (request.url === '/malformed') {
      response.end('<html>')
      return
    }
    response.setHeader('content-type', 'application/json')
    const { webhookUrl, signingKeys } = platform
    const declare = (one: Partial<Capability>) => [{
      version: one.version ?? version,
      ...(one.name === ORDER && webhookUrl && { config: { webhook_url: webhookUrl } }),
    }]
    response.end(JSON.stringify({
      ucp: { version, services: {}, payment_handlers: {}, capabilities:
        Object.fromEntries(capabilities.map((one) => [one.name, declare(one)])) },
      ...(signingKeys && { signing_keys: signingKeys }),
    }))
  })
  await new Promise<void>((done) => { server.listen(0, '127.0.0.1', done) })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const declared = (name: string) => {
    const found = ucpOperations.find((one) => one.name === name)
    if (!found) throw new Error(`There is no operation ${name}.`)
    return found
  }

  const platform: TestPlatform = {
    url,
    async rest(node, name, { id = '', payload, key, idempotencyKey, profile = '/' } = {}) {
      const [method = '', path = ''] = declared(name).route.split(' ')
      const { status, text } = await node.send(method, `/ucp${path.replace(':id', id)}`, {
        ...(key !== undefined && { key }),
        ...(payload !== undefined && { body: payload }),
        headers: {
          ...(profile !== null && { 'UCP-Agent': `profile="${url}${profile}"` }),
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        },
      })
      return { status, body: JSON.parse(text) }
    },
    async mcp(node, name, { id, payload, key, idempotencyKey, profile = '/' } = {}) {
      const kind = declared(name).payload?.name
      const { status, text } = await node.send('POST', '/ucp/mcp', {
        ...(key !== undefined && { key }),
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {
          meta: {
            ...(profile !== null && { 'ucp-agent': { profile: url + profile } }),
            ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          },
          ...(id !== undefined && { id }),
          ...(kind !== undefined && { [kind]: payload ?? {} }),
        } } },
      })
      const { result, error } = JSON.parse(text)
      return { status, body: result?.structuredContent ?? { error } }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return platform
}
