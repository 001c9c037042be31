/**
 * The Redis that a node brings along: two processes on this machine, the ledger and the shelf,
 * that outlive the node's crash and are found again by the next start.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import type { Fsync } from '../../config.ts'
import { KnownFailure } from '../../failure.ts'
import type { Logger } from '../../log.ts'
import { writeWhole } from '../../files.ts'
import { monotonicMs, sleepUnless } from '../../contract/time.ts'
import { NO_DEFAULT_USER, userLine } from './acl.ts'
import { ownerOf, takeLock } from './lock.ts'
import { hasEnded, isAlive } from './process.ts'
import {
  ledgerSettings, type ProvisionedRedis, provisionRedis, shelfSettings,
} from './provision.ts'
import {
  ask, type HowToEnd, isServing, type RunningServer, type ServerPlan, startOnFreePort,
  startServer, stopServer,
} from './server.ts'

export interface EmbeddedRedis {
  readonly shelfUrl: string
  readonly ledgerUrl: string
  /** The shelf's own: what may be lost in a crash shares its process. */
  readonly countersUrl: string
  /** Whether both were running already. */
  readonly reused: boolean
  stop(): Promise<void>
}

export interface OwnedRedis extends EmbeddedRedis {
  /** From now on until `stop`, a server that ends by itself is started again. */
  keepRunning(onRestarted?: (role: Role) => Promise<void>): void
}

interface EmbeddedOptions {
  readonly dataDir: string
  readonly cacheDir: string
  readonly log: Logger
  readonly ledgerFsync?: Fsync
  /** Megabytes that both servers may hold together; 0 or absent: half of the machine's memory. */
  readonly embeddedMemoryMb?: number
  /** Without it both; the ledger may be elsewhere. */
  readonly roles?: readonly Role[]
  /** Whose name the addresses carry. */
  readonly user?: EmbeddedUser | undefined
  /** Fixed ports; without them those of the last start, or free ones. */
  readonly ports?: { readonly ledger?: number, readonly shelf?: number }
}

type Role = 'ledger' | 'shelf'

/** The operator's name and password are the server's own; one of older code has no node's. */
type KeptServer = RunningServer & { readonly nodePassword?: string }

type State = Partial<Record<Role, KeptServer>>

export type EmbeddedUser = 'node' | 'operator'

interface KeptServers<Role extends string> {
  readonly roles: readonly Role[]
  isRunning(role: Role): boolean
  /** On the same address, with the same data; rejects with the reason why not. */
  restart(role: Role): Promise<void>
  /** Called after each restart. */
  onRestarted?: ((role: Role) => Promise<void>) | undefined
  readonly log: Logger
}

const ROLES = ['ledger', 'shelf'] as const

const HOW_TO_END: Record<Role, HowToEnd> = {
  ledger: ['SHUTDOWN'], // Its log of commands is on the disk already.
  shelf: ['SHUTDOWN', 'SAVE'],
}

const READY_MS_MAX = 60_000
const ENDING_MS_MAX = 5000
const ATTACH_MS_MAX = 10_000
const LOOK_MS = 500
const DELAY_MS_MIN = 500
const DELAY_MS_MAX = 30_000
const MIB = 2 ** 20
/** Below it a catalogue of the sandbox does not fit. */
const SHARE_MIB_MIN = 256
/** One that ran for so long is started again without delay. */
const STEADY_MS = 60_000

/** Starts or finds both servers of a data directory, and owns the directory until `stop`. */
export async function startEmbeddedRedis(options: EmbeddedOptions): Promise<OwnedRedis> {
  const dataDir = resolve(options.dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = takeLock(dataDir)
  try {
    const { stop, ...servers } = await startServers({ ...options, dataDir })
    let stopped: Promise<void> | undefined
    return { ...servers, stop: () => stopped ??= stop().finally(() => lock.release()) }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function startServers(options: EmbeddedOptions): Promise<OwnedRedis> {
  const { dataDir, roles = ROLES, log } = options
  const state = readState(dataDir)
  const started = new Set<Role>()
  let provisioned: Promise<ProvisionedRedis> | undefined

  async function begin(role: Role, fixedPort = options.ports?.[role]): Promise<void> {
    if (await isReusable(state[role], role, dataDir)) {
      await setAnew(state[role], role, options)
      return
    }
    provisioned ??= provisionRedis(options)
    const redis = await provisioned
    const nodePassword = state[role]?.nodePassword ?? newPassword()
    const password = state[role]?.password ?? newPassword()
    const remember = (server: RunningServer): void => {
      state[role] = { ...server, nodePassword }
      started.add(role)
      writeWhole(statePath(dataDir), `${JSON.stringify(state, undefined, 2)}\n`)
    }
    const plan = {
      ...planOf(role, redis, options), ...usersOf(password, nodePassword), onSpawned: remember,
    }
    remember(fixedPort === undefined ? await startOnFreePort(plan, state[role]?.port)
      : await startServer({ ...plan, port: fixedPort }))
  }

  async function end(roles: Iterable<Role>): Promise<void> {
    const ended = await Promise.allSettled([...roles].map(async (role) => {
      if (state[role]) await stopServer(state[role], HOW_TO_END[role])
    }))
    const failed = ended.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Clients know its address; without its files it would be another ledger. */
  async function restart(role: Role): Promise<void> {
    if (!existsSync(join(dataDir, role))) throw new Error(`${join(dataDir, role)} was removed.`)
    await begin(role, state[role]?.port)
  }

  const begun = await Promise.allSettled(roles.map((role) => begin(role)))
  const failed = begun.find((result) => result.status === 'rejected')
  if (failed) {
    await end(started)
    throw failed.reason
  }
  let keeper: { stop(): Promise<void> } | undefined
  return {
    ...urls(state, options.user),
    reused: started.size === 0,
    keepRunning(onRestarted) {
      const isRunning = (role: Role): boolean => {
        const server = state[role]
        return server !== undefined && isAlive(server)
      }
      keeper ??= keepRunning({ roles, isRunning, restart, onRestarted, log })
    },
    async stop() {
      await keeper?.stop()
      await end(roles)
    },
  }
}

/** The process of the service that owns the directory now, by its pid. */
export const embeddedOwner = (dataDir: string): number | undefined => ownerOf(resolve(dataDir))?.pid

const planOf = (
  role: Role, redis: ProvisionedRedis, { dataDir, ledgerFsync, embeddedMemoryMb = 0 }:
    EmbeddedOptions,
): Pick<ServerPlan, 'program' | 'directory' | 'settings' | 'readyWithinMs'> => ({
  program: redis.server,
  directory: join(dataDir, role),
  settings: `${role === 'shelf' ? shelfSettings(redis) : ledgerSettings(ledgerFsync)}
maxmemory ${embeddedShare(embeddedMemoryMb)}
`,
  readyWithinMs: READY_MS_MAX,
})

const usersOf = (
  password: string, nodePassword: string,
): Pick<ServerPlan, 'username' | 'password' | 'users'> => ({
  username: 'operator',
  password,
  users: [
    NO_DEFAULT_USER, userLine('operator', password), userLine('node', nodePassword),
  ].join('\n'),
})

/** For tools beside a running node: its servers, or null when none are running. */
export async function attachEmbeddedRedis(
  options: Pick<EmbeddedOptions, 'dataDir' | 'user'>,
): Promise<EmbeddedRedis | null> {
  const dataDir = resolve(options.dataDir)
  const state = readState(dataDir)
  const serving = await Promise.all(ROLES.map(async (role) => {
    const server = state[role]
    return server !== undefined && isAlive(server)
      && await isServing(server, join(dataDir, role), ATTACH_MS_MAX)
  }))
  if (serving.includes(false)) return null
  return { ...urls(state, options.user), reused: true, stop: async () => {} }
}

/**
 * Bytes for each server of the embedded Redis: half of what both may hold. By itself that is half
 * of the machine's memory, or its container's, so that a rewrite and the nodes have the other half.
 */
export function embeddedShare(megabytes: number): number {
  const contained = process.constrainedMemory()
  const machine = contained > 0 ? Math.min(contained, totalmem()) : totalmem()
  const total = megabytes > 0 ? megabytes : machine / MIB / 2
  return Math.max(SHARE_MIB_MIN, Math.floor(total / ROLES.length)) * MIB
}

/** One that outlived its node was started with that node's settings. */
async function setAnew(
  server: RunningServer | undefined, role: Role,
  { ledgerFsync = 'always', embeddedMemoryMb = 0 }: EmbeddedOptions,
): Promise<void> {
  if (!server) return
  await ask(server, async (redis) => {
    await redis.config('SET', 'maxmemory', embeddedShare(embeddedMemoryMb))
    if (role === 'ledger') await redis.config('SET', 'appendfsync', ledgerFsync)
  })
}

/** False when it is gone. A server that is alive and deaf must not get a rival on its files. */
async function isReusable(
  server: RunningServer | undefined, role: Role, dataDir: string,
): Promise<boolean> {
  if (!server || !isAlive(server)) return false
  if (await isServing(server, join(dataDir, role), READY_MS_MAX)) return true
  if (await hasEnded(server, ENDING_MS_MAX)) return false
  throw new KnownFailure(
    `The ${role} of ${dataDir} (redis-server, process ${server.pid}) runs but does not answer: `
    + 'end that process, then start again.',
  )
}

function urls(
  state: State, user: EmbeddedUser = 'node',
): Pick<EmbeddedRedis, 'shelfUrl' | 'ledgerUrl' | 'countersUrl'> {
  const url = (role: Role): string => {
    const { port = 0, username, password, nodePassword, socket } = state[role] ?? {}
    const who = username === undefined ? `:${password}`
      : user === 'node' ? `node:${nodePassword}` : `${username}:${password}`
    // ioredis takes the socket; whoever reads host and port alone comes to the same server.
    return `redis://${who}@127.0.0.1:${port}${socket ? `?path=${encodeURIComponent(socket)}` : ''}`
  }
  return { shelfUrl: url('shelf'), ledgerUrl: url('ledger'), countersUrl: url('shelf') }
}

const newPassword = (): string => randomBytes(24).toString('hex')

const statePath = (dataDir: string): string => join(dataDir, 'redis.json')

function readState(dataDir: string): State {
  const path = statePath(dataDir)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) as State : {}
}

/** Resolves after `stop` when no restart is under way any more. */
export function keepRunning<Role extends string>(
  { roles, isRunning, restart, onRestarted, log }: KeptServers<Role>,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  async function keep(role: Role): Promise<void> {
    let delayMs = DELAY_MS_MIN
    let startedMs = -Infinity
    for (;;) {
      await sleepUnless(signal, LOOK_MS)
      if (signal.aborted) return
      if (isRunning(role)) continue
      if (monotonicMs() - startedMs > STEADY_MS) delayMs = DELAY_MS_MIN
      log.error({ role }, `The Redis of the ${role} ended: it is started again.`)
      delayMs = await untilStarted(role, delayMs)
      startedMs = monotonicMs()
    }
  }

  /** Resolves with the delay before the next try. */
  async function untilStarted(role: Role, firstDelayMs: number): Promise<number> {
    let said = ''
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, DELAY_MS_MAX)) {
      await sleepUnless(signal, delayMs)
      if (signal.aborted) return delayMs
      try {
        await restart(role)
        log.warn({ role }, `The Redis of the ${role} is running again.`)
        await onRestarted?.(role)
        return Math.min(2 * delayMs, DELAY_MS_MAX)
      } catch (error) {
        const [reason = ''] = (error as Error).message.split('\n')
        if (reason !== said) log.error({ role }, `The Redis of the ${role} is still off: ${reason}`)
        said = reason
      }
    }
  }

  const keeping = Promise.all(roles.map(keep))
  return {
    async stop() {
      stopping.abort()
      await keeping
    },
  }
}
