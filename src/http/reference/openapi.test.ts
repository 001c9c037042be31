import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ERRORS, type ErrorName } from '../../contract/errors.ts'
import { taxonomy } from '../../goods/taxonomy.ts'
import { errorsOf } from '../../operations/define.ts'
import { operations } from '../../operations/index.ts'
import { problemsOf } from '../../validate.ts'
import recorded from './answers.json' with { type: 'json' }
import { CATEGORIES } from '../../goods/categories.ts'
import { pascal } from './components.ts'
import { ERROR_NOTES } from './error-notes.ts'
import { answerExample, ERROR_NAMES } from './examples.ts'
import { openApi } from './openapi.ts'

const OPTIONS = { publicUrl: 'https://mall.test', basePath: '/v1', version: '1.2.3' }
const text = JSON.stringify(openApi(operations, OPTIONS))
// oxlint-disable-next-line typescript/no-explicit-any -- a document is looked into everywhere
const document: any = JSON.parse(text)
const inTable = operations.map((operation) => {
  const [method = '', path = ''] = operation.route.split(' ')
  const entry = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()]
  return { name: operation.name, operation, entry }
})
const follow = (part: { $ref?: string }) => (part.$ref === undefined ? part
  // oxlint-disable-next-line typescript/no-explicit-any
  : part.$ref.slice(2).split('/').reduce((at: any, name) => at[name], document))

interface Part {
  $ref?: string, type?: string, const?: unknown, enum?: string[], maximum?: number
  format?: string, pattern?: string, items?: Part, anyOf?: Part[]
  properties?: Record<string, Part>
}

describe('a linter', () => {
  let lint: (source: string) => Promise<string[]>
  beforeAll(async () => {
    // Every rule of the strict set, none switched off.
    const config = await createConfig({ extends: ['recommended-strict'] })
    lint = async (source) => (await lintFromString({ source, config }))
      .map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer} ${message}`)
  })

  test('finds nothing to say about the document', async () => {
    expect(await lint(text)).toEqual([])
  })

  test('would find an example that does not fit its schema', async () => {
    const wrong = text.replace('"code":0,', '"code":7,')
    expect((await lint(wrong)).join()).toContain('no-invalid-media-type-examples')
  })
})

test('it stays small enough to be read at once', () => {
  expect(Buffer.byteLength(text)).toBeLessThan(280_000)
})

test('components have names that every generator can use, and each is used', () => {
  for (const [kind, parts] of Object.entries(document.components)) {
    for (const name of Object.keys(parts as object)) {
      expect(name).toMatch(kind === 'securitySchemes' ? /^[a-z]\w*$/ : /^[A-Z][A-Za-z0-9]*$/)
      const isUsed = text.includes(`"#/components/${kind}/${name}"`)
      expect(isUsed || kind === 'securitySchemes', name).toBe(true)
    }
  }
})

describe('a generator of typed clients', () => {
  const parts: Part[] = []
  JSON.parse(JSON.stringify([document.paths, document.components.schemas]), (_, value) => {
    if (typeof value?.type === 'string') parts.push(value)
    return value
  })
  const schemas = Object.entries<{ enum?: string[] }>(document.components.schemas)

  test('gets 64 bits for what may need them, and 32 for the rest', () => {
    const numbers = parts.filter((part) => part.type === 'integer' && part.const === undefined
      && part.enum === undefined && part.format !== 'int64')
    expect(numbers.filter(({ maximum = Infinity }) => maximum > 2 ** 31 - 1)).toEqual([])
    expect(document.components.schemas.Fen.format).toBe('int64')
    expect(document.components.schemas.CategoryId).not.toHaveProperty('format')
  })

  test('gets no constant that is a boolean', () => {
    expect(parts.filter(({ type, const: exact }) => type === 'boolean' && exact !== undefined))
      .toEqual([])
    expect(JSON.stringify(document.components.schemas.CpsSmartSearchResult))
      .toContain('"commission_used":{"type":"boolean"}')
  })

  test('keeps the names of components: none is one that generators make themselves', () => {
    const own = new Set(operations.map(({ name }) => pascal(name)).flatMap((name) =>
      ['Data', 'Error', 'Errors', 'Params', 'Request', 'Response', 'Responses'].map((suffix) =>
        `${name}${suffix}`)))
    expect(schemas.map(([name]) => name).filter((name) => own.has(name))).toEqual([])
  })

  test('can send the Idempotency-Key as the text that its user has', () => {
    const { pattern, format } = document.components.schemas.IdempotencyKey
    expect(format).toBeUndefined()
    expect('7f1f8e5e-3c1b-4a67-9d0e-5b8f2f8f6a10').toMatch(new RegExp(pattern))
    expect('order-1').not.toMatch(new RegExp(pattern))
  })

  test('can name the values of all enums in one space of names', () => {
    const names = schemas.flatMap(([, schema]) => (schema as Record<string, string[]>)[
      'x-enum-varnames'] ?? schema.enum?.map((value) => value.toUpperCase()) ?? [])
    expect(names).toEqual([...new Set(names)])
    expect(names).toContain('SUPPLY_MALL_A')
  })

  test('gets no union but "this or null": elsewhere it makes a class that holds nothing', () => {
    const unions: unknown[] = []
    JSON.parse(text, (_, value) => {
      const parts = value?.anyOf ?? value?.oneOf ?? value?.allOf
      if (parts && (parts.length !== 2 || parts[1].type !== 'null')) unions.push(parts)
      return value
    })
    expect(unions).toEqual([])
    const { items } = document.components.schemas.CpsCompareBody.properties.items
    expect(items).toMatchObject({ type: 'string' })
    for (const value of ['shelf:100', 'https://mall-b.example/item/1']) {
      expect(value).toMatch(new RegExp(items.pattern))
    }
    expect('mall:1').not.toMatch(new RegExp(items.pattern))
  })

  test('gets one object for the errors of a status, which share fields of one type', () => {
    const { data } = follow(document.components.responses.OutOfStockOrPriceChanged
      .content['application/json'].schema).properties
    expect(follow(data)).toMatchObject({
      required: ['error', 'hint', 'request_id'],
      properties: {
        error: { enum: ['out_of_stock', 'price_changed'] },
        available_qty: { type: 'integer' }, old: { type: 'object' }, new: { type: 'object' },
      },
    })
    const differing = operations.flatMap((operation) => errorsOf(operation)
      .flatMap((name) => Object.entries(ERROR_NOTES[name].facts ?? {}).map(([fact, schema]) =>
        ({ at: `${operation.name} ${ERRORS[name].status} ${fact}`, type: (schema as Part).type }))))
      .filter(({ at, type }, _, all) => all.some((other) => other.at === at && other.type !== type))
    expect(differing).toEqual([])
  })

  test('names whom to turn to', () => {
    expect(document.info.contact).toMatchObject({ url: 'https://mall.test/docs' })
  })
})

describe.each(inTable)('$name', ({ operation, entry }) => {
  test('stands under its method and path, with a tag, a summary and a description', () => {
    expect(entry).toMatchObject({
      operationId: operation.name, summary: operation.title, description: operation.description,
    })
    const tags = document.tags.map(({ name }: { name: string }) => name)
    expect(tags).toEqual(expect.arrayContaining(entry.tags))
  })

  test('describes every parameter', () => {
    for (const { name, description } of entry.parameters ?? []) {
      expect(description, name).toMatch(/\S/)
    }
  })

  test('takes the Idempotency-Key in the header, and nowhere else', () => {
    const takes = 'idempotency_key' in operation.input.properties
    const parameters = entry.parameters ?? []
    expect(parameters.some(({ name }: { name: string }) => name === 'Idempotency-Key')).toBe(takes)
    expect(JSON.stringify(entry.requestBody ?? {})).not.toContain('idempotency_key')
    expect('Idempotent-Replayed' in entry.responses[200].headers).toBe(takes)
  })

  test('shows the form of every text that it takes, which has no control characters', () => {
    const loose: string[] = []
    const look = (part: Part, path: string): void => {
      const { type, pattern, format, enum: values, properties, items, anyOf = [] } = follow(part)
      if (type === 'string' && !format && !values
        && (!pattern || new RegExp(pattern, 'u').test('mall:\u0007//\u009f'))) loose.push(path)
      for (const [name, inner] of Object.entries<Part>(properties ?? {})) {
        look(inner, `${path}.${name}`)
      }
      for (const inner of items ? [...anyOf, items] : anyOf) look(inner, path)
    }
    const body = entry.requestBody?.content['application/json'].schema
    if (body) look(body, 'body')
    for (const { name, schema } of entry.parameters ?? []) look(schema, name)
    expect(loose).toEqual([])
  })

  test('is open to anyone, or asks for a key in either header', () => {
    const security = entry.security ?? document.security
    const keys = [{ bearer: [] }, { apiKey: [] }]
    expect(security).toEqual(operation.access === 'key' ? keys : [{}, ...keys])
  })

  test('lists each error under its status, with code, text and an example', () => {
    const listed = Object.entries(entry.responses).filter(([status]) => status !== '200')
      .flatMap(([status, response]) => {
        const { description, content, headers } = follow(response as object)
        const { examples } = content['application/json']
        const names = [...new Set(Object.values<{ value: { data: { error: ErrorName } } }>(examples)
          .map(({ value }) => value.data.error))]
        for (const name of names) {
          expect(description).toContain(`\`${name}\` (${ERRORS[name].code}): ${ERRORS[name].msg}`)
          expect(examples[name].value).toMatchObject({
            code: ERRORS[name].code, msg: ERRORS[name].msg, data: { error: name },
          })
          expect(ERRORS[name].status).toBe(Number(status))
        }
        expect(Object.keys(headers)).toEqual(expect.arrayContaining(
          ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']))
        expect('WWW-Authenticate' in headers).toBe(status === '401')
        expect('Retry-After' in headers).toBe(status === '429')
        return names
      })
    expect(listed.toSorted()).toEqual(errorsOf(operation).toSorted())
  })

  test('shows a recorded answer that fits its schema', () => {
    const example = answerExample(operation, OPTIONS.publicUrl)
    expect(problemsOf(operation.output, structuredClone(example?.data))).toEqual([])
    const hint = 'npm run docs records the answers of operations that are new or have changed'
    expect(example?.isRecorded, hint).toBe(true)
    expect(JSON.stringify(example)).not.toContain('localhost')
  })
})

test('what no schema can say stands in an example of the refusal', () => {
  const { examples } = document.components.responses.InvalidRequest.content['application/json']
  expect(examples.page_beyond_reach.value.data.fields)
    .toEqual([{ path: 'page', problem: 'must not begin beyond item 1000' }])
  expect(Object.keys(examples)).toEqual(expect.arrayContaining(
    ['crossed_price_bounds', 'unknown_cursor', 'link_of_another_site']))
  const { requestBody } = document.paths['/cps/mall-b/convert'].post
  expect(requestBody.required).toBe(true)
  expect(follow(requestBody.content['application/json'].schema))
    .toMatchObject({ minProperties: 1, maxProperties: 1 })
})

test('recorded answers carry no key that anybody could have been given', () => {
  const found = JSON.stringify(recorded).match(/ak_\w+/g)
  expect(found).toEqual(['ak_trial_0000000000000000000000000EXAMPLE'])
})

test('every error is explained, and errors of no operation are those of the transport', () => {
  expect(Object.keys(ERROR_NOTES).toSorted()).toEqual(ERROR_NAMES.toSorted())
  const listed = new Set(operations.flatMap(errorsOf))
  const unlisted = ERROR_NAMES.filter((name) => !listed.has(name))
  expect(ERROR_NAMES.filter((name) => ERROR_NOTES[name].isTransportError)
    .every((name) => unlisted.includes(name))).toBe(true)
})

test('the categories that the documents name are those of the taxonomy', () => {
  expect(CATEGORIES).toEqual(taxonomy().categories
    .map(({ category_id, name_zh, name_en }) => [category_id, name_zh, name_en]))
})
