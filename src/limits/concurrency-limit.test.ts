import { expect, test } from 'vitest'
import type { HttpRequest } from '../contract/http.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const limit = (eachMax = 1, totalMax = 10) =>
  createConcurrencyLimit({ policy: 'feeds', hint: 'Close one of them.', eachMax, totalMax })
const request = (signal: AbortSignal, isHead = false): HttpRequest =>
  ({ signal, isHead }) as HttpRequest
const open = (): AbortSignal => new AbortController().signal
async function* chunks(): AsyncGenerator<string> {
  yield 'a'
  yield 'b'
}
async function textOf(text: AsyncIterable<string>): Promise<string> {
  let all = ''
  for await (const piece of text) all += piece
  return all
}

test('a stream counts until its chunks end', async () => {
  const { hold } = limit()
  const held = hold(request(open()), 'ac_1', chunks())
  expect(() => hold(request(open()), 'ac_1', chunks())).toThrow('Too many requests.')
  expect(await textOf(held)).toBe('ab')
  hold(request(open()), 'ac_1', chunks())
})

test('a stream counts until the client disconnects, before or after the first chunk', async () => {
  const { hold } = limit()
  for (const isBegun of [false, true]) {
    const client = new AbortController()
    const held = hold(request(client.signal), 'ac_1', chunks())[Symbol.asyncIterator]()
    if (isBegun) await held.next()
    client.abort()
    expect(await textOf(hold(request(open()), 'ac_1', chunks()))).toBe('ab')
  }
})

test('a client that has disconnected and a HEAD request do not count', () => {
  const { hold } = limit()
  for (let time = 0; time < 3; time += 1) {
    hold(request(AbortSignal.abort()), 'ac_1', chunks())
    hold(request(open(), true), 'ac_1', chunks())
  }
  hold(request(open()), 'ac_1', chunks())
  expect(() => hold(request(open()), 'ac_1', chunks())).toThrow('Too many requests.')
})

test('all accounts together have no more streams than the node allows', () => {
  const { hold } = limit(1, 2)
  hold(request(open()), 'ac_1', chunks())
  hold(request(open()), 'ac_2', chunks())
  expect(() => hold(request(open()), 'ac_3', chunks())).toThrow('Too many requests.')
})
