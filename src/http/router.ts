/** From a request to its handler, or why it has none. Built at boot; refuses ambiguous routes. */
import { Refusal } from '../contract/errors.ts'
import {
  isBrowser, METHODS, type Handler, type HttpReply, type HttpRequest, type Route,
} from '../contract/http.ts'
import { preflightHeaders } from './cors.ts'
import { type Head, TARGET_BYTES_MAX, targetTooLong } from './request.ts'

/** Everything that one path pattern answers. */
export interface Endpoint {
  readonly pattern: string
  readonly names: readonly string[]
  readonly routes: ReadonlyMap<string, Route>
  /** The value of the Allow header: HEAD comes with GET, OPTIONS with everything. */
  readonly allow: string
}

export interface Match {
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, string>>
}

export interface Router {
  /** Undefined where no route has this path. A path that is badly encoded is refused. */
  find(path: string): Match | undefined
}

const PATTERN = /^\/$|^(?:\/(?:[\w.~-]+|:[A-Za-z]\w*))+$/
// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f]/

const NO_ADDRESS = 'There is no such address. GET / says what is here, GET /openapi.json lists '
  + 'every operation, /docs explains them.'
const EXTRA_SLASH = 'Leave out the slash at the end of the address.'

interface Node {
  readonly fixed: Map<string, Node>
  parameter: Node | undefined
  endpoint: Endpoint | undefined
}

export function createRouter(routes: readonly Route[]): Router {
  const whole = new Map<string, Match>()
  const root = createNode()
  for (const endpoint of endpointsOf(routes)) {
    if (!endpoint.pattern.includes(':')) {
      whole.set(endpoint.pattern, { endpoint, params: {} })
      continue
    }
    const node = grow(root, segmentsOf(endpoint.pattern))
    if (node.endpoint) {
      throw new Error(`${endpoint.pattern} and ${node.endpoint.pattern} are the same path.`)
    }
    node.endpoint = endpoint
  }
  return {
    find(path) {
      const match = whole.get(path)
      if (match) return match
      const values: string[] = []
      const endpoint = walk(root, path, 1, values)
      return endpoint && { endpoint, params: decodeParams(endpoint, values) }
    },
  }
}

function endpointsOf(routes: readonly Route[]): Endpoint[] {
  const byPattern = new Map<string, Map<string, Route>>()
  for (const route of routes) {
    const { method, pattern } = route
    if (!PATTERN.test(pattern)) throw new Error(`${pattern} is not a path pattern.`)
    const known = byPattern.get(pattern) ?? new Map<string, Route>()
    if (known.has(method)) throw new Error(`${method} ${pattern} is declared twice.`)
    byPattern.set(pattern, known.set(method, route))
  }
  return [...byPattern].map(([pattern, known]) => {
    const allow = METHODS.filter((method) => known.has(method))
      .flatMap((method) => method === 'GET' ? ['GET', 'HEAD'] : [method])
    const names = segmentsOf(pattern).filter((part) => part.startsWith(':'))
      .map((part) => part.slice(1))
    return { pattern, names, routes: known, allow: [...allow, 'OPTIONS'].join(', ') }
  })
}

const createNode = (): Node => ({ fixed: new Map(), parameter: undefined, endpoint: undefined })
const segmentsOf = (pattern: string): string[] => pattern.split('/').slice(1)

function grow(root: Node, segments: readonly string[]): Node {
  let node = root
  for (const segment of segments) {
    let next = segment.startsWith(':') ? node.parameter : node.fixed.get(segment)
    if (!next) {
      next = createNode()
      if (segment.startsWith(':')) node.parameter = next
      else node.fixed.set(segment, next)
    }
    node = next
  }
  return node
}

/** A fixed segment goes before a parameter; depth is bounded by the longest pattern. */
function walk(node: Node, path: string, start: number, values: string[]): Endpoint | undefined {
  if (start > path.length) return node.endpoint
  const slash = path.indexOf('/', start)
  const end = slash < 0 ? path.length : slash
  const segment = path.slice(start, end)
  const fixed = node.fixed.get(segment)
  const found = fixed && walk(fixed, path, end + 1, values)
  if (found || !node.parameter || segment === '') return found
  values.push(segment)
  const below = walk(node.parameter, path, end + 1, values)
  if (!below) values.pop()
  return below
}

function decodeParams(endpoint: Endpoint, values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (let at = 0; at < values.length; at++) {
    const name = endpoint.names[at] ?? ''
    params[name] = decode(name, values[at] ?? '')
  }
  return params
}

function decode(name: string, text: string): string {
  try {
    const value = text.includes('%') ? decodeURIComponent(text) : text
    if (!CONTROL.test(value)) return value
  } catch {
    // Answered below, like a value that decodes into control characters.
  }
  throw new Refusal('invalid_request', {
    fields: [{ path: name, problem: 'must be percent-encoded UTF-8 without control characters' }],
  })
}

export interface FoundHandler {
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
export function findHandler(router: Router, head: Head, request: HttpRequest): FoundHandler {
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
  if (route) {
    const { handler, limitedBy, bodyBytesMax } = route
    return { route: endpoint.pattern, params, handler, limitedBy, bodyBytesMax }
  }
  const refusal = new Refusal('method_not_allowed', { allowed: endpoint.allow.split(', ') })
  return { route: endpoint.pattern, params, handler: undefined, refusal }
}

/** Redirects a browser to the address without the slash; refuses a program with a hint. */
function findWithoutSlash(router: Router, request: HttpRequest): FoundHandler {
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
