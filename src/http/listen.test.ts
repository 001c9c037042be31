import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Gate, startListener } from '../testing/listener.ts'
import { ask, openRaw, request } from '../testing/raw.ts'
import { portIsFree } from './port.ts'
import type { Handler } from '../contract/http.ts'

const hello: Handler = () => ({ status: 200, body: 'hello' })

/** A handler that waits, and what lets it go on. */
function waiting(): { gate: Gate, arrived: Gate, routes: Record<string, Handler> } {
  const [gate, arrived] = [new Gate(), new Gate()]
  return {
    gate,
    arrived,
    routes: {
      'GET /hello': hello,
      'GET /slow': async () => {
        arrived.open()
        await gate.opened
        return { status: 200, body: 'slow' }
      },
    },
  }
}

describe('draining', () => {
  test('answers what is in flight and what comes on old connections, and says close', async () => {
    const { gate, arrived, routes } = waiting()
    const { port, stopAccepting, close, inFlight } = await startListener(routes)
    const slow = await openRaw(port)
    const old = await openRaw(port)
    await old.write(request('GET /hello'))
    expect((await old.answer()).headers['connection']).toBeUndefined()
    await slow.write(request('GET /slow'))
    await arrived.opened
    stopAccepting()
    await expect(openRaw(port)).rejects.toThrow('ECONNREFUSED')

    let isClosed = false
    const closing = close().then(() => { isClosed = true })
    await old.write(request('GET /hello'))
    const answer = await old.answer()
    expect([answer.status, answer.headers['connection']]).toEqual([200, 'close'])
    await old.closed()
    expect([isClosed, inFlight()]).toEqual([false, 1])
    gate.open()
    const last = await slow.answer()
    expect([last.body, last.headers['connection']]).toEqual(['slow', 'close'])
    await closing
  })

  test('does not cut a large answer that the client is still taking', async () => {
    const size = 12_000_000
    const { port, close, inFlight } = await startListener({
      'GET /large': () => ({ status: 200, body: Buffer.alloc(size, 'a') }),
      'GET /text': async () => ({ status: 200, body: 'b'.repeat(size) }),
    })
    const clients = [await openRaw(port), await openRaw(port)]
    for (const [at, path] of ['/large', '/text'].entries()) {
      clients[at]?.socket.pause()
      await clients[at]?.write(request(`GET ${path}`))
    }
    await expect.poll(inFlight).toBe(2)
    const closing = close()
    for (const client of clients) client.socket.resume()
    const bodies = [await clients[0]?.answer(), await clients[1]?.answer()]
    expect(bodies.map((answer) => answer?.body.length)).toEqual([size, size])
    await closing
  })

  test('closes idle connections as soon as nothing is in flight', async () => {
    const { port, close } = await startListener({ 'GET /hello': hello }, { drainMs: 60_000 })
    const { client } = await ask(port, 'GET /hello')
    await close()
    await client.closed()
    expect(client.rest).toBe('')
  })

  test('ends at its limit: what is left is answered 503, and every connection closed', async () => {
    const { arrived, routes } = waiting()
    const { port, close } = await startListener(routes, { drainMs: 50 })
    const client = await openRaw(port)
    await client.write(request('GET /slow'))
    await arrived.opened
    await close()
    const { status, headers } = await client.answer()
    expect([status, headers['connection']]).toEqual([503, 'close'])
    await client.closed()
  })

  test('gives notice first: it serves everybody, and says close', async () => {
    const { port, close } = await startListener({ 'GET /hello': hello }, { drainNoticeMs: 1500 })
    const old = await openRaw(port)
    const closing = close()
    await old.write(request('GET /hello'))
    const answers = [await old.answer(), await ask(port, 'GET /hello')]
    expect(answers.map(({ status, headers }) => [status, headers['connection']]))
      .toEqual([[200, 'close'], [200, 'close']])
    await closing
    await expect(openRaw(port)).rejects.toThrow('ECONNREFUSED')
  })

  test('may be asked for several times', async () => {
    const { close, stopAccepting, port } = await startListener({ 'GET /hello': hello })
    stopAccepting()
    stopAccepting()
    await Promise.all([close(), close()])
    await close()
    stopAccepting()
    expect(await portIsFree('127.0.0.1', port)).toBe(true)
  })
})

async function otherProgram(): Promise<{ port: number, stop: () => Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = (): Promise<void> => new Promise((resolve) => { server.close(() => resolve()) })
  onTestFinished(stop)
  return { port: (server.address() as { port: number }).port, stop }
}

describe('the port', () => {
  test('that another program has is reported by its number', async () => {
    const { port } = await otherProgram()
    expect(await portIsFree('127.0.0.1', port)).toBe(false)
    for (const isShared of [false, true]) {
      await expect(startListener({}, { port, isShared })).rejects.toThrow(`Port ${port} is in use`)
    }
  })

  test('is had alone, unless both share it', async () => {
    const alone = await startListener({ 'GET /hello': hello })
    for (const isShared of [false, true]) {
      await expect(startListener({}, { port: alone.port, isShared }))
        .rejects.toThrow(`Port ${alone.port} is in use`)
    }
    // A port that the system chooses (0) is never shared.
    const { port, stop } = await otherProgram()
    await stop()
    const shared = await startListener({ 'GET /hello': hello }, { port, isShared: true })
    await expect(startListener({}, { port: shared.port })).rejects.toThrow('is in use')
    expect(await portIsFree('127.0.0.1', shared.port)).toBe(false)
    const second = await startListener({ 'GET /hello': hello }, {
      port: shared.port, isShared: true,
    })
    expect(second.port).toBe(shared.port)
    await shared.close()
    expect((await ask(second.port, 'GET /hello')).body).toBe('hello')
    await second.close()
    expect(await portIsFree('127.0.0.1', shared.port)).toBe(true)
  })

  test('on an address that is not ours is refused in one sentence', async () => {
    await expect(startListener({}, { host: '192.0.2.1', port: 8080 }))
      .rejects.toThrow('Cannot listen on 192.0.2.1 port 8080: this machine does not have')
  })

  test('on the unspecified address serves IPv4, and spells its clients plainly', async () => {
    const { port } = await startListener({
      'GET /address': ({ address }) => ({ status: 200, body: address }),
    }, { host: '::' })
    expect((await ask(port, 'GET /address')).body).toBe('127.0.0.1')
  })
})
