/** The servers of the shelf: whether each answers, holds the goods, and which one takes writes. */
import { indexStates } from '../goods/shelf-index.ts'
import type { Logger } from '../log.ts'
import { nameOf, openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import type { RedisUrls } from '../redis/roles.ts'
import { lookAtShelf, primaryOf, type ShelfLook } from '../redis/shelf.ts'
import { fail, ok, reasonOf, warn, type Finding } from './finding.ts'

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
      examine(client, at === 0 ? 'SHELF_URL or REDIS_URL' : 'SHELF_REPLICAS', withinMs)))
    return [
      ...members.map(({ finding }) => finding),
      ...(members.length > 1 ? checkRoles(members) : []),
    ]
  } finally {
    for (const client of clients) client.disconnect()
  }
}

async function examine(client: RedisClient, setting: string, withinMs: number): Promise<Member> {
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
function checkRoles(members: readonly Member[]): Finding[] {
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
