/** Transactions on a cluster whose slots move, against masters that a test plays. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { openRedis } from './connect.ts'
import { slotOf } from './send.ts'

const opened: { destroy?(): unknown, close?(): unknown }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) (one.destroy ?? one.close)?.call(one)
})

async function listen(serve: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    opened.push(socket)
    serve(socket.on('error', () => undefined))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(server)
  return server
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`

/** Reads commands off a connection; each is answered with what `answer` makes of its words. */
function speak(socket: Socket, answer: (words: string[]) => string): void {
  let received = ''
  socket.on('data', (chunk) => {
    received += String(chunk)
    for (;;) {
      const lines = received.split('\r\n')
      const count = Number(lines[0]?.slice(1)) * 2 + 1
      if (!(lines.length > count)) return
      const words = lines.slice(1, count).filter((_, at) => at % 2 === 1)
      received = lines.slice(count).join('\r\n')
      socket.write(answer(words))
    }
  })
}

/** Serves every key, and sends transactions on to a master that nobody can reach. */
function openMaster(state: { movesLeft: number, others: () => number[] }): Promise<Server> {
  const server = listen((socket) => {
    let queued: string[][] | undefined
    let isRefused = false
    speak(socket, (words) => {
      const [name = '', key = ''] = words
      switch (name.toLowerCase()) {
        case 'cluster': return key.toLowerCase() === 'info' ? bulk('cluster_state:ok')
          : slots(socket.localPort ?? 0, state.others())
        case 'info': return bulk('loading:0')
        case 'get': return bulk(key)
        case 'multi':
          queued = []
          isRefused = state.movesLeft > 0
          state.movesLeft -= 1
          return '+OK\r\n'
        case 'exec': {
          const replies = (queued ?? []).map(([, of = '']) => bulk(of))
          queued = undefined
          return isRefused ? '-EXECABORT Transaction discarded because of previous errors.\r\n'
            : `*${replies.length}\r\n${replies.join('')}`
        }
        default:
          if (!queued) return '+OK\r\n'
          if (isRefused) return `-MOVED ${slotOf(key)} 127.0.0.1:1\r\n`
          queued.push(words)
          return '+QUEUED\r\n'
      }
    })
  })
  return server
}

/** The first of them holds most, and the others a slot each. */
function slots(port: number, others: readonly number[]): string {
  const range = (from: number, to: number, at: number): string =>
    `*3\r\n:${from}\r\n:${to}\r\n*3\r\n${bulk('127.0.0.1')}:${at}\r\n${bulk(`id${at}`)}`
  const ranges = others.map((at, index) => range(index, index, at))
  return `*${ranges.length + 1}\r\n${ranges.join('')}${range(others.length, 16_383, port)}`
}

test('a transaction that is sent on to a master nobody knows mixes up no replies', async () => {
  const silent = await Promise.all([1, 2].map(() => listen(() => undefined)))
  const state = { movesLeft: 0, others: () => silent.map(portOf) }
  const master = await openMaster(state)
  const url = [master, ...silent].map((one) => `redis://127.0.0.1:${portOf(one)}`).join(',')
  const client = openRedis(url, createLogger('silent'))
  opened.push({ close: () => client.disconnect() })
  // At once, while the silent ones are still being connected to.
  await expect.poll(() => client.status, { interval: 5 }).toBe('ready')
  const read = async (key: string) => {
    const [transaction, value] = await Promise.all([
      client.multi().hget(key, 'field').hget(`${key}2`, 'field').exec(), client.get(key),
    ])
    return { transaction, value }
  }
  const keys = Array.from({ length: 12 }, (_, at) => `key{x}${at}`)
  for (let round = 0; round < 6; round += 1) {
    state.movesLeft = 12
    expect(await Promise.all(keys.map(read))).toEqual(keys.map((key) =>
      ({ transaction: [[null, key], [null, `${key}2`]], value: key })))
  }
})
