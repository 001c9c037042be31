/** What clients and models need of tools/list, held for every operation of the table. */
import { ListToolsResultSchema, type Tool } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { expect, test } from 'vitest'
import { errorData, Refusal } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../operations/index.ts'
import { createTools, toTool } from './tools.ts'

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

const boot = (...table: object[]) => () => createTools(table as Operation[])

test('a table that clients could not use does not boot', () => {
  const [operation] = offered as [Operation]
  expect(boot(operation, operation)).toThrow('used twice')
  expect(boot({ ...operation, name: 'with space' })).toThrow('is not a tool name')
  expect(boot({ ...operation, output: { type: 'array', items: {} } })).toThrow('an object')
})
