/** A small server through which a script in k6 disturbs the nodes, and learns when it happened. */
import { exec } from 'node:child_process'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { monotonicMs, nowMs } from '../../src/contract/time.ts'
import type { Disturbance } from '../k6/control.ts'

export type Disturbances = Readonly<Partial<Record<Disturbance, () => Promise<void>>>>

export interface Happened {
  readonly name: string
  /** Seconds since the epoch. */
  readonly at: number
}

export interface DisturbanceServer {
  readonly url: string
  readonly happened: readonly Happened[]
  close(): Promise<void>
}

export async function serveDisturbances(disturbances: Disturbances): Promise<DisturbanceServer> {
  const happened: Happened[] = []
  let killedMs: number | undefined

  async function apply(name: string): Promise<number> {
    const cause = disturbances[name as Disturbance]
    if (!cause) return 404
    await cause()
    if (name === 'kill') killedMs = monotonicMs()
    happened.push({ name, at: nowMs() / 1000 })
    return 204
  }

  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1)
    if (name === 'since-kill') {
      response.end(JSON.stringify(killedMs === undefined ? null : monotonicMs() - killedMs))
      return
    }
    apply(name).then((status) => response.writeHead(status).end(),
      () => response.writeHead(500).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    happened,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** For a service elsewhere: a command of the person who runs it does it. */
export const disturbancesBy = (command: string): Disturbances => {
  const run = async (name: Disturbance): Promise<void> => {
    await promisify(exec)(`${command} ${name}`, { timeout: 55_000, killSignal: 'SIGKILL' })
  }
  return { drain: () => run('drain'), kill: () => run('kill'), slow: () => run('slow') }
}
