import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { createAjv } from '../validate.ts'
import {
  CLOSED, Fen, IdempotencyKey, Nullable, OneOf, Optional, ProductId, restOnly, Text,
} from '../contract/fields.ts'
import { inputSchema, outputSchema } from './schemas.ts'

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
