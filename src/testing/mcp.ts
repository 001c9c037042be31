/** The MCP endpoint over the real gate, with three small operations and no Redis. */
import { Type } from 'typebox'
import type { ApiKeys } from '../accounts/api-keys.ts'
import { Refusal } from '../contract/errors.ts'
import { createGate, type Gate } from '../gate/gate.ts'
import type { RateLimitResult, Limits } from '../limits/limits.ts'
import { readTiers } from '../limits/tiers.ts'
import { wholeBody } from '../http/reply.ts'
import type { Handler, HttpReply, HttpRequest } from '../contract/http.ts'
import { JsonText } from '../contract/json.ts'
import type { Logger } from '../log.ts'
import { createMcpHandler, type McpDependencies } from '../mcp/endpoint.ts'
import type { NodeOperation } from '../operations/define.ts'
import { defineOperation } from '../operations/define.ts'
import {
  CLOSED, Fen, IdempotencyKey, Nullable, Optional, Receiver, Text,
} from '../contract/fields.ts'
import type { Services } from '../services.ts'

export const TEST_KEY = `ak_${'k'.repeat(32)}`
export const RATE_HEADERS = [
  ['RateLimit-Policy', '"default";q=10;w=2'], ['RateLimit', '"default";r=9;t=1'],
] as const

/** With every character that splicing could break. */
export const THINGS =
  '{"items":[{"title":"手机 \\"旗舰\\" C:\\\\ \\n \\u0000 😀","price":1500}],"total":1}'

const Things = Type.Object({
  items: Type.Array(Type.Object({ title: Text(100), price: Fen() }, CLOSED)),
  total: Nullable(Type.Integer()),
}, CLOSED)

const findThings = defineOperation({
  name: 'find_things', title: 'Find things', description: 'Finds things.', access: 'anyone',
  effect: 'read', route: 'GET /things', fails: [], example: {}, output: Things,
  input: Type.Object({ q: Optional(Text(20)), price_min: Optional(Fen()) }, CLOSED),
  handle: () => Promise.resolve(new JsonText(THINGS)),
})

/** Counts what was really bought, so that tests can tell that nothing was. */
function buyThing(bought: string[]): NodeOperation {
  const replies = new Map<string, object>()
  return defineOperation({
    name: 'buy_thing', title: 'Buy a thing', description: 'Buys a thing.', access: 'key',
    effect: 'create', route: 'POST /things', fails: ['out_of_stock'],
    example: {
      idempotency_key: '0b9f6a52-6d2e-4a0e-9a53-0d6b9b8f6a11', qty: 1,
      receiver: {
        name: 'a', phone: '13800000000', province: 'b', city: 'c', district: 'd', address: 'e',
      },
    },
    input: Type.Object({
      idempotency_key: IdempotencyKey, qty: Type.Integer({ minimum: 1, maximum: 99 }),
      receiver: Receiver,
    }, CLOSED),
    output: Type.Object({
      order_no: Text(30), amount: Fen(), duplicate: Type.Boolean(),
    }, CLOSED),
    handle({ idempotency_key, qty }) {
      if (qty > 50) throw new Refusal('out_of_stock', { available_qty: 50 })
      const earlier = replies.get(idempotency_key)
      const order = { order_no: `O${bought.length}`, amount: qty * 100, duplicate: false }
      if (earlier) return Promise.resolve({ ...order, ...earlier, duplicate: true })
      bought.push(idempotency_key)
      replies.set(idempotency_key, order)
      return Promise.resolve(order)
    },
  })
}

const breakThings = defineOperation({
  name: 'break_things', title: 'Break things', description: 'Fails.', access: 'anyone',
  effect: 'update', route: 'POST /break', openWorld: true, fails: [], example: {},
  input: Type.Object({}, CLOSED), output: Type.Object({}, CLOSED),
  handle: () => Promise.reject(new Error('the password is hunter2')),
})

const refuseThings = defineOperation({
  name: 'refuse_things', title: 'Refuse things', description: 'Refuses.', access: 'anyone',
  effect: 'read', route: 'GET /refused', fails: ['not_configured'], example: {},
  input: Type.Object({}, CLOSED), output: Type.Object({}, CLOSED),
  handle: () => Promise.reject(new Refusal('not_configured')),
})

const restOnly = { ...refuseThings, name: 'rest_only', tool: false as const }

export interface TestEndpoint {
  readonly handler: Handler
  readonly gate: Gate
  readonly bought: readonly string[]
  readonly logged: readonly unknown[]
  /** Refuses every further call with this, as a limiter would. */
  refuse(refusal: Refusal | undefined): void
}

export function createTestEndpoint(
  config: Partial<McpDependencies['config']> = {},
): TestEndpoint {
  const bought: string[] = []
  const logged: unknown[] = []
  const operations = [findThings, buyThing(bought), breakThings, refuseThings, restOnly]
  const log = { error: (...fields: unknown[]) => { logged.push(fields) } } as unknown as Logger
  const apiKeys = {
    lookup: (key: string) => Promise.resolve(
      key === TEST_KEY ? { agent: 'ag_1', account: 'ac_1', tier: 't1' } : undefined),
  } as unknown as ApiKeys
  let flood: Refusal | undefined
  const admit = (): Promise<RateLimitResult> => Promise.resolve(
    flood ? { headers: [...RATE_HEADERS, ['Retry-After', '3']], refusal: flood }
      : { headers: RATE_HEADERS })
  const limits = { tiers: readTiers(), admit, authFailed: admit } as unknown as Limits
  const gate = createGate({ apiKeys, log } as unknown as Services, limits)
  const handler = createMcpHandler({
    gate, operations, serverVersion: '1.2.3', log,
    config: {
      host: '0.0.0.0', allowedOrigins: '*', publicUrl: 'https://mall.example', ...config,
    },
  })
  return { handler, gate, bought, logged, refuse: (refusal) => { flood = refusal } }
}

export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

export interface TestPost {
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
  body?(): Promise<Buffer>
}

/** One POST; `sent` is a value to send as JSON, or the body itself. */
export function testRequest(sent: unknown, { headers, signal, body }: TestPost = {}): HttpRequest {
  const bytes = Buffer.isBuffer(sent) ? sent : Buffer.from(JSON.stringify(sent))
  const all: Record<string, string | undefined> = {
    'content-type': 'application/json', 'content-length': String(bytes.length), ...headers,
  }
  return {
    method: 'POST', path: '/mcp', query: '', route: '/mcp', params: {}, id: 'req-1',
    isHead: false,
    address: '192.0.2.1', signal: signal ?? new AbortController().signal,
    isAborted: signal?.aborted ?? false, header: (name) => all[name],
    body: body ?? (() => Promise.resolve(bytes)), note: () => {},
  }
}

/** A request as revision 2026-07-28 writes it, but for what `params` and `headers` say instead. */
export function modernRequest(
  method: string, params: object = {}, { headers, ...options }: TestPost = {},
): HttpRequest {
  const { name } = params as { name?: unknown }
  const sent = { jsonrpc: '2.0', id: 'm', method, params: { _meta: MODERN_META, ...params } }
  return testRequest(sent, {
    ...options,
    headers: {
      'mcp-protocol-version': '2026-07-28', 'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }), ...headers,
    },
  })
}

export interface TestReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The parsed body; undefined when it is empty. */
  // oxlint-disable-next-line no-explicit-any -- tests look at every part of an answer
  readonly json: any
}

export function readReply({ status, headers = [], body }: HttpReply): TestReply {
  const text = wholeBody(body).toString()
  return {
    status, text, json: text === '' ? undefined : JSON.parse(text),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
  }
}
