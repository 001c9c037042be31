/** Calls of operations over REST and MCP, each checked, and named for thresholds and report. */
import { check } from 'k6'
import http, { type RefinedResponse } from 'k6/http'
import { restForm } from '../../src/testing/rest-form.ts'
import { mixEntry, pick, plan } from './plan.ts'

/** Part of k6 since 1.0; its published types do not have it yet. */
declare const crypto: { randomUUID(): string }

export interface CallOptions {
  /** Null: without a key. One of the plan's otherwise. */
  readonly key?: string | null
  /** Names of errors that are right, too. */
  readonly expect?: readonly string[]
  /** What thresholds and the report call it; the operation's name by default. */
  readonly name?: string
}

export interface Answer {
  /** 0 where there was none. */
  readonly status: number
  /** Name of the error that it says, or null. */
  readonly error: string | null
  // What operations answer is for the contract tests to hold; read only where it is asked for.
  readonly data: any // oxlint-disable-line typescript/no-explicit-any
}

export type Era = 'handshake' | 'modern'

/** The error of a call that none of ours answered, and of one that does not say which. */
export const NO_ANSWER = 'no_answer'
const UNKNOWN = 'unknown'
const TIMEOUT = '30s'
const SUCCESS = http.expectedStatuses({ min: 200, max: 299 })
const SUCCESS_OR_REFUSAL = http.expectedStatuses({ min: 200, max: 299 }, { min: 400, max: 499 })

let sent = 0

/** Addresses in turn, as a balancer would choose them. */
const nextBaseUrl = (): string => plan.baseUrls[(sent += 1) % plan.baseUrls.length] as string

/** The table's example with changes (undefined takes a field away), and a key of its own. */
export function inputOf(operation: string, changes: object = {}): Record<string, unknown> {
  const input = { ...mixEntry(operation).input }
  if ('idempotency_key' in input) input['idempotency_key'] = crypto.randomUUID()
  return Object.fromEntries(Object.entries({ ...input, ...changes })
    .filter(([, value]) => value !== undefined))
}

/** An operation over REST; `changes` go over the table's example. */
export function rest(operation: string, changes: object = {}, options: CallOptions = {}): Answer {
  const form = restForm(mixEntry(operation), inputOf(operation, changes))
  const name = options.name ?? operation
  const response = http.request(
    form.method, `${nextBaseUrl()}${form.path}`, form.body ? JSON.stringify(form.body) : null,
    paramsOf(name, options, form.headers),
  )
  const { status } = response
  return judged({
    status,
    error: isSuccess(status) ? null : bodyOf(response)?.data?.error ?? NO_ANSWER,
    get data() { return bodyOf(response)?.data },
  }, name, options)
}

/** A search over UCP, whose platform profile is the service's own: it declares everything. */
export function searchUcp(catalog: object, options: CallOptions = {}): Answer {
  const [base, name] = [nextBaseUrl(), options.name ?? 'search_goods ucp']
  const response = http.post(`${base}/ucp/catalog/search`, JSON.stringify(catalog),
    paramsOf(name, options, { 'UCP-Agent': `profile="${base}/.well-known/ucp"` }))
  const { status } = response
  const body = bodyOf(response)
  return judged({
    status, data: body, error: isSuccess(status) && body?.products ? null : body?.code ?? NO_ANSWER,
  }, name, options)
}

/** The same over MCP. */
export function tool(
  era: Era, operation: string, changes: object = {}, options: CallOptions = {},
): Answer {
  const name = options.name ?? `mcp ${operation}`
  const answer = send(era, 'tools/call', {
    name: operation, arguments: inputOf(operation, changes),
  }, { ...options, name })
  const content = answer.data?.structuredContent
  return judged({
    status: answer.status, data: content,
    error: answer.error ?? (answer.data?.isError ? content?.error?.error ?? UNKNOWN : null),
  }, name, options)
}

/** A method of the protocol itself. */
export function rpc(
  era: Era, method: string, params: object = {}, options: CallOptions = {},
): Answer {
  const named = { ...options, name: options.name ?? `mcp ${method}` }
  return judged(send(era, method, params, named), named.name, options)
}

interface Named extends CallOptions {
  readonly name: string
}

function send(era: Era, method: string, params: object, options: Named): Answer {
  const { handshakeVersion, modernVersion, modernMeta } = plan.mcp
  const isModern = era === 'modern'
  const isNotice = method.startsWith('notifications/')
  const message = {
    jsonrpc: '2.0', method, ...(!isNotice && { id: 1 }),
    params: isModern ? { ...params, _meta: modernMeta } : params,
  }
  const response = http.post(`${nextBaseUrl()}/mcp`, JSON.stringify(message),
    paramsOf(options.name, options, {
      'MCP-Protocol-Version': isModern ? modernVersion : handshakeVersion,
      ...(isModern && { 'Mcp-Method': method }),
      ...(isModern && 'name' in params && { 'Mcp-Name': String(params.name) }),
    }))
  const { status } = response
  const body = bodyOf(response)
  const error = body?.error ? body.error.message ?? UNKNOWN : null
  return { status, data: body?.result, error: error ?? (isSuccess(status) ? null : NO_ANSWER) }
}

function paramsOf(name: string, options: CallOptions, headers: object) {
  const key = options.key === undefined ? pick(plan.keys) : options.key
  return {
    headers: {
      'Content-Type': 'application/json',
      'Accept': 'application/json, text/event-stream',
      ...(key && { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    tags: { name },
    timeout: TIMEOUT,
    responseCallback: options.expect?.length ? SUCCESS_OR_REFUSAL : SUCCESS,
  }
}

// oxlint-disable-next-line typescript/no-explicit-any
function bodyOf({ body }: RefinedResponse<'text'>): any {
  try {
    return body ? JSON.parse(body) : undefined
  } catch {
    return undefined
  }
}

function judged(answer: Answer, name: string, { expect = [] }: CallOptions): Answer {
  const { error } = answer
  check(error, {
    'success, or an error that was expected': () => error === null || expect.includes(error),
  }, { name })
  return answer
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300
