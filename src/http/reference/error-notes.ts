/** What documents say about an error beyond its row in the table: cause, remedy, facts. */
import { Type, type TProperties } from 'typebox'
import type { ErrorName, RefusalDetail } from '../../contract/errors.ts'
import { CategoryId, Fen, OneOf, SEARCH_DEPTH_MAX, Text, Time } from '../../contract/fields.ts'
import { OrderStatus } from '../../operations/order-fields.ts'
import { AFTERSALE_STATUSES } from '../../orders/states.ts'

export interface ErrorNote {
  readonly happened: string
  readonly fix: string
  /** What its data carries beyond error, hint and request_id. */
  readonly facts?: TProperties
  /** A typical detail; the example answer is made from it. */
  readonly detail?: RefusalDetail
  /** What no schema can say, each with a name of its own. */
  readonly also?: Readonly<Record<string, RefusalDetail>>
  /** Answered before any operation is reached: no operation lists it. */
  readonly isTransportError?: true
}

const Wait = Type.Integer({ minimum: 0, description: 'Seconds until it makes sense to try again' })
const Policy = Text(40, 'Which limit was passed, as RateLimit-Policy names it')

const Why = Type.Optional(Text(200, 'Why not, in a sentence'))
const Price = Type.Object({ unit_price: Fen(), freight: Fen(), amount: Fen() })

const field = (path: string, problem: string): RefusalDetail => ({ fields: [{ path, problem }] })

export const ERROR_NOTES: Readonly<Record<ErrorName, ErrorNote>> = {
  invalid_request: {
    happened: 'The JSON is broken, or fields are unknown, missing, of the wrong type or out of '
      + 'bounds. Unknown fields are refused, not ignored; so is a price, an amount or a status, '
      + 'because the server computes them. Every problem is reported at once.',
    fix: 'Go through `fields`: `path` says where, `problem` what. Nothing has happened, and an '
      + 'Idempotency-Key sent along is still unused.',
    detail: { fields: [
      { path: 'receiver.phone', problem: 'is required' },
      { path: 'price', problem: 'is computed by the server: leave it out' },
    ] },
    also: {
      page_beyond_reach: field('page', `must not begin beyond item ${SEARCH_DEPTH_MAX}`),
      crossed_price_bounds: field('price_min', 'must not be above price_max'),
      unknown_cursor: field('cursor', 'must be the next_cursor of an earlier page'),
      link_of_another_site: field('url', 'must be a link of mall_b'),
    },
  },
  idempotency_key_required: {
    happened: 'The header Idempotency-Key (in MCP the argument `idempotency_key`) is missing or '
      + 'is not a UUID.',
    fix: 'Make a UUID when your user decides to buy, keep it with the purchase, and send it with '
      + 'every retry of that purchase.',
    detail: field('idempotency_key', 'is required'),
  },
  not_shipped: {
    happened: 'The order exists and is yours, but there is no parcel: not yet, or never, if it was '
      + 'closed or refunded before it shipped.',
    fix: 'Read the order every `poll_after_s` seconds; ask for logistics once it is shipped. '
      + 'An order without `poll_after_s` stays as it is.',
    facts: { status: OrderStatus },
    detail: { status: 'paid' },
  },
  invalid_profile_url: {
    happened: 'A call of the Universal Commerce Protocol named no platform profile, or one that '
      + 'is not at a public https address.',
    fix: 'Send `UCP-Agent: profile="https://…"`, or `meta["ucp-agent"].profile` over MCP.',
  },
  profile_malformed: {
    happened: 'What the address of the platform profile gave is no UCP profile.',
    fix: 'Check it against the published schema of profiles: `ucp.version` is required, '
      + '`ucp.capabilities` has arrays.',
  },
  signature_refused: {
    happened: 'A request to UCP came with a signature that no key of the platform profile made, or '
      + 'that leaves out a part of the request. `reason` says which.',
    fix: 'Sign as RFC 9421 and UCP say, with a key of `signing_keys` in your profile; or send no '
      + 'signature: it is the API key that says who calls.',
  },
  profile_unreachable: {
    happened: 'The platform profile could not be fetched: no answer in time, a redirection, or '
      + 'another status than 200.',
    fix: 'Serve it without a redirection, then send the request again after 10 seconds.',
    facts: { answered: Type.Optional(Type.Integer({ description: 'Status that came instead' })) },
  },
  version_unsupported: {
    happened: 'The platform profile declares a version of UCP that is not spoken here.',
    fix: 'Use the version that `/.well-known/ucp` names.',
  },
  key_required: {
    happened: 'The operation acts for an agent, and the request carries no key.',
    fix: 'Send `Authorization: Bearer ak_…` or `X-API-Key: ak_…`. A trial key takes one request '
      + 'and no account.',
  },
  key_invalid: {
    happened: 'A key was sent, but it is malformed, unknown or revoked, or two different keys were '
      + 'sent. Such a request is never served as one without a key.',
    fix: 'Send the whole key, in one header. If it was revoked, get a new one.',
  },
  sign_in_required: {
    happened: 'An address of the console was called without a session: nobody is signed in, the '
      + 'session has ended, or the password was changed elsewhere.',
    fix: 'Sign in at `/console`. Agents need no session: they call `/v1` and `/mcp` with a key.',
  },
  sign_in_refused: {
    happened: 'No account has this e-mail address and this password together. Which of the two is '
      + 'wrong is told to nobody.',
    fix: 'Check both. After several attempts the console asks you to wait.',
  },
  csrf_refused: {
    happened: 'A change was asked for with the session\'s cookie but without its token, or from '
      + 'another site\'s page.',
    fix: 'Send X-CSRF-Token with the `csrf_token` that `GET /console/api/session` gives.',
  },
  origin_refused: {
    happened: 'A page of another site asked for something that its visitor would pay for, such as '
      + 'a trial key of the visitor\'s address.',
    fix: 'Ask from a program. For a page of yours the operator lists its origin in '
      + '`ALLOWED_ORIGINS`; `*` is not enough.',
  },
  key_not_allowed: {
    happened: 'The key is good, but its agent may not call this operation.',
    fix: 'Use another agent\'s key, or ask the owner to allow it in the console.',
  },
  owner_limit: {
    happened: 'The owner of the agent limits what it may order, and this call would pass a limit.',
    fix: 'Order less, under a new key, or ask the owner to raise the limit in the console. `limit` '
      + 'names it, `value` is what it is set to, and `left` what it still allows, in fen.',
    facts: {
      limit: OneOf(['order_amount_max', 'day_amount_max', 'user_ref_day_amount_max',
        'categories']),
      value: Type.Unknown({ description: 'Fen, or the categories that are allowed' }),
      left: Type.Optional(Fen('Still allowed, in fen')),
      amount: Type.Optional(Fen('What the order comes to, in fen')),
      category_id: Type.Optional(CategoryId),
      resets_at: Type.Optional(Time),
    },
    detail: {
      limit: 'day_amount_max', value: 50_000, left: 1200, amount: 1990,
      resets_at: '2026-03-02T00:00:00.000Z',
    },
  },
  not_found: {
    happened: 'There is no such address, item or order, or the order belongs to another key: the '
      + 'two answers are the same on purpose.',
    fix: 'Take identifiers from an earlier answer, and read an order with the key that placed it.',
  },
  method_not_allowed: {
    happened: 'The address exists, but not with this HTTP method.',
    fix: 'Use a method of the Allow header.',
    facts: { allowed: Type.Array(Text(10)) },
    detail: { allowed: ['GET', 'HEAD', 'OPTIONS'] },
    isTransportError: true,
  },
  out_of_stock: {
    happened: 'Fewer pieces are left than were asked for. Nothing was ordered.',
    fix: 'Ask your user for at most `available_qty`, under a new key, or choose another item. The '
      + 'same request may be tried again with its key for 24 hours.',
    facts: { available_qty: Type.Integer({ minimum: 0, description: 'Pieces left now' }) },
    detail: { available_qty: 1 },
  },
  order_state: {
    happened: 'The order is in a status from which this move is not possible.',
    fix: 'Read the order. Before shipping it can be cancelled; afterwards use an after-sale '
      + 'request. `allowed` names the operations that its status allows.',
    facts: {
      status: OrderStatus,
      allowed: Type.Array(Type.String(), { description: 'Operations that its status allows' }),
      why: Why,
    },
    detail: { status: 'completed', allowed: [] },
  },
  price_changed: {
    happened: 'The order carried a quote, and the price is another one now. Nothing was ordered.',
    fix: 'Tell your user the new price; order again, under a new key, when they agree.',
    facts: { old: Price, new: Price },
    detail: {
      old: { unit_price: 1990, freight: 600, amount: 2590 },
      new: { unit_price: 2190, freight: 600, amount: 2790 },
    },
  },
  aftersale_refused: {
    happened: 'The order cannot be returned or refunded this way, or a request is already open.',
    fix: 'Send the request with `preview: true`: it says what is possible and why.',
    facts: {
      why: Text(200),
      aftersale_id: Type.Optional(Text(40)),
      aftersale_status: Type.Optional(OneOf(AFTERSALE_STATUSES, 'Of the open one')),
    },
    detail: { why: 'This order has an open after-sale already.' },
  },
  agent_limit: {
    happened: 'The account already has 5 agents.',
    fix: 'Delete one that is no longer used, in the console.',
  },
  withdrawal_refused: {
    happened: 'The balance is below CNY 10, or the payout details are not complete.',
    fix: 'Read the reason in the answer, and ask again when it is gone.',
  },
  webhook_limit: {
    happened: 'The account already has 10 webhooks (50 subscriptions over MCP), or 10,000 '
      + 'deliveries would wait for this one.',
    fix: 'By `limit`: delete one that is no longer used, or have its receiver take what waits.',
    facts: {
      limit: OneOf(['webhooks', 'subscriptions', 'waiting'] as const),
      max: Type.Integer({ minimum: 1 }),
    },
    detail: { limit: 'webhooks', max: 10 },
  },
  too_large: {
    happened: 'The body has more than 65,536 bytes.',
    fix: 'Send only the documented fields. No valid request comes near the limit.',
  },
  unsupported_media_type: {
    happened: 'The body was not announced as JSON, or is compressed.',
    fix: 'Send `Content-Type: application/json`, and no `Content-Encoding`.',
  },
  idempotency_mismatch: {
    happened: 'This Idempotency-Key belongs to an earlier request with other contents. Nothing of '
      + 'that request is shown.',
    fix: 'For a retry, send exactly what was sent before. For another purchase make another UUID.',
  },
  qty_over_cap: {
    happened: 'One order may hold fewer pieces of this item than were asked for.',
    fix: 'Order at most `qty_cap` pieces, under a new key: this one stands for the refused '
      + 'request.',
    facts: { qty_cap: Type.Integer({ minimum: 1, description: 'Most pieces in one order' }) },
    detail: { ...field('qty', 'may be at most 2'), qty_cap: 2 },
  },
  merchant_mismatch: {
    happened: 'The product is not sold by this merchant.',
    fix: 'Take `merchant_id` and `product_id` from the same item of one answer. An order of it '
      + 'needs a new key.',
    detail: field('merchant_id', 'is not the merchant of this product'),
  },
  rate_limited: {
    happened: 'The caller has spent its bucket of requests. The refused call cost nothing.',
    fix: 'Wait `retry_after_s` seconds (also in Retry-After), then go on at a steady rate.',
    facts: { retry_after_s: Wait, policy: Policy },
    detail: { retry_after_s: 1, policy: 'default' },
  },
  quota_exhausted: {
    happened: 'Today\'s calls to affiliate platforms are used up. The day is a UTC day.',
    fix: 'Use the curated shelf, which needs no quota, or wait until midnight UTC.',
    facts: {
      retry_after_s: Wait,
      policy: Policy,
      limit: Type.Integer({ minimum: 0, description: 'Calls a day' }),
      window_s: Type.Integer({ minimum: 0, description: 'Length of the window, in seconds' }),
      source: Text(40, 'The platform that was not asked'),
    },
    detail: {
      retry_after_s: 3600, policy: 'daily', limit: 20_000, window_s: 86_400, source: 'mall_a',
    },
  },
  aftersale_quota: {
    happened: 'The person behind the order has used up the after-sale requests of this window.',
    fix: 'Wait `retry_after_s` seconds. The quota belongs to the person, not to the key. In the '
      + 'sandbox each `user_ref` is a person of its own, and the order\'s page in the console '
      + 'restores the quota.',
    facts: { retry_after_s: Wait, quota_left: Type.Integer({ minimum: 0 }) },
    detail: { retry_after_s: 86_400, quota_left: 0 },
  },
  order_limit: {
    happened: 'The key, its account or the client\'s address has as many unpaid orders or pieces '
      + 'open as its tier allows, tried as many orders as a day allows, or trial keys hold their '
      + 'part of the item.',
    fix: 'Pay an open order or cancel it: `GET /v1/orders` lists them. An unpaid order ends with '
      + 'its window; `retry_after_s` says when the next one does. An account\'s key has more.',
    facts: {
      limit: Type.String(), of: Type.Optional(Type.String()), left: Type.Integer({ minimum: 0 }),
      retry_after_s: Type.Optional(Wait),
    },
    detail: { limit: 'open', of: 'agent', left: 0, retry_after_s: 900 },
  },
  headers_too_large: {
    happened: 'The request\'s headers are larger than the server takes.',
    fix: 'Drop cookies and other headers that the service does not use.',
    isTransportError: true,
  },
  internal: {
    happened: 'Something failed that should not. It has been logged under `request_id`.',
    fix: 'Try again with the same Idempotency-Key. If it happens again, report the `request_id`.',
  },
  upstream_failed: {
    happened: 'A mall or platform answered with an error, or with something unusable.',
    fix: 'Try again later, or use another source. The curated shelf does not depend on platforms.',
  },
  unavailable: {
    happened: 'A part of the service is away for a moment. The outcome of a write is unknown: it '
      + 'may or may not have happened.',
    fix: 'Retry with the same Idempotency-Key until there is an answer: it is never done twice.',
  },
  not_configured: {
    happened: 'The operation is declared, but this node does not offer it yet.',
    fix: 'Use another operation. Its signature will not change when it comes.',
  },
  upstream_timeout: {
    happened: 'A mall or platform did not answer within the deadline.',
    fix: 'Try again, or use another source.',
  },
}
