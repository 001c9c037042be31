/** What a reply means to a client, and whether it is one that the service documents. */
import { ERRORS, type ErrorName } from '../../contract/errors.ts'
import { errorsOf } from '../../operations/common-errors.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Reply, Via } from './wire.ts'

export type Data = Readonly<Record<string, any>> // oxlint-disable-line typescript/no-explicit-any

export type Outcome =
  | { readonly kind: 'done', readonly data: Data }
  /** Nothing happened. */
  | { readonly kind: 'refused', readonly error: ErrorName, readonly data: Data }
  /** It may have happened or not, or may still happen. */
  | { readonly kind: 'unknown', readonly why: string }
  /** No answer that the service may give. */
  | { readonly kind: 'wrong', readonly what: string }

const wrong = (what: string): Outcome => ({ kind: 'wrong', what })

export function outcomeOf(operation: Operation, via: Via, reply: Reply): Outcome {
  if (reply.kind === 'broken') return { kind: 'unknown', why: reply.why }
  if (reply.kind === 'silent') return wrong('no answer at all')
  let body: Data
  try {
    body = JSON.parse(reply.text) as Data
  } catch {
    return wrong(`status ${reply.status} without JSON: ${reply.text.slice(0, 200)}`)
  }
  if (via === 'mcp' && reply.status === 200) return mcpOutcome(operation, body)
  if (reply.status === 200 && body['code'] === 0) return { kind: 'done', data: body['data'] }
  return refusal(operation, body['data'] ?? body['error']?.data, reply.status, reply.text)
}

function mcpOutcome(operation: Operation, { result, error }: Data): Outcome {
  if (!result) return wrong(`JSON-RPC error ${JSON.stringify(error)}`)
  if (!result.isError) return { kind: 'done', data: result.structuredContent }
  return refusal(operation, result.structuredContent?.error, undefined, JSON.stringify(result))
}

function refusal(
  operation: Operation, data: Data | undefined, status: number | undefined, text: string,
): Outcome {
  const error = data?.['error'] as ErrorName
  const row = ERRORS[error]
  if (!row || (status !== undefined && row.status !== status)) {
    return wrong(`status ${status}: ${text.slice(0, 200)}`)
  }
  if (error === 'internal') return wrong(`internal error, request ${data?.['request_id']}`)
  if (!errorsOf(operation).includes(error)) return wrong(`${error} is not among its errors`)
  if (row.status >= 500) return { kind: 'unknown', why: error }
  return { kind: 'refused', error, data: data as Data }
}

/** The cashier answers with pages: their status tells. */
export function paymentOutcome(reply: Reply): Outcome {
  if (reply.kind === 'broken') return { kind: 'unknown', why: reply.why }
  if (reply.kind === 'silent') return wrong('no answer at all')
  const { status, text } = reply
  if (status === 200) return { kind: 'done', data: {} }
  if (status === 409) return { kind: 'refused', error: 'order_state', data: {} }
  if (status === 429) return { kind: 'refused', error: 'rate_limited', data: {} }
  if (status === 503) return { kind: 'unknown', why: 'unavailable' }
  return wrong(`status ${status} of the cashier: ${text.slice(0, 200)}`)
}
