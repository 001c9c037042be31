/** UCP over REST: makes of header, path and body the arguments that MCP sends. */
import { LRUCache } from 'lru-cache'
import { errorData, Refusal } from '../contract/errors.ts'
import {
  headersBefore, requireJson, type Handler, type HttpReply, type HttpRequest,
} from '../contract/http.ts'
import { type JsonText, parseJson } from '../contract/json.ts'
import { chain, type MaybePromise } from '../contract/maybe-promise.ts'
import type { Admission } from '../gate/admission.ts'
import { accessRefusal, type Gate } from '../gate/gate.ts'
import type { SigningKey } from '../secrets/signing-key.ts'
import { settle } from '../validate.ts'
import type { BoundOperation } from './operation.ts'
import { profileInHeader } from './platform.ts'
import { problemOf } from './problems.ts'
import { signatureOf } from './sign.ts'

const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'] as const
const NO_STORE = ['Cache-Control', 'no-store'] as const

/** Arguments by the profile and the body that said them: the same text is the same arguments. */
const KEPT_BYTES_MAX = 2_000_000
/** A longer body is read anew each time. */
const KEPT_BODY_BYTES_MAX = 2048
/** What arguments take, about, for each byte of their text. */
const KEPT_BYTES_PER_BYTE = 8

interface Face {
  readonly operation: BoundOperation
  readonly gate: Pick<Gate, 'admit' | 'run'>
  readonly publicUrl: string
  readonly signingKey: SigningKey
  verify(request: HttpRequest): Promise<void> | undefined
  /** Absent where few texts come again. */
  readonly known: LRUCache<string, object> | undefined
}

export function ucpRestHandler(
  operation: BoundOperation, gate: Face['gate'],
  parts: Pick<Face, 'publicUrl' | 'signingKey' | 'verify'>,
): Handler {
  const face: Face = {
    ...parts, operation, gate,
    known: operation.access === 'anyone' ? new LRUCache({
      maxSize: KEPT_BYTES_MAX, sizeCalculation: (_, text) => KEPT_BYTES_PER_BYTE * text.length,
    }) : undefined,
  }
  return (request) => chain(gate.admit({
    authorization: request.header('authorization'),
    apiKey: request.header('x-api-key'),
    client: request,
  }) as MaybePromise<Admission>, (admission) => answer(face, request, admission))
}

/** Waits only for what is not at hand. */
async function answer(
  face: Face, request: HttpRequest, { caller, headers, refusal }: Admission,
): Promise<HttpReply> {
  const { operation, gate, publicUrl } = face
  request.limits = headers
  request.note({ operation: operation.name, agent: caller.agent })
  const closed = refusal ?? accessRefusal(operation, caller)
  const refuse = (error: Refusal): HttpReply => {
    request.note({ error: error.error })
    return problemReply(errorData(error, request.id), headers, publicUrl)
  }
  if (closed) return refuse(closed)
  try {
    const verified = face.verify(request)
    if (verified) await verified
    const input = argumentsOf(face, request, await request.body())
    const ran = gate.run(operation, input, caller, request.id)
    const outcome = ran instanceof Promise ? await ran : ran
    return outcome.ok ? succeed(face, outcome.data, headers) : refuse(outcome.refusal)
  } catch (error) {
    if (error instanceof Refusal) return refuse(error)
    throw error
  }
}

const replyHeaders = headersBefore([JSON_TYPE, NO_STORE])

/** What a platform may have to prove is signed: everybody reads the same catalogue. */
function succeed(
  { operation: { access, declared }, signingKey }: Face, data: JsonText,
  headers: Admission['headers'],
): HttpReply {
  const status = declared.status ?? 200
  if (access !== 'key') return { status, headers: replyHeaders(headers), body: data.chunks }
  const { bytes: body } = data
  const signature = signatureOf({ status, contentType: JSON_TYPE[1], body }, signingKey)
  return { status, headers: [JSON_TYPE, NO_STORE, ...signature, ...headers], body }
}

function argumentsOf({ operation, known }: Face, request: HttpRequest, bytes: Buffer): object {
  const agent = request.header('ucp-agent')
  const key = request.header('idempotency-key')
  const { payload, route } = operation.declared
  if (payload && bytes.length > 0) requireJson(request)
  const text = known && key === undefined && bytes.length <= KEPT_BODY_BYTES_MAX
    ? `${agent ?? ''}\n${bytes.toString('latin1')}` : undefined
  const kept = text === undefined ? undefined : known?.get(text)
  if (kept) return kept
  const profile = profileInHeader(agent)
  const input = {
    meta: {
      ...(profile !== undefined && { 'ucp-agent': { profile } }),
      ...(key !== undefined && { 'idempotency-key': key.trim().replace(/^"(.*)"$/, '$1') }),
    },
    ...(route.includes(':id') && { id: request.params['id'] }),
    ...(payload && { [payload.name]: readBody(bytes) }),
  }
  if (text !== undefined) known?.set(text, settle(operation.input, input))
  return input
}

/** An empty body is an empty object: a platform may leave it out where nothing is required. */
function readBody(bytes: Buffer): object {
  if (bytes.length === 0) return {}
  let body: unknown
  try {
    body = parseJson(bytes)
  } catch {
    throw notAnObject()
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw notAnObject()
}

const notAnObject = (): Refusal => new Refusal('invalid_request', {
  fields: [{ path: '', problem: 'must be one JSON object in UTF-8' }],
})

function problemReply(
  data: ReturnType<typeof errorData>, headers: Admission['headers'], publicUrl: string,
): HttpReply {
  const problem = problemOf(data, `${publicUrl}/`)
  const all = [JSON_TYPE, NO_STORE, ...headers]
  if (problem.kind === 'outcome') {
    return { status: 200, headers: all, body: JSON.stringify(problem.body) }
  }
  const isTold = headers.some(([name]) => name === 'Retry-After')
  return {
    status: problem.status,
    headers: [
      ...all,
      ...(problem.status === 401 ? [['WWW-Authenticate', 'Bearer realm="ucp"'] as const] : []),
      ...(data.retry_after_s !== undefined && !isTold
        ? [['Retry-After', String(data.retry_after_s)] as const] : []),
    ],
    body: JSON.stringify(problem.body),
  }
}
