import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as aTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { corkSocket } from './connect.ts'

const opened: { destroy?(): unknown, close?(): unknown }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) (one.destroy ?? one.close)?.call(one)
})

/** A socket, how often it called the system, and what arrived at the other end. */
async function openSocket() {
  let received = ''
  const server = createServer((peer) => {
    opened.push(peer)
    peer.on('data', (chunk) => { received += String(chunk) })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  opened.push(server, socket)
  await once(socket, 'connect')
  let calls = 0
  const inside = socket as unknown as Record<'_write' | '_writev', (...given: unknown[]) => void>
  for (const name of ['_write', '_writev'] as const) {
    const original = inside[name].bind(socket)
    inside[name] = (...given) => {
      calls += 1
      original(...given)
    }
  }
  corkSocket(socket)
  return { socket, calls: () => calls, received: () => received }
}

const written = async (socket: Socket): Promise<void> => {
  while (socket.writableLength > 0) await aTurn()
  await aTurn()
}

test('what is written in one turn goes out in one call, in its order', async () => {
  const { socket, calls, received } = await openSocket()
  for (let n = 0; n < 100; n += 1) {
    if (n % 10 === 0) await Promise.resolve()
    socket.write(`${n} `)
  }
  await written(socket)
  expect(calls()).toBe(1)
  const expected = Array.from({ length: 100 }, (_, n) => `${n} `).join('')
  await expect.poll(received).toBe(expected)
})

test('each turn has a call of its own, and a write alone waits for no other', async () => {
  const { socket, calls, received } = await openSocket()
  for (const text of ['a', 'b', 'c']) {
    socket.write(text)
    await written(socket)
  }
  expect(calls()).toBe(3)
  await expect.poll(received).toBe('abc')
})

test('a callback of a write is called, and one on a closed socket gets its error', async () => {
  const { socket } = await openSocket()
  await new Promise<void>((resolve, reject) => {
    socket.write('x', (error) => { if (error) reject(error); else resolve() })
  })
  socket.on('error', () => { /* Looked at through the callback. */ })
  socket.destroy()
  const error = await new Promise((resolve) => { socket.write('y', resolve) })
  expect(error).toBeInstanceOf(Error)
})
