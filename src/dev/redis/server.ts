/** One redis-server process: starting it, asking it, ending it. Every step has a deadline. */
import { spawn, type ChildProcess } from 'node:child_process'
import {
  closeSync, mkdirSync, openSync, readFileSync, realpathSync, renameSync, statSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { monotonicMs, sleep, withDeadline } from '../../contract/time.ts'
import { KnownFailure, sentenceOf } from '../../failure.ts'
import { writeWhole } from '../../files.ts'
import { hasEnded, identifyProcess, isAlive, signal, type ProcessId } from './process.ts'

export interface Address {
  /** This machine without it. */
  readonly host?: string
  readonly port: number
  /** Redis's default user without it. */
  readonly username?: string
  readonly password: string
}

export interface RunningServer extends Address, ProcessId {
  /** Path of its unix socket, which costs less than its port. */
  readonly socket?: string
}

export interface ServerPlan extends Address {
  readonly program: string
  /** Working directory: data, settings and output of this server, and of no other. */
  readonly directory: string
  readonly settings: string
  /** Lines of the settings that make them; without it there is the default user alone. */
  readonly users?: string
  /** While it loads its data this counts anew with whatever more it has loaded. */
  readonly readyWithinMs: number
  /** Called the moment the process exists, so that a crash of ours leaves no unknown process. */
  readonly onSpawned?: (server: RunningServer) => void
}

export type HowToEnd = readonly ['SHUTDOWN', ...('SAVE' | 'NOSAVE')[]]

const CALL_TIMEOUT_MS = 1500
const POLL_MS = 10
const ASK_MS_MAX = 4000
const SHUTDOWN_MS_MAX = 30_000
/** Systems take no longer path of a socket. */
const SOCKET_PATH_MAX = 100
/** A hung one handles only the second. */
const SIGNALS = [['SIGTERM', 5000], ['SIGKILL', 30_000]] as const
const LAST_LINES = 3
/** Process, time and level of a line in Redis's log. */
const LINE_HEAD = /^\d+:[A-Z] \d\d \w{3} \d{4} [\d:.]+ [.*#-] /
const OUTPUT_BYTES_MAX = 1_000_000

export async function startServer(plan: ServerPlan): Promise<RunningServer> {
  const { program, directory, port, password, username } = plan
  const socket = socketIn(directory)
  const at = {
    port, password, ...(username !== undefined && { username }), ...(socket && { socket }),
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const settingsPath = join(directory, 'redis.conf')
  const outputPath = join(directory, 'redis.log')
  // In a file that only its owner reads: arguments stand in every user's list of processes.
  writeWhole(settingsPath, `${plan.settings}
bind 127.0.0.1
port ${port}
${plan.users ?? `requirepass ${password}`}
dir ${JSON.stringify(directory)}
daemonize no
${socket ? `unixsocket ${JSON.stringify(socket)}\nunixsocketperm 700` : ''}
`)
  const child = await spawnDetached(program, settingsPath, directory, outputPath)
  const spawned = identifyProcess(child.pid ?? 0)
  try {
    if (!spawned) throw new Error('it ended at once')
    plan.onSpawned?.({ ...spawned, ...at })
    const pid = await untilServing(at, directory, plan.readyWithinMs, () => hasExited(child))
    // A redis-server that is a script may have started the real one as another process.
    return { ...identifyProcess(pid) ?? spawned, ...at }
  } catch (cause) {
    child.kill('SIGKILL')
    if (sentenceOf(cause) !== undefined) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new KnownFailure(
      `${program} did not start: ${reason}${tail(outputPath)}. See ${outputPath}.`, { cause })
  }
}

/** For those who may read the directory anyway; undefined where there can be none. */
function socketIn(directory: string): string | undefined {
  const path = join(directory, 'redis.sock')
  return process.platform !== 'win32' && Buffer.byteLength(path) <= SOCKET_PATH_MAX ? path
    : undefined
}

/** On the preferred port if that is free, else on any that is. */
export async function startOnFreePort(
  plan: Omit<ServerPlan, 'port'>, preferred?: number,
): Promise<RunningServer> {
  const start = (port: number): Promise<RunningServer> => startServer({ ...plan, port })
  return await start(await freePort(preferred)).catch(async (error: Error) => {
    // A free port is only free until somebody else takes it.
    if (!error.message.includes('in use')) throw error
    return await start(await freePort())
  })
}

/** Ends it so that everything is kept, by signals if it does not listen. */
export async function stopServer(server: RunningServer, how: HowToEnd): Promise<void> {
  if (!isAlive(server)) return
  const [command, ...words] = how
  // It closes the connection instead of answering; an answer is a refusal, such as a full disk.
  const isRefused = await ask(server, (redis) => redis.call(command, ...words))
    .then(() => false, (error: Error) => error.name === 'ReplyError')
  if (!isRefused && await hasEnded(server, SHUTDOWN_MS_MAX)) return
  for (const [name, withinMs] of SIGNALS) {
    signal(server, name)
    if (await hasEnded(server, withinMs)) return
  }
  throw new Error(`redis-server (process ${server.pid}) cannot be ended.`)
}

/** Whether that process answers to its password and keeps its data in that directory. */
export async function isServing(
  server: RunningServer, directory: string, withinMs: number,
): Promise<boolean> {
  try {
    const pid = await untilServing(server, directory, withinMs, () => !isAlive(server))
    return pid === server.pid
  } catch {
    return false
  }
}

/**
 * Asks over a connection of its own that is closed afterwards. `patienceMs` replaces the short
 * deadlines that suit a question which is asked again.
 */
export async function ask<T>(
  at: Address, work: (redis: Redis) => Promise<T>, patienceMs?: number,
): Promise<T> {
  const callMs = patienceMs ?? CALL_TIMEOUT_MS
  const redis = new Redis({
    host: at.host ?? '127.0.0.1', port: at.port, password: at.password, protocol: 2,
    ...(at.username !== undefined && { username: at.username }),
    lazyConnect: true, enableReadyCheck: false, enableOfflineQueue: false,
    maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false, retryStrategy: () => null,
    connectTimeout: callMs, commandTimeout: callMs,
    disconnectTimeout: 100, // Its timer outlives a refused connection and would delay our exit.
  })
  redis.on('error', () => {}) // The failed call says it; without a listener it is printed as well.
  try {
    const answer = redis.connect().then(() => work(redis))
    return await withDeadline(
      answer, patienceMs ?? ASK_MS_MAX, () => new Error('Redis does not answer'))
  } finally {
    redis.disconnect()
  }
}

/** Below those that systems give to outgoing connections, which would take it before its server. */
const FREE_PORTS = { from: 15_000, to: 32_000 } as const
const FREE_PORT_TRIES = 20

/** The preferred port if it is free, else any that is. */
export async function freePort(preferred?: number): Promise<number> {
  const { from, to } = FREE_PORTS
  const wanted = Array.from({ length: FREE_PORT_TRIES }, () =>
    from + Math.floor(Math.random() * (to - from)))
  for (const port of [...preferred ? [preferred] : [], ...wanted]) {
    if (await isFree(port)) return port
  }
  throw new Error(`Of ${FREE_PORT_TRIES} ports from ${from} to ${to} none is free.`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail).listen(port, '127.0.0.1', done)
    })
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

/**
 * Resolves with the pid of that directory's server once it has loaded its data and answers. How
 * long loading takes depends on how much there is, so only one that stands still is late.
 */
async function untilServing(
  at: Address, directory: string, withinMs: number, isOver: () => boolean,
): Promise<number> {
  const expected = realpathSync(directory)
  let end = monotonicMs() + withinMs
  let loadedBytes = 0
  for (;;) {
    const { pid, loaded = 0 } = await ask(at, (redis) => lookAtServer(redis, expected))
      .catch((): ServerLook => ({}))
    if (pid !== undefined) return pid
    if (isOver()) throw new Error('it ended at once')
    if (loaded > loadedBytes) {
      loadedBytes = loaded
      end = monotonicMs() + withinMs
    }
    if (monotonicMs() > end) throw new Error(`it was not ready after ${withinMs} ms`)
    await sleep(POLL_MS)
  }
}

interface ServerLook {
  /** Of one that serves the directory. */
  readonly pid?: number
  /** Bytes of its data that it has loaded so far. */
  readonly loaded?: number
}

async function lookAtServer(redis: Redis, directory: string): Promise<ServerLook> {
  const info = await redis.info()
  const numberOf = (name: string): number =>
    Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1])
  const dir = await redis.config('GET', 'dir') as string[]
  if (dir[1] !== directory) return {}
  if (numberOf('loading') !== 0) return { loaded: numberOf('loading_loaded_bytes') }
  await redis.ping()
  return { pid: numberOf('process_id') }
}

async function spawnDetached(
  program: string, settingsPath: string, directory: string, outputPath: string,
): Promise<ChildProcess> {
  const size = statSync(outputPath, { throwIfNoEntry: false })?.size ?? 0
  if (size > OUTPUT_BYTES_MAX) renameSync(outputPath, `${outputPath}.old`)
  const output = openSync(outputPath, 'a', 0o600)
  try {
    // A session of its own: the terminal's Ctrl-C is for the node, which then ends Redis properly.
    const child = spawn(program, [settingsPath], {
      cwd: directory, detached: true, stdio: ['ignore', output, output],
    })
    child.unref()
    await new Promise<void>((done, fail) => { child.once('spawn', done).once('error', fail) })
    return child
  } finally {
    closeSync(output)
  }
}

const hasExited = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null

/** The last lines that a server wrote, where it says why it did not start. */
function tail(path: string): string {
  try {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-LAST_LINES)
    return ` (${lines.map((line) => line.replace(LINE_HEAD, '')).join('; ')})`
  } catch {
    return ''
  }
}
