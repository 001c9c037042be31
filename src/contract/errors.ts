/**
 * Every way a call can fail, as one table. `code` never changes meaning; `hint` tells an agent
 * what to do next. Only text written here or in our own code reaches a caller.
 */
export interface ErrorRow {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly hint: string
}

const row = (status: number, code: number, msg: string, hint: string): ErrorRow =>
  ({ status, code, msg, hint })

export const ERRORS = {
  invalid_request: row(400, 40000, 'The request is not valid.',
    'Correct each field that is named here and send the request again.'),
  idempotency_key_required: row(400, 40001, 'An idempotency key (UUID) is required.',
    'Make one UUID for this business action and send it again with every retry of the action.'),
  not_shipped: row(400, 40002, 'The order has not shipped.',
    'Poll the order every 5 to 10 seconds and ask for logistics once its status is shipped.'),
  invalid_profile_url: row(400, 40003, 'The platform profile has no valid address.',
    'Name an https address: UCP-Agent: profile="…", or meta["ucp-agent"].profile over MCP.'),
  key_required: row(401, 40100, 'This operation needs an API key.',
    'Send the header Authorization: Bearer <API_KEY>; POST /v1/trial-keys gives a key at once.'),
  key_invalid: row(401, 40101, 'The API key is unknown or revoked.',
    'Check the key for missing characters, or get a new one; without a key, read-only tools work.'),
  sign_in_required: row(401, 40102, 'The console needs you to be signed in.',
    'Sign in with your e-mail address and password.'),
  sign_in_refused: row(401, 40103, 'The e-mail address or the password is wrong.',
    'Check both; an address without an account is answered the same.'),
  signature_refused: row(401, 40104, 'The signature of the request does not hold.',
    'Sign the request by a key of your profile\'s signing_keys, or send it without a signature.'),
  key_not_allowed: row(403, 40300, 'This key may not call this operation.',
    'Use a key of an agent whose owner allows it.'),
  owner_limit: row(403, 40301, 'The owner of this agent set a limit that this call would pass.',
    'Order within the limit, under a new UUID, or ask the owner of the agent to raise it.'),
  csrf_refused: row(403, 40302, 'The request does not come from a page of this console.',
    'Send the header X-CSRF-Token with what GET /console/api/session gives.'),
  origin_refused: row(403, 40303, 'A page of this origin may not ask for this.',
    'Ask for it from a program, or have the operator list the origin in ALLOWED_ORIGINS.'),
  not_found: row(404, 40400, 'There is nothing at this address for this caller.',
    'Check the identifier; an order is visible only to the key that created it.'),
  method_not_allowed: row(405, 40500, 'This address does not take that method.',
    'Use one of the methods in the Allow header.'),
  out_of_stock: row(409, 40900, 'Not enough stock is left.',
    'Order at most available_qty, or another item, under a new UUID; unchanged it keeps its own.'),
  order_state: row(409, 40901, 'The order does not allow this move in its present status.',
    'Read the order and choose one of the moves that its status allows.'),
  price_changed: row(409, 40902, 'The price has changed since it was quoted.',
    'Show the new price to your user and order again with a new quote.'),
  aftersale_refused: row(409, 40903, 'This after-sale request cannot be accepted.',
    'Read why; ask with preview:true before you file another.'),
  agent_limit: row(409, 40904, 'The account has as many agents as it may have.',
    'Delete an agent that is no longer used.'),
  withdrawal_refused: row(409, 40905, 'The withdrawal cannot be accepted.',
    'Read why, and request it again when the reason is gone.'),
  webhook_limit: row(409, 40906, 'There may be no more webhooks, or deliveries that wait.',
    'Delete a webhook that is no longer used, or come back when fewer deliveries wait.'),
  too_large: row(413, 41300, 'The request body is too large.',
    'Send at most 65536 bytes.'),
  unsupported_media_type: row(415, 41500, 'The body must be JSON.',
    'Send the header Content-Type: application/json and a JSON object.'),
  profile_malformed: row(422, 42203, 'The platform profile is not a UCP profile.',
    'Publish JSON with ucp.version and ucp.capabilities at the address of the profile.'),
  version_unsupported: row(422, 42204, 'This version of UCP is not spoken here.',
    'Use a version that /.well-known/ucp names.'),
  profile_unreachable: row(424, 42400, 'The platform profile cannot be fetched.',
    'Serve it over public https, without a redirect, in time; then send the request again after '
      + '10 seconds.'),
  idempotency_mismatch: row(422, 42200, 'This idempotency key was used with another request.',
    'Repeat the earlier request unchanged, or use a new UUID for a new business action.'),
  qty_over_cap: row(422, 42201, 'The quantity is above the limit for one order of this item.',
    'Order at most qty_cap pieces, under a new UUID.'),
  merchant_mismatch: row(422, 42202, 'The merchant does not sell this product.',
    'Take merchant_id and product_id from the same goods item, and order under a new UUID.'),
  rate_limited: row(429, 42900, 'Too many requests.',
    'Wait retry_after_s seconds, then go on at the rate in the RateLimit-Policy header.'),
  quota_exhausted: row(429, 42901, 'The daily quota of affiliate calls is used up.',
    'Use shelf_search, which needs no quota, or wait for the next UTC day.'),
  aftersale_quota: row(429, 42902, 'This person has no after-sale requests left in this window.',
    'Wait until the window that retry_after_s names has passed.'),
  order_limit: row(429, 42903, 'This key may not have more orders just now.',
    'Have an open order paid (GET /v1/orders lists them), or wait retry_after_s seconds.'),
  headers_too_large: row(431, 43100, 'The request headers are too large.',
    'Send fewer and shorter headers.'),
  internal: row(500, 50000, 'The service failed unexpectedly.',
    'Try again with the same idempotency key; if it persists, report the request_id.'),
  upstream_failed: row(502, 50200, 'The affiliate platform did not answer properly.',
    'Try again later, or use another source.'),
  unavailable: row(503, 50300, 'The service cannot confirm this just now.',
    'Retry with the same idempotency key: nothing will be done twice.'),
  not_configured: row(503, 50301, 'This part of the service is not in operation yet.',
    'Use another tool; the operator has to enable this one.'),
  upstream_timeout: row(504, 50400, 'The affiliate platform did not answer in time.',
    'Try again, or use another source.'),
} as const satisfies Record<string, ErrorRow>

export type ErrorName = keyof typeof ERRORS

export interface FieldProblem {
  /** Where in the input, as a dotted path; an empty path is the input itself. */
  readonly path: string
  readonly problem: string
}

export interface RefusalDetail {
  readonly hint?: string
  readonly fields?: readonly FieldProblem[]
  readonly retry_after_s?: number
  readonly [fact: string]: unknown
}

/** A refusal that the caller may see. Anything else that is thrown answers `internal`. */
export class Refusal extends Error {
  readonly error: ErrorName
  readonly detail: RefusalDetail

  constructor(error: ErrorName, detail: RefusalDetail = {}, cause?: unknown) {
    super(ERRORS[error].msg, { cause })
    this.name = 'Refusal'
    this.error = error
    this.detail = detail
  }
}

export interface ErrorData extends RefusalDetail {
  readonly error: ErrorName
  readonly hint: string
  readonly request_id: string
}

/** The `data` of an error answer. */
export function errorData(refusal: Refusal, requestId: string): ErrorData {
  const { hint, fields, retry_after_s, ...facts } = refusal.detail
  return {
    error: refusal.error,
    hint: hint ?? ERRORS[refusal.error].hint,
    ...(fields && { fields }),
    ...(retry_after_s !== undefined && { retry_after_s }),
    ...facts,
    request_id: requestId,
  }
}
