/** A node as `npm start` runs it: the same process, under the bench instead of the supervisor. */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { MallSettings } from '../../src/affiliate/settings.ts'
import { withDeadline } from '../../src/contract/time.ts'
import type { RedisUrls } from '../../src/redis/roles.ts'
import { DRAIN, NODE_OPTIONS, type NodeReport } from '../../src/start/supervisor.ts'
import { askChild, forkScript, type Server } from './processes.ts'

const CLI = fileURLToPath(new URL('../../src/cli.mjs', import.meta.url))
const STOP_MS_MAX = 20_000

export interface NodeServerOptions {
  readonly urls: RedisUrls
  readonly secret: string
  /** 0 for any; one that several nodes share must be given. */
  readonly port?: number
  readonly nodes?: number
  readonly logLevel?: string
  readonly execArgv?: readonly string[]
  /** How long it still serves when it is told to stop; not at all by default. */
  readonly drainNoticeMs?: number
  /** Platforms; none by default. */
  readonly malls?: MallSettings
}

export interface NodeServer extends Server {
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>
}

export async function startNodeServer(options: NodeServerOptions): Promise<NodeServer> {
  const {
    urls, secret, port = 0, nodes = 1, logLevel = 'warn', execArgv = [], malls = {},
    drainNoticeMs = 0,
  } = options
  const child = forkScript({
    file: CLI,
    args: ['node'],
    execArgv: [...NODE_OPTIONS, ...execArgv],
    env: { PORT: String(port), NODES: String(nodes), LOG_LEVEL: logLevel, HOST: '127.0.0.1',
      PUBLIC_URL: 'http://localhost:8080', DRAIN_NOTICE_MS: String(drainNoticeMs) },
  })
  const report = await askChild<NodeReport>(child, { urls, secret, malls })
  if ('failed' in report) throw new Error(`The node did not start: ${report.failed}`)
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    pid: child.pid as number,
    port: report.ready,
    async kill() {
      if (hasEnded()) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      if (hasEnded()) return
      const ended = once(child, 'exit')
      child.send(DRAIN)
      try {
        await withDeadline(ended, STOP_MS_MAX, () => new Error('late'))
      } catch {
        child.kill('SIGKILL')
      }
    },
  }
}
