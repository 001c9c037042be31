/** POST /mcp: HTTP around one JSON-RPC message. Stateless, so any node answers any message. */
import { ERRORS, errorData, Refusal } from '../contract/errors.ts'
import { withDaily, withViolated } from '../limits/headers.ts'
import type { Admission } from '../gate/admission.ts'
import type { Gate } from '../gate/gate.ts'
import type { Quota } from '../limits/quota.ts'
import { isJson } from '../contract/http.ts'
import type { Handler, HttpReply, HttpRequest } from '../contract/http.ts'
import type { Logger } from '../log.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import type { NodeOperation } from '../operations/define.ts'
import { type Answer, failureText, internalError, type Params } from './methods.ts'
import { createEras, handshakeEra, modernEra } from './eras.ts'
import { createOriginCheck, type OriginConfig } from '../gate/origins.ts'
import {
  errorBytes, INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, readMessage,
  resultChunks, type RequestId, type RpcError,
} from './rpc.ts'
import { createTools } from './tools.ts'

export interface McpDependencies {
  readonly gate: Gate
  readonly quota?: Pick<Quota, 'standing'>
  readonly operations: readonly NodeOperation[]
  readonly config: OriginConfig
  readonly serverVersion: string
  readonly log: Pick<Logger, 'error'>
  /** Finds a request's caller, who may be refused; without it by the key. */
  readonly admit?: (request: HttpRequest) => MaybePromise<Admission>
}

export function createMcpHandler(dependencies: McpDependencies): Handler {
  const { gate, quota, operations, config, serverVersion, log } = dependencies
  const tools = createTools(operations)
  const parts = { gate, quota, tools, serverVersion, publicUrl: config.publicUrl }
  const eras = createEras([modernEra(parts), handshakeEra(parts)])
  const checkOrigin = createOriginCheck(config)
  const admit = dependencies.admit ?? ((request) => gate.admit({
    authorization: request.header('authorization'),
    apiKey: request.header('x-api-key'),
    client: request,
  }))

  return async (request) => {
    const notHere = checkOrigin(request)
    if (notHere !== undefined) return originRefused(request, notHere)
    let headers: Admission['headers'] = []
    let id: RequestId | null = null
    const wrong = (status: number, of: RequestId | null, error: RpcError): HttpReply => {
      request.note({ error: error.code === INTERNAL_ERROR ? 'internal' : 'protocol_error' })
      return failed(status, of, error, headers)
    }
    try {
      const admission = await admit(request)
      request.limits = headers = admission.headers
      request.note({ operation: 'mcp', agent: admission.caller.agent })
      if (admission.refusal) {
        id = await idOf(request)
        throw admission.refusal
      }
      if (!isJson(request.header('content-type'))) throw new Refusal('unsupported_media_type')
      const message = readMessage(await request.body())
      if (message.kind === 'invalid') return wrong(400, message.id, message.error)
      if (message.kind === 'request') id = message.id
      const choice = eras.of(request.header('mcp-protocol-version'), message)
      if ('error' in choice) return wrong(400, id, choice.error)
      if (message.kind === 'silent') return { status: 202, headers: [...headers], body: NOTHING }
      const { era } = choice
      const mismatch = era.check?.(message, request)
      if (mismatch) return wrong(400, message.id, mismatch)
      const method = era.methods.get(message.method)
      if (!method) return wrong(era.unknownMethodStatus, message.id, UNKNOWN_METHOD)
      // The last moment: a method that has begun may have written, and what is written stays.
      if (era.isCancelledByDisconnect && request.isAborted) throw new Error('cancelled')
      request.note({ rpc: message.method })
      const params = readParams(message.params)
      const answer: Answer = params
        ? await method(params, { caller: admission.caller, request }) : NOT_AN_OBJECT
      return 'error' in answer
        ? wrong(200, message.id, answer.error)
        : reply(200, resultChunks(message.id, answer.result), withDaily(headers, answer.standing))
    } catch (error) {
      // Nobody is left to answer: the exchange closes what has gone.
      if (request.isAborted) throw error
      return refused(asRefusal(error, request, log), request, id, headers, config.publicUrl)
    }
  }
}

const NOTHING = Buffer.alloc(0)
const JSON_TYPE = ['Content-Type', 'application/json'] as const
const NO_STORE = ['Cache-Control', 'no-store'] as const
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

const failed = (
  status: number, id: RequestId | null, error: RpcError, headers: Admission['headers'],
): HttpReply => reply(status, errorBytes(id, error), headers)

const reply = (
  status: number, body: HttpReply['body'], headers: Admission['headers'],
): HttpReply =>
  ({ status, headers: [JSON_TYPE, NO_STORE, ...headers], body })
