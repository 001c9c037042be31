/**
 * Programs that faults need beyond Node and Redis: found or built, with the reason where one is
 * missing; and two that a run starts: a network of its own, in which the way between two processes
 * can be cut while others go on using the same port, and Toxiproxy.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cacheDir, programPath, setEnvironment } from '../../src/config.ts'
import { monotonicMs } from '../../src/contract/time.ts'
import type { ClusterMember } from '../../src/dev/redis/cluster.ts'
import { ask } from '../../src/dev/redis/server.ts'
import { isExecutable, onPath } from '../executables.ts'
import { pauseFor } from './attempts.ts'
import { keptPort } from './testbed-node.ts'

/** A path, or why there is none. */
export type Tool = { readonly path: string } | { readonly missing: string }

export interface Tools {
  readonly toxiproxy: Tool
  /** The library that shifts a process's clock. */
  readonly faketime: Tool
  /** The library that notes what was synced to disk. */
  readonly synced: Tool
  /** Whether a small file system can be mounted. */
  readonly mount: Tool
  /** Whether single connections of this machine can be cut: see network-namespace.ts. */
  readonly cut: Tool
  /** Makes certificates, expired ones with the library that shifts clocks. */
  readonly openssl: Tool
}

const run = promisify(execFile)
const TOXIPROXY = 'github.com/Shopify/toxiproxy/v2/cmd/server@latest'
const BUILD_MS_MAX = 180_000
const FAKETIME = ['x86_64-linux-gnu', 'aarch64-linux-gnu', '']
  .map((machine) => join('/usr/lib', machine, 'faketime/libfaketime.so.1'))

export async function findTools(): Promise<Tools> {
  const [toxiproxy, synced] = await Promise.all([findToxiproxy(), buildSynced()])
  const faketime = FAKETIME.find((path) => existsSync(path))
  return {
    toxiproxy, synced, mount: tryMount(), cut: findNamespace(), openssl: findOpenssl(faketime),
    faketime: faketime ? { path: faketime } : { missing: 'the package faketime is not installed' },
  }
}

export const missingOf = (tool: Tool): string | undefined =>
  ('missing' in tool ? tool.missing : undefined)

async function findToxiproxy(): Promise<Tool> {
  const cache = join(cacheDir(), 'toxiproxy')
  const candidates = [
    ...onPath(programPath(), 'toxiproxy-server'), join(homedir(), 'go/bin/toxiproxy-server'),
    join(homedir(), 'go/bin/server'), join(cache, 'server'),
  ]
  for (const path of candidates) if (isToxiproxy(path)) return { path }
  const go = [...onPath(programPath(), 'go'), '/usr/local/go/bin/go'].find(isExecutable)
  if (!go) return { missing: 'there is neither toxiproxy-server nor Go to build it' }
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 })
    setEnvironment({ GOBIN: cache })
    await run(go, ['install', TOXIPROXY], { timeout: BUILD_MS_MAX })
  } catch {
    return { missing: 'toxiproxy could not be built' }
  }
  return isToxiproxy(join(cache, 'server')) ? { path: join(cache, 'server') }
    : { missing: 'toxiproxy could not be built' }
}

/** Any program may be called `server`. */
function isToxiproxy(path: string): boolean {
  if (!isExecutable(path)) return false
  const { stdout } = spawnSync(path, ['-version'], { encoding: 'utf8', timeout: 60_000 })
  return (stdout ?? '').startsWith('toxiproxy')
}

async function buildSynced(): Promise<Tool> {
  if (process.platform !== 'linux') return { missing: 'it needs Linux' }
  const compiler = onPath(programPath(), 'cc')[0] ?? onPath(programPath(), 'gcc')[0]
  if (!compiler) return { missing: 'there is no C compiler' }
  const source = fileURLToPath(new URL('synced.c', import.meta.url))
  const digest = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16)
  const folder = join(cacheDir(), 'faults')
  const path = join(folder, `synced-${digest}.so`)
  if (existsSync(path)) return { path }
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    await run(compiler, ['-shared', '-fPIC', '-O2', '-o', draft, source, '-ldl'])
    renameSync(draft, path)
    return { path }
  } catch {
    return { missing: 'the C compiler does not work' }
  }
}

function findOpenssl(faketime: string | undefined): Tool {
  const [path] = onPath(programPath(), 'openssl')
  if (!path) return { missing: 'openssl is not installed' }
  return faketime ? { path } : { missing: 'an expired certificate takes the package faketime' }
}

function tryMount(): Tool {
  const path = mkdtempSync(join(tmpdir(), 'agentmall-mount-'))
  try {
    if (!mountSmall(path, 1)) return { missing: 'mounting a file system is not allowed' }
    unmount(path)
    return { path: 'tmpfs' }
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}

export const mountSmall = (path: string, megabytes: number): boolean => spawnSync('mount',
  ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', path], { stdio: 'ignore' })
  .status === 0

/** Lazily: whoever still has a file of it open keeps it until then. */
export const unmount = (path: string): void => {
  spawnSync('umount', ['-l', path], { stdio: 'ignore' })
}

/** Local addresses are looked up after our rules, and not before all others as by default. */
const PREPARE = 'ip link set lo up && ip rule add pref 1000 lookup local && ip rule del pref 0'
const FIRST_RULE = 10
const ASKED_MS_MAX = 60_000

const ip = (...words: string[]) =>
  spawnSync('ip', words, { encoding: 'utf8', timeout: ASKED_MS_MAX })

/** Whether this process is in a namespace that was prepared so. */
function findNamespace(): Tool {
  const { stdout } = ip('rule', 'list')
  const isPrepared = /^1000:\s+from all lookup local/m.test(stdout ?? '')
    && !/^0:/m.test(stdout ?? '')
  return isPrepared ? { path: 'ip' }
    : { missing: 'it needs a network namespace of its own: Linux, root and iproute2' }
}

/** Whether such a namespace can be made here. */
export const canEnterNamespace = (): boolean => process.platform === 'linux'
  && spawnSync('unshare', ['-n', 'sh', '-c', PREPARE], {
    stdio: 'ignore', timeout: ASKED_MS_MAX,
  }).status === 0

/** Runs this program again within one, and ends only with it; its exit status. */
export async function runWithinNamespace(): Promise<number> {
  const inner = spawn('unshare', [
    '-n', 'sh', '-c', `${PREPARE} && exec "$0" "$@"`,
    process.execPath, ...process.execArgv, ...process.argv.slice(1),
  ], { stdio: 'inherit' })
  // A terminal sends its own SIGINT to both.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => { inner.kill('SIGTERM') })
  const [status] = await once(inner, 'exit') as [number | null]
  return status ?? 1
}

/** A member calls others from an address of its own, by which its connections are recognized. */
const addressOf = (at: number): string => `127.0.1.${at + 1}`

/** Of each member of a cluster whose connections are to be cut. */
export const ownAddress = (at: number): string =>
  `bind-source-addr ${addressOf(at)}\ncluster-announce-ip 127.0.0.1`

/**
 * Cuts a member off all others, silently: nothing comes through, and nothing ends. Clients, which
 * call from the common address, go on reaching it. The result mends it.
 */
export async function cutOffMember(
  members: readonly ClusterMember[], member: ClusterMember,
): Promise<() => void> {
  const [, busPort = ''] = await ask(member.server, (redis) =>
    redis.config('GET', 'cluster-port') as Promise<string[]>, ASKED_MS_MAX)
  const tcp = ['ipproto', 'tcp']
  const others = members.filter((one) => one !== member)
    .map((one) => addressOf(members.indexOf(one)))
  const rules = [
    ['from', addressOf(members.indexOf(member))],
    ...others.flatMap((address) => [String(member.port), busPort].flatMap((port) => [
      ['from', address, ...tcp, 'dport', port], ['to', address, ...tcp, 'sport', port],
    ])),
  ]
  for (const [at, rule] of rules.entries()) {
    const { status, stderr } =
      ip('rule', 'add', 'pref', String(FIRST_RULE + at), ...rule, 'blackhole')
    if (status !== 0) throw new Error(`a connection could not be cut: ${stderr}`)
  }
  return () => rules.forEach((_, at) => { ip('rule', 'del', 'pref', String(FIRST_RULE + at)) })
}

export interface Toxic {
  readonly type: 'latency' | 'timeout' | 'reset_peer' | 'slow_close' | 'limit_data' | 'bandwidth'
  /** Where it bites: on what Redis answers, or on what it is sent. */
  readonly stream: 'downstream' | 'upstream'
  readonly attributes: Readonly<Record<string, number>>
}

export interface Proxy {
  readonly port: number
  add(toxic: Toxic): Promise<void>
  /** Cuts every connection and refuses new ones, until it is on again. */
  turn(isOn: boolean): Promise<void>
  /** Takes off every toxic. */
  heal(): Promise<void>
}

export interface Toxiproxy {
  proxy(name: string, upstreamPort: number): Promise<Proxy>
  stop(): Promise<void>
}

const READY_MS_MAX = 60_000
const POLL_MS = 50

export async function startToxiproxy(program: string): Promise<Toxiproxy> {
  const port = await keptPort()
  const child = spawn(program, ['-host', '127.0.0.1', '-port', String(port)], { stdio: 'ignore' })
  const names: string[] = []

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method, ...(body && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(60_000),
    })
    const text = await response.text()
    if (!response.ok && response.status !== 404) throw new Error(`toxiproxy: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  await untilReady(child, () => call('GET', '/proxies'))
  return {
    async proxy(name, upstreamPort) {
      const listen = await keptPort()
      await call('POST', '/proxies', {
        name, listen: `127.0.0.1:${listen}`, upstream: `127.0.0.1:${upstreamPort}`, enabled: true,
      })
      names.push(name)
      const toxics = new Set<string>()
      let next = 0
      return {
        port: listen,
        async add(toxic) {
          const id = `t${next += 1}`
          toxics.add(id)
          await call('POST', `/proxies/${name}/toxics`, { name: id, toxicity: 1, ...toxic })
        },
        turn: async (enabled) => { await call('POST', `/proxies/${name}`, { enabled }) },
        async heal() {
          for (const id of toxics) await call('DELETE', `/proxies/${name}/toxics/${id}`)
          toxics.clear()
        },
      }
    },
    async stop() {
      for (const name of names) await call('DELETE', `/proxies/${name}`).catch(() => undefined)
      child.kill('SIGKILL')
    },
  }
}

async function untilReady(child: ChildProcess, call: () => Promise<unknown>): Promise<void> {
  const end = monotonicMs() + READY_MS_MAX
  for (;;) {
    if (await call().then(() => true, () => false)) return
    if (child.exitCode !== null || monotonicMs() > end) throw new Error('toxiproxy did not start')
    await pauseFor(POLL_MS)
  }
}
