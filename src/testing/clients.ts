/** The official clients of both eras, as one: connected to a node, from an address of their own. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport }
  from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'

/** The handshake by either SDK; 2026-07-28 by choice, and by finding out. */
export const CLIENTS = ['sdk 1', 'sdk 2 legacy', 'sdk 2 pinned', 'sdk 2 auto'] as const
export type ClientName = typeof CLIENTS[number]

export const isModern = (name: ClientName): boolean => /pinned|auto/.test(name)

export interface Called {
  readonly isError?: boolean
  readonly content: readonly { readonly type: string, readonly text: string }[]
  // Tests look into whatever came back.
  readonly structuredContent: Record<string, any> // oxlint-disable-line typescript/no-explicit-any
}

export interface TestClient {
  readonly sdk: Client | ModernClient
  call(name: string, input: object): Promise<Called>
}

const MODES = { legacy: 'legacy', pinned: { pin: '2026-07-28' }, auto: 'auto' } as const

export async function connectClient(
  name: ClientName, url: string, key?: string,
): Promise<TestClient> {
  const [a, b, c] = randomBytes(3)
  const headers = {
    'X-Forwarded-For': `10.${a}.${b}.${c}`,
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
  }
  const endpoint = new URL(`${url}/mcp`)
  const sdk = await open(name, endpoint, { requestInit: { headers } })
  return {
    sdk,
    call: async (tool, input) =>
      await sdk.callTool({ name: tool, arguments: { ...input } }) as unknown as Called,
  }
}

async function open(
  name: ClientName, url: URL, options: { requestInit: RequestInit },
): Promise<Client | ModernClient> {
  const who = { name: 'test', version: '1.0.0' }
  if (name === 'sdk 1') {
    const client = new Client(who)
    onTestFinished(() => client.close())
    await client.connect(new StreamableHTTPClientTransport(url, options))
    return client
  }
  const mode = MODES[name.slice('sdk 2 '.length) as keyof typeof MODES]
  const client = new ModernClient(who, { versionNegotiation: { mode } })
  onTestFinished(() => client.close())
  await client.connect(new ModernTransport(url, options))
  return client
}
