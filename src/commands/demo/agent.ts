/** The shopping agent's hands: tools over MCP by the official client, the rest over REST. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Static, TObject, TSchema } from 'typebox'
import type { OperationSpec } from '../../contract/operation.ts'

const REQUEST_MS_MAX = 30_000

/** A refusal, as the service words it. */
export class Refused extends Error {
  readonly error: string

  constructor(error: string, hint: string) {
    super(`${error}: ${hint}`)
    this.error = error
  }
}

export interface DemoAgent {
  readonly tools: readonly string[]
  /** A tool of the table over MCP; a refusal is thrown as `Refused`. */
  call<I extends TObject, O extends TSchema>(
    operation: Pick<OperationSpec<I, O>, 'name' | 'input' | 'output'>, input: Static<I>,
  ): Promise<Static<O>>
  close(): Promise<void>
}

/** `url`: the node's address, without a trailing slash. */
export async function connectAgent(url: string, key: string): Promise<DemoAgent> {
  const client = new Client({ name: 'agentmall-demo', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  }))
  const { tools } = await client.listTools()
  return {
    tools: tools.map(({ name }) => name),
    async call({ name }, input) {
      const result = await client.callTool(
        { name, arguments: { ...input } }, undefined, { timeout: REQUEST_MS_MAX })
      const said = result.structuredContent as { error?: { error: string, hint: string } }
      if (result.isError) throw new Refused(said.error?.error ?? '?', said.error?.hint ?? '')
      return said as never
    },
    close: () => client.close(),
  }
}

/** POST to the REST interface; the envelope's data. */
export async function post<O extends TSchema>(
  operation: Pick<OperationSpec<TObject, O>, 'route' | 'output'>,
  { url, key, body = {} }: { url: string, key?: string, body?: object },
): Promise<Static<O>> {
  const path = operation.route.replace('POST ', '')
  const response = await fetch(`${url}/v1${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_MS_MAX),
  })
  const { code, data } = await response.json() as {
    code: number, data: { error: string, hint: string }
  }
  if (code !== 0) throw new Refused(data.error, data.hint)
  return data as never
}

/** What a person does on the cashier page: press its button. */
export async function payAtCashier(url: string, payUrl: string): Promise<void> {
  const { pathname, searchParams } = new URL(payUrl)
  // The page may be known under another address than the one at which we reach the node.
  const response = await fetch(`${url}/pay/${pathname.split('/').at(-1)}`, {
    method: 'POST', body: new URLSearchParams({ t: searchParams.get('t') ?? '' }),
    signal: AbortSignal.timeout(REQUEST_MS_MAX),
  })
  await response.text()
  if (!response.ok) throw new Error(`The cashier answered ${response.status}.`)
}
