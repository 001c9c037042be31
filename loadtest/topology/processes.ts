/** One service of docker-compose.yml as a process: the same words, the same environment. */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { withDeadline } from '../../src/contract/time.ts'
import { cacheDir } from '../../src/config.ts'
import type { RedisBinaries } from '../../src/redis/provision.ts'
import { readDockerfile, ROOT, wordsOf, type Service } from './compose.ts'
import type { Place } from './place.ts'

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
  name: string, service: Service, place: Place, redis: RedisBinaries,
): Plan {
  const [program = '', ...args] = wordsOf(service)
  const local = (text: string): string => place.local(name, text)
  if (program === 'redis-server') {
    return {
      name, program: redis.server, env: {},
      args: [
        ...redisArgs(args, place, service.entrypoint === undefined ? redis : undefined).map(local),
        '--port', String(place.port(name, 6379)), '--bind', '127.0.0.1',
      ],
    }
  }
  if (program === 'node') {
    const given = { ...readDockerfile().environment, ...service.environment }
    return {
      name, program: process.execPath, args: args.map(local),
      env: {
        ...Object.fromEntries(Object.entries(given).map(([key, text]) => [key, local(text)])),
        HOST: '127.0.0.1', PORT: String(place.port(name, 8080)),
      },
    }
  }
  const haproxy = program === 'haproxy' ? findHaproxy() : undefined
  if (haproxy === undefined) throw new Error(`${name}: ${program} cannot be run here.`)
  return { name, program: haproxy, args: args.map(local), env: {} }
}

/** The image brings its modules along, and takes their settings beside Redis's own. */
function redisArgs(
  args: readonly string[], place: Place, modules: RedisBinaries | undefined,
): string[] {
  const at = args.indexOf('--replicaof')
  const followed = at < 0 ? [...args] : [
    ...args.slice(0, at + 1), '127.0.0.1',
    String(place.port(args[at + 1] ?? '', Number(args[at + 2]))), ...args.slice(at + 3),
  ]
  if (!modules?.search) return followed
  const onTimeout = followed.indexOf('--search-on-timeout')
  const [, word = ''] = onTimeout < 0 ? [] : followed.splice(onTimeout, 2)
  return [
    ...followed, '--loadmodule', modules.search, ...word ? ['ON_TIMEOUT', word.toUpperCase()] : [],
    ...modules.json ? ['--loadmodule', modules.json] : [],
  ]
}

export function startProcess(plan: Plan, place: Place): RunningService {
  const output = openSync(logOf(plan.name, place), 'a', 0o600)
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
export const lastLines = (name: string, place: Place): string =>
  readFileSync(logOf(name, place), 'utf8').trimEnd().split('\n').slice(-5).join('\n')

const logOf = (name: string, place: Place): string => join(place.folder(name), 'output.log')

/** Nothing of the caller's shell but where its caches are. */
const environmentOf = ({ env }: Plan): Record<string, string> =>
  ({ XDG_CACHE_HOME: dirname(cacheDir()), ...env })
