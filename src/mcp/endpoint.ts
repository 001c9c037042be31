/** POST /mcp: HTTP around one JSON-RPC message. Stateless, so any node answers any message. */
import { LRUCache } from 'lru-cache'
import { ERRORS, errorData, Refusal } from '../contract/errors.ts'
import { withDaily, withViolated } from '../limits/headers.ts'
import type { Admission } from '../gate/admission.ts'
import type { Gate } from '../gate/gate.ts'
import type { Quota } from '../limits/quota.ts'
import type { Caller } from '../contract/caller.ts'
import { acceptedEncodings, headersBefore, isJson, requireJson } from '../contract/http.ts'
import type { Handler, HttpReply, HttpRequest } from '../contract/http.ts'
import type { Logger } from '../log.ts'
import { chain, type MaybePromise, recover } from '../contract/maybe-promise.ts'
import type { NodeOperation } from '../operations/define.ts'
import {
  type Answer, type Dialect, failureText, internalError, type MethodDependencies, type Params,
} from './methods.ts'
import { createEras, handshakeEra, modernEra, type Eras } from './eras.ts'
import { KnownCalls } from './known-calls.ts'
import { createOriginCheck, type OriginConfig } from '../gate/origins.ts'
import {
  errorBytes, INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, readMessage,
  type Message, resultChunks, resultHead, type RequestId, type RpcError,
} from './rpc.ts'
import { createTools } from './tools.ts'

export interface McpDependencies {
  readonly gate: Gate
  readonly quota?: Pick<Quota, 'standing'>
  readonly operations: readonly NodeOperation[]
  readonly events?: MethodDependencies['events']
  readonly config: OriginConfig
  readonly serverVersion: string
  readonly log: Pick<Logger, 'error'>
  /** Of another protocol that these operations belong to. */
  readonly dialect?: Dialect
  /** Finds a request's caller, who may be refused; without it by the key. */
  readonly admit?: (request: HttpRequest) => MaybePromise<Admission>
}

export function createMcpHandler(dependencies: McpDependencies): Handler {
  const { gate, quota, operations, events, config, serverVersion, log, dialect } = dependencies
  const tools = createTools(operations)
  const parts = { gate, quota, tools, events, serverVersion, publicUrl: config.publicUrl, dialect }
  const eras = createEras([modernEra(parts), handshakeEra(parts)])
  const known = new KnownCalls(tools.byName)
  const checkOrigin = createOriginCheck(config)
  const admit = dependencies.admit ?? ((request) => gate.admit({
    authorization: request.header('authorization'),
    apiKey: request.header('x-api-key'),
    client: request,
  }))

  return (request) => {
    const notHere = checkOrigin(request)
    if (notHere !== undefined) return originRefused(request, notHere)
    const endpoint = { admit, known, eras, log, dialect, publicUrl: config.publicUrl }
    return new McpCall(request, endpoint).answer()
  }
}

interface Endpoint {
  readonly admit: NonNullable<McpDependencies['admit']>
  readonly known: KnownCalls
  readonly eras: Eras
  readonly log: McpDependencies['log']
  readonly dialect: Dialect | undefined
  readonly publicUrl: string
}

/** One message and its answer: who calls, what is asked, what the method says. */
class McpCall {
  private readonly request: HttpRequest
  private readonly endpoint: Endpoint
  private headers: Admission['headers'] = []
  private id: RequestId | null = null

  constructor(request: HttpRequest, endpoint: Endpoint) {
    this.request = request
    this.endpoint = endpoint
  }

  /** In the same turn where nothing has to be waited for: a wait costs a tenth of a kept answer. */
  answer(): MaybePromise<HttpReply> {
    return recover(
      () => chain(this.endpoint.admit(this.request), (admission) => this.receive(admission)),
      (error) => this.refuse(error))
  }

  private receive({ caller, headers, refusal }: Admission): MaybePromise<HttpReply> {
    const { request, endpoint: { dialect, known } } = this
    request.limits = this.headers = headers
    request.note({ operation: 'mcp', agent: caller.agent })
    if (refusal) return this.refuseUnread(refusal)
    requireJson(request)
    const verified = dialect?.verify(request)
    return chain(verified ? verified.then(() => request.body()) : request.body(),
      (body) => this.dispatch(known.read(body), caller))
  }

  private async refuseUnread(refusal: Refusal): Promise<never> {
    this.id = await idOf(this.request)
    throw refusal
  }

  private refuse(error: unknown): HttpReply {
    const { request, endpoint: { log, dialect, publicUrl } } = this
    // Nobody is left to answer: the exchange closes what has gone.
    if (request.isAborted) throw error
    const refusal = asRefusal(error, request, log)
    return dialect ? refusedIn(dialect, refusal, request, this.id, this.headers)
      : refused(refusal, request, this.id, this.headers, publicUrl)
  }

  private dispatch(message: Message, caller: Caller): MaybePromise<HttpReply> {
    const { request, endpoint: { eras } } = this
    if (message.kind === 'invalid') return this.fail(400, message.error, message.id)
    if (message.kind === 'request') this.id = message.id
    const choice = eras.of(request.header('mcp-protocol-version'), message)
    if ('error' in choice) return this.fail(400, choice.error)
    if (message.kind === 'silent') {
      return { status: 202, headers: [...this.headers], body: NOTHING }
    }
    const { era } = choice
    const mismatch = era.check?.(message, request)
    if (mismatch) return this.fail(400, mismatch)
    const method = era.methods.get(message.method)
    if (!method) return this.fail(era.unknownMethodStatus, UNKNOWN_METHOD)
    // The last moment: a method that has begun may have written, and what is written stays.
    if (era.isCancelledByDisconnect && request.isAborted) throw new Error('cancelled')
    request.note({ rpc: message.method })
    const params = readParams(message.params)
    return chain(params ? method(params, { caller, request }) : NOT_AN_OBJECT,
      (answer) => this.finish(answer))
  }

  private finish(answer: Answer): HttpReply {
    if ('error' in answer) return this.fail(answer.status ?? 200, answer.error)
    const { result, standing, gzipped } = answer
    const id = this.id ?? ''
    const packed = gzipped && takesGzip(this.request) ? gzipped.behindId(id, resultHead)
      : undefined
    return packed ? { status: 200, headers: gzippedHeaders(this.headers), body: packed }
      : reply(200, resultChunks(id, result), withDaily(this.headers, standing))
  }

  private fail(status: number, error: RpcError, id = this.id): HttpReply {
    this.request.note({ error: error.code === INTERNAL_ERROR ? 'internal' : 'protocol_error' })
    return failed(status, id, error, this.headers)
  }
}

const NOTHING = Buffer.alloc(0)
/** Clients are of few kinds. */
const ENCODINGS_MAX = 100
const encodings = new LRUCache({ max: ENCODINGS_MAX, memoMethod: acceptedEncodings })
const takesGzip = (request: HttpRequest): boolean =>
  encodings.memo(request.header('accept-encoding') ?? '').has('gzip')
const JSON_TYPE = ['Content-Type', 'application/json'] as const
const NO_STORE = ['Cache-Control', 'no-store'] as const
const replyHeaders = headersBefore([JSON_TYPE, NO_STORE])
const gzippedHeaders = headersBefore([JSON_TYPE, NO_STORE, ['Content-Encoding', 'gzip']])
const UNKNOWN_METHOD: RpcError = {
  code: METHOD_NOT_FOUND, message: 'Method not found: this server has no such method.',
}
const NOT_AN_OBJECT: Answer = {
  error: { code: INVALID_PARAMS, message: 'params must be an object.' },
}

/** Larger than any call without a long text. */
const ECHOED_BYTES_MAX = 2048

/**
 * The id of a request that is refused before it is read: some clients take no error without it for
 * an answer, and show nothing of it. A flood of large bodies is not parsed for that.
 */
async function idOf(request: HttpRequest): Promise<RequestId | null> {
  const length = Number(request.header('content-length') || Infinity)
  if (length > ECHOED_BYTES_MAX || !isJson(request.header('content-type'))) return null
  const message = readMessage(await request.body())
  return message.kind === 'silent' ? null : message.id
}

/** Some clients send null for what they leave out. */
function readParams(params: unknown): Params | undefined {
  if (params === undefined || params === null) return {}
  return typeof params === 'object' && !Array.isArray(params) ? params as Params : undefined
}

/**
 * Without the rate limit's headers: no bucket was asked. A page that may not call must not empty
 * the bucket of the person in front of it, and a refusal costs nothing.
 */
function originRefused(request: HttpRequest, message: string): HttpReply {
  request.note({ operation: 'mcp', error: 'origin_refused' })
  return failed(403, null, { code: INVALID_REQUEST, message }, [])
}

function asRefusal(error: unknown, request: HttpRequest, log: McpDependencies['log']): Refusal {
  if (error instanceof Refusal) return error
  const failure = error instanceof Error ? error : new Error(String(error))
  log.error({ requestId: request.id, error: failure.message, stack: failure.stack },
    'unexpected failure')
  return new Refusal('internal')
}

/** What is refused before a method runs: by HTTP status for the host, in words for the agent. */
function refused(
  { error, detail }: Refusal, request: HttpRequest, id: RequestId | null,
  headers: Admission['headers'], publicUrl: string,
): HttpReply {
  request.note({ error })
  const { status, code } = ERRORS[error]
  if (error === 'internal') return failed(status, id, internalError(request.id), headers)
  const data = errorData(new Refusal(error, detail), request.id)
  const all = [...withViolated(headers, data)]
  if (status === 401) all.push(['WWW-Authenticate', 'Bearer realm="agentmall"'])
  if (detail.retry_after_s !== undefined && !headers.some(([name]) => name === 'Retry-After')) {
    all.push(['Retry-After', String(detail.retry_after_s)])
  }
  // A positive code is the application's own; REST answers with the same number. Some clients
  // show the message alone, so that it also says what to do.
  return failed(status, id, { code, message: failureText(data, publicUrl), data }, all)
}

/** The same of another protocol: what is refused before a method runs is no outcome of one. */
function refusedIn(
  dialect: Dialect, refusal: Refusal, request: HttpRequest, id: RequestId | null,
  headers: Admission['headers'],
): HttpReply {
  request.note({ error: refusal.error })
  const problem = dialect.problem(errorData(refusal, request.id))
  if (problem.kind === 'outcome') return reply(200, JSON.stringify(problem.body), headers)
  const all = problem.status === 401
    ? [...headers, ['WWW-Authenticate', 'Bearer realm="ucp"'] as const] : headers
  return failed(problem.status, id, problem.rpc, all)
}

const failed = (
  status: number, id: RequestId | null, error: RpcError, headers: Admission['headers'],
): HttpReply => reply(status, errorBytes(id, error), headers)

const reply = (
  status: number, body: HttpReply['body'], headers: Admission['headers'],
): HttpReply => ({ status, headers: replyHeaders(headers), body })
