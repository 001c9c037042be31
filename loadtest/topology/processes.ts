/**
 * Services of docker-compose.yml as processes of this machine, with the same words and the same
 * environment: host names become ports of 127.0.0.1, volumes become folders.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync, cpSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { cacheDir } from '../../src/config.ts'
import { withDeadline } from '../../src/contract/time.ts'
import type { RedisBinaries } from '../../src/dev/redis/provision.ts'
import { freePort } from '../../src/dev/redis/server.ts'
import {
  addressesOf, type Compose, read, readDockerfile, ROOT, type Service, wordsOf,
} from './compose.ts'

export interface Plan {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface RunningService {
  readonly process: ChildProcess
  /** SIGTERM as `docker stop` sends it; by force when it takes longer. */
  stop(ms?: number): Promise<void>
  /** SIGKILL to all of its processes at once, as when a container dies. */
  kill(): Promise<void>
}

const STOP_MS = 30_000
const EXEC_MS_MAX = 60_000

/** Where the balancer's program is; Debian puts it where not every shell looks. */
export function findHaproxy(): string | undefined {
  const { stdout } = spawnSync('sh', ['-c', 'PATH="$PATH:/usr/sbin" command -v haproxy'], {
    encoding: 'utf8', timeout: 5000,
  })
  return stdout.trim() || undefined
}

export const NO_HAPROXY = 'haproxy is not installed (Debian: apt-get install haproxy)'

export function planFor(
  name: string, service: Service, localhost: Localhost, redis: RedisBinaries,
): Plan {
  const [program = '', ...args] = wordsOf(service)
  const modules = service.entrypoint === undefined ? redis : undefined
  const rewrite = (text: string): string => localhost.rewrite(name, text)
  if (program === 'redis-server') {
    return {
      name, program: redis.server, env: {},
      args: [
        ...redisArgs(args, localhost, modules).map(rewrite),
        '--port', String(localhost.port(name, 6379)), '--bind', '127.0.0.1',
      ],
    }
  }
  if (program === 'node') {
    const given = { ...readDockerfile().environment, ...service.environment }
    return {
      name, program: process.execPath, args: args.map(rewrite),
      env: {
        ...Object.fromEntries(Object.entries(given).map(([key, text]) => [key, rewrite(text)])),
        HOST: '127.0.0.1', PORT: String(localhost.port(name, 8080)),
      },
    }
  }
  const haproxy = program === 'haproxy' ? findHaproxy() : undefined
  if (haproxy === undefined) throw new Error(`${name}: ${program} cannot be run here.`)
  return { name, program: haproxy, args: args.map(rewrite), env: {} }
}

/** The image brings its modules along, and takes their settings beside Redis's own. */
function redisArgs(
  args: readonly string[], localhost: Localhost, modules: RedisBinaries | undefined,
): string[] {
  const at = args.indexOf('--replicaof')
  const followed = at < 0 ? [...args] : [
    ...args.slice(0, at + 1), '127.0.0.1',
    String(localhost.port(args[at + 1] ?? '', Number(args[at + 2]))), ...args.slice(at + 3),
  ]
  if (!modules?.search) return followed
  const onTimeout = followed.indexOf('--search-on-timeout')
  const [, word = ''] = onTimeout < 0 ? [] : followed.splice(onTimeout, 2)
  return [
    ...followed, '--loadmodule', modules.search, ...word ? ['ON_TIMEOUT', word.toUpperCase()] : [],
    ...modules.json ? ['--loadmodule', modules.json] : [],
  ]
}

export function startProcess(plan: Plan, localhost: Localhost): RunningService {
  const output = openSync(logOf(plan.name, localhost), 'a', 0o600)
  // A group of its own, so that all of it can be ended at once.
  const child = spawn(plan.program, [...plan.args], {
    cwd: ROOT, env: environmentOf(plan), detached: true, stdio: ['ignore', output, output],
  })
  child.on('error', () => undefined)
  closeSync(output)
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
    || child.pid === undefined
  const end = async (signal: () => void): Promise<void> => {
    if (hasEnded()) return
    const ended = once(child, 'exit')
    signal()
    await ended
  }
  const killGroup = (): void => {
    if (child.pid !== undefined && !hasEnded()) process.kill(-child.pid, 'SIGKILL')
  }
  return {
    process: child,
    kill: () => end(killGroup),
    async stop(ms = STOP_MS) {
      await withDeadline(end(() => child.kill('SIGTERM')), ms, () => new Error('late'))
        .catch(() => end(killGroup))
    },
  }
}

/** Runs one more command where the service runs, as `docker compose exec` would; its output. */
export async function runBeside(plan: Plan, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(plan.program, ['src/cli.mjs', ...args], {
    cwd: ROOT, env: environmentOf(plan), timeout: EXEC_MS_MAX, killSignal: 'SIGKILL',
  })
  return stdout
}

/** What a process said last, for an error that has to say why it is not there. */
export const lastLines = (name: string, localhost: Localhost): string =>
  readFileSync(logOf(name, localhost), 'utf8').trimEnd().split('\n').slice(-5).join('\n')

const logOf = (name: string, localhost: Localhost): string =>
  join(localhost.folder(name), 'output.log')

/** Nothing of the caller's shell but where its caches are. */
const environmentOf = ({ env }: Plan): Record<string, string> =>
  ({ XDG_CACHE_HOME: dirname(cacheDir()), ...env })

export interface Localhost {
  /** The port of this machine that stands for a port of a service. */
  port(service: string, containerPort: number): number
  /** A text of the service's own, with every name, address and path as it is here. */
  rewrite(service: string, text: string): string
  folder(service: string): string
}

/** Ports that members of a cluster add to their own, for their talk among themselves. */
const BUS_OFFSET = 10_000
/** With the bus's, all below those that systems give to outgoing connections. */
const [PORT_MIN, PORT_MAX] = [15_000, 22_000]

export async function createLocalhost(compose: Compose, folder: string): Promise<Localhost> {
  const ports = new Map<string, number>()
  for (const [name, service] of Object.entries(compose.services)) {
    for (const port of listensAt(service)) ports.set(`${name}:${port}`, await freePair(ports))
  }
  const addresses = Object.values(compose.services).flatMap(addressesOf)
  const mounts = new Map<string, readonly (readonly [target: string, source: string])[]>()

  const port = (service: string, containerPort: number): number => {
    const found = ports.get(`${service}:${containerPort}`)
    if (found === undefined) throw new Error(`${service} does not listen at ${containerPort}.`)
    return found
  }
  const atHome = (text: string): string => [...ports].reduce(
    (whole, [name, local]) => whole.replaceAll(
      new RegExp(`(?<![\\w.-])${name}(?!\\d)`, 'g'), `127.0.0.1:${local}`),
    addresses.reduce((whole, address) => whole.replaceAll(address, '127.0.0.1'), text))
  const folderOf = (service: string): string => join(folder, service)

  for (const [name, service] of Object.entries(compose.services)) {
    mkdirSync(folderOf(name), { recursive: true, mode: 0o700 })
    mounts.set(name, mountsOf(compose, service, {
      folder: folderOf(name), volumes: folder,
      edit: (text) => atHome(text).replaceAll(/^(\s*bind) :(\d+)/gm,
        (_, bind: string, own: string) => `${bind} 127.0.0.1:${port(name, Number(own))}`),
    }))
  }
  return {
    port,
    folder: folderOf,
    rewrite: (service, text) => (mounts.get(service) ?? []).reduce(
      (whole, [target, source]) => (whole === target || whole.startsWith(`${target}/`)
        ? source + whole.slice(target.length) : whole), atHome(text)),
  }
}

interface Mounting {
  readonly folder: string
  readonly volumes: string
  readonly edit: (text: string) => string
}

/** Files are copied, so that the names in them can be rewritten, too. */
function mountsOf(
  compose: Compose, { volumes = [], configs = [] }: Service,
  { folder, volumes: all, edit }: Mounting,
): (readonly [string, string])[] {
  const mounted = volumes.map((volume) => {
    const [source = '', target = ''] = volume.split(':')
    if (!source.startsWith('.')) {
      mkdirSync(join(all, 'volumes', source), { recursive: true, mode: 0o700 })
      return [target, join(all, 'volumes', source)] as const
    }
    const copy = join(folder, basename(source))
    if (statSync(join(ROOT, source)).isDirectory()) {
      cpSync(join(ROOT, source), copy, { recursive: true })
    } else writeFileSync(copy, edit(read(source)))
    return [target, copy] as const
  })
  const written = configs.map(({ source, target }) => {
    const copy = join(folder, basename(target))
    writeFileSync(copy, compose.configs[source]?.content ?? '', { mode: 0o600 })
    return [target, copy] as const
  })
  return [...mounted, ...written]
}

/** Ports inside the container; what a balancer binds stands in its file. */
function listensAt({ image = '', build, volumes = [] }: Service): number[] {
  if (build !== undefined) return [8080]
  if (image.startsWith('redis:')) return [6379]
  const [file] = volumes.map((volume) => volume.split(':')[0] ?? '')
    .filter((source) => source.endsWith('haproxy.cfg'))
  return file === undefined ? []
    : [...read(file).matchAll(/^\s*bind :(\d+)/gm)].map((match) => Number(match[1]))
}

async function freePair(taken: ReadonlyMap<string, number>): Promise<number> {
  for (;;) {
    const wanted = randomInt(PORT_MIN, PORT_MAX)
    const isFree = async (port: number): Promise<boolean> => await freePort(port) === port
    if (![...taken.values()].includes(wanted) && await isFree(wanted)
      && await isFree(wanted + BUS_OFFSET)) return wanted
  }
}
