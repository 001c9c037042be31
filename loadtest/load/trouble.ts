/** A small server through which a script in k6 has trouble made, and learns when it came. */
import { exec } from 'node:child_process'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { monotonicMs, nowMs } from '../../src/contract/time.ts'
import type { Trouble } from '../k6/control.ts'

export type Troubles = Readonly<Partial<Record<Trouble, () => Promise<void>>>>

export interface Happened {
  readonly trouble: string
  /** Seconds since the epoch. */
  readonly at: number
}

export interface TroubleServer {
  readonly url: string
  readonly happened: readonly Happened[]
  close(): Promise<void>
}

export async function serveTroubles(troubles: Troubles): Promise<TroubleServer> {
  const happened: Happened[] = []
  let killedMs: number | undefined

  async function make(trouble: string): Promise<number> {
    const cause = troubles[trouble as Trouble]
    if (!cause) return 404
    await cause()
    if (trouble === 'kill') killedMs = monotonicMs()
    happened.push({ trouble, at: nowMs() / 1000 })
    return 204
  }

  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1)
    if (name === 'since-kill') {
      response.end(JSON.stringify(killedMs === undefined ? null : monotonicMs() - killedMs))
      return
    }
    make(name).then((status) => response.writeHead(status).end(),
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

/** For a service elsewhere: a command of the person who runs it makes the trouble. */
export const troublesBy = (command: string): Troubles => {
  const run = async (trouble: Trouble): Promise<void> => {
    await promisify(exec)(`${command} ${trouble}`, { timeout: 55_000, killSignal: 'SIGKILL' })
  }
  return { drain: () => run('drain'), kill: () => run('kill'), slow: () => run('slow') }
}
