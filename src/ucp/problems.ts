/** How UCP says what went wrong: as a protocol error, or as the outcome of a business that ran. */
import { ERRORS, type ErrorData, type ErrorName, type FieldProblem } from '../contract/errors.ts'
import { UCP_VERSION } from './capabilities.ts'

export type Severity =
  'recoverable' | 'requires_buyer_input' | 'requires_buyer_review' | 'unrecoverable'

export interface UcpMessage {
  readonly type: 'error' | 'warning' | 'info'
  readonly code: string
  readonly content: string
  readonly path?: string
  readonly severity?: Severity
}

/** What is answered with 200, since the request was understood and the answer is no. */
const OUTCOMES: ReadonlySet<ErrorName> = new Set([
  'not_found', 'out_of_stock', 'order_state', 'price_changed', 'qty_over_cap',
  'merchant_mismatch', 'owner_limit', 'order_limit', 'aftersale_refused',
])

const RPC_DISCOVERY = -32_001
const RPC_INVALID_REQUEST = -32_600
const RPC_INVALID_PARAMS = -32_602
const RPC_INTERNAL = -32_603
const RPC_REFUSED = -32_000

const UNSIGNED: ReadonlySet<unknown> = new Set(['digest_mismatch', 'algorithm_unsupported'])

const DISCOVERY: ReadonlySet<ErrorName> = new Set([
  'invalid_profile_url', 'profile_unreachable', 'profile_malformed', 'version_unsupported',
])

export type Problem =
  | { readonly kind: 'outcome', readonly body: object }
  | { readonly kind: 'protocol', readonly status: number, readonly body: object, readonly rpc: {
    readonly code: number, readonly message: string, readonly data: object,
  } }

/** No resource, and why. */
const outcome = (messages: readonly UcpMessage[], continueUrl?: string): object => ({
  ucp: { version: UCP_VERSION, status: 'error' },
  messages,
  ...(continueUrl !== undefined && { continue_url: continueUrl }),
})

export function problemOf(data: ErrorData, continueUrl: string): Problem {
  const { error, hint, fields = [], retry_after_s, request_id } = data
  const { reason, why } = data
  // Where UCP has a name of its own for it, our words for the general case do not fit.
  const content = reason === undefined
    ? `${ERRORS[error].msg} ${typeof why === 'string' ? why : hint}` : hint
  const code = typeof reason === 'string' ? reason : error
  if (OUTCOMES.has(error)) {
    return { kind: 'outcome', body: outcome([errorMessage(code, content)], continueUrl) }
  }
  const messages = fields.map(({ path, problem }) =>
    errorMessage('invalid', problem, 'recoverable', jsonPath(path)))
  const body = {
    code, content,
    ...(messages.length > 0 && { messages }),
    ...(DISCOVERY.has(error) && { continue_url: continueUrl }),
    ...(retry_after_s !== undefined && { retry_after: retry_after_s }),
    request_id,
  }
  const status = error === 'idempotency_mismatch' ? 409 : ERRORS[error].status
  const rpc = { code: rpcCode(error, reason), message: sentences(content, fields), data: body }
  return { kind: 'protocol', status, body, rpc }
}

export const errorMessage = (
  code: string, content: string, severity: Severity = 'unrecoverable', path?: string,
): UcpMessage => ({ type: 'error', code, content, severity, ...(path !== undefined && { path }) })

function rpcCode(error: ErrorName, reason: unknown): number {
  if (DISCOVERY.has(error)) return RPC_DISCOVERY
  if (UNSIGNED.has(reason)) return RPC_INVALID_REQUEST
  if (error === 'invalid_request') return RPC_INVALID_PARAMS
  return error === 'internal' ? RPC_INTERNAL : RPC_REFUSED
}

/** Clients that show the message alone show which field is wrong. */
const sentences = (content: string, fields: readonly FieldProblem[]): string => [
  content, ...fields.map(({ path, problem }) => `${path || 'arguments'} ${problem}.`),
].join(' ')

/** From the dotted path of a problem in the arguments to one into the payload. */
function jsonPath(path: string): string {
  const [, ...steps] = path.split('.')
  return `$${steps.map((step) => (/^[0-9]+$/.test(step) ? `[${step}]` : `.${step}`)).join('')}`
}
