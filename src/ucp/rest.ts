/** UCP over REST: makes of header, path and body the arguments that MCP sends. */
import { errorData, Refusal } from '../contract/errors.ts'
import { isJson, type Handler, type HttpReply, type HttpRequest } from '../contract/http.ts'
import { parseJson } from '../contract/json.ts'
import { chain, type MaybePromise } from '../contract/maybe-promise.ts'
import type { Admission } from '../gate/admission.ts'
import { accessRefusal, type Gate } from '../gate/gate.ts'
import type { SigningKey } from '../secrets/signing-key.ts'
import type { BoundOperation } from './operation.ts'
import { profileInHeader } from './platform.ts'
import { problemOf } from './problems.ts'
import { signatureOf } from './sign.ts'

const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'] as const
const NO_STORE = ['Cache-Control', 'no-store'] as const

export function ucpRestHandler(
  operation: BoundOperation, gate: Pick<Gate, 'admit' | 'run'>,
  { publicUrl, signingKey, verify }: {
    publicUrl: string, signingKey: SigningKey,
    verify(request: HttpRequest): Promise<void> | undefined,
  },
): Handler {
  // What a platform may have to prove: everybody reads the same catalogue.
  const isSigned = operation.access === 'key'
  async function answer(request: HttpRequest, admission: Admission): Promise<HttpReply> {
    const { caller, headers, refusal } = admission
    request.limits = headers
    request.note({ operation: operation.name, agent: caller.agent })
    const closed = refusal ?? accessRefusal(operation, caller)
    const refuse = (error: Refusal): HttpReply => {
      request.note({ error: error.error })
      return problemReply(errorData(error, request.id), headers, publicUrl)
    }
    if (closed) return refuse(closed)
    try {
      const verified = verify(request)
      if (verified) await verified
      const input = await argumentsOf(operation, request)
      const outcome = await gate.run(operation, input, caller, request.id)
      if (!outcome.ok) return refuse(outcome.refusal)
      const [status, body] = [operation.declared.status ?? 200, outcome.data.bytes]
      const signature = isSigned
        ? signatureOf({ status, contentType: JSON_TYPE[1], body }, signingKey) : []
      return { status, headers: [JSON_TYPE, NO_STORE, ...signature, ...headers], body }
    } catch (error) {
      if (error instanceof Refusal) return refuse(error)
      throw error
    }
  }

  return (request) => chain(gate.admit({
    authorization: request.header('authorization'),
    apiKey: request.header('x-api-key'),
    client: request,
  }) as MaybePromise<Admission>, (admission) => answer(request, admission))
}

async function argumentsOf({ declared }: BoundOperation, request: HttpRequest): Promise<object> {
  const { payload, route } = declared
  const profile = profileInHeader(request.header('ucp-agent'))
  const key = request.header('idempotency-key')?.trim().replace(/^"(.*)"$/, '$1')
  const bytes = await request.body()
  return {
    meta: {
      ...(profile !== undefined && { 'ucp-agent': { profile } }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(route.includes(':id') && { id: request.params['id'] }),
    ...(payload && { [payload.name]: readBody(bytes, request) }),
  }
}

/** An empty body is an empty object: a platform may leave it out where nothing is required. */
function readBody(bytes: Buffer, request: HttpRequest): object {
  if (bytes.length === 0) return {}
  if (!isJson(request.header('content-type'))) throw new Refusal('unsupported_media_type')
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
