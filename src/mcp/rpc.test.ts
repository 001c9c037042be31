import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorBytes, readMessage, resultChunks } from './rpc.ts'

const read = (text: string | Buffer) => readMessage(Buffer.from(text as string))
const request = (id: string, rest = '') => `{"jsonrpc":"2.0","id":${id},"method":"ping"${rest}}`

describe('a body is exactly one JSON-RPC message', () => {
  it.each([
    ['nothing', ''], ['no JSON', '{"jsonrpc":'],
    ['two messages', `${request('1')}\n${request('2')}`],
    ['a NUL after the message', `${request('1')}\0`], ['a number JSON lacks', request('NaN')],
  ])('%s is a parse error without an id', (_, text) => {
    expect(read(text)).toMatchObject({ kind: 'invalid', id: null, error: { code: -32700 } })
  })

  it('broken UTF-8 is a parse error, not a replaced character', () => {
    const body = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":"'), Buffer.from([0xc3, 0x28]),
      Buffer.from('","method":"ping"}')])
    expect(readMessage(body)).toMatchObject({ kind: 'invalid', id: null, error: { code: -32700 } })
  })

  it.each([
    ['a batch', `[${request('1')}]`], ['an empty batch', '[]'], ['null', 'null'],
    ['text', '"ping"'],
    ['a number', '7'], ['an empty object', '{}'], ['no version', '{"id":null,"method":"ping"}'],
    ['deep arrays', '['.repeat(30_000) + ']'.repeat(30_000)],
  ])('%s is an invalid request', (_, text) => {
    expect(read(text)).toMatchObject({ kind: 'invalid', id: null, error: { code: -32600 } })
  })

  it.each([
    ['another version', '{"jsonrpc":"1.0","id":5,"method":"ping"}'],
    ['a number as version', '{"jsonrpc":2.0,"id":5,"method":"ping"}'],
    ['no method', '{"jsonrpc":"2.0","id":5}'],
    ['a method that is no string', '{"jsonrpc":"2.0","id":5,"method":{}}'],
    ['a null method', '{"jsonrpc":"2.0","id":5,"method":null,"result":{}}'],
    ['a version inherited only', '{"__proto__":{"jsonrpc":"2.0"},"id":5,"method":"ping"}'],
  ])('%s is an invalid request, told under its id', (_, text) => {
    expect(read(text)).toMatchObject({ kind: 'invalid', id: 5, error: { code: -32600 } })
  })

  it.each(['null', 'true', '{}', '[1]', '1.5', '1e400', '9007199254740993', '{"toString":1}'])(
    'the id %s, which cannot be echoed exactly, is refused', (id) => {
      expect(read(request(id)))
        .toMatchObject({ kind: 'invalid', id: null, error: { code: -32600 } })
    })

  it('a message without id is silent, whatever its method: it must not be acted upon', () => {
    expect(read('{"jsonrpc":"2.0","method":"tools/call","params":{}}'))
      .toEqual({ kind: 'silent', method: 'tools/call' })
  })

  it.each(['"result":{}', '"error":{"code":1,"message":"x"}'])(
    'an answer with %s is silent', (member) => {
      expect(read(`{"jsonrpc":"2.0","id":1,${member}}`)).toEqual({ kind: 'silent' })
    })

  it('of a key that stands twice the last one counts', () => {
    expect(read(request('1', ',"id":2,"method":"tools/list"')))
      .toMatchObject({ kind: 'request', id: 2, method: 'tools/list' })
  })
})

const ids = fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger(),
  fc.constantFrom('', '__proto__', '\0', '\u2028', '"}', '\ud800', -1, 0))

it('an id comes back exactly as it was sent', () => {
  fc.assert(fc.property(ids, (id) => {
    const message = read(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }))
    expect(message).toMatchObject({ kind: 'request', id })
    const bytes = Buffer.concat(resultChunks(id, [Buffer.from('{"a":'), Buffer.from('1}')]))
    expect(JSON.parse(bytes.toString())).toStrictEqual({ jsonrpc: '2.0', id, result: { a: 1 } })
    expect(JSON.parse(errorBytes(id, { code: 1, message: 'm' }).toString()))
      .toStrictEqual({ jsonrpc: '2.0', id, error: { code: 1, message: 'm' } })
  }))
})

it('any bytes at all are read without throwing', () => {
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 200 }), fc.json().map((text) => Buffer.from(text)))
  fc.assert(fc.property(bodies, (bytes) => {
    expect(['request', 'silent', 'invalid']).toContain(readMessage(Buffer.from(bytes)).kind)
  }))
})
