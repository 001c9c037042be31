import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { Refusal } from './contract/errors.ts'
import { operations } from './operations/index.ts'
import { CLOSED, IdempotencyKey, Receiver } from './contract/fields.ts'
import { assertValid, problemsOf, withoutBlanks } from './validate.ts'

const schema = Type.Object({
  idempotency_key: IdempotencyKey,
  qty: Type.Integer({ minimum: 1, maximum: 99 }),
  receiver: Receiver,
  note: Type.Optional(Type.String({ maxLength: 10 })),
  size: Type.Optional(Type.Integer({ default: 20 })),
}, CLOSED)
const receiver = {
  name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路 1 号',
}
const key = '0b9f3a52-8d5c-4a6e-9a54-0d8f3f0d8c11'
const valid = () => ({ idempotency_key: key, qty: 1, receiver: { ...receiver } })

test('a valid input has no problems and gets its defaults', () => {
  const input = valid()
  expect(problemsOf(schema, input)).toEqual([])
  expect(input).toMatchObject({ size: 20 })
})

test('all problems are reported at once, each with its path and what it must be', () => {
  const input = { ...valid(), qty: 0, price: 1, colour: 'red', receiver: { ...receiver, phone: 1 } }
  expect(problemsOf(schema, input)).toEqual(expect.arrayContaining([
    { path: 'qty', problem: 'must be at least 1' },
    { path: 'price', problem: 'is computed by the server: leave it out' },
    { path: 'colour', problem: 'is not a known field' },
    { path: 'receiver.phone', problem: 'must be a string' },
  ]))
})

test('a computed field is no filter of what reads, and the filters are named', () => {
  const { name, input } = operations.find((one) => one.name === 'list_orders')!
  expect(problemsOf(input, { status: 'paid' }, name)).toEqual([
    { path: 'status', problem: 'is no filter of list_orders, which takes cursor, limit' },
  ])
})

test('an unknown category is refused with where they are listed', () => {
  const { input } = operations.find(({ name }) => name === 'search_goods')!
  expect(problemsOf(input, { category_id: 999 })).toEqual([
    { path: 'category_id', problem: 'must be at most 24: GET /v1/categories lists them' },
  ])
})

test('a missing or malformed idempotency key alone has its own error', () => {
  for (const bad of [{}, { idempotency_key: 'order-1' }, { idempotency_key: 7 }]) {
    const { idempotency_key: _, ...rest } = valid()
    expect(() => assertValid(schema, { ...rest, ...bad }))
      .toThrow(expect.objectContaining({ error: 'idempotency_key_required' }))
  }
  expect(() => assertValid(schema, { qty: 1, receiver }))
    .toThrow(expect.objectContaining({ error: 'idempotency_key_required' }))
  expect(() => assertValid(schema, { receiver }))
    .toThrow(expect.objectContaining({ error: 'invalid_request' }))
})

test.each([
  ['NUL', 'a\u0000b'], ['a line break', 'a\nb'], ['a C1 control', 'a\u0085b'],
  ['half a surrogate pair', 'a\ud800'],
])('text with %s is refused', (_, note) => {
  expect(problemsOf(schema, { ...valid(), note }).map(({ path }) => path)).toEqual(['note'])
})

test('a field called __proto__ is unknown like any other and pollutes nothing', () => {
  const input = JSON.parse(`{"__proto__":{"admin":true},"qty":1}`) as object
  expect(problemsOf(schema, input)).toContainEqual(
    { path: '__proto__', problem: 'is not a known field' })
  expect(({} as { admin?: boolean }).admin).toBeUndefined()
})

test('whatever JSON arrives, the answer is a bounded list of printable problems', () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 8 }), (input) => {
    const problems = problemsOf(schema, input)
    expect(problems.length).toBeGreaterThan(0)
    expect(problems.length).toBeLessThanOrEqual(20)
    for (const { path, problem } of problems) {
      expect(path.length).toBeLessThanOrEqual(80)
      expect(`${path}${problem}`).not.toMatch(/\p{Cc}/u)
    }
  }), { numRuns: 500 })
})

test('an input far deeper than any schema is refused without overflowing', () => {
  const deep = JSON.parse(`{"qty":1,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`) as object
  expect(() => assertValid(schema, deep)).toThrow(Refusal)
})

const optionalOf = ({ properties, required = [] }: { properties: object, required?: string[] }) =>
  Object.keys(properties).filter((name) => !required.includes(name))

test.each(operations.map(({ name, input, example }) => ({ name, input, example })))(
  '$name: an optional field that a host fills with null, "" or [] is as absent',
  ({ input, example }) => {
    for (const blank of [null, '', []]) {
      const filled = Object.fromEntries(optionalOf(input).map((name) => [name, blank]))
      const cleaned = withoutBlanks(input, { ...filled, ...example })
      expect(problemsOf(input, cleaned)).toEqual([])
      expect(cleaned).toMatchObject(example)
    }
  })

test('a blank that is a value stays, and so does one in a required field', () => {
  const patch = Type.Object({
    name: Type.String({ minLength: 1 }), label: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    tags: Type.Optional(Type.Array(Type.String())),
  }, CLOSED)
  const input = { name: '', label: '', limit: null, tags: [], extra: null }
  expect(withoutBlanks(patch, input)).toBe(input)
  expect(withoutBlanks(patch, null)).toBe(null)
  expect(withoutBlanks(patch, 'text')).toBe('text')
})

test.each(['cps_smart_search', 'shelf_search', 'cps_mallb_goods_search', 'cps_search_shops'])(
  '%s refuses a blank query, and names it', (name) => {
    const operation = operations.find((one) => one.name === name)!
    const field = name === 'cps_smart_search' ? 'query' : 'q'
    for (const blank of ['  ', '\u3000', '']) {
      expect(problemsOf(operation.input, { [field]: blank })).toEqual([
        { path: field, problem: blank === '' ? 'must not be empty' : 'must not be blank' },
      ])
    }
  })

test('a refusal of a wrong form names the right one, but never a key', () => {
  const told = problemsOf(schema, {
    ...valid(), idempotency_key: 'order-1', receiver: { ...receiver, phone: 'none here' },
  })
  expect(told).toEqual(expect.arrayContaining([
    { path: 'idempotency_key', problem: expect.stringMatching(/uuid, such as [0-9a-f-]{36}/) },
    { path: 'receiver.phone',
      problem: 'does not have the right form (Digits), such as 13800001234' },
  ]))
  const secret = Type.String({ pattern: '^ak_', secret: true, examples: ['ak_1'] })
  expect(problemsOf(secret, 'x')).toEqual([{ path: '', problem: 'does not have the right form' }])
})
