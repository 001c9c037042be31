/** A call of a tool as it goes over the wire, and its answer. */
import { monotonicMs } from '../../clock.ts'
import type { Tool } from '../../types.ts'
import type { Values } from './schema.ts'

const DEADLINE_MS = 20_000
const PROTOCOL_VERSION = '2025-11-25'

export interface Request {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Answer {
  /** 0 where there was none. */
  readonly status: number
  readonly ms: number
  readonly text: string
}

const credentials = (key: string): Record<string, string> =>
  (key === '' ? {} : { Authorization: `Bearer ${key}` })

/** Where the table says that each field goes: path, query, header or body. */
export function restRequest({ method, path: pattern, input }: Tool, values: Values, key: string) {
  const rest: Record<string, unknown> = { ...values }
  const headers = credentials(key)
  const take = (name: string): string => {
    const value = rest[name]
    delete rest[name]
    return value === undefined ? '' : String(value)
  }
  const path = pattern.replaceAll(/:([a-z_]+)/g, (_, name: string) =>
    encodeURIComponent(take(name)) || `:${name}`)
  const takesKey = 'idempotency_key' in (input['properties'] as object)
  if (takesKey && 'idempotency_key' in rest) headers['Idempotency-Key'] = take('idempotency_key')
  if (method !== 'GET') {
    return {
      method, path, headers: { ...headers, 'Content-Type': 'application/json' }, body: rest,
    } satisfies Request
  }
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]): [string, string] =>
    [name, String(value)])).toString()
  return { method, path: query ? `${path}?${query}` : path, headers, body: undefined } satisfies
    Request
}

export const mcpRequest = ({ name }: Tool, values: Values, key: string): Request => ({
  method: 'POST',
  path: '/mcp',
  headers: {
    ...credentials(key),
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': PROTOCOL_VERSION,
  },
  body: {
    jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: values },
  },
})

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** As it would be read on the wire; `key` is how the key is shown. */
export const asText = ({ method, path, headers, body }: Request): string => [
  `${method} ${path}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ...(body === undefined ? [] : ['', json(body)]),
].join('\n')

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export const asCurl = ({ method, path, headers, body }: Request, origin: string): string => [
  `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(origin + path)}`,
  ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
].join(' \\\n  ')

/** Without the cookie: agents have none. */
export async function send({ method, path, headers, body }: Request): Promise<Answer> {
  const startedMs = monotonicMs()
  const ms = (): number => Math.round(monotonicMs() - startedMs)
  try {
    const response = await fetch(path, {
      method, headers, credentials: 'omit', signal: AbortSignal.timeout(DEADLINE_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: pretty(await response.text()), ms: ms() }
  } catch {
    return { status: 0, text: '', ms: ms() }
  }
}

function pretty(text: string): string {
  try {
    return json(JSON.parse(text))
  } catch {
    return text
  }
}
