/** From a method and a path to a handler. Built once at boot; refuses what is ambiguous there. */
import { Refusal } from '../contract/errors.ts'
import { METHODS, type Route } from '../contract/http.ts'

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
