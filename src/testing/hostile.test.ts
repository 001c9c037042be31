/**
 * Bad input, driven from the operation table: whatever is sent, the answer is the envelope with a
 * fitting code, every problem is listed, and the node goes on.
 */
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { ERRORS } from '../contract/errors.ts'
import { errorsOf, isRequired } from '../operations/define.ts'
import type { OperationSpec } from '../contract/operation.ts'
import { operations } from '../operations/index.ts'
import { liveFacts, liveInput } from './live.ts'
import { startTestMalls } from './malls.ts'
import { startTestNode, type Answer } from './node.ts'

const RUNS = 25
const malls = await startTestMalls()
const node = await startTestNode({ mallCallsPerSecond: 150 }, undefined, malls.settings)
afterAll(async () => {
  await node.stop()
  await malls.close()
})
const key = await node.newKey()
const facts = await liveFacts(node, key)
const inTable = operations.map((operation) => ({ name: operation.name, operation }))
const fieldsOf = ({ input }: OperationSpec): string[] => Object.keys(input.properties)
const isInPath = ({ route }: OperationSpec, field: string): boolean => route.includes(`:${field}`)
const askedFor = (operation: OperationSpec): string[] => fieldsOf(operation)
  .filter((field) => isRequired(operation, field) && !isInPath(operation, field))

function expectRefused({ status, envelope }: Answer, operation: OperationSpec): void {
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  const { error, request_id } = envelope.data
  expect(errorsOf(operation)).toContain(error)
  expect(envelope.code).toBe(ERRORS[error as keyof typeof ERRORS].code)
  expect(envelope.schema).toBe('v1')
  expect(request_id).toBeTruthy()
}

/** An answer that fits any input: a success, or a refusal that the documents list. */
function expectDocumented(answer: Answer, operation: OperationSpec): void {
  const { status, envelope } = answer
  const error = status === 200 ? undefined : envelope.data.error
  expect([undefined, ...errorsOf(operation), 'not_found', 'method_not_allowed']).toContain(error)
  expect(envelope.code === 0).toBe(status === 200)
  expect(envelope.code).not.toBe(ERRORS.internal.code)
}

test.each(inTable.filter(({ operation }) => askedFor(operation).length > 0))(
  'a required field of $name that is left out is asked for by name', async ({ operation }) => {
    for (const field of askedFor(operation)) {
      const { [field]: _, ...input } = liveInput(operation, facts)
      const answer = await node.rest(operation, input, key)
      expectRefused(answer, operation)
      expect(answer.envelope.data.fields).toContainEqual({ path: field, problem: 'is required' })
    }
  })

test.each(inTable.filter(({ operation }) => wrongInputs(operation).length > 0))(
  'a field of $name of a wrong type or beyond its bounds is named', async ({ operation }) => {
    for (const { field, value } of wrongInputs(operation)) {
      const input = { ...liveInput(operation, facts), [field]: value }
      const answer = await node.rest(operation, input, key)
      if (isInPath(operation, field) && answer.status === 404) continue
      expectRefused(answer, operation)
      const paths = answer.envelope.data.fields.map(({ path }: { path: string }) => path)
      const isNamed = (path: string): boolean => path === field || path.startsWith(`${field}.`)
      expect(paths.some(isNamed), `${field} as ${JSON.stringify(value)}`).toBe(true)
    }
  })

test.each(inTable.filter(({ operation }) => fieldsOf(operation).length > 0))(
  'whatever a field of $name is, the answer is one that the documents list',
  async ({ operation }) => {
    const fields = fieldsOf(operation)
    await fc.assert(fc.asyncProperty(
      fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 4 }), async (field, value) => {
        const input = { ...liveInput(operation, facts), [field]: value }
        expectDocumented(await node.rest(operation, input, key), operation)
      }), { numRuns: RUNS * fields.length })
  })

function wrongInputs(operation: OperationSpec): { field: string, value: unknown }[] {
  return fieldsOf(operation).flatMap((field) =>
    wrongValues(operation, field).map((value) => ({ field, value })))
}

/** Values that no schema of ours takes for this field, by the field's own bounds. */
function wrongValues(operation: OperationSpec, field: string): unknown[] {
  const schema = operation.input.properties[field] as {
    type?: string, maximum?: number, minimum?: number, maxLength?: number, maxItems?: number
  }
  const text = operation.route.startsWith('GET ') || field === 'idempotency_key'
  const wrong: unknown[] = text ? [] : [[[]], schema.type === 'object' ? 'text' : { a: 1 }]
  // An optional field that is null is as absent.
  if (!text && isRequired(operation, field)) wrong.push(null)
  if (schema.type === 'integer') {
    wrong.push('seven', 1.5, '1e3', Number(schema.maximum) + 1, Number(schema.minimum) - 1)
  }
  if (schema.type === 'boolean') wrong.push('yes')
  if (schema.maxLength) wrong.push('x'.repeat(schema.maxLength + 1), 'nul\u0000', '\u0007bell')
  if (schema.maxItems) wrong.push(Array.from({ length: schema.maxItems + 1 }, (_, n) => `x:${n}`))
  return wrong
}

const withBody = inTable.filter(({ operation }) => operation.route.startsWith('POST '))

describe.each(withBody)('the body of $name', ({ operation }) => {
  const path = `/v1${operation.route.slice('POST '.length)
    .replaceAll(/:([a-z_]+)/g, (_, name: string) => String(facts[name as keyof typeof facts]))}`
  const bodies: [string, string | Buffer, string][] = [
    ['broken JSON', '{"a":', 'invalid_request'],
    ['a list', '[]', 'invalid_request'],
    ['text', '"x"', 'invalid_request'],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'invalid_request'],
    ['20,000 levels', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'invalid_request'],
    ['__proto__', '{"__proto__":{"qty":1},"constructor":{"prototype":{}}}', 'invalid_request'],
    ['a number beyond what JSON carries', '{"qty":9007199254740993}', 'invalid_request'],
    ['more than 64 KiB', `{"a":"${'x'.repeat(66_000)}"}`, 'too_large'],
  ]

  test.each(bodies)('%s is refused', async (_, body, error) => {
    const answer = await fetchRaw(path, body, 'application/json')
    expect(answer.data.error).toBe(error)
  })

  test('another type than JSON is 415', async () => {
    expect((await fetchRaw(path, 'a=1', 'application/x-www-form-urlencoded')).code).toBe(41500)
    expect((await fetchRaw(path, '{}', 'application/json; charset=gbk')).code).toBe(41500)
  })

  async function fetchRaw(at: string, body: string | Buffer, type: string) {
    const response = await fetch(`${node.url}${at}`, {
      method: 'POST',
      headers: { 'Content-Type': type, 'X-API-Key': key, 'Idempotency-Key': crypto.randomUUID() },
      body,
    })
    return await response.json() as { code: number, data: { error: string } }
  }
})

test('all problems of a body are reported at once', async () => {
  const { envelope } = await node.send('POST', '/v1/orders', {
    key, body: { merchant_id: 'x', qty: 100, amount: 1, receiver: { phone: 7 }, extra: true },
  })
  const paths = envelope.data.fields.map(({ path }: { path: string }) => path)
  expect(paths).toEqual(expect.arrayContaining([
    'merchant_id', 'product_id', 'qty', 'amount', 'receiver.name', 'receiver.phone', 'extra',
    'idempotency_key',
  ]))
})

test('a refusal of a stated price says that the server computes it', async () => {
  const { envelope } = await node.send('POST', '/v1/orders', { key, body: { amount: 1 } })
  expect(envelope.data.fields)
    .toContainEqual({ path: 'amount', problem: 'is computed by the server: leave it out' })
})

test.each([
  ['/v1/goods?page=1&page=2', 'page'], ['/v1/goods?q=%ff', 'q'], ['/v1/goods?nope=1', 'nope'],
  ['/v1/goods?page_size=051', 'page_size'], ['/v1/goods?__proto__=1', '__proto__'],
])('the query of %s is refused at %s', async (path, field) => {
  const { status, envelope } = await node.send('GET', path)
  expect(status).toBe(400)
  expect(envelope.data.fields.map(({ path: at }: { path: string }) => at)).toContain(field)
})

test('an address that is not there is 404, another method 405 with what is allowed', async () => {
  expect((await node.send('GET', '/v1/nothing')).envelope.code).toBe(40400)
  const { status, headers, envelope } = await node.send('DELETE', '/v1/orders')
  expect({ status, code: envelope.code }).toEqual({ status: 405, code: 40500 })
  expect(headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
})

test('after all of this the node still answers', async () => {
  expect((await node.send('GET', '/healthz')).status).toBe(200)
})
