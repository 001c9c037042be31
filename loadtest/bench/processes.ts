/**
 * Processes that the bench starts: nodes as `npm start` runs them, servers that they are compared
 * with, programs; each forked with a channel, pinned to cores, watched, ended.
 */
import { type ChildProcess, execFile, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { MallSettings } from '../../src/affiliate/settings.ts'
import { cacheDir } from '../../src/config.ts'
import { withDeadline } from '../../src/contract/time.ts'
import type { RedisUrls } from '../../src/redis/roles.ts'
import { MEMORY_ENVIRONMENT } from '../../src/start/fork.ts'
import { DRAIN, NODE_OPTIONS, type NodeReport } from '../../src/start/supervisor.ts'

const READY_MS_MAX = 60_000
const ENDING_MS_MAX = 15_000
/** Of the Linux kernel's user interface, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100

export interface Server {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

interface ForkOptions {
  readonly file: string
  readonly args?: readonly string[]
  /** The whole environment: nothing of the caller's shell changes what is measured. */
  readonly env?: Readonly<Record<string, string>>
  readonly execArgv?: readonly string[]
}

/** A script under this Node; TypeScript where its name says so. */
export function forkScript({ file, args = [], env = {}, execArgv = [] }: ForkOptions) {
  return fork(file, [...args], {
    execArgv: [...file.endsWith('.ts') ? ['--import', 'tsx'] : [], ...execArgv],
    env: { XDG_CACHE_HOME: dirname(cacheDir()), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
}

/** Says something to a child and waits for its answer. */
export async function askChild<T>(
  child: ChildProcess, message: object, ms = READY_MS_MAX,
): Promise<T> {
  const ended = once(child, 'exit').then(() => { throw new Error('A process of the bench ended.') })
  ended.catch(() => undefined)
  const answered = once(child, 'message') as Promise<[T]>
  answered.catch(() => undefined)
  child.send(message)
  const [answer] = await withDeadline(Promise.race([answered, ended]), ms,
    () => new Error('A process of the bench does not answer.'))
  return answer
}

/** By its channel's end, which every script of the bench takes as its own end. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  try {
    await withDeadline(ended, ENDING_MS_MAX, () => new Error('late'))
  } catch {
    child.kill('SIGKILL')
  }
}

/** CPU time that a process has used; undefined where there is no /proc. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may hold spaces; fields are counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return undefined
  }
}

/** Memory that is in use now; undefined where there is no /proc. */
export function residentMb(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}

/** Runs a program to its end, which comes by force when it takes too long; its output. */
export async function runProgram(
  command: readonly string[], ms: number, cwd?: string,
): Promise<string> {
  const [program = '', ...args] = command
  const { stdout } = await promisify(execFile)(program, args, {
    timeout: ms, killSignal: 'SIGKILL', maxBuffer: 1 << 24, ...(cwd !== undefined && { cwd }),
  })
  return stdout
}

/** Who is asked for its speed: the HTTP server, one of the two Redis processes, or all at once. */
export type Subject = 'server' | 'shelf' | 'ledger' | 'all'

/** Lists of cores as taskset takes them; undefined where nothing can be pinned. */
export interface Placement {
  readonly server: string
  readonly shelf: string
  readonly ledger: string
  readonly client: string
}

/**
 * From four cores on each has its own. With two, the subject has one alone and all others share
 * the second: then its limit and the node are measured with the same room for the subject, and
 * what the node does on the other core must not become the bottleneck, or it shows as a miss.
 * Where two need more than a core each (`all`), the system may use every core for any of them.
 */
export function placementFor(subject: Subject, cores = availableParallelism()): Placement {
  if (cores >= 4) {
    return { server: '0', shelf: '1', ledger: '2', client: cores > 4 ? `3-${cores - 1}` : '3' }
  }
  if (subject === 'all') {
    const every = `0-${cores - 1}`
    return { server: every, shelf: every, ledger: every, client: every }
  }
  const others = cores === 3 ? '1-2' : '1'
  const all = { server: others, shelf: others, ledger: others, client: others }
  return { ...all, [subject]: '0' }
}

export const canPin = (): boolean => availableParallelism() > 1
  && spawnSync('taskset', ['-V'], { timeout: 5000 }).status === 0

/** All threads of a process. */
export function pin(pid: number, cores: string): void {
  spawnSync('taskset', ['-a', '-p', '-c', cores, String(pid)], { timeout: 5000 })
}

/** A command as it is started on these cores. */
export const onCores = (cores: string | undefined, command: readonly string[]): string[] =>
  cores === undefined ? [...command] : ['taskset', '-c', cores, ...command]

const CLI = fileURLToPath(new URL('../../src/cli.mjs', import.meta.url))
const STOP_MS_MAX = 20_000

interface NodeServerOptions {
  readonly urls: RedisUrls
  readonly secret: string
  /** 0 for any; one that several nodes share must be given. */
  readonly port?: number
  readonly nodes?: number
  readonly logLevel?: string
  readonly execArgv?: readonly string[]
  /** How long it still serves after SIGTERM; not at all by default. */
  readonly drainNoticeMs?: number
  /** Whose `X-Forwarded-For` it believes. */
  readonly trustedProxies?: string
  /** Platforms; none by default. */
  readonly malls?: MallSettings
  /** A node without workers, or the process that has them. */
  readonly part?: 'without workers' | 'workers'
}

export interface NodeServer extends Server {
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>
}

export async function startNodeServer(options: NodeServerOptions): Promise<NodeServer> {
  const {
    urls, secret, port = 0, nodes = 1, logLevel = 'warn', execArgv = [], malls = {},
    drainNoticeMs = 0, trustedProxies = '', part,
  } = options
  const child = forkScript({
    file: CLI,
    args: [part === 'workers' ? 'workers' : 'node'],
    execArgv: [...NODE_OPTIONS, ...execArgv],
    env: { ...MEMORY_ENVIRONMENT, PORT: String(port), NODES: String(nodes),
      LOG_LEVEL: logLevel, HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:8080',
      DRAIN_NOTICE_MS: String(drainNoticeMs), TRUSTED_PROXIES: trustedProxies },
  })
  const report = await askChild<NodeReport>(child, {
    urls, secret, malls, hasOwnWorkers: part !== undefined,
  })
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

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

async function start(file: string, orders: object): Promise<Server> {
  const child = forkScript({ file })
  const { port } = await askChild<{ port: number }>(child, orders)
  return { pid: child.pid as number, port, stop: () => endChild(child) }
}

export const HELLO = '{"message":"hello"}'

export const startBareServer = (body: string): Promise<Server> =>
  start(path('peers/uws.ts'), { body })

export const startSdkServer = (page: object): Promise<Server> =>
  start(path('peers/sdk.ts'), { page })

/** Addresses of the service of goods and of the Redis that the shops of `peers` ask. */
export interface ShopBackends {
  readonly goods: string
  readonly redis: string
}

/** The shop of `shop.ts` on the Node SDK. */
export const startShopSdkServer = ({ goods, redis }: ShopBackends): Promise<Server> =>
  start(path('peers/shop/node.ts'), { goods, redis })

/** What the shops on other SDKs ask for goods. */
export const startGoodsService = (file: string): Promise<Server> =>
  start(path('peers/shop/goods.ts'), { file })
