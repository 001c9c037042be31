/** What clients and models need of tools/list, held for every operation of the table. */
import { ListToolsResultSchema, type Tool } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { Type } from 'typebox'
import { expect, it, test } from 'vitest'
import { errorData, Refusal } from '../contract/errors.ts'
import {
  CLOSED, Fen, IdempotencyKey, Nullable, OneOf, Optional, ProductId, restOnly, Text,
} from '../contract/fields.ts'
import type { NodeOperation } from '../operations/define.ts'
import { operations } from '../operations/index.ts'
import { createAjv } from '../validate.ts'
import { createTools, inputSchema, outputSchema, toTool } from './tools.ts'

/** Every client reads it whole: about 6,000 tokens, at four bytes each. */
const LIST_BYTES_MAX = 24_000

const offered = operations.filter(({ tool }) => tool !== false)
const inTable = offered.map((operation) =>
  ({ name: operation.name, operation, tool: toTool(operation) }))
const validators = new AjvJsonSchemaValidator()

test('the list is small, valid for the official SDK, and the same at every boot', () => {
  const { list, byName } = createTools(operations)
  expect(list.length).toBeLessThanOrEqual(LIST_BYTES_MAX)
  const { tools } = ListToolsResultSchema.parse(JSON.parse(list.toString()))
  expect(tools.map(({ name }) => name)).toEqual(offered.map(({ name }) => name))
  expect([...byName.keys()]).toEqual(offered.map(({ name }) => name))
  expect(createTools(operations).list.equals(list)).toBe(true)
})

test.each(inTable)('$name: schemas are flat objects that every host accepts', ({ tool }) => {
  for (const schema of [tool.inputSchema, tool.outputSchema]) {
    expect(schema?.type).toBe('object')
    for (const word of ['anyOf', 'oneOf', 'allOf', 'not', '$ref', '$defs']) {
      expect(schema).not.toHaveProperty([word])
    }
    expect(JSON.stringify(schema)).not.toMatch(/"(\$ref|\$defs|pattern|secret)":/)
  }
})

test.each(inTable)('$name: describes each parameter, no format but a time', ({ tool }) => {
  for (const property of Object.values(tool.inputSchema.properties ?? {})) {
    expect(property).toHaveProperty('description')
  }
  const text = JSON.stringify(tool.inputSchema)
  expect(text.match(/"format":"(?!date-time")[^"]+"/)).toBeNull()
  expect(text).not.toContain('"anyOf"')
})

test.each(inTable)('$name: its example fits the input schema', ({ operation, tool }) => {
  const check = validators.getValidator(tool.inputSchema as never)
  expect(check(operation.example)).toMatchObject({ valid: true })
})

test.each(inTable)('$name: an error in place of the data passes a client', ({ tool }) => {
  const check = validators.getValidator(tool.outputSchema as never)
  const error = errorData(new Refusal('out_of_stock', { available_qty: 1 }), 'req-1')
  expect(check({ error })).toMatchObject({ valid: true })
})

test.each(inTable)('$name: says what it does to the world', ({ operation, tool }) => {
  const { effect, access, openWorld } = operation
  expect(tool.annotations).toMatchObject({
    readOnlyHint: effect === 'read', openWorldHint: openWorld === true,
    ...(effect === 'create' && { destructiveHint: false }),
  })
  expect(tool.description?.endsWith('Needs a key.')).toBe(access === 'key')
})

const hintsOf = (name: string): Tool['annotations'] =>
  inTable.find((row) => row.name === name)?.tool.annotations

test('an order may be repeated with its key, a purchase link has no key', () => {
  expect(hintsOf('create_order')).toEqual({
    readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false,
  })
  expect(hintsOf('cps_mallb_convert')).toEqual({
    readOnlyHint: false, destructiveHint: false, openWorldHint: true,
  })
})

const boot = (...table: object[]) => () => createTools(table as NodeOperation[])

test('a table that clients could not use does not boot', () => {
  const [operation] = offered as [NodeOperation]
  expect(boot(operation, operation)).toThrow('used twice')
  expect(boot({ ...operation, name: 'with space' })).toThrow('is not a tool name')
  expect(boot({ ...operation, output: { type: 'array', items: {} } })).toThrow('an object')
})

it('an input keeps what a model can use and leaves out what only the machine needs', () => {
  const input = Type.Object({
    product_id: ProductId, qty: Type.Integer({ minimum: 1, maximum: 99 }),
    idempotency_key: IdempotencyKey, mode: Optional(OneOf(['a', 'b'], 'Which')),
    code: Optional(Type.String({ pattern: '^x+$', secret: true })),
    tags: Optional(Type.Array(Text(9), { maxItems: 3 })),
    limit: Optional(Nullable(Type.Integer({ default: 5, minimum: 2 }))),
  }, CLOSED)
  expect(inputSchema(input)).toEqual({
    type: 'object',
    properties: {
      product_id: { type: 'integer', minimum: 1, description: 'product_id of a goods item' },
      qty: { type: 'integer', minimum: 1, maximum: 99 },
      idempotency_key: {
        type: 'string', description: expect.stringContaining('every retry'),
      },
      mode: { type: 'string', enum: ['a', 'b'], description: 'Which' },
      code: { type: 'string' },
      tags: { type: 'array', maxItems: 3, items: { type: 'string' } },
      limit: { type: ['integer', 'null'], default: 5, minimum: 2 },
    },
    required: ['product_id', 'qty', 'idempotency_key'],
  })
})

const Output = Type.Object({
  items: Type.Array(Type.Object({
    title: Text(9), price: Nullable(Fen()), shop: Nullable(Type.Object({ name: Text(9) }, CLOSED)),
    parts: Type.Array(Type.Object({ name: Text(9) }, CLOSED)),
  }, CLOSED)),
  tags: Nullable(Type.Array(Text(9))), nested: Type.Object({ deep: Text(9) }, CLOSED),
  extra: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()])),
  either: Type.Union([Type.String(), Type.Integer()]),
  exact: Type.Literal(false), at: Type.String({ format: 'date-time' }), any: Type.Unknown(),
}, CLOSED)

it('an output says its fields with their types, and for lists what their elements have', () => {
  expect(outputSchema(Output, Type.Object({}))).toEqual({
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: { type: 'object', properties: { title: {}, price: {}, shop: {}, parts: {} } },
      },
      tags: { type: ['array', 'null'] }, extra: { type: 'object' }, nested: { type: 'object' },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      exact: { type: 'boolean' }, at: { type: 'string' }, any: {},
    },
  })
})

it('an output schema is true for the data, and for the error that may stand in its place', () => {
  const ajv = createAjv()
  const value = {
    items: [{ title: 'a', price: null, shop: null, parts: [{ name: 'b' }] }],
    tags: null,
    nested: { deep: 'c' }, extra: { a: 1 }, either: 1, exact: false,
    at: '2026-11-01T00:00:00Z', any: null,
  }
  expect(ajv.validate(Output, value)).toBe(true)
  const check = ajv.compile(outputSchema(Output, Type.Object({})))
  expect(check(value)).toBe(true)
  expect(check({ error: { error: 'out_of_stock', hint: 'h', request_id: 'r' } })).toBe(true)
  expect(check({ ...value, at: 7 })).toBe(false)
})

it('an id or a link is one text; what only REST offers, or what comes back, is left out', () => {
  const input = Type.Object({
    items: Type.Array(Type.Union([Type.String({ pattern: '^a' }), Type.String()])),
    quote: Optional(restOnly(Text(9))), page: Optional(Type.Integer({ minimum: 1 })),
    since: Optional(Type.String({ format: 'date-time' })),
  }, CLOSED)
  expect(inputSchema(input)['properties']).toEqual({
    items: { type: 'array', items: { type: 'string' } },
    page: { type: 'integer', minimum: 1 }, since: { type: 'string', format: 'date-time' },
  })
  const output = Type.Object({ page: Type.Integer(), total: Type.Integer() }, CLOSED)
  expect(outputSchema(output, input)['properties']).toEqual({ total: { type: 'integer' } })
})
