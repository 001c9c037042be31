/** OpenAPI 3.1, derived from the operation table once at boot. */
import type { TSchema } from 'typebox'
import { ERRORS, type ErrorName } from '../errors.ts'
import { errorsOf, isRequired } from '../operations/common-errors.ts'
import type { Operation } from '../operations/define.ts'

const IDEMPOTENCY_FIELD = 'idempotency_key'

export interface OpenApiOptions {
  readonly serverUrl: string
  readonly version: string
}

export function openApi(operations: readonly Operation[], options: OpenApiOptions): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const [method, path] = operation.route.split(' ') as [string, string]
    const template = path.replaceAll(/:([a-z_]+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: describe(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'agentmall',
      version: options.version,
      summary: 'Goods search, ordering, fulfilment and after-sales for AI agents',
      description: 'Money is an integer in CNY fen. Times are ISO 8601 in UTC. Every answer is '
        + 'wrapped in an envelope; `code` is 0 on success.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: options.serverUrl }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      headers: {
        RateLimit: header('Tokens left and seconds until the bucket is full'),
        RateLimitPolicy: header('Bucket size and window of the caller\'s tier'),
        RequestId: header('Quote it when you report a problem'),
      },
      schemas: { Error: errorSchema() },
    },
  }
}

function describe(operation: Operation): object {
  const [method, path] = operation.route.split(' ') as [string, string]
  const inPath = new Set([...path.matchAll(/:([a-z_]+)/g)].map((match) => match[1] as string))
  const fields = Object.entries(operation.input.properties)
  const inHeader = fields.filter(([name]) => name === IDEMPOTENCY_FIELD)
  const rest = fields.filter(([name]) => !inPath.has(name) && name !== IDEMPOTENCY_FIELD)
  const example = operation.example as Record<string, unknown>
  const parameter = (name: string, schema: TSchema, where: string, alias = name) => ({
    name: alias,
    in: where,
    required: where === 'path' || isRequired(operation, name),
    schema: plain(schema),
    ...(example[name] !== undefined && { example: example[name] }),
  })
  const parameters = [
    ...[...inPath].map((name) =>
      parameter(name, operation.input.properties[name] as TSchema, 'path')),
    ...inHeader.map(([name, schema]) => parameter(name, schema, 'header', 'Idempotency-Key')),
    ...(method === 'GET' ? rest.map(([name, schema]) => parameter(name, schema, 'query')) : []),
  ]
  return {
    operationId: operation.name,
    summary: operation.title,
    description: operation.description,
    ...(operation.access === 'anyone' && { security: [{}, { bearer: [] }, { apiKey: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(method === 'POST' && { requestBody: requestBody(operation, rest, example) }),
    responses: responses(operation),
  }
}

function requestBody(
  operation: Operation, fields: [string, TSchema][], example: Record<string, unknown>,
): object {
  const names = fields.map(([name]) => name)
  const required = names.filter((name) => isRequired(operation, name))
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(fields.map(([name, schema]) => [name, plain(schema)])),
          ...(required.length > 0 && { required }),
          additionalProperties: false,
        },
        example: Object.fromEntries(names.filter((name) => example[name] !== undefined)
          .map((name) => [name, example[name]])),
      },
    },
  }
}

function responses(operation: Operation): Record<string, object> {
  const headers = {
    'RateLimit': { $ref: '#/components/headers/RateLimit' },
    'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  }
  const byStatus = new Map<number, ErrorName[]>()
  for (const name of errorsOf(operation)) {
    const { status } = ERRORS[name]
    byStatus.set(status, [...byStatus.get(status) ?? [], name])
  }
  const all: Record<string, object> = {
    200: {
      description: 'Success',
      headers,
      content: { 'application/json': { schema: envelope(plain(operation.output), { const: 0 }) } },
    },
  }
  for (const [status, names] of [...byStatus].toSorted(([a], [b]) => a - b)) {
    all[status] = {
      description: names.map((name) => `${name} (${ERRORS[name].code})`).join(', '),
      headers,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    }
  }
  return all
}

const envelope = (data: unknown, code: object): object => ({
  type: 'object',
  properties: {
    schema: { const: 'v1' },
    code,
    msg: { type: 'string' },
    data,
    agent_ref: { type: ['string', 'null'] },
  },
  required: ['schema', 'code', 'msg', 'data', 'agent_ref'],
})

function errorSchema(): object {
  const field = {
    type: 'object',
    properties: { path: { type: 'string' }, problem: { type: 'string' } },
    required: ['path', 'problem'],
  }
  return envelope({
    type: 'object',
    properties: {
      error: { enum: Object.keys(ERRORS) },
      hint: { type: 'string' },
      fields: { type: 'array', items: field },
      retry_after_s: { type: 'integer' },
      request_id: { type: 'string' },
    },
    required: ['error', 'hint', 'request_id'],
  }, { enum: Object.values(ERRORS).map(({ code }) => code) })
}

const header = (description: string): object => ({ description, schema: { type: 'string' } })

/** The schema as plain JSON, without our own keywords. */
function plain(schema: TSchema): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) =>
    key === 'secret' ? undefined : value))
}
