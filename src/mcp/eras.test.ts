import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import * as fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { operations } from '../operations/index.ts'
import {
  createTestEndpoint, MODERN_META, modernRequest, RATE_HEADERS, readReply, TEST_KEY,
  type TestPost, testRequest, THINGS,
} from '../testing/mcp.ts'
import {
  createEras, type Era, HANDSHAKE_VERSIONS, headerText, metaOf, MODERN_VERSIONS, modernEra,
  VERSION_KEY,
} from './eras.ts'
import type { MethodDependencies } from './methods.ts'
import { createTools } from './tools.ts'

const era = (versions: readonly string[]): Era =>
  ({ versions, methods: new Map(), unknownMethodStatus: 404, isCancelledByDisconnect: true })
const handshake = era(HANDSHAKE_VERSIONS)
const modern = era(MODERN_VERSIONS)
const eras = createEras([modern, handshake])

const claiming = (version: unknown, method = 'tools/call') =>
  ({ method, params: { _meta: { [VERSION_KEY]: version } } })
const plain = (method = 'tools/call') => ({ method, params: {} })

it('the handshake era has the revisions of the official SDK, in its order', () => {
  expect(HANDSHAKE_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS)
  expect(HANDSHAKE_VERSIONS).toContain(DEFAULT_NEGOTIATED_PROTOCOL_VERSION)
})

describe('the era of a message', () => {
  it('is that of the revision which its metadata or its header names', () => {
    expect(eras.of('2026-07-28', claiming('2026-07-28'))).toEqual({ era: modern })
    expect(eras.of(undefined, claiming('2026-07-28'))).toEqual({ era: modern })
    expect(eras.of('2026-07-28', plain())).toEqual({ era: modern })
    expect(eras.of(' 2025-06-18\t', plain())).toEqual({ era: handshake })
    expect(eras.of('2025-06-18', claiming('2025-06-18'))).toEqual({ era: handshake })
  })

  it('is the handshake where nothing names a revision', () => {
    for (const params of [undefined, null, [], 'text', { _meta: null }, { _meta: [VERSION_KEY] }]) {
      expect(eras.of(undefined, { method: 'ping', params })).toEqual({ era: handshake })
    }
    expect(eras.of(undefined, {})).toEqual({ era: handshake })
  })

  it('is refused where header and metadata disagree, even about an unknown revision', () => {
    for (const [header, claim] of [
      ['2025-11-25', '2026-07-28'], ['2026-07-28', '2025-11-25'], ['2026-07-28', '1900-01-01'],
      ['', '2026-07-28'],
    ]) expect(eras.of(header, claiming(claim))).toMatchObject({ error: { code: -32020 } })
  })

  it('is refused where the metadata names no string', () => {
    for (const claim of [null, 20260728, {}, ['2026-07-28']]) {
      expect(eras.of('2026-07-28', claiming(claim))).toMatchObject({ error: { code: -32602 } })
    }
  })
})

describe('initialize', () => {
  it('is of the handshake whatever the header says', () => {
    for (const header of ['2026-07-28', '2025-11-25', 'nonsense', undefined]) {
      expect(eras.of(header, plain('initialize'))).toEqual({ era: handshake })
      expect(eras.of(header, claiming(7, 'initialize'))).toEqual({ era: handshake })
    }
  })

  it('is a method like any other where the metadata names a revision without handshake', () => {
    expect(eras.of('2026-07-28', claiming('2026-07-28', 'initialize'))).toEqual({ era: modern })
  })
})

describe('an unknown revision', () => {
  it.each(['1900-01-01', 'v999.0.0', 'constructor', '__proto__'])(
    '%s is refused with what is supported and what was asked for', (version) => {
      for (const choice of [eras.of(version, plain()), eras.of(version, claiming(version))]) {
        expect(choice).toMatchObject({
          error: {
            code: -32022,
            data: { supported: ['2026-07-28', ...HANDSHAKE_VERSIONS], requested: version },
          },
        })
      }
    })

  it.each(['<script>', '', 'x'.repeat(33), '2026-07-28, 2026-07-28'])(
    '%j is not shown back', (version) => {
      expect(eras.of(version, plain()))
        .toMatchObject({ error: { code: -32022, data: { requested: 'unknown' } } })
    })
})

it('metadata is an object or none at all', () => {
  expect(metaOf({ _meta: { a: 1 } })).toEqual({ a: 1 })
  for (const params of [undefined, null, 1, 'x', [], {}, { _meta: 'x' }, { _meta: [] }]) {
    expect(metaOf(params)).toBeUndefined()
  }
})

async function ask(
  method: string, params?: object, options: TestPost = {}, endpoint = createTestEndpoint(),
) {
  return readReply(await endpoint.handler(modernRequest(method, params, options)))
}

const STAMP = {
  resultType: 'complete',
  _meta: {
    'io.modelcontextprotocol/serverInfo':
      { name: 'agentmall', title: 'agentmall', version: '1.2.3' },
  },
}
const BUY = {
  name: 'buy_thing',
  arguments: {
    idempotency_key: '0b9f6a52-6d2e-4a0e-9a53-0d6b9b8f6a11', qty: 2,
    receiver: {
      name: '王', phone: '13800000000', province: '广东', city: '深圳', district: '南山',
      address: '1 号',
    },
  },
}

describe('what a client reads', () => {
  it('server/discover names the revisions of both eras, and may be kept', async () => {
    const { status, json } = await ask('server/discover')
    expect(status).toBe(200)
    expect(json).toEqual({
      jsonrpc: '2.0', id: 'm',
      result: {
        ...STAMP, supportedVersions: ['2026-07-28', ...HANDSHAKE_VERSIONS],
        capabilities: { tools: {} }, instructions: expect.stringContaining('idempotency_key'),
        ttlMs: 3_600_000, cacheScope: 'public',
      },
    })
  })

  it('tools/list has the tools of the handshake era, and may be kept', async () => {
    const { json } = await ask('tools/list')
    const earlier = readReply(await createTestEndpoint().handler(
      testRequest({ jsonrpc: '2.0', id: 1, method: 'tools/list' })))
    expect(json.result).toEqual(
      { ...STAMP, tools: earlier.json.result.tools, ttlMs: 3_600_000, cacheScope: 'public' })
    expect((await ask('tools/list', { cursor: 'x' })).json.error.code).toBe(-32602)
  })

  it('tools/list of the whole table is at most 6,000 tokens, and the same at every boot',
    async () => {
      const list = async () => {
        const parts = {
          tools: createTools(operations), serverVersion: '1.0.0',
          publicUrl: 'https://mall.example',
        } as unknown as MethodDependencies
        const method = modernEra(parts).methods.get('tools/list')
        const answer = await method?.({}, {} as never)
        return Buffer.concat((answer as { result: Buffer[] }).result).toString()
      }
      const [one, two] = [await list(), await list()]
      expect(one === two).toBe(true)
      expect(encode(one).length).toBeLessThanOrEqual(6000)
    })

  it('tools/call answers the data, and as text the very same JSON', async () => {
    const { status, json, headers } = await ask('tools/call', { name: 'find_things' })
    expect(status).toBe(200)
    expect(json.result).toStrictEqual({
      content: [{ type: 'text', text: THINGS }], structuredContent: JSON.parse(THINGS), ...STAMP,
    })
    expect(headers).toMatchObject({ ratelimit: RATE_HEADERS[1][1], 'cache-control': 'no-store' })
  })

  it('a refusal is a complete result with isError', async () => {
    const { status, json } = await ask('tools/call', BUY)
    expect(status).toBe(200)
    expect(json.result).toMatchObject({
      ...STAMP, isError: true, structuredContent: { error: { error: 'key_required' } },
    })
  })

  it('an order made in the handshake era is replayed here', async () => {
    const endpoint = createTestEndpoint()
    const headers = { 'x-api-key': TEST_KEY }
    await endpoint.handler(testRequest(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: BUY }, { headers }))
    const { json } = await ask('tools/call', BUY, { headers }, endpoint)
    expect(json.result.structuredContent).toMatchObject({ order_no: 'O0', duplicate: true })
    expect(endpoint.bought).toHaveLength(1)
  })
})

describe('methods', () => {
  it.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/read',
    'prompts/list', 'subscriptions/listen', 'notifications/initialized', '__proto__', 'tools/List',
  ])('%s is 404 and not found', async (method) => {
    const { status, json } = await ask(method)
    expect({ status, id: json.id, code: json.error.code })
      .toEqual({ status: 404, id: 'm', code: -32601 })
  })

  it.each(['nonsense', 'rest_only', 'find_things ', 'Find_things'])(
    'the tool %j is invalid params, in an answer of HTTP 200', async (name) => {
      const headers = { 'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=` }
      const { status, json } = await ask('tools/call', { name }, { headers })
      expect({ status, code: json.error.code }).toEqual({ status: 200, code: -32602 })
    })

  it('a notification is 202, whatever it is', async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28' }
    const sent = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const reply = readReply(await createTestEndpoint().handler(testRequest(sent, { headers })))
    expect(reply).toMatchObject({ status: 202, text: '' })
  })
})

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

describe('metadata', () => {
  it.each([
    ['none', undefined, [VERSION, CAPABILITIES]], ['null', null, [VERSION, CAPABILITIES]],
    ['nothing in it', {}, [VERSION, CAPABILITIES]],
    ['no revision', { [CAPABILITIES]: {} }, [VERSION]],
    ['no capabilities', { [VERSION]: '2026-07-28' }, [CAPABILITIES]],
    ['a list of capabilities', { ...MODERN_META, [CAPABILITIES]: [] }, [CAPABILITIES]],
  ])('%s is 400 and says what is missing', async (_, _meta, missing) => {
    const { status, json } = await ask('tools/list', { _meta })
    expect({ status, ...json }).toMatchObject(
      { status: 400, id: 'm', error: { code: -32602, data: { missing } } })
  })

  it.each([[null], [[]], ['text'], [7]])('params %j are 400', async (params) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
    const sent = { jsonrpc: '2.0', id: 1, method: 'tools/list', params }
    const reply = readReply(await createTestEndpoint().handler(testRequest(sent, { headers })))
    expect(reply).toMatchObject({ status: 400, json: { id: 1, error: { code: -32602 } } })
  })

  it('more of it changes nothing: a name, a log level, a trace', async () => {
    const _meta = {
      ...MODERN_META, 'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
      'io.modelcontextprotocol/logLevel': 'debug', progressToken: 1, traceparent: '00-0-0-00',
    }
    expect((await ask('tools/call', { name: 'find_things', _meta })).json.result)
      .toMatchObject({ structuredContent: JSON.parse(THINGS) })
  })
})

describe('headers', () => {
  it.each([
    ['no revision', { 'mcp-protocol-version': undefined }],
    ['another revision', { 'mcp-protocol-version': '2025-11-25' }],
    ['no method', { 'mcp-method': undefined }], ['another method', { 'mcp-method': 'tools/list' }],
    ['the method in capitals', { 'mcp-method': 'TOOLS/CALL' }],
    ['the method twice', { 'mcp-method': 'tools/call, tools/call' }],
    ['the method in Base64', { 'mcp-method': '=?base64?dG9vbHMvY2FsbA==?=' }],
    ['no name', { 'mcp-name': undefined }], ['an empty name', { 'mcp-name': '' }],
    ['another name', { 'mcp-name': 'find_things' }],
    ['broken Base64', { 'mcp-name': '=?base64?!?=' }],
  ])('with %s nothing is bought', async (_, headers) => {
    const endpoint = createTestEndpoint()
    const { status, json } = await ask(
      'tools/call', BUY, { headers: { 'x-api-key': TEST_KEY, ...headers } }, endpoint)
    expect({ status, id: json.id, code: json.error.code })
      .toEqual({ status: 400, id: 'm', code: -32020 })
    expect(endpoint.bought).toEqual([])
  })

  it('with spaces around, or the name in Base64, it is bought', async () => {
    for (const spelling of [
      { 'mcp-method': ' tools/call\t', 'mcp-name': '\tbuy_thing ' },
      { 'mcp-name': '=?base64?YnV5X3RoaW5n?=' },
    ]) {
      const headers = { 'x-api-key': TEST_KEY, ...spelling }
      const { json } = await ask('tools/call', BUY, { headers })
      expect(json.result.structuredContent).toMatchObject({ order_no: 'O0' })
    }
  })

  it('a tool runs exactly when its name is the one in the header', async () => {
    const names = fc.oneof(
      fc.constantFrom('find_things', 'buy_thing', '=?base64?ZmluZF90aGluZ3M=?=', ''),
      fc.string({ unit: 'binary-ascii' }))
    await fc.assert(fc.asyncProperty(names, names, async (name, header) => {
      const headers = { 'mcp-name': header }
      const { status, json } = await ask('tools/call', { name }, { headers })
      const says = /^=\?base64\?ZmluZF90aGluZ3M=\?=$/.test(header) ? 'find_things' : header
      const isSame = says.replaceAll(/^[ \t]+|[ \t]+$/g, '') === name
      expect({ status, isMismatch: json.error?.code === -32020 })
        .toEqual({ status: isSame ? 200 : 400, isMismatch: !isSame })
    }))
  })

  it('a revision that is not supported is told what is', async () => {
    const { status, json } = await ask('tools/list',
      { _meta: { ...MODERN_META, [VERSION]: '2031-01-01' } },
      { headers: { 'mcp-protocol-version': '2031-01-01' } })
    expect({ status, ...json }).toMatchObject({
      status: 400, id: 'm',
      error: {
        code: -32022,
        data: { supported: ['2026-07-28', ...HANDSHAKE_VERSIONS], requested: '2031-01-01' },
      },
    })
  })

  it('an invalid key is 401 before anything else is looked at', async () => {
    const headers = { authorization: 'Bearer ak_wrong', 'mcp-method': undefined }
    const reply = await ask('tools/list', {}, { headers })
    expect(reply).toMatchObject({ status: 401, json: { error: { code: 40101 } } })
    expect(reply.headers['www-authenticate']).toMatch(/^Bearer/)
  })
})

const encoded = (text: string): string =>
  `=?base64?${Buffer.from(text).toString('base64')}?=`

/** As the revision asks of a client: encoded unless a header can hold the text as it is. */
const asClient = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text : encoded(text)

it('whatever text a client sends comes back as it was', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => {
    expect(headerText(asClient(text))).toBe(text)
    expect(headerText(` \t${asClient(text)}\t `)).toBe(text)
  }))
})

it.each([
  ['plain', 'us-west1', 'us-west1'], ['Chinese', '=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, 世界'],
  ['padded', '=?base64?IHBhZGRlZCA=?=', ' padded '], ['a line end', '=?base64?YQpi?=', 'a\nb'],
  ['a sentinel', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
  ['nothing', '=?base64??=', ''], ['a byte order mark', encoded('\ufeffa'), '\ufeffa'],
  ['a marker in capitals, which is none', '=?BASE64?YQ==?=', '=?BASE64?YQ==?='],
])('%s is read', (_, value, text) => {
  expect(headerText(value)).toBe(text)
})

it.each([
  ['no header', undefined], ['raw UTF-8', '手机'], ['a control character', 'a\u0001b'],
  ['no Base64', '=?base64?***?='], ['no padding', '=?base64?YQ?='],
  ['spaces within', '=?base64?YQ ==?='], ['another alphabet', '=?base64?_-_-?='],
  ['bits that say nothing', '=?base64?YR==?='], ['broken UTF-8', '=?base64?/w==?='],
])('%s is no text', (_, value) => {
  expect(headerText(value)).toBeUndefined()
})
