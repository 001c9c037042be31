/** OpenAPI 3.1, derived from the operation table once at boot. */
import { Type } from 'typebox'
import type { Operation } from '../../contract/operation.ts'
import { CLOSED } from '../../contract/fields.ts'
import { Components, pascal, plain, SENT, type Json } from './components.ts'
import { nameEnumValues } from './generators.ts'
import { exampleIn, fieldsIn, groupsOf, wordsFor, type Entry, type Field } from './model.ts'
import { ErrorResponses, HEADERS, successResponse } from './responses.ts'

export interface OpenApiOptions {
  /** Address of the service as callers see it. */
  readonly publicUrl: string
  readonly basePath: string
  readonly version: string
}

const DESCRIPTION = `Goods search, ordering, fulfilment and after-sales for AI agents.

- **Money** is an integer in CNY fen: 1500 is CNY 15.00. A client never sends a price.
- **Times** are ISO 8601 in UTC.
- **Envelope**: every answer is \`{schema, code, msg, data, agent_ref}\`. \`code\` is 0
  on success; an error's \`data\` has \`error\`, \`hint\` and \`request_id\`, and its code
  never changes meaning.
- **Keys**: \`Authorization: Bearer ak_…\` or \`X-API-Key: ak_…\`. Reading goods needs none.
- **Idempotency-Key**: one UUID for one business action, the same with every retry.
- The same operations are MCP tools under the same names.`

export function openApi(
  operations: readonly Operation[], { publicUrl, basePath, version }: OpenApiOptions,
): object {
  const components = new Components()
  const errors = new ErrorResponses(components)
  const groups = groupsOf(operations)
  const paths: Record<string, Json> = {}
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
  nameEnumValues(components.schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'agentmall',
      version,
      summary: 'Goods search, ordering, fulfilment and after-sales for AI agents',
      description: DESCRIPTION,
      contact: { name: 'agentmall', url: `${publicUrl}/docs` },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: `${publicUrl}${basePath}`, description: 'This node' }],
    externalDocs: { url: `${publicUrl}/docs`, description: 'Reference page' },
    tags: groups.map(({ name, description }) => ({ name, description })),
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key: ak_…' },
        apiKey: {
          type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key: ak_…',
        },
      },
      headers: HEADERS,
      responses: errors.responses,
      schemas: components.schemas,
    },
  }
}

const head = ({ operation, tag }: Entry): Json => ({
  operationId: operation.name,
  tags: [tag],
  summary: operation.title,
  description: operation.description,
  ...(operation.access === 'anyone' && { security: [{}, { bearer: [] }, { apiKey: [] }] }),
})

function parameters(entry: Entry, components: Components): Json {
  const all = fieldsIn(entry, 'path', 'header', 'query')
  if (all.length === 0) return {}
  return { parameters: all.map((field) => parameter(field, components)) }
}

function parameter(
  { label, place, schema, isRequired, example }: Field, components: Components,
): Json {
  const { description } = plain(schema)
  return {
    name: label, in: place, required: isRequired,
    description: wordsFor(label, description as string | undefined) || label.replaceAll('_', ' '),
    schema: components.refer(schema),
    ...(example !== undefined && { example }),
  }
}

function requestBody(entry: Entry, components: Components): Json {
  if (entry.method !== 'POST') return {}
  const fields = fieldsIn(entry, 'body')
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
