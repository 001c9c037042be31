/** The answers of the OpenAPI document: one success, and the errors grouped by status. */
import { ERRORS, type ErrorName } from '../../contract/errors.ts'
import { Type, type TProperties } from 'typebox'
import { OneOf, Text } from '../../contract/fields.ts'
import { pascal, type Components, type Json } from './components.ts'
import { ERROR_NOTES } from './error-notes.ts'
import { AGENT_EXAMPLE, answerExample, errorBody, successBody } from './examples.ts'
import { IDEMPOTENCY_FIELD, type Entry } from './model.ts'

const text = (description: string, example: string): Json =>
  ({ description, schema: { type: 'string' }, example })

export const HEADERS: Readonly<Record<string, Json>> = {
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

const link = (name: string): Json => ({ $ref: `#/components/headers/${name}` })
const EVERY = {
  'X-Request-Id': link('RequestId'),
  'RateLimit-Policy': link('RateLimitPolicy'),
  'RateLimit': link('RateLimit'),
}

/** The envelope around `data`; a generator makes one type of each. */
const envelope = (code: Json, data: Json): Json => ({
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

export function successResponse(
  entry: Entry, components: Components, publicUrl: string,
): Json {
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
export class ErrorResponses {
  readonly responses: Record<string, Json> = {}
  private readonly components: Components

  constructor(components: Components) {
    this.components = components
  }

  /** By status, in ascending order. */
  of({ errors }: Entry): Record<string, Json> {
    const sorted = errors.toSorted((a, b) => ERRORS[a].code - ERRORS[b].code)
    const statuses = new Set<number>(sorted.map((name) => ERRORS[name].status))
    return Object.fromEntries([...statuses].map((status) => {
      const names = sorted.filter((name) => ERRORS[name].status === status)
      const name = names.map(pascal).join('Or')
      this.responses[name] ??= this.response(name, names)
      return [String(status), { $ref: `#/components/responses/${name}` }]
    }))
  }

  private response(name: string, names: readonly ErrorName[]): Json {
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

  private schema(names: readonly ErrorName[]): Json {
    const codes = names.map((name) => ERRORS[name].code)
    const code = codes.length > 1 ? { enum: codes } : { const: codes[0] }
    return envelope({ type: 'integer', ...code }, this.data(names))
  }

  /**
   * One object for all errors of a status, told apart by `error`. A union would be exact, but Go
   * cannot choose between two of its parts that have the same fields, and Rust takes `error` away
   * before it reads the part.
   */
  private data(names: readonly ErrorName[]): Json {
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
      return { ...schema, properties: { ...schema['properties'] as Json, fields } }
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

const examplesOf = (name: ErrorName): Json => ({
  [name]: { summary: ERRORS[name].msg, value: errorBody(name) },
  ...Object.fromEntries(Object.entries(ERROR_NOTES[name].also ?? {}).map(([also, detail]) =>
    [also, { summary: also.replaceAll('_', ' '), value: errorBody(name, detail) }])),
})

const FieldProblem = Type.Object({
  path: Type.String({ description: 'Dotted path in the input; empty for the input itself' }),
  problem: Type.String({ description: 'What is wrong there' }),
})
