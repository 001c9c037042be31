/** The handler of a request, or why it reaches none. */
import { Refusal } from '../errors.ts'
import { preflightHeaders } from './cors.ts'
import { TARGET_BYTES_MAX, targetTooLong, type Head } from './head.ts'
import type { Match, Router } from './router.ts'
import type { Handler, HttpReply, HttpRequest, Route } from './types.ts'

export interface Found {
  /** The pattern; empty where no route has the path. */
  readonly route: string
  readonly params: HttpRequest['params']
  readonly handler: Handler | undefined
  readonly limitedBy?: Route['limitedBy'] | undefined
  readonly bodyBytesMax?: number | undefined
  /** Why there is no handler, although there is a route. */
  readonly refusal?: Refusal
}

/** Throws the refusal where the request ends here. */
export function findHandler(router: Router, head: Head, request: HttpRequest): Found {
  const { path, query, method } = request
  if (head.isTooLarge) throw new Refusal('headers_too_large')
  if (path.length + query.length > TARGET_BYTES_MAX) throw targetTooLong()
  const match = router.find(path)
  if (method === 'OPTIONS') {
    const reply = describeOptions(match, request)
    return { route: match?.endpoint.pattern ?? '', params: {}, handler: () => reply }
  }
  if (!match) throw new Refusal('not_found')
  const { endpoint, params } = match
  const route = endpoint.routes.get(method)
  const found = { route: endpoint.pattern, params, handler: route?.handler }
  if (route) return { ...found, limitedBy: route.limitedBy, bodyBytesMax: route.bodyBytesMax }
  const refusal = new Refusal('method_not_allowed', { allowed: endpoint.allow.split(', ') })
  return { ...found, refusal }
}

/** A page's preflight gets its permission for any path, so that it can read the 404 after it. */
function describeOptions(match: Match | undefined, request: HttpRequest): HttpReply {
  const isPreflight = request.header('access-control-request-method') !== undefined
  if (!match && !isPreflight) throw new Refusal('not_found')
  return { status: 204, headers: preflightHeaders(match?.endpoint.allow) }
}
