/** Commands that are sent in one turn of the event loop go to the system in one call. */
import type { Socket } from 'node:net'
import { Cluster, type Redis } from 'ioredis'
import { measures, type Role } from '../measures.ts'
import type { RedisClient } from './connect.ts'

/**
 * A call of the system costs more than a command. The turn ends when every socket that was ready
 * has been read, so a lone command waits for nothing.
 */
export function gatherWrites(client: RedisClient, role?: Role): void {
  eachSocket(client, (socket) => { gather(socket, role) })
}

function eachSocket(client: RedisClient, use: (socket: Socket) => void): void {
  const watch = (node: Redis): void => {
    node.on('connect', () => { use(node.stream as Socket) })
  }
  if (client instanceof Cluster) client.on('+node', watch)
  else watch(client)
}

/** For a client that sends in batches anyway: each write is one. */
export function countWrites(client: RedisClient, role: Role): void {
  eachSocket(client, (socket) => {
    const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
    socket.write = (...given: unknown[]): boolean => {
      measures.roundTrips[role] += 1
      return write(...given)
    }
  })
}

export function gather(socket: Socket, role?: Role): void {
  let isHeld = false
  const release = (): void => {
    isHeld = false
    if (role) measures.roundTrips[role] += 1
    socket.uncork()
  }
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
  socket.write = (...given: unknown[]): boolean => {
    if (!isHeld) {
      isHeld = true
      socket.cork()
      setImmediate(release)
    }
    return write(...given)
  }
}
