import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERRORS } from '../contract/errors.ts'
import { problemsOf } from '../validate.ts'
import { errorsOf } from './define.ts'
import { operations } from './index.ts'

const TOOLS = [
  'search_goods', 'get_goods_detail', 'create_order', 'get_order_status', 'get_logistics',
  'request_aftersale', 'cps_smart_search', 'cps_compare', 'shelf_search', 'shelf_item',
  'cps_search_shops', 'cps_item_info', 'cps_tpwd', 'cps_mallb_goods_search', 'cps_mallb_convert',
  'cps_mallb_orders', 'cps_mallc_goods_search', 'cps_mallc_convert', 'cps_mallc_orders',
  'cps_food_convert',
]
const VOCABULARY = ['define', 'order-fields', 'goods-fields', 'webhook-fields', 'index']

test('the 20 tools of the service document are there, in its order', () => {
  expect(operations.filter(({ tool }) => tool !== false).map(({ name }) => name)).toEqual(TOOLS)
})

test('one file declares one operation and bears its name', () => {
  const files = readdirSync(new URL('.', import.meta.url))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -3)).filter((file) => !VOCABULARY.includes(file))
  expect(files.toSorted()).toEqual(
    operations.map(({ name }) => name.replaceAll('_', '-')).toSorted())
})

test('names and routes are unique', () => {
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
  expect(new Set(operations.map(({ route }) => route)).size).toBe(operations.length)
})

test.each(operations)('$name: its example is a valid input', ({ input, example }) => {
  expect(problemsOf(input, structuredClone(example))).toEqual([])
})

test.each(operations)('$name: input and output are closed objects', ({ input, output }) => {
  expect(input).toMatchObject({ type: 'object', additionalProperties: false })
  expect(output).toMatchObject({ type: 'object', additionalProperties: false })
})

test.each(operations)('$name: every text and list that comes in has a bound', ({ input }) => {
  expect(unbounded(input)).toEqual([])
})

test.each(operations)('$name: says enough, and not more than an agent reads', (operation) => {
  expect(operation.description.length).toBeGreaterThan(40)
  expect(operation.description.length).toBeLessThanOrEqual(500)
  expect(operation.title.length).toBeLessThanOrEqual(60)
})

test.each(operations)('$name: what it fails with stands in the error table', (operation) => {
  for (const name of errorsOf(operation)) expect(ERRORS[name]).toBeDefined()
})

test.each(operations.filter(({ route }) => route.startsWith('GET ')))(
  '$name: what is a GET reads', ({ effect }) => { expect(effect).toBe('read') })

interface Schema {
  type?: string, maxLength?: number, maxItems?: number, pattern?: string, format?: string
  enum?: unknown[], maximum?: number, properties?: Record<string, Schema>, items?: Schema
  anyOf?: Schema[]
}

/** Paths of strings, lists and numbers without an upper bound. */
function unbounded(schema: Schema, path = ''): string[] {
  const inner = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      unbounded(one, `${path}.${name}`)),
    ...(schema.items ? unbounded(schema.items, `${path}[]`) : []),
    ...(schema.anyOf ?? []).flatMap((one) => unbounded(one, path)),
  ]
  const closed = schema.enum ?? schema.maxLength ?? schema.pattern ?? schema.format
  if (schema.type === 'string' && closed === undefined) inner.push(path)
  if (schema.type === 'array' && schema.maxItems === undefined) inner.push(path)
  if (schema.type === 'integer' && schema.maximum === undefined) inner.push(path)
  return inner
}
