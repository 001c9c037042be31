/** OpenAPI 3.1, derived from the operation table once at boot. */
import { type TProperties, Type } from 'typebox'
import { type ErrorName, ERRORS } from '../../contract/errors.ts'
import { CLOSED, OneOf, Text } from '../../contract/fields.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import { Components, type JsonSchema, nameEnumValues, pascal, plain, SENT } from './components.ts'
import { ERROR_NOTES } from './error-notes.ts'
import { AGENT_EXAMPLE, answerExample, errorBody, successBody } from './examples.ts'
import {
  type Entry, exampleIn, type Field, fieldsIn, groupsOf, IDEMPOTENCY_FIELD, mcpShareOf,
  wordsFor,
} from './model.ts'
import { WEBHOOK_PARAMETERS, webhooksOf } from './webhooks.ts'

export interface OpenApiOptions {
  /** Address of the service as callers see it. */
  readonly publicUrl: string
  readonly basePath: string
  readonly version: string
}

const text = (description: string, example: string): JsonSchema =>
  ({ description, schema: { type: 'string' }, example })

const HEADERS: Readonly<Record<string, JsonSchema>> = {
  RequestId: text('Names this request: quote it when you report a problem',
    '6f0c2b9e-58a1-4d35-9a4e-2f7d1c0b8e63'),
  RateLimitPolicy: text('The limit of the caller: q requests in a bucket that fills in w seconds',
    '"default";q=40;w=2'),
  RateLimit: text('r requests are left; the bucket is full again in t seconds',
    '"default";r=39;t=1'),
  RetryAfter: {
    description: 'Seconds to wait before the next try', schema: { type: 'integer' }, example: 1,
  },
  WwwAuthenticate: text('The scheme that is asked for', 'Bearer realm="agentmall"'),
  IdempotentReplayed: {
    description: 'There when this Idempotency-Key had done its work before',
    schema: { type: 'string', enum: ['true'] },
  },
}

const link = (name: string): JsonSchema => ({ $ref: `#/components/headers/${name}` })
const EVERY = {
  'X-Request-Id': link('RequestId'),
  'RateLimit-Policy': link('RateLimitPolicy'),
  'RateLimit': link('RateLimit'),
}

const FieldProblem = Type.Object({
  path: Type.String({ description: 'Dotted path in the input; empty for the input itself' }),
  problem: Type.String({ description: 'What is wrong there' }),
})

const SUMMARY = 'Goods search, ordering, fulfilment and after-sales for AI agents'

const describe = (operations: readonly OperationSpec[]): string => `${SUMMARY}.

- **Money** is an integer in CNY fen: 1500 is CNY 15.00. A client never sends a price.
- **Times** are ISO 8601 in UTC.
- **Envelope**: every answer is \`{schema, code, msg, data, agent_ref}\`. \`code\` is 0
  on success; an error's \`data\` has \`error\`, \`hint\` and \`request_id\`, and its code
  never changes meaning.
- **Keys**: \`Authorization: Bearer ak_…\` or \`X-API-Key: ak_…\`. Reading goods needs none.
- **Idempotency-Key**: one UUID for one business action, the same with every retry.
- **MCP**: ${mcpNote(operations)}`

function mcpNote(operations: readonly OperationSpec[]): string {
  const { tools, restNames } = mcpShareOf(operations)
  const names = restNames.map((name) => `\`${name}\``).join(', ')
  return `${tools.length} of the ${operations.length} operations are tools under the same names, at
  \`/mcp\`. Only here: ${names}.`
}

export function openApi(
  operations: readonly OperationSpec[], { publicUrl, basePath, version }: OpenApiOptions,
): object {
  const components = new Components()
  const errors = new ErrorResponses(components)
  const groups = groupsOf(operations)
  const paths: Record<string, JsonSchema> = {}
  for (const entry of groups.flatMap(({ entries }) => entries)) {
    (paths[entry.path] ??= {})[entry.method.toLowerCase()] = {
      ...head(entry),
      ...parameters(entry, components),
      ...requestBody(entry, components),
      responses: {
        200: successResponse(entry, components, publicUrl), ...errors.of(entry),
      },
    }
  }
  const webhooks = webhooksOf(components)
  nameEnumValues(components.schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'agentmall',
      version,
      summary: SUMMARY,
      description: describe(operations),
      contact: { name: 'agentmall', url: `${publicUrl}/docs` },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: `${publicUrl}${basePath}`, description: 'This node' }],
    externalDocs: { url: `${publicUrl}/docs`, description: 'Reference page' },
    tags: groups.map(({ name, description }) => ({ name, description })),
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key: ak_…' },
        apiKey: {
          type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key: ak_…',
        },
      },
      headers: HEADERS,
      parameters: WEBHOOK_PARAMETERS,
      responses: errors.responses,
      schemas: components.schemas,
    },
  }
}

const head = ({ operation, tag }: Entry): JsonSchema => ({
  operationId: operation.name,
  tags: [tag],
  summary: operation.title,
  description: operation.description,
  ...(operation.access === 'anyone' && { security: [{}, { bearer: [] }, { apiKey: [] }] }),
})

function parameters(entry: Entry, components: Components): JsonSchema {
  const all = fieldsIn(entry, 'path', 'header', 'query')
  if (all.length === 0) return {}
  return { parameters: all.map((field) => parameter(field, components)) }
}

function parameter(
  { label, location, schema, isRequired, example }: Field, components: Components,
): JsonSchema {
  const { description } = plain(schema)
  return {
    name: label, in: location, required: isRequired,
    description: wordsFor(label, description as string | undefined) || label.replaceAll('_', ' '),
    schema: components.refer(schema),
    ...(example !== undefined && { example }),
  }
}

function requestBody(entry: Entry, components: Components): JsonSchema {
  const fields = fieldsIn(entry, 'body')
  if (entry.method === 'GET' || (entry.method === 'DELETE' && fields.length === 0)) return {}
  const body = Type.Object(
    Object.fromEntries(fields.map(({ name, schema }) => [name, schema])), CLOSED)
  const { operation: { input, name } } = entry
  const isWhole = fields.length === Object.keys(input.properties).length
  return { requestBody: {
    required: fields.some(({ isRequired }) => isRequired) || 'minProperties' in input,
    content: { 'application/json': {
      schema: components.define(`${pascal(name)}Body`, isWhole ? input : body, SENT),
      example: exampleIn(entry, 'body'),
    } },
  } }
}

/** The envelope around `data`; a generator makes one type of each. */
const envelope = (code: JsonSchema, data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    schema: { type: 'string', const: 'v1' },
    code,
    msg: { type: 'string' },
    data,
    agent_ref: {
      type: ['string', 'null'], description: 'Public id of the calling agent; null without a key',
    },
  },
  required: ['schema', 'code', 'msg', 'data', 'agent_ref'],
  additionalProperties: false,
})

function successResponse(
  entry: Entry, components: Components, publicUrl: string,
): JsonSchema {
  const { operation } = entry
  const example = answerExample(operation, publicUrl)
  const data = components.define(`${pascal(operation.name)}Result`, operation.output)
  const schema = components.add(`${pascal(operation.name)}Answer`,
    () => envelope({ type: 'integer', const: 0 }, data))
  return {
    description: example && !example.isRecorded
      ? 'Success. The example is made from the schema: no node has answered this yet.' : 'Success.',
    headers: {
      ...EVERY,
      ...(entry.fields.some(({ name }) => name === IDEMPOTENCY_FIELD)
        && { 'Idempotent-Replayed': link('IdempotentReplayed') }),
    },
    content: { 'application/json': {
      schema,
      ...(example && { example: successBody(example.data, agentOf(entry)) }),
    } },
  }
}

/** An operation that is open to anyone was recorded without a key. */
const agentOf = ({ operation }: Entry): string | null =>
  (operation.access === 'key' ? AGENT_EXAMPLE : null)

/** Responses are shared: many operations refuse the same things with the same status. */
class ErrorResponses {
  readonly responses: Record<string, JsonSchema> = {}
  private readonly components: Components

  constructor(components: Components) {
    this.components = components
  }

  /** By status, in ascending order. */
  of({ errors }: Entry): Record<string, JsonSchema> {
    const sorted = errors.toSorted((a, b) => ERRORS[a].code - ERRORS[b].code)
    const statuses = new Set<number>(sorted.map((name) => ERRORS[name].status))
    return Object.fromEntries([...statuses].map((status) => {
      const names = sorted.filter((name) => ERRORS[name].status === status)
      const name = names.map(pascal).join('Or')
      this.responses[name] ??= this.response(name, names)
      return [String(status), { $ref: `#/components/responses/${name}` }]
    }))
  }

  private response(name: string, names: readonly ErrorName[]): JsonSchema {
    const { status } = ERRORS[names[0] as ErrorName]
    return {
      description: names.map((one) =>
        `\`${one}\` (${ERRORS[one].code}): ${ERRORS[one].msg}`).join('\n\n'),
      headers: {
        ...EVERY,
        ...(status === 401 && { 'WWW-Authenticate': link('WwwAuthenticate') }),
        ...(status === 429 && { 'Retry-After': link('RetryAfter') }),
      },
      content: { 'application/json': {
        schema: this.components.add(`${name}Answer`, () => this.schema(names)),
        examples: Object.assign({}, ...names.map(examplesOf)),
      } },
    }
  }

  private schema(names: readonly ErrorName[]): JsonSchema {
    const codes = names.map((name) => ERRORS[name].code)
    const code = codes.length > 1 ? { enum: codes } : { const: codes[0] }
    return envelope({ type: 'integer', ...code }, this.data(names))
  }

  /**
   * One object for all errors of a status, told apart by `error`. A union would be exact, but Go
   * cannot choose between two of its parts that have the same fields, and Rust takes `error` away
   * before it reads the part.
   */
  private data(names: readonly ErrorName[]): JsonSchema {
    return this.components.add(`${names.map(pascal).join('Or')}Error`, () => {
      const schema = this.components.inline(Type.Object({
        error: names.length > 1 ? OneOf(names) : Type.Literal(names[0] as ErrorName),
        hint: Text(1000, 'What to do next, in one sentence'),
        ...factsOf(names),
        request_id: Text(64, 'Same as X-Request-Id'),
      }, { description: names.map((name) => ERROR_NOTES[name].happened).join('\n\n') }))
      const fields = {
        type: 'array', description: 'Every problem of the input',
        items: this.components.define('FieldProblem', FieldProblem),
      }
      return { ...schema, properties: { ...schema['properties'] as JsonSchema, fields } }
    })
  }
}

/** What the errors' data carry; what not each of them has is optional. */
function factsOf(names: readonly ErrorName[]): TProperties {
  const each = names.map((name) => ERROR_NOTES[name].facts ?? {})
  const all: TProperties = Object.assign({}, ...each)
  return Object.fromEntries(Object.entries(all).map(([fact, schema]) =>
    [fact, each.every((facts) => fact in facts && !Type.IsOptional(facts[fact]))
      ? schema : Type.Optional(schema)]))
}

const examplesOf = (name: ErrorName): JsonSchema => ({
  [name]: { summary: ERRORS[name].msg, value: errorBody(name) },
  ...Object.fromEntries(Object.entries(ERROR_NOTES[name].also ?? {}).map(([also, detail]) =>
    [also, { summary: also.replaceAll('_', ' '), value: errorBody(name, detail) }])),
})
