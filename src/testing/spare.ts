/**
 * A second Redis of each worker, for its test files in turn: each finds it empty. Whoever stops,
 * trims or sets a server starts one of its own (`ledger.ts`, `shelf.ts`), in the system tier.
 */
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, type RunningServer } from '../dev/redis/server.ts'
import { startLedger } from './ledger.ts'
import { startShelf } from './shelf.ts'

type Role = 'ledger' | 'shelf'

/** One for each ledger that a test asks for; after that the first are emptied and used again. */
const DATABASES = 256

/** The last one; another first one in each process, whose predecessor may not be gone yet. */
let taken = randomInt(DATABASES)

const folderOf = (run: string): string => join(run, 'spares')
const started = new Map<Role, Promise<RunningServer>>()

const spare = (role: Role): Promise<RunningServer> => {
  const known = started.get(role) ?? findOrStart(role)
  started.set(role, known)
  return known
}

/** A worker that follows another one takes over its servers. */
async function findOrStart(role: Role): Promise<RunningServer> {
  const folder = folderOf(tmpdir())
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${role}-${process.env['VITEST_POOL_ID']}.json`)
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as RunningServer
  const { server } = role === 'shelf' ? await startShelf()
    : await startLedger({ settings: `databases ${DATABASES}` })
  writeFileSync(path, JSON.stringify(server))
  return server
}

const urlOf = ({ port, password }: RunningServer): string =>
  `redis://:${password}@127.0.0.1:${port}`

/** The address of a ledger that nobody else uses and that holds nothing. */
export async function emptyLedger(): Promise<string> {
  const server = await spare('ledger')
  taken = (taken + 1) % DATABASES
  const url = `${urlOf(server)}/${taken}`
  await ask(server, async (redis) => {
    await redis.select(taken)
    await redis.flushdb()
  })
  return url
}

/** The same of a shelf; there is one at a time, since its index is that of the whole server. */
export async function emptyShelf(): Promise<string> {
  const server = await spare('shelf')
  await ask(server, (redis) => redis.flushall())
  return urlOf(server)
}

/** The servers that the workers of a run started, by the run's folder. */
export function spareServers(run: string): RunningServer[] {
  const folder = folderOf(run)
  return !existsSync(folder) ? [] : readdirSync(folder)
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RunningServer)
}
