import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { expect, test, vi } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { Gate, startListener } from '../testing/listener.ts'
import type { HttpReply } from '../contract/http.ts'

const PIECE = 'data: 0123456789\n\n'

async function open(port: number, method = 'GET'): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/events', method }, resolve).on('error', reject).end()
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return text
}

const events = (stream: AsyncIterable<string>): HttpReply =>
  ({ status: 200, headers: [['Content-Type', 'text/event-stream']], stream })

test('chunks arrive as they are made, and the answer ends with the last', async () => {
  const gate = new Gate()
  const listener = await startListener({
    'GET /events': () => events((async function* pieces() {
      yield 'one'
      await gate.opened
      yield ''
      yield 'two'
    })()),
  })
  const response = await open(listener.port)
  expect(response.headers['content-type']).toBe('text/event-stream')
  const first = await new Promise<Buffer>((resolve) => { response.once('data', resolve) })
  expect(first.toString()).toBe('one')
  gate.open()
  expect(await textOf(response)).toBe('two')
  await eventually(() => expect(listener.entries.at(-1)).toMatchObject({ status: 200, bytes: 6 }))
})

test('a client that does not read pauses the source', async () => {
  let made = 0
  const listener = await startListener({
    'GET /events': () => events((async function* endless() {
      for (;;) {
        made += 1
        yield PIECE.repeat(1000)
      }
    })()),
  })
  const response = await open(listener.port)
  response.pause()
  let seen = -1
  await eventually(() => {
    const before = seen
    seen = made
    expect(before).toBe(made)
  }, 200)
  expect(made).toBeLessThan(5000)
  response.destroy()
})

test('the source ends when the client disconnects', async () => {
  const left = vi.fn<() => void>()
  const listener = await startListener({
    'GET /events': ({ signal }) => events((async function* until() {
      try {
        yield PIECE
        await new Promise<void>((resolve) => { signal.addEventListener('abort', () => resolve()) })
      } finally {
        left()
      }
    })()),
  })
  const response = await open(listener.port)
  await new Promise((resolve) => { response.once('data', resolve) })
  response.destroy()
  await eventually(() => expect(left).toHaveBeenCalledOnce())
  await eventually(() => expect(listener.entries.at(-1)).toMatchObject({ status: 499 }))
})

test('draining ends one without an end properly, and does not wait for it', async () => {
  const listener = await startListener({
    'GET /events': ({ signal }) => ({ isEndless: true, ...events((async function* until() {
      yield PIECE
      await new Promise<void>((resolve) => { signal.addEventListener('abort', () => resolve()) })
    })()) }),
  })
  const response = await open(listener.port)
  const text = textOf(response)
  await eventually(() => expect(listener.inFlight()).toBe(0))
  await listener.close()
  expect(await text).toBe(PIECE)
})

test('draining waits for one that ends, and what takes too long is cut off', async () => {
  const gate = new Gate()
  const file = async function* file() {
    yield PIECE
    await gate.opened
    yield PIECE
  }
  const whole = await startListener({ 'GET /events': () => events(file()) })
  const reading = open(whole.port).then(textOf)
  await eventually(() => expect(whole.inFlight()).toBe(1))
  const closing = whole.close()
  gate.open()
  expect(await reading).toBe(PIECE + PIECE)
  await closing

  const late = await startListener(
    { 'GET /events': () => events((async function* never() {
      yield PIECE
      await new Promise(() => {})
    })()) }, { drainMs: 50 })
  const cut = open(late.port).then(textOf)
  cut.catch(() => {})
  await eventually(() => expect(late.inFlight()).toBe(1))
  await late.close()
  await expect(cut).rejects.toThrow('aborted')
})

test('a source that fails cuts the answer off and is logged', async () => {
  const gate = new Gate()
  const listener = await startListener({
    'GET /events': () => events((async function* failing() {
      yield PIECE
      await gate.opened
      throw new Error('out of events')
    })()),
  })
  const response = await open(listener.port)
  await new Promise((resolve) => { response.once('data', resolve) })
  gate.open()
  await expect(textOf(response)).rejects.toThrow('aborted')
  expect(listener.entries.find(({ msg }) => msg === 'stream broken off'))
    .toMatchObject({ level: 'error', message: 'out of events' })
})

test('HEAD gets the headers and no stream', async () => {
  const listener = await startListener({
    'GET /events': () => events((async function* never() {
      yield await new Promise<string>(() => {})
    })()),
  })
  const response = await open(listener.port, 'HEAD')
  expect(response.statusCode).toBe(200)
  expect(response.headers).not.toHaveProperty('content-length')
  expect(await textOf(response)).toBe('')
})
