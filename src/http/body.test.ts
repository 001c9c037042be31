import { describe, expect, test } from 'vitest'
import { Gate, startListener } from '../testing/listener.ts'
import { ask, openRaw, request } from '../testing/raw.ts'
import { Body, BODY_BYTES_MAX } from './body.ts'
import type { Handler, HttpRequest } from '../contract/http.ts'

const lengthOf: Handler = async (incoming) =>
  ({ status: 200, body: String((await incoming.body()).length) })
const echo: Handler = async (incoming) => ({ status: 200, body: await incoming.body() })
const errorOf = (body: string): unknown => JSON.parse(body).data.error

const chunk = (text: string | Buffer): string => `${text.length.toString(16)}\r\n${text}\r\n`
const CHUNKED = ['Transfer-Encoding: chunked']
const announced = (bytes: number): string[] => [`Content-Length: ${bytes}`]

describe('a body', () => {
  test('arrives whole, however it is segmented', async () => {
    const { port } = await startListener({ 'POST /echo': echo })
    const text = '{"name":"手机","n":[1,2,3]}'.repeat(30)
    const bytes = Buffer.from(text)
    for (const size of [1, 2, 7, 100, bytes.length]) {
      const byLength = await openRaw(port)
      const byChunks = await openRaw(port)
      await byLength.write(request('POST /echo', announced(bytes.length)))
      await byChunks.write(request('POST /echo', CHUNKED))
      for (let at = 0; at < bytes.length; at += size) {
        const piece = bytes.subarray(at, at + size)
        await byLength.write(piece)
        await byChunks.write(chunk(piece.toString('latin1')))
      }
      await byChunks.write('0\r\n\r\n')
      expect((await byLength.answer()).body).toBe(text)
      expect((await byChunks.answer()).body).toBe(text)
    }
  })

  test('is empty where none is sent, and may be asked for twice', async () => {
    const { port } = await startListener({
      'POST /twice': async (incoming) => {
        const both = await Promise.all([incoming.body(), incoming.body()])
        return { status: 200, body: `${both[0]}|${both[1]}|${await incoming.body()}` }
      },
    })
    expect((await ask(port, 'POST /twice')).body).toBe('||')
    expect((await ask(port, 'POST /twice', announced(0))).body).toBe('||')
    expect((await ask(port, 'POST /twice', CHUNKED, '0\r\n\r\n')).body).toBe('||')
    expect((await ask(port, 'POST /twice', announced(2), 'ab')).body).toBe('ab|ab|ab')
  })

  test('that comes with its head is at hand for its handler, and waits for nothing', async () => {
    const { port, inFlight } = await startListener({
      'POST /now': (incoming) => {
        const body = incoming.body()
        return { status: 200, body: `${Buffer.isBuffer(body)} ${inFlight()} ${String(body)}` }
      },
    })
    for (const text of ['once', 'twice']) {
      const { body } = await ask(port, 'POST /now', announced(text.length), text)
      expect(body).toBe(`true 0 ${text}`)
    }
  })

  test('is not waited for by a handler that needs none of it', async () => {
    const { port } = await startListener({
      'POST /any': () => ({ status: 200, body: 'answered' }),
    })
    const client = await openRaw(port)
    await client.write(request('POST /any', announced(4)))
    expect((await client.answer()).body).toBe('answered')
  })

  test('is kept for a handler that reads it late', async () => {
    const gate = new Gate()
    const { port } = await startListener({
      'POST /later': async (incoming) => {
        await gate.opened
        return { status: 200, body: await incoming.body() }
      },
    })
    const client = await openRaw(port)
    await client.write(request('POST /later', announced(4)) + 'kept')
    await ask(port, 'GET /nowhere')
    gate.open()
    expect((await client.answer()).body).toBe('kept')
  })

  test('does not disturb the next request when nobody reads it', async () => {
    const { port } = await startListener({ 'GET /hello': () => ({ status: 200, body: 'hello' }) })
    const client = await openRaw(port)
    await client.write(request('POST /nowhere', announced(5)) + 'GET /')
    expect((await client.answer()).status).toBe(404)
    await client.write(request('GET /hello', announced(5)) + 'GET /')
    expect((await client.answer()).body).toBe('hello')
    await client.write(request('GET /hello'))
    expect((await client.answer()).body).toBe('hello')
  })
})

describe('64 KiB', () => {
  const exact = 'x'.repeat(BODY_BYTES_MAX)

  test('pass, by length and in chunks', async () => {
    const { port } = await startListener({ 'POST /length': lengthOf })
    expect((await ask(port, 'POST /length', announced(65_536), exact)).body).toBe('65536')
    const half = exact.slice(32_768)
    const body = `${chunk(half)}${chunk(half)}0\r\n\r\n`
    expect((await ask(port, 'POST /length', CHUNKED, body)).body).toBe('65536')
  })

  test('and one byte more are 413, by length and in chunks', async () => {
    const { port } = await startListener({ 'POST /length': lengthOf })
    const byLength = await ask(port, 'POST /length', announced(65_537), `${exact}x`)
    const chunks = `${chunk(exact)}${chunk('x')}0\r\n\r\n`
    const byChunks = await ask(port, 'POST /length', CHUNKED, chunks)
    for (const { status, body, client } of [byLength, byChunks]) {
      expect([status, errorOf(body)]).toEqual([413, 'too_large'])
      // All of it has come, so the connection is as good as before.
      await client.write(request('POST /length', announced(2)) + 'ab')
      expect((await client.answer()).body).toBe('2')
    }
  })

  test('passed by far are answered 413 while the client still sends, and the end', async () => {
    const { port } = await startListener({ 'POST /length': lengthOf })
    const megabytes = await ask(port, 'POST /length', announced(50_000_000), 'first')
    expect([megabytes.status, megabytes.headers['connection']]).toEqual([413, 'close'])
    await megabytes.client.closed()
    const endless = await openRaw(port)
    await endless.write(request('POST /length', CHUNKED))
    const piece = chunk('x'.repeat(60_000))
    for (let sent = 0; sent < 20 && !endless.rest; sent++) await endless.write(piece)
    const { status, headers } = await endless.answer()
    expect([status, headers['connection']]).toEqual([413, 'close'])
    await endless.closed()
  })
})

describe('a slow body', () => {
  test('is answered 400 at its deadline, and the connection closes', async () => {
    const { port, entries } = await startListener({ 'POST /echo': echo }, { bodyDeadlineMs: 100 })
    for (const [lines, part] of [[announced(9), 'slow'], [CHUNKED, chunk('slow')]] as const) {
      const { status, headers, body, client } = await ask(port, 'POST /echo', lines, part)
      expect([status, errorOf(body)]).toEqual([400, 'invalid_request'])
      expect(headers['connection']).toBe('close')
      expect(body).toContain('too slowly')
      await client.closed()
    }
    expect(entries.map(({ status }) => status)).toEqual([400, 400])
  })

  test('that is also too large is answered 413', async () => {
    const { port } = await startListener({ 'POST /echo': echo }, { bodyDeadlineMs: 100 })
    const { status } = await ask(port, 'POST /echo', announced(90_000), 'x'.repeat(70_000))
    expect(status).toBe(413)
  })
})

describe('a client that disconnects in the middle of its body', () => {
  test.each(['reads it', 'asks for it only later'])(
    'ends the handler that %s, and nothing else', async (when) => {
      const [arrived, gate] = [new Gate(), new Gate()]
      let seen: HttpRequest | undefined
      let outcome: Promise<unknown> | undefined
      const { port, inFlight, entries } = await startListener({
        'POST /echo': async (incoming) => {
          seen = incoming
          arrived.open()
          if (when !== 'reads it') await gate.opened
          outcome = Promise.resolve(incoming.body()).catch((error: unknown) => error)
          await outcome
          return { status: 200 }
        },
      })
      const client = await openRaw(port)
      await client.write(request('POST /echo', announced(100)) + 'half')
      await arrived.opened
      client.destroy()
      await expect.poll(inFlight).toBe(0)
      gate.open()
      await expect.poll(() => outcome).toBeDefined()
      expect(await outcome).toBeInstanceOf(Error)
      expect(seen?.signal.aborted).toBe(true)
      expect(entries).toMatchObject([{ level: 'info', status: 499 }])
    },
  )

  test('does not end the process when the handler no longer waits for it', async () => {
    const rejections: unknown[] = []
    const keep = (reason: unknown): void => { rejections.push(reason) }
    process.on('unhandledRejection', keep)
    try {
      const { port, inFlight } = await startListener({
        'POST /echo': async (incoming) => {
          void incoming.body()
          await new Promise(() => {})
          return { status: 200 }
        },
      }, { requestDeadlineMs: 200 })
      const client = await openRaw(port)
      await client.write(request('POST /echo', announced(100)) + 'half')
      await expect.poll(inFlight).toBe(1)
      client.destroy()
      await expect.poll(inFlight).toBe(0)
      expect((await ask(port, 'GET /nowhere')).status).toBe(404)
      expect(rejections).toEqual([])
    } finally {
      process.off('unhandledRejection', keep)
    }
  })
})

test('65,536 chunks of one byte are put together in order', async () => {
  const body = new Body(undefined)
  const sent = Buffer.from(Array.from({ length: BODY_BYTES_MAX }, (_, at) => at * 7 % 251))
  for (const [at, byte] of sent.entries()) {
    body.add(new Uint8Array([byte]).buffer, at === sent.length - 1)
  }
  expect((await body.read()).equals(sent)).toBe(true)
})
