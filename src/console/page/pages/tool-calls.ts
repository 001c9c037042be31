/** A call of a tool: its first values, the request as it is sent, and the answer. */
import { effect, signal } from '@preact/signals'
import { call, newUuid } from '../api.ts'
import { monotonicMs } from '../format.ts'
import { apiKey, chosenAgent, pastedKey, session } from '../session.ts'
import type { Tool } from '../types.ts'
import type { Schema, Values } from './schema-form.tsx'

const ITEM_FIELDS = ['sku_id', 'product_id', 'merchant_id'] as const
type Item = Readonly<Record<(typeof ITEM_FIELDS)[number], number>>

interface KnownValues {
  /** An order is visible to the agent that placed it alone. */
  readonly orders: Readonly<Record<string, string>>
  readonly item?: Item
  /** `source:id`, the newest first. */
  readonly itemIds: readonly string[]
  /** Of shelf items, whose id does not name who sells them. */
  readonly sellers: Readonly<Record<string, string>>
}

const NO_VALUES: KnownValues = { orders: {}, itemIds: [], sellers: {} }
const ITEM_IDS_MAX = 60
/** The quantity in the example of an order. */
const EXAMPLE_QTY = 2

export const knownValues = signal<KnownValues>(NO_VALUES)

// The next session may be another person's.
effect(() => { if (session.value === null) knownValues.value = NO_VALUES })

/** The key or the agent that calls are made for: orders are visible to one agent each. */
export const signedFor = (): string => pastedKey.value || (chosenAgent.value ?? '')

/** The agent that the session signs for; undefined where the page has a key, or no agent. */
export const sessionAgent = (): string | undefined =>
  (apiKey.value === '' ? chosenAgent.value : undefined)

interface FirstValues {
  readonly values: Values
  /** Fields that an earlier answer filled in. */
  readonly filled: readonly string[]
}

/** The example with known values, and with a new idempotency key where it has one. */
export function firstValues({ example, input }: Tool, known: KnownValues): FirstValues {
  const { properties = {} } = input as Schema
  const found = Object.entries(example).flatMap(([name, value]) => {
    const given = valueOf(name, properties[name] ?? {}, value, known)
    return given === undefined ? [] : [[name, given] as const]
  })
  return {
    values: {
      ...example, ...Object.fromEntries(found),
      ...('idempotency_key' in example && { idempotency_key: newUuid() }),
    },
    filled: found.map(([name]) => name),
  }
}

/** Undefined where no known value fits the field. */
function valueOf(name: string, schema: Schema, example: unknown, known: KnownValues): unknown {
  const { item, itemIds, sellers } = known
  const takes = (one: Schema, id: string): boolean => fits(one, id, sellers[id])
  if (name === 'order_no') return known.orders[signedFor()]
  if (item && name in item) return item[name as keyof Item]
  if (name === 'item_id') return itemIds.find((id) => takes(schema, id))
  if (name !== 'items' || !Array.isArray(example)) return undefined
  const found = itemIds.filter((id) => takes(schema.items ?? {}, id)).slice(0, example.length)
  return found.length === example.length ? found : undefined
}

/** A tool of one mall takes, of the shelf, only what that mall sells. */
function fits({ pattern, anyOf = [] }: Schema, id: string, seller?: string): boolean {
  if (anyOf.some((schema) => fits(schema, id, seller))) return true
  if (pattern === undefined || !new RegExp(pattern, 'u').test(id)) return false
  const malls = pattern.match(/mall_[a-z]+/g) ?? []
  return malls.length !== 1 || !id.startsWith('shelf:') || seller === malls[0]
}

export function rememberOrder(owner: string, orderNo: string): void {
  const { orders } = knownValues.value
  knownValues.value = { ...knownValues.value, orders: { ...orders, [owner]: orderNo } }
}

/** Keeps what later examples can use of an answer's data. */
export function rememberValues(data: Values): void {
  if (typeof data['order_no'] === 'string') rememberOrder(signedFor(), data['order_no'])
  const items = (Array.isArray(data['items']) ? data['items'] : [data]) as readonly Values[]
  const item = items.find(isOrderable) as Item | undefined
  const ids = items.map(({ item_id: id }) => id).filter((id) => typeof id === 'string')
  const sellers = items.flatMap(({ item_id: id, supply }) =>
    (typeof id === 'string' && typeof supply === 'string' ? [[id, supply] as const] : []))
  knownValues.value = {
    ...knownValues.value,
    ...(item && { item }),
    itemIds: [...new Set([...ids, ...knownValues.value.itemIds])].slice(0, ITEM_IDS_MAX),
    sellers: { ...knownValues.value.sellers, ...Object.fromEntries(sellers) },
  }
}

const isOrderable = (item: Values): boolean =>
  ITEM_FIELDS.every((name) => typeof item[name] === 'number')
  && Number(item['available_qty'] ?? 0) >= EXAMPLE_QTY
  && Number(item['qty_cap'] ?? EXAMPLE_QTY) >= EXAMPLE_QTY

const DEADLINE_MS = 20_000
const PROTOCOL_VERSION = '2025-11-25'
const TOOLS = '/console/api/tools'

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
  /** The error's name; over MCP also with status 200. */
  readonly error?: string
  readonly data?: Values
}

/** Each field goes to the path, query, header or body, as the operation's route says. */
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

const credentials = (key: string): Record<string, string> =>
  (key === '' ? {} : { Authorization: `Bearer ${key}` })

/** The text of the request as it is sent. */
export const asText = ({ method, path, headers, body }: Request): string => [
  `${method} ${path}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ...(body === undefined ? [] : ['', json(body)]),
].join('\n')

export const asCurl = ({ method, path, headers, body }: Request, origin: string): string => [
  `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(origin + path)}`,
  ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
].join(' \\\n  ')

const json = (value: unknown): string => JSON.stringify(value, null, 2)
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** By the key that the request has, without a cookie; for an agent by the session. */
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
    // The session has ended: reading it shows the sign-in page.
    if (answer.error === 'sign_in_required') call('GET', '/session').catch(() => {})
    return answer
  } catch {
    return { status: 0, text: '', ms: ms() }
  }
}

/** The same call by the session, for an agent instead of by its key. */
const signedBySession = ({ path, headers, ...rest }: Request, agent: string): Request => {
  const { Authorization: _key, ...others } = headers
  return {
    ...rest, path: TOOLS + path,
    headers: { ...others, 'X-Agent': agent, 'X-CSRF-Token': session.value?.csrf_token ?? '' },
  }
}

/** The answers of REST and of MCP. */
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
