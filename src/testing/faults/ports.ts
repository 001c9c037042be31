/** Ports that stay free between a process's end and its next start. */
import { randomInt } from 'node:crypto'
import { freePort } from '../../redis/server.ts'

/** Below those that systems give to outgoing connections. */
const [PORT_MIN, PORT_MAX] = [15_000, 32_000]
const given = new Set<number>()

export async function keptPort(): Promise<number> {
  for (;;) {
    const wanted = randomInt(PORT_MIN, PORT_MAX)
    if (given.has(wanted)) continue
    given.add(wanted)
    if (await freePort(wanted) === wanted) return wanted
  }
}
