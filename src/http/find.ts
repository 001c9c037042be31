/** The handler of a request, or why it reaches none. */
import { Refusal } from '../contract/errors.ts'
import { preflightHeaders } from './cors.ts'
import { TARGET_BYTES_MAX, targetTooLong, type Head } from './head.ts'
import { isBrowser } from '../contract/media.ts'
import type { Match, Router } from './router.ts'
import type { Handler, HttpReply, HttpRequest, Route } from '../contract/http.ts'

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
  if (!match) return findWithoutSlash(router, request)
  const { endpoint, params } = match
  const route = endpoint.routes.get(method)
  const found = { route: endpoint.pattern, params, handler: route?.handler }
  if (route) return { ...found, limitedBy: route.limitedBy, bodyBytesMax: route.bodyBytesMax }
  const refusal = new Refusal('method_not_allowed', { allowed: endpoint.allow.split(', ') })
  return { ...found, refusal }
}

const NO_ADDRESS = 'There is no such address. GET / says what is here, GET /openapi.json lists '
  + 'every operation, /docs explains them.'
const EXTRA_SLASH = 'Leave out the slash at the end of the address.'

/** A browser is sent on to the address without the slash; a program is told. */
function findWithoutSlash(router: Router, request: HttpRequest): Found {
  const { path, query, method } = request
  const shorter = path.replace(/\/+$/, '')
  const match = shorter === path || shorter === '' ? undefined : router.find(shorter)
  if (!match) throw new Refusal('not_found', { hint: NO_ADDRESS })
  if (!match.endpoint.routes.has('GET') || method !== 'GET' || !isBrowser(request)) {
    throw new Refusal('not_found', { hint: EXTRA_SLASH })
  }
  // Relative, since a proxy may have put something before the path; never another host.
  const up = '../'.repeat(path.length - shorter.length)
  const reply: HttpReply = {
    status: 308,
    headers: [
      ['Location', `${up}${shorter.slice(shorter.lastIndexOf('/') + 1)}${query && `?${query}`}`],
      ['Vary', 'Accept'],
    ],
  }
  return { route: '', params: {}, handler: () => reply }
}

/** A page's preflight gets its permission for any path, so that it can read the 404 after it. */
function describeOptions(match: Match | undefined, request: HttpRequest): HttpReply {
  const isPreflight = request.header('access-control-request-method') !== undefined
  if (!match && !isPreflight) throw new Refusal('not_found', { hint: NO_ADDRESS })
  return { status: 204, headers: preflightHeaders(match?.endpoint.allow) }
}
