import { describe, expect, test } from 'vitest'
import type { NodeOperation } from '../operations/define.ts'
import { createOrder } from '../operations/create-order.ts'
import { searchGoods } from '../operations/search-goods.ts'
import { KnownCalls } from './known-calls.ts'
import { readMessage, type RpcRequest } from './rpc.ts'

const TOOLS = new Map<string, NodeOperation>(
  [searchGoods, createOrder].map((one) => [one.name, one as NodeOperation]))

const CALL = '"method":"tools/call","params":{"name":"search_goods","arguments":{"q":"茶"}}'
const front = (id: string, rest = CALL): string => `{"jsonrpc":"2.0","id":${id},${rest}}`
const behind = (id: string, rest = CALL): string => `{${rest},"jsonrpc":"2.0","id":${id}}`

const read = (calls: KnownCalls, text: string): RpcRequest =>
  calls.read(Buffer.from(text)) as RpcRequest
/** Kept from its second time on. */
const readTwice = (calls: KnownCalls, text: string): RpcRequest =>
  [read(calls, text), read(calls, text)][1] as RpcRequest

describe.each([['in front', front], ['at the end', behind]])('a call with its id %s', (_, call) => {
  test('is the same call under every id, and has that id', () => {
    const calls = new KnownCalls(TOOLS)
    const first = readTwice(calls, call('1'))
    for (const [text, id] of [['2', 2], ['"a-b_c"', 'a-b_c'], ['0', 0]] as const) {
      const again = read(calls, call(text))
      expect(again).toEqual({ ...first, id })
      expect(again.params).toBe(first.params)
    }
  })

  test.each(['01', '-1', '1.5', '1e3', 'null', '""', '"a\\u0062"', '9007199254740993', '{}'])(
    'and the id %s is read as without what is known', (id) => {
      const calls = new KnownCalls(TOOLS)
      readTwice(calls, call('1'))
      expect(calls.read(Buffer.from(call(id)))).toEqual(readMessage(Buffer.from(call(id))))
    })

  test.each(['"id":7', '"\\u0069d":7'])('and with a second one, %s, is never kept', (second) => {
    const calls = new KnownCalls(TOOLS)
    for (const id of ['7', '7', '8']) {
      const text = call(id, `${second},${CALL}`)
      expect(calls.read(Buffer.from(text))).toEqual(readMessage(Buffer.from(text)))
    }
  })
})

test('the list of tools is asked in the same words under every id', () => {
  const calls = new KnownCalls(TOOLS)
  const list = '"method":"tools/list","params":{}'
  const first = readTwice(calls, front('1', list))
  const again = read(calls, front('2', list))
  expect(again).toEqual({ kind: 'request', id: 2, method: 'tools/list', params: {} })
  expect(again.params).toBe(first.params)
})

test('blanks are left out of what is kept, and nobody can change it', () => {
  const call = front('1', CALL.replace('"q":"茶"', '"q":"茶","sort":"","price_min":null'))
  const { params } = readTwice(new KnownCalls(TOOLS), call)
  const { arguments: input } = params as { arguments: object }
  expect(Object.keys(input)).not.toContain('price_min')
  expect(Object.isFrozen(input)).toBe(true)
})

test.each([
  ['what writes', CALL.replace('search_goods', 'create_order')],
  ['what is not valid', CALL.replace('"q":"茶"', '"page":-1')],
  ['another method', CALL.replace('tools/call', 'ping')],
  ['an unknown tool', CALL.replace('search_goods', 'no_tool')],
  ['a long call', CALL.replace('茶', '茶'.repeat(1000))],
])('%s is not kept', (_, rest) => {
  const calls = new KnownCalls(TOOLS)
  const { params } = readTwice(calls, front('1', rest))
  expect(read(calls, front('2', rest)).params).not.toBe(params)
})
