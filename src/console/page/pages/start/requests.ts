/** A call of a tool as it goes over the wire, and its answer. */
import { call } from '../../api.ts'
import { monotonicMs } from '../../clock.ts'
import { session } from '../../session.ts'
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
  /** The name of what was refused, over MCP with status 200, too. */
  readonly error?: string
  readonly data?: Values
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

const TOOLS = '/console/api/tools'

/** The same call by the session, which signs for an agent in the place of its key. */
const signedBySession = ({ path, headers, ...rest }: Request, agent: string): Request => {
  const { Authorization: _key, ...others } = headers
  return {
    ...rest, path: TOOLS + path,
    headers: { ...others, 'X-Agent': agent, 'X-CSRF-Token': session.value?.csrf_token ?? '' },
  }
}

/** With the key that it carries, and then without the cookie; or for an agent by the session. */
export async function send(given: Request, agent?: string): Promise<Answer> {
  const { method, path, headers, body } =
    agent === undefined ? given : signedBySession(given, agent)
  const startedMs = monotonicMs()
  const ms = (): number => Math.round(monotonicMs() - startedMs)
  try {
    const response = await fetch(path, {
      method, headers, credentials: agent === undefined ? 'omit' : 'same-origin',
      signal: AbortSignal.timeout(DEADLINE_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = { status: response.status, ms: ms(), ...read(await response.text()) }
    // The session has ended: asking for it shows the page for signing in.
    if (answer.error === 'sign_in_required') call('GET', '/session').catch(() => {})
    return answer
  } catch {
    return { status: 0, text: '', ms: ms() }
  }
}

/** What both faces may answer. */
interface Body {
  readonly code?: number
  readonly data?: Values
  readonly error?: { readonly data?: Values }
  readonly result?: { readonly isError?: boolean, readonly structuredContent?: Values }
}

function read(text: string): Pick<Answer, 'text' | 'error' | 'data'> {
  let body: Body
  try {
    body = JSON.parse(text) as Body
  } catch {
    return { text, error: 'invalid' }
  }
  const shown = json(body)
  const { code, data = {}, error, result } = body
  if (error) return { text: shown, error: nameOf(error.data) }
  if (result?.isError) return { text: shown, error: nameOf(result.structuredContent?.['error']) }
  if (result) return { text: shown, data: result.structuredContent ?? {} }
  return code === 0 ? { text: shown, data } : { text: shown, error: nameOf(data) }
}

const nameOf = (data: unknown): string =>
  String((data as Values | undefined)?.['error'] ?? 'error')
