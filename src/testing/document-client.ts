/** A client that knows nothing but the OpenAPI document: it sends the examples that stand there. */
import { randomUUID } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

// Parts of a document are whatever the document says.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface DocumentAnswer {
  readonly status: number
  readonly headers: Headers
  readonly envelope: Json
  /** What is wrong with the answer by the document; empty when nothing is. */
  readonly problems: readonly string[]
}

export interface CallOptions {
  readonly key?: string
  /** Values of its own, by the name of the parameter or of the body's field. */
  readonly given?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export interface DocumentClient {
  readonly operationIds: readonly string[]
  call(operationId: string, options?: CallOptions): Promise<DocumentAnswer>
  /** Problems of `data` by the schema of the operation's success. */
  dataProblems(operationId: string, data: unknown): readonly string[]
}

interface Place {
  readonly method: string
  readonly template: string
  readonly operation: Json
}

export function createDocumentClient(document: Json, origin: string): DocumentClient {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema(document, 'document')
  const places = new Map<string, Place>(Object.entries(document.paths as Json).flatMap(
    ([template, methods]) => Object.entries(methods as Json).map(([method, operation]: Json) =>
      [operation.operationId, { method: method.toUpperCase(), template, operation }])))
  const basePath = new URL(document.servers[0].url).pathname

  const follow = (part: Json): Json => (part?.$ref === undefined ? part
    : (part.$ref as string).slice(2).split('/').reduce((at: Json, name) => at[name], document))

  function problemsOf(schema: Json, value: unknown): string[] {
    const check = ajv.compile(absolute(schema))
    return check(value) ? []
      : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  const placeOf = (operationId: string): Place => {
    const place = places.get(operationId)
    if (!place) throw new Error(`The document has no operation ${operationId}.`)
    return place
  }

  return {
    operationIds: [...places.keys()],
    async call(operationId, { key, given = {}, headers = {} } = {}) {
      const place = placeOf(operationId)
      const { path, init } = requestOf(place, given)
      const response = await fetch(`${origin}${basePath}${path}`, {
        ...init,
        headers: { ...init.headers, ...(key && { Authorization: `Bearer ${key}` }), ...headers },
      })
      const envelope = await response.json()
      const described = follow(place.operation.responses[response.status])
      return {
        status: response.status, headers: response.headers, envelope,
        problems: described === undefined ? [`${response.status} is not documented`] : [
          ...problemsOf(described.content['application/json'].schema, envelope),
          ...missing(described.headers, response.headers),
        ],
      }
    },
    dataProblems(operationId, data) {
      const { operation } = placeOf(operationId)
      const { schema } = operation.responses[200].content['application/json']
      return problemsOf(follow(schema).properties.data, data)
    },
  }
}

/** References that begin at the document, wherever the schema stands. */
const absolute = (schema: Json): Json => JSON.parse(
  JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'))

/** Only there when it has something to say. */
const OCCASIONAL = new Set(['Idempotent-Replayed'])

const missing = (described: Json, headers: Headers): string[] => Object.keys(described)
  .filter((name) => !OCCASIONAL.has(name) && !headers.has(name)).map((name) => `no ${name}`)

interface Request {
  readonly path: string
  readonly init: { method: string, headers: Record<string, string>, body?: string }
}

/** The example, with the values that were given; each call is a business action of its own. */
function requestOf({ method, template, operation }: Place, given: Json): Request {
  let path = template
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  for (const { name, in: where, example } of operation.parameters ?? []) {
    const value = given[name] ?? (name === 'Idempotency-Key' ? randomUUID() : example)
    if (value === undefined) continue
    if (where === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)))
    else if (where === 'header') headers[name] = String(value)
    else query.set(name, String(value))
  }
  const example = operation.requestBody?.content['application/json'].example
  if (query.size > 0) path += `?${query}`
  if (example === undefined) return { path, init: { method, headers } }
  const body = Object.fromEntries(Object.entries(example)
    .map(([name, value]) => [name, given[name] ?? value]))
  headers['Content-Type'] = 'application/json'
  return { path, init: { method, headers, body: JSON.stringify(body) } }
}

/** As a person does at the cashier's page. */
export async function payOrder(origin: string, payUrl: string): Promise<number> {
  const { pathname, searchParams } = new URL(payUrl)
  const answer = await fetch(`${origin}${pathname}`, {
    method: 'POST', body: new URLSearchParams({ t: searchParams.get('t') ?? '' }),
  })
  await answer.text()
  return answer.status
}
