/** Commands that are sent in one turn of the event loop go to the system in one call. */
import type { Socket } from 'node:net'
import { Cluster, type Redis } from 'ioredis'
import type { RedisClient } from './connect.ts'

/**
 * A call of the system costs more than a command. The turn ends when every socket that was ready
 * has been read, so a lone command waits for nothing.
 */
export function gatherWrites(client: RedisClient): void {
  if (client instanceof Cluster) client.on('+node', gatherOf)
  else gatherOf(client)
}

function gatherOf(client: Redis): void {
  client.on('connect', () => { gather(client.stream as Socket) })
}

export function gather(socket: Socket): void {
  let isHeld = false
  const release = (): void => {
    isHeld = false
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
