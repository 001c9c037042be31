/** A shelf of a test's own with replicas: tests kill, stop, cut off and promote them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { cacheDir } from '../config.ts'
import { provisionRedis, shelfSettings } from '../dev/redis/provision.ts'
import { ask, startOnFreePort, stopServer, type RunningServer } from '../dev/redis/server.ts'
import { resume } from './cluster.ts'
import { PATIENCE_MS } from './patience.ts'

export interface OwnShelf {
  readonly url: string
  readonly server: RunningServer
  /** As `host:port`, by which metrics name it. */
  readonly name: string
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void
  /** Follows another one, or with none nobody: then it takes writes. */
  follow(master: OwnShelf | 'nobody' | 'nothing that answers'): Promise<void>
  /** FT.SEARCH commands that it has answered. */
  searches(): Promise<number>
  stop(): Promise<void>
}

const PASSWORD = 'one-test-only'
/** Nobody listens there. */
const DEAD_PORT = '1'

export async function startShelf({ master }: { master?: OwnShelf } = {}): Promise<OwnShelf> {
  const directory = await mkdtemp(join(tmpdir(), 'agentmall-shelf-'))
  const redis = await provisionRedis({ cacheDir: cacheDir() })
  const following = master ? `replicaof 127.0.0.1 ${master.server.port}` : ''
  const server = await startOnFreePort({
    program: redis.server, directory, password: PASSWORD, readyWithinMs: PATIENCE_MS,
    settings: `${shelfSettings(redis)}\nmasterauth ${PASSWORD}\n${following}\n`,
  })
  const run = (work: (redis: Redis) => Promise<unknown>): Promise<unknown> =>
    ask(server, work, PATIENCE_MS)
  return {
    url: `redis://:${PASSWORD}@127.0.0.1:${server.port}`,
    server,
    name: `127.0.0.1:${server.port}`,
    signal: (name) => { process.kill(server.pid, name) },
    async follow(other) {
      await run((redis) => other === 'nobody' ? redis.replicaof('NO', 'ONE')
        : redis.replicaof('127.0.0.1', typeof other === 'object'
          ? String(other.server.port) : DEAD_PORT))
    },
    async searches() {
      const stats = await run((redis) => redis.info('commandstats')) as string
      return Number(/cmdstat_FT\.SEARCH:calls=(\d+)/i.exec(stats)?.[1] ?? 0)
    },
    async stop() {
      resume(server.pid)
      await stopServer(server, ['SHUTDOWN', 'NOSAVE'])
      await rm(directory, { recursive: true, force: true })
    },
  }
}
