/** The REST face: from an HTTP request to an operation's input, and from its outcome to a reply. */
import { LRUCache } from 'lru-cache'
import type { TObject } from 'typebox'
import { errorData, type FieldProblem, Refusal } from '../contract/errors.ts'
import { requireJson, type Handler, type HttpReply, type HttpRequest } from '../contract/http.ts'
import { parseJson } from '../contract/json.ts'
import { chain, type MaybePromise, recover } from '../contract/maybe-promise.ts'
import type { NodeOperation } from '../operations/define.ts'
import type { Admission } from '../gate/admission.ts'
import { accessRefusal, type Gate } from '../gate/gate.ts'
import { withDaily } from '../limits/headers.ts'
import type { Quota } from '../limits/quota.ts'
import { settle } from '../validate.ts'
import { failure, success } from './envelope.ts'

export const BASE_PATH = '/v1'

/** A canonical integer; anything else stays text, and validation says what is wrong with it. */
const INTEGER = /^(0|-?[1-9][0-9]{0,15})$/

const ENCODED = /[%+]/

/**
 * The handler of one operation's route; it answers at once what needs no waiting. Functions stand
 * outside of it, because those made for each request would cost more than what they do.
 */
export function restHandler(
  operation: NodeOperation, gate: Gate, quota?: Pick<Quota, 'standing'>,
  admit: AdmitRequest = (request) => gate.admit({
    authorization: request.header('authorization'),
    apiKey: request.header('x-api-key'),
    client: request,
  }),
): Handler {
  // Whoever may call an open operation, the first thing that can be wrong is the input.
  const isOpen = operation.access === 'anyone'
  const fromQuery = operation.route.startsWith('GET ')
  const face: Face = {
    operation, gate, quota, fromQuery,
    takesKey: 'idempotency_key' in operation.input.properties,
    inputs: fromQuery && isOpen ? new LRUCache({
      maxSize: INPUT_BYTES_MAX, sizeCalculation: (_, text) => INPUT_BYTES + 2 * text.length,
    }) : undefined,
  }
  return (request) => chain(admit(request), (admission) => answer(face, request, admission))
}

/** Finds a request's caller, who may be refused. */
export type AdmitRequest = (request: HttpRequest) => MaybePromise<Admission>

interface Face {
  readonly operation: NodeOperation
  readonly gate: Gate
  readonly quota: Pick<Quota, 'standing'> | undefined
  readonly takesKey: boolean
  readonly fromQuery: boolean
  /** Inputs by their text: the same text is the same input. Absent where few texts come again. */
  readonly inputs: LRUCache<string, Input> | undefined
}

const INPUT_BYTES_MAX = 2_000_000
/** What an input takes, about, beside its text. */
const INPUT_BYTES = 200

function answer(face: Face, request: HttpRequest, admission: Admission): MaybePromise<HttpReply> {
  const { operation, fromQuery } = face
  const { caller, headers, refusal } = admission
  request.limits = headers
  request.note({ operation: operation.name, agent: caller.agent })
  if (refusal) return refuse(refusal, request, admission)
  if (!fromQuery) {
    const closed = accessRefusal(operation, caller)
    if (closed) return refuse(closed, request, admission)
  }
  return recover(() => (fromQuery ? run(face, request, admission, queryInput(face, request))
    : chain(request.body(),
      (bytes) => run(face, request, admission, bodyInput(operation, request, bytes)))),
  (error) => refuse(error, request, admission))
}

function run(
  { operation, gate, quota, takesKey }: Face, request: HttpRequest, admission: Admission,
  input: Input,
): MaybePromise<HttpReply> {
  if (takesKey) withHeaderKey(input, request.header('idempotency-key'))
  const { caller } = admission
  return chain(gate.run(operation, input, caller, request.id), (outcome) => {
    const headers = operation.openWorld
      ? withDaily(admission.headers, quota?.standing(caller)) : admission.headers
    if (outcome.ok) return success(outcome.data.bytes, caller.agent, headers, outcome.duplicate)
    request.note({ error: outcome.refusal.error })
    return failure(outcome.data, caller.agent, headers)
  })
}

function refuse(error: unknown, request: HttpRequest, { caller, headers }: Admission): HttpReply {
  if (!(error instanceof Refusal)) throw error
  request.note({ error: error.error })
  return failure(errorData(error, request.id), caller.agent, headers)
}

type Input = Record<string, unknown>

/** Adds the path's parameters; a name that the input already has was stated twice. */
function pathInput(operation: NodeOperation, request: HttpRequest, input: Input): Input {
  for (const [name, text] of Object.entries(request.params)) {
    if (Object.hasOwn(input, name)) {
      throw new Refusal('invalid_request', {
        fields: [{ path: name, problem: 'is in the path: leave it out of the body' }],
      })
    }
    input[name] = parameterValue(operation.input, name, text)
  }
  return input
}

function queryInput({ operation, inputs }: Face, request: HttpRequest): Input {
  const text = request.query === '' ? request.path : `${request.path}?${request.query}`
  const known = inputs?.get(text)
  if (known) return known
  const input = readQuery(operation.input, request.query, pathInput(operation, request, {}))
  inputs?.set(text, settle(operation.input, input))
  return input
}

function bodyInput(operation: NodeOperation, request: HttpRequest, bytes: Buffer): Input {
  if (request.query !== '') {
    throw new Refusal('invalid_request', {
      fields: [{ path: 'query', problem: 'must be empty: send the fields in the body' }],
    })
  }
  let input: unknown = {}
  if (bytes.length > 0) {
    requireJson(request)
    input = parseBody(bytes)
  }
  return pathInput(operation, request, input as Input)
}

function parseBody(bytes: Buffer): unknown {
  let body: unknown
  try {
    body = parseJson(bytes)
  } catch {
    throw new Refusal('invalid_request', {
      fields: [{ path: '', problem: 'must be one JSON object in UTF-8' }],
    })
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new Refusal('invalid_request', { fields: [{ path: '', problem: 'must be a JSON object' }] })
}

function withHeaderKey(input: Input, key: string | undefined): void {
  if (Object.hasOwn(input, 'idempotency_key')) {
    throw new Refusal('invalid_request', {
      fields: [{ path: 'idempotency_key', problem: 'belongs in the Idempotency-Key header' }],
    })
  }
  if (key !== undefined) input['idempotency_key'] = key
}

/** The value of a parameter's text by its schema's type. */
function parameterValue(schema: TObject, name: string, text: string): unknown {
  const type = (schema.properties[name] as { type?: string } | undefined)?.type
  if (type === 'integer' && INTEGER.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** Adds the query's parameters to `input`; one given twice or in a bad encoding is refused. */
export function readQuery(
  schema: TObject, query: string, input: Record<string, unknown>,
): Record<string, unknown> {
  if (query === '') return input
  const problems: FieldProblem[] = []
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = decode(at < 0 ? '' : pair.slice(at + 1))
    if (name === undefined || value === undefined) {
      problems.push({ path: name ?? 'query', problem: 'must be percent-encoded UTF-8' })
    } else if (Object.hasOwn(input, name)) {
      problems.push({ path: name.slice(0, 80), problem: 'is given more than once' })
    } else {
      assign(input, name, parameterValue(schema, name, value))
    }
  }
  if (problems.length > 0) throw new Refusal('invalid_request', { fields: problems.slice(0, 20) })
  return input
}

function assign(input: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') input[name] = value
  // Assigned, it would change what the object is; defined, it is an unknown field like others.
  else Object.defineProperty(input, name, { value, enumerable: true, configurable: true })
}

function decode(text: string): string | undefined {
  if (!ENCODED.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
