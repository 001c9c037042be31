

/** What a handler sees of HTTP. Nothing here knows which server carries it. */

import { Refusal } from './errors.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** Every method that a route can take; HEAD and OPTIONS are derived. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export type Method = typeof METHODS[number]

export interface HttpRequest {
  /** Upper case. A HEAD request arrives as GET: its answer is cut to the headers afterwards. */
  readonly method: string
  /** Whether only the headers of the answer are wanted. */
  readonly isHead: boolean
  /** As sent, still percent-encoded. */
  readonly path: string
  /** As sent, without the question mark; empty where there is none. */
  readonly query: string
  /** The pattern of the route that took it, for logs and metrics; empty where none did. */
  readonly route: string
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** X-Request-Id: the caller's, where it is well-formed, else a random one. */
  readonly id: string
  /**
   * The client's address; X-Forwarded-For counts only behind a trusted proxy. Empty where it is
   * first asked for after the client has gone.
   */
  readonly address: string
  /** Aborted when the client has gone, or when the request's deadline has passed. */
  readonly signal: AbortSignal
  /** Whether `signal` is aborted, without the cost of making one. */
  readonly isAborted: boolean
  /** What its caller's limits say, once they are known: for an answer that no handler made. */
  limits?: HeaderList
  /** `name` in lower case. A header that came several times is joined with commas. */
  header(name: string): string | undefined
  /**
   * The whole body, empty where there is none; refused when too large or too slow. At once where it
   * has come.
   */
  body(): MaybePromise<Buffer>
  /** Adds to the request's one log line, which keeps the fields. */
  note(fields: Record<string, unknown>): void
}

export type HeaderList = readonly (readonly [name: string, value: string])[]

/**
 * Puts the same lines before every list. What an answer says of limits is one list for many calls,
 * so the whole of it is made once as well; frozen, it is also written out once.
 */
export function headersBefore(first: HeaderList): (headers: HeaderList) => HeaderList {
  const known = new WeakMap<HeaderList, HeaderList>()
  return (headers) => {
    let all = known.get(headers)
    if (!all) known.set(headers, all = Object.freeze([...first, ...headers]))
    return all
  }
}

export interface HttpReply {
  readonly status: number
  readonly headers?: HeaderList
  /** Buffers must not change afterwards. Pieces are put together only on their way out. */
  readonly body?: Buffer | string | readonly Buffer[]
  /**
   * Instead of a body: pieces that are sent as they come, no faster than the client takes them.
   * It is left when the client has gone, and when the server drains.
   */
  readonly stream?: AsyncIterable<string>
  /**
   * A stream that nobody waits for the end of: a server that drains ends it at once, as if it were
   * whole. Others are in flight like any answer, and cut off where they last too long.
   */
  readonly isEndless?: true
}

export type Handler = (request: HttpRequest) => HttpReply | Promise<HttpReply>

export interface Route {
  readonly method: Method
  /** Segments that begin with a colon are parameters: `/v1/orders/:orderNo/logistics`. */
  readonly pattern: string
  readonly handler: Handler
  /**
   * Who bounds how often it is called. The node does, by address, unless it is `caller` (the
   * handler takes a token of its caller's bucket) or `nobody` (health checks).
   */
  readonly limitedBy?: 'caller' | 'nobody'
  /** Default: BODY_BYTES_MAX. */
  readonly bodyBytesMax?: number
}

/** JSON has one encoding, so the only parameter it may carry is the one that says UTF-8. */
const JSON_TYPE = /^application\/json[\t ]*(?:;[\t ]*charset=(?:utf-8|"utf-8")[\t ]*)?$/i

/** Whether a Content-Type announces plain JSON; `application/problem+json` and the like do not. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  return contentType !== undefined && JSON_TYPE.test(contentType)
}

/** Refuses a body that is no plain JSON. */
export function requireJson(request: Pick<HttpRequest, 'header'>): void {
  const coding = request.header('content-encoding') ?? 'identity'
  if (coding.trim().toLowerCase() !== 'identity') {
    throw new Refusal('unsupported_media_type', {
      hint: 'Send the body as it is, without the header Content-Encoding.',
    })
  }
  if (!isJson(request.header('content-type'))) throw new Refusal('unsupported_media_type')
}

/** Codings of the header Accept-Encoding; one with q=0 is refused. */
export const acceptedEncodings = (header: string): ReadonlySet<string> =>
  new Set(header.toLowerCase().split(',').flatMap((part) => {
    const [name = '', parameter = ''] = part.split(';').map((word) => word.trim())
    return /^q=0(?:\.0*)?$/.test(parameter) ? [] : [name]
  }))

/** Whether a person's browser asks: people get a page where programs get JSON. */
export const isBrowser = (request: HttpRequest): boolean =>
  /(?:^|[\s,])text\/html\b/i.test(request.header('accept') ?? '')
