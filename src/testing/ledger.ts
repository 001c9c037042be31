/** A ledger of its own, for tests that stop, trim or flood it: the run's Redis is shared. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheDir } from '../config.ts'
import { provisionRedis } from '../dev/redis/provision.ts'
import { startOnFreePort, stopServer, type RunningServer } from '../dev/redis/server.ts'
import { PATIENCE_MS } from './patience.ts'

export interface OwnLedger {
  readonly url: string
  readonly server: RunningServer
  stop(): Promise<void>
}

const PASSWORD = 'one-test-only'

/** With `settings` beyond those of every ledger; a replica names its master. */
export async function startLedger(
  { master, settings = '' }: { master?: OwnLedger, settings?: string } = {},
): Promise<OwnLedger> {
  const directory = await mkdtemp(join(tmpdir(), 'agentmall-ledger-'))
  const { server: program } = await provisionRedis({ cacheDir: cacheDir() })
  const common = await readFile(new URL('../../config/redis.conf', import.meta.url), 'utf8')
  const replication = master
    ? `masterauth ${PASSWORD}\nreplicaof 127.0.0.1 ${master.server.port}` : ''
  const server = await startOnFreePort({
    program, directory, password: PASSWORD, readyWithinMs: PATIENCE_MS,
    settings: `${common}\n${replication}\n${settings}`,
  })
  return {
    url: `redis://:${PASSWORD}@127.0.0.1:${server.port}`,
    server,
    async stop() {
      process.kill(server.pid, 'SIGCONT')
      await stopServer(server, ['SHUTDOWN', 'NOSAVE'])
      await rm(directory, { recursive: true, force: true })
    },
  }
}
