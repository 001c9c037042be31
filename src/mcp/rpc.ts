/** JSON-RPC 2.0 messages: what a body is, and the bytes of an answer. */
import { parseJson } from '../contract/json.ts'

export type RequestId = string | number

export interface RpcError {
  readonly code: number
  /** One sentence in our own words: never anything that the caller sent. */
  readonly message: string
  readonly data?: unknown
}

const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
/** Revision 2026-07-28 gives these two their codes; older ones name none. */
export const HEADER_MISMATCH = -32020
export const UNSUPPORTED_VERSION = -32022
/** The extension for events has asked for the next five. */
export const NOT_FOUND = -32023
export const FORBIDDEN = -32024
export const RESOURCE_EXHAUSTED = -32025
export const UNSUPPORTED = -32026
export const CALLBACK_FAILED = -32027

export interface RpcRequest {
  readonly kind: 'request'
  readonly id: RequestId
  readonly method: string
  readonly params: unknown
}

export type Message =
  | RpcRequest
  /** Notifications, and answers to requests that this server never makes: nothing to say. */
  | { readonly kind: 'silent', readonly method?: string }
  | { readonly kind: 'invalid', readonly id: RequestId | null, readonly error: RpcError }

export function readMessage(body: Buffer): Message {
  let message: unknown
  try {
    message = parseJson(body)
  } catch {
    return invalid(PARSE_ERROR, 'The body must be one JSON-RPC message: valid JSON in UTF-8.')
  }
  if (Array.isArray(message)) {
    return invalid(INVALID_REQUEST, 'Batches are not supported: send one message in each POST.')
  }
  if (typeof message !== 'object' || message === null) {
    return invalid(INVALID_REQUEST, 'The body must be a JSON-RPC message: a JSON object.')
  }
  const { jsonrpc, id, method, params } = message as Record<string, unknown>
  const known = isRequestId(id) ? id : null
  if (jsonrpc !== '2.0') return invalid(INVALID_REQUEST, 'jsonrpc must be "2.0".', known)
  const isAnswer = Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error')
  if (method === undefined && isAnswer) return { kind: 'silent' }
  if (typeof method !== 'string') {
    return invalid(INVALID_REQUEST, 'method must be a string.', known)
  }
  if (!Object.hasOwn(message, 'id')) return { kind: 'silent', method }
  if (known === null) {
    return invalid(INVALID_REQUEST, 'id must be a string or a whole number below 2^53.')
  }
  return { kind: 'request', id: known, method, params }
}

const invalid = (code: number, message: string, id: RequestId | null = null): Message =>
  ({ kind: 'invalid', id, error: { code, message } })

/** A number that JavaScript cannot hold exactly could not be echoed exactly. */
const isRequestId = (id: unknown): id is RequestId =>
  typeof id === 'string' || Number.isSafeInteger(id)

export const CLOSE = Buffer.from('}')

/** The answer to a request, in chunks around a result that is already JSON. */
export function resultChunks(id: RequestId, result: readonly Buffer[]): readonly Buffer[] {
  return [resultHead(id), ...result, CLOSE]
}

/** What stands before a result. */
export const resultHead = (id: RequestId): Buffer =>
  Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`)

/** Without an id where the request's is not known: null is none that a client could have sent. */
export const errorBytes = (id: RequestId | null, error: RpcError): Buffer =>
  Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...id !== null && { id }, error }))
