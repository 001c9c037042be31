/** Programs that faults need beyond Node and Redis; what is missing is named, not hidden. */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cacheDir } from '../../config.ts'
import { findNamespace } from './network-namespace.ts'

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
    toxiproxy, synced, mount: tryMount(), cut: findNamespace(),
    faketime: faketime ? { path: faketime } : { missing: 'the package faketime is not installed' },
  }
}

export const missingOf = (tool: Tool): string | undefined =>
  ('missing' in tool ? tool.missing : undefined)

async function findToxiproxy(): Promise<Tool> {
  const cache = join(cacheDir(), 'toxiproxy')
  const candidates = [
    ...onPath('toxiproxy-server'), join(homedir(), 'go/bin/toxiproxy-server'),
    join(homedir(), 'go/bin/server'), join(cache, 'server'),
  ]
  for (const path of candidates) if (isToxiproxy(path)) return { path }
  const go = [...onPath('go'), '/usr/local/go/bin/go'].find(isExecutable)
  if (!go) return { missing: 'there is neither toxiproxy-server nor Go to build it' }
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 })
    await run(go, ['install', TOXIPROXY], {
      env: { ...process.env, GOBIN: cache }, timeout: BUILD_MS_MAX,
    })
  } catch {
    return { missing: 'toxiproxy could not be built' }
  }
  return isToxiproxy(join(cache, 'server')) ? { path: join(cache, 'server') }
    : { missing: 'toxiproxy could not be built' }
}

/** Any program may be called `server`. */
function isToxiproxy(path: string): boolean {
  if (!isExecutable(path)) return false
  const { stdout } = spawnSync(path, ['-version'], { encoding: 'utf8', timeout: 5000 })
  return (stdout ?? '').startsWith('toxiproxy')
}

const onPath = (name: string): string[] => (process.env['PATH'] ?? '').split(delimiter)
  .filter(Boolean).map((folder) => join(folder, name)).filter(isExecutable)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function buildSynced(): Promise<Tool> {
  if (process.platform !== 'linux') return { missing: 'it needs Linux' }
  const compiler = onPath('cc')[0] ?? onPath('gcc')[0]
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
