/** The REST face: from an HTTP request to an operation's input, and from its outcome to a reply. */
import { LRUCache } from 'lru-cache'
import { errorData, Refusal } from '../contract/errors.ts'
import { withDaily } from '../limits/headers.ts'
import { accessRefusal, type Entrance, type Gate } from '../gate/invoke.ts'
import type { Quota } from '../limits/quota.ts'
import { parseJson } from '../contract/json.ts'
import { andThen, type Maybe } from '../contract/maybe.ts'
import type { Operation } from '../contract/operation.ts'
import { failure, success } from './envelope.ts'
import { isJson } from '../contract/media.ts'
import { readQuery, typed } from './query.ts'
import type { Handler, HttpReply, HttpRequest } from '../contract/http.ts'
import { settle } from '../validate.ts'

export const BASE_PATH = '/v1'

/**
 * The handler of one operation's route; it answers at once what needs no waiting. Functions stand
 * outside of it, because those made for each request would cost more than what they do.
 */
export function restHandler(
  operation: Operation, gate: Gate, quota?: Pick<Quota, 'standing'>,
  enter: Enter = (request) => gate.enter({
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
  return (request) => andThen(enter(request), (entrance) => answer(face, request, entrance))
}

/** Finds a request's caller, who may be refused. */
export type Enter = (request: HttpRequest) => Maybe<Entrance>

interface Face {
  readonly operation: Operation
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

function answer(face: Face, request: HttpRequest, entrance: Entrance): Maybe<HttpReply> {
  const { operation, fromQuery } = face
  const { caller, headers, refusal } = entrance
  request.limits = headers
  request.note({ operation: operation.name, agent: caller.agent })
  if (refusal) return refuse(refusal, request, entrance)
  if (!fromQuery) {
    const closed = accessRefusal(operation, caller)
    if (closed) return refuse(closed, request, entrance)
    return bodyInput(operation, request).then((input) => run(face, request, entrance, input))
      .catch((error: unknown) => refuse(error, request, entrance))
  }
  try {
    return run(face, request, entrance, queryInput(face, request))
  } catch (error) {
    return refuse(error, request, entrance)
  }
}

function run(
  { operation, gate, quota, takesKey }: Face, request: HttpRequest, entrance: Entrance,
  input: Input,
): Maybe<HttpReply> {
  if (takesKey) withHeaderKey(input, request.header('idempotency-key'))
  const { caller } = entrance
  return andThen(gate.run(operation, input, caller, request.id), (outcome) => {
    const headers = operation.openWorld
      ? withDaily(entrance.headers, quota?.standing(caller)) : entrance.headers
    if (outcome.ok) return success(outcome.data.bytes, caller.agent, headers, outcome.duplicate)
    request.note({ error: outcome.refusal.error })
    return failure(outcome.data, caller.agent, headers)
  })
}

function refuse(error: unknown, request: HttpRequest, { caller, headers }: Entrance): HttpReply {
  if (!(error instanceof Refusal)) throw error
  request.note({ error: error.error })
  return failure(errorData(error, request.id), caller.agent, headers)
}

type Input = Record<string, unknown>

/** Adds the path's parameters; a name that the input already has was stated twice. */
function pathInput(operation: Operation, request: HttpRequest, input: Input): Input {
  for (const [name, text] of Object.entries(request.params)) {
    if (Object.hasOwn(input, name)) {
      throw new Refusal('invalid_request', {
        fields: [{ path: name, problem: 'is in the path: leave it out of the body' }],
      })
    }
    input[name] = typed(operation.input, name, text)
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

async function bodyInput(operation: Operation, request: HttpRequest): Promise<Input> {
  const bytes = await request.body()
  if (request.query !== '') {
    throw new Refusal('invalid_request', {
      fields: [{ path: 'query', problem: 'must be empty: send the fields in the body' }],
    })
  }
  let input: unknown = {}
  if (bytes.length > 0) {
    if (!isJson(request.header('content-type'))) throw new Refusal('unsupported_media_type')
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
