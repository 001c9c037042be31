import { expect, test } from 'vitest'
import type { HttpRequest } from '../contract/http.ts'
import { createRoom } from './room.ts'

const room = (eachMax = 1, totalMax = 10) =>
  createRoom({ policy: 'feeds', hint: 'Close one of them.', eachMax, totalMax })
const request = (signal: AbortSignal, isHead = false): HttpRequest =>
  ({ signal, isHead }) as HttpRequest
const open = (): AbortSignal => new AbortController().signal
async function* pieces(): AsyncGenerator<string> {
  yield 'a'
  yield 'b'
}
async function textOf(text: AsyncIterable<string>): Promise<string> {
  let all = ''
  for await (const piece of text) all += piece
  return all
}

test('a place is held until the pieces end', async () => {
  const { hold } = room()
  const held = hold(request(open()), 'ac_1', pieces())
  expect(() => hold(request(open()), 'ac_1', pieces())).toThrow('Too many requests.')
  expect(await textOf(held)).toBe('ab')
  hold(request(open()), 'ac_1', pieces())
})

test('or until the client goes, before a piece was asked for or after', async () => {
  const { hold } = room()
  for (const isBegun of [false, true]) {
    const client = new AbortController()
    const held = hold(request(client.signal), 'ac_1', pieces())[Symbol.asyncIterator]()
    if (isBegun) await held.next()
    client.abort()
    expect(await textOf(hold(request(open()), 'ac_1', pieces()))).toBe('ab')
  }
})

test('one who had gone already, and a HEAD request, hold none', () => {
  const { hold } = room()
  for (let time = 0; time < 3; time += 1) {
    hold(request(AbortSignal.abort()), 'ac_1', pieces())
    hold(request(open(), true), 'ac_1', pieces())
  }
  hold(request(open()), 'ac_1', pieces())
  expect(() => hold(request(open()), 'ac_1', pieces())).toThrow('Too many requests.')
})

test('all accounts together hold no more than the node has', () => {
  const { hold } = room(1, 2)
  hold(request(open()), 'ac_1', pieces())
  hold(request(open()), 'ac_2', pieces())
  expect(() => hold(request(open()), 'ac_3', pieces())).toThrow('Too many requests.')
})
