import { describe, expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { Gate, startListener } from '../testing/listener.ts'
import { ask, openRaw, request } from '../testing/raw.ts'
import type { Handler, HttpReply } from '../contract/http.ts'

const text = (body: string): HttpReply =>
  ({ status: 200, headers: [['Content-Type', 'text/plain']], body })
const hello: Handler = () => text('hello')
const errorOf = (body: string): unknown => JSON.parse(body).data.error

describe('an answer', () => {
  test('carries status, headers, length, body, an id and nosniff, and no server name', async () => {
    const { port } = await startListener({
      'GET /made': async () => ({ status: 201, headers: [['X-Made', 'yes']], body: '中文' }),
    })
    const { status, headers, body, head } = await ask(port, 'GET /made')
    expect([status, body]).toEqual([201, '中文'])
    expect(headers).toMatchObject({
      'x-made': 'yes', 'content-length': '6', 'x-content-type-options': 'nosniff',
    })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(head).not.toMatch(/uwebsockets|server:/i)
  })

  test('may be a buffer of any kind, sent as it is', async () => {
    const whole = Buffer.from('before middle after')
    const { port } = await startListener({
      'GET /part': () => ({ status: 200, body: whole.subarray(7, 13) }),
      'GET /none': () => ({ status: 202 }),
    })
    expect((await ask(port, 'GET /part')).body).toBe('middle')
    const none = await ask(port, 'GET /none')
    expect([none.status, none.headers['content-length']]).toEqual([202, '0'])
  })

  test('cannot be split by what stands in a header value or name', async () => {
    const { port } = await startListener({
      'GET /split': () => ({
        status: 302,
        headers: [
          ['Location', '/go\r\nSet-Cookie: stolen=1\r\n\r\n<html>\0\u007f中'],
          ['X-Bad\r\nX-Worse', 'a'], ['Content-Length', '9999'], ['', 'empty'],
          ['transfer-encoding', 'chunked'], ['X-Good', 'tab\tand space'],
        ],
        body: 'whole',
      }),
    })
    const { headers, head, body } = await ask(port, 'GET /split')
    expect(head.toLowerCase()).not.toMatch(/\r\n(set-cookie|x-bad|x-worse|transfer-encoding)/)
    expect(headers['location']).toBe('/go??Set-Cookie: stolen=1????<html>???')
    expect([headers['content-length'], headers['x-good'], body])
      .toEqual(['5', 'tab\tand space', 'whole'])
  })

  test('to HEAD is the one to GET without its body, also from POST-only paths a 405', async () => {
    const { port } = await startListener({
      'GET /hello': ({ method }) => text(`${method} `.repeat(20_000)), 'POST /make': hello,
    })
    const get = await ask(port, 'GET /hello')
    const head = await ask(port, 'HEAD /hello')
    expect(get.body.startsWith('GET GET')).toBe(true)
    const { 'x-request-id': _, ...same } = get.headers
    expect(head.headers).toMatchObject({ ...same, date: expect.any(String) })
    // The connection is in step: the next answer is not the rest of this one.
    await head.client.write(request('GET /nowhere'))
    expect((await head.client.answer()).status).toBe(404)
    expect((await ask(port, 'HEAD /make')).status).toBe(405)
  })

  test.each([204, 304])('with status %i has neither body nor length', async (status) => {
    const { port } = await startListener({ 'GET /bare': () => ({ status, body: 'never' }) })
    const { headers, client } = await ask(port, 'GET /bare')
    expect(headers['content-length']).toBeUndefined()
    await client.write(request('GET /nowhere'))
    expect((await client.answer()).status).toBe(404)
  })

  test('comes once for every request of a connection, also for those sent together', async () => {
    const { port } = await startListener({ 'GET /n/:n': ({ params }) => text(params['n'] ?? '') })
    const client = await openRaw(port)
    await client.write(['/n/1', '/nowhere', '/n/2'].map((path) => request(`GET ${path}`)).join(''))
    const bodies = [await client.answer(), await client.answer(), await client.answer()]
    expect(bodies.map(({ status }) => status)).toEqual([200, 404, 200])
    expect(bodies[2]?.body).toBe('2')
  })
})

describe('a handler that fails', () => {
  const failures: Record<string, Handler> = {
    'GET /sync': () => { throw new TypeError('inside') },
    'GET /async': () => Promise.reject(new TypeError('inside')),
    'GET /refused': async () => { throw new Refusal('out_of_stock', { left: 2 }) },
    'GET /thrown-text': () => { throw 'text' }, // oxlint-disable-line no-throw-literal
    'GET /nothing': (() => undefined) as unknown as Handler,
    'GET /no-status': async () => ({} as HttpReply),
    'GET /odd-status': () => ({ status: 7 }),
    'GET /odd-body': () => ({ status: 200, body: { a: 1 } as unknown as string }),
    'GET /odd-headers': () => ({ status: 200, headers: 5 as unknown as [] }),
  }

  test.each(Object.keys(failures).filter((route) => route !== 'GET /refused'))(
    '%s answers 500 in our words, and the process goes on', async (route) => {
      const { port, entries } = await startListener(failures)
      const { status, body, client } = await ask(port, route)
      expect(status).toBe(500)
      expect(errorOf(body)).toBe('internal')
      expect(body).not.toContain('inside')
      expect(entries.filter(({ level }) => level === 'error')).toHaveLength(1)
      await client.write(request('GET /nowhere'))
      expect((await client.answer()).status).toBe(404)
    },
  )

  test('on purpose is answered as its refusal says', async () => {
    const { port, entries } = await startListener(failures)
    const { status, body } = await ask(port, 'GET /refused')
    expect(status).toBe(409)
    expect(JSON.parse(body).data).toMatchObject({ error: 'out_of_stock', left: 2 })
    expect(entries.every(({ level }) => level === 'info')).toBe(true)
  })

  test.each([
    ['throws', () => { throw new Error('twice') }],
    ['returns nothing', () => undefined as unknown as HttpReply],
  ])('is answered 500 even where making its answer %s', async (_, onError) => {
    const { port } = await startListener(failures, { onError })
    expect((await ask(port, 'GET /async')).status).toBe(500)
    expect((await ask(port, 'GET /sync')).status).toBe(500)
    expect((await ask(port, 'GET /nowhere')).status).toBe(500)
  })

  test('leaves no message of a parser and no command of a client in the log', async () => {
    const { port, entries } = await startListener({
      'GET /json': async () => JSON.parse('phone 13800138000'),
      'GET /redis': async () => {
        throw Object.assign(new Error('ERR'), { command: { args: ['13800138000'] } })
      },
    })
    await ask(port, 'GET /json')
    await ask(port, 'GET /redis')
    expect(entries.filter(({ level }) => level === 'error')).toHaveLength(2)
    expect(JSON.stringify(entries)).not.toContain('13800138000')
  })
})

describe('the deadline', () => {
  test('answers 503, aborts the signal, and drops what comes later', async () => {
    const gate = new Gate()
    let signal: AbortSignal | undefined
    const ends: Record<string, () => HttpReply> = {
      reply: () => text('late'), error: () => { throw new Error('late') },
    }
    const { port, inFlight, entries } = await startListener({
      'GET /late/:end': async (incoming) => {
        ;({ signal } = incoming)
        await gate.opened
        return ends[incoming.params['end'] ?? '']?.() ?? text('')
      },
    }, { requestDeadlineMs: 100 })
    const reply = await ask(port, 'GET /late/reply')
    const error = await ask(port, 'GET /late/error')
    expect([reply.status, error.status]).toEqual([503, 503])
    expect(errorOf(reply.body)).toBe('unavailable')
    expect(signal?.aborted).toBe(true)
    gate.open()
    expect(inFlight()).toBe(0)
    for (const { client } of [reply, error]) {
      await client.write(request('GET /nowhere'))
      expect((await client.answer()).status).toBe(404)
      expect(client.rest).toBe('')
    }
    expect(entries.map(({ level }) => level)).not.toContain('error')
  })
})

describe('a client that disconnects', () => {
  test('while its handler works aborts the signal; the answer is dropped', async () => {
    const [arrived, gate, done] = [new Gate(), new Gate(), new Gate()]
    let signals: AbortSignal[] = []
    const { port, inFlight, entries } = await startListener({
      'GET /slow': async (incoming) => {
        const early = incoming.signal
        arrived.open()
        await gate.opened
        signals = [early, incoming.signal]
        done.open()
        return text(incoming.address)
      },
    })
    const client = await openRaw(port)
    await client.write(request('GET /slow'))
    await arrived.opened
    expect(inFlight()).toBe(1)
    client.destroy()
    await expect.poll(inFlight).toBe(0)
    gate.open()
    await done.opened
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    expect(entries).toMatchObject([
      { level: 'info', status: 499, route: '/slow', bytes: 0, address: '127.0.0.1' },
    ])
    expect((await ask(port, 'GET /nowhere')).status).toBe(404)
  })

  test('while it takes a large answer frees what waited for it', async () => {
    const { port, inFlight } = await startListener({
      'GET /large': () => ({ status: 200, body: Buffer.alloc(30_000_000) }),
    })
    const client = await openRaw(port)
    client.socket.pause()
    await client.write(request('GET /large'))
    await expect.poll(inFlight).toBe(1)
    client.destroy()
    await expect.poll(inFlight).toBe(0)
  })
})
