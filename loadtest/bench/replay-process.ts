/**
 * Sends Redis commands over many connections, one at a time on each, as redis-benchmark does, but
 * each command another one. A process of its own, so that nothing else delays it.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { monotonicMs } from '../../src/contract/time.ts'
import { quantile } from './rounds.ts'
import {
  encodeCommand, isExpected, type ReplayOrders, type ReplayResult, valueEnd,
} from './replay.ts'

process.once('disconnect', () => process.exit(0))
const [orders] = await once(process, 'message') as [ReplayOrders]
process.send?.(await replay(orders))

async function replay({ connections, seconds, file, expected, repeats, ...at }: ReplayOrders) {
  const commands = readCommands(file)
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(at)))
  const latencies: number[] = []
  let [next, wrong] = [0, 0]
  const start = monotonicMs()
  const end = start + seconds * 1000
  let last = start
  await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => {
    let [sentAt, held] = [0, Buffer.alloc(0)]
    const send = (): void => {
      const command = commands[repeats ? next % commands.length : next]
      if (command === undefined || sentAt >= end) return resolve()
      next += 1
      sentAt = monotonicMs()
      socket.write(command)
    }
    socket.on('close', () => resolve())
    socket.on('data', (chunk) => {
      const reply = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      if (valueEnd(reply, 0) < 0) {
        held = reply
        return
      }
      if (held.length > 0) held = Buffer.alloc(0)
      last = monotonicMs()
      latencies.push(last - sentAt)
      if (!isExpected(reply, expected)) wrong += 1
      // An answer that came after the end counts with the time that it took.
      sentAt = last
      send()
    })
    send()
  })))
  for (const socket of sockets) socket.destroy()
  const result: ReplayResult = {
    answers: latencies.length, wrong, elapsedMs: last - start,
    p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99),
  }
  return result
}

/** The file is what would be sent: commands one behind the other. */
function readCommands(file: string): Buffer[] {
  const bytes = readFileSync(file)
  const commands: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = valueEnd(bytes, at)
    commands.push(bytes.subarray(at, end))
    at = end
  }
  return commands
}

async function open(
  { port, username, password }: Pick<ReplayOrders, 'port' | 'username' | 'password'>,
): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  socket.write(encodeCommand(['AUTH', username, password]))
  await once(socket, 'data')
  return socket
}
