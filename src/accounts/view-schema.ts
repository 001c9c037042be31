/** The operator's entities on the shelf, by redis-om and the client that it needs. */
import { createClient } from 'redis'
import { Repository, Schema, type Entity } from 'redis-om'
import { withDeadline } from '../contract/time.ts'
import type { Logger } from '../log.ts'
import { shelf as keys } from '../redis/keys.ts'
import { logOutages } from '../redis/connect.ts'
import type { FoundAccount, ViewQuery } from './views.ts'

export interface AccountRow {
  readonly account: string
  /** Made in the console, by a trial key, or by the operator. */
  readonly kind: string
  readonly state: string
  /** Masked. */
  readonly email?: string
  readonly created_at?: string
  readonly agent_count: number
}

export interface AgentRow {
  readonly agent: string
  readonly account: string
  readonly label: string
  readonly tier: string
  readonly state: string
  readonly created_at: string
  readonly live_keys: number
}

export interface ViewClient {
  readonly accounts: Repository
  readonly agents: Repository
  search(query: ViewQuery): Promise<FoundAccount[]>
  close(): Promise<void>
}

const OPEN_MS_MAX = 2000
const COMMANDS_MAX = 10_000

const accountSchema = new Schema(keys.accountView, {
  account: { type: 'string' },
  kind: { type: 'string' },
  state: { type: 'string' },
  email: { type: 'string' },
  created_at: { type: 'string' },
  agent_count: { type: 'number' },
}, { dataStructure: 'HASH', indexHashName: `${keys.accountView}-schema` })

const agentSchema = new Schema(keys.agentView, {
  agent: { type: 'string' },
  account: { type: 'string' },
  label: { type: 'text' },
  tier: { type: 'string' },
  state: { type: 'string' },
  created_at: { type: 'string' },
  live_keys: { type: 'number' },
}, { dataStructure: 'HASH', indexHashName: `${keys.agentView}-schema` })

export async function openViewClient(
  url: string, log: Pick<Logger, 'warn'>,
): Promise<ViewClient> {
  const redis = createClient({
    url, disableOfflineQueue: true, commandsQueueMaxLength: COMMANDS_MAX,
    socket: { connectTimeout: OPEN_MS_MAX },
  })
  logOutages(redis, new URL(url).host, log)
  const accounts = new Repository(accountSchema, redis)
  const agents = new Repository(agentSchema, redis)
  await orDisconnected(redis, async () => {
    await redis.connect()
    await makeIndex(accounts)
    await makeIndex(agents)
  })

  async function findAgents({ tier, label, limit }: ViewQuery): Promise<AgentRow[]> {
    let search = agents.search().where('state').equals('active')
    if (tier !== undefined) search = search.and('tier').equals(tier)
    if (label !== undefined) search = search.and('label').matches(label)
    return (await search.return.page(0, limit)).map(plain<AgentRow>)
  }

  async function agentsOf(account: string): Promise<AgentRow[]> {
    const found = await agents.search().where('account').equals(account)
      .and('state').equals('active').return.page(0, 100)
    return found.map(plain<AgentRow>)
  }

  async function findAccounts({ state, limit }: ViewQuery): Promise<AccountRow[]> {
    const search = accounts.search()
    const wanted = state === undefined ? search : search.where('state').equals(state)
    return (await wanted.return.page(0, limit)).map(plain<AccountRow>)
  }

  return {
    accounts,
    agents,
    async search(query) {
      if (query.tier === undefined && query.label === undefined) {
        const rows = await findAccounts(query)
        return await Promise.all(rows.map(async (row) =>
          ({ ...row, agents: await agentsOf(row.account) })))
      }
      const found = await findAgents(query)
      const names = [...new Set(found.map(({ account }) => account))]
      const rows = await Promise.all(names.map(async (name) =>
        plain<AccountRow>(await accounts.fetch(name))))
      return rows
        .filter(({ account, state }) =>
          account !== undefined && (query.state === undefined || state === query.state))
        .map((row) => ({ ...row, agents: found.filter(({ account }) => account === row.account) }))
    },
    async close() {
      if (redis.isOpen) await redis.disconnect()
    },
  }
}

/** Another node may make it at the same moment. */
async function makeIndex(repository: Repository): Promise<void> {
  await repository.createIndex().catch((error: Error) => {
    if (error.message !== 'Index already exists') throw error
  })
}

/** By itself the library would try, and wait for an answer, for ever. */
async function orDisconnected(
  redis: ReturnType<typeof createClient>, open: () => Promise<void>,
): Promise<void> {
  const opening = open()
  opening.catch(() => {})
  try {
    await withDeadline(opening, OPEN_MS_MAX, () => new Error('the shelf does not answer'))
  } catch (error) {
    if (redis.isOpen) await redis.disconnect()
    throw error
  }
}

/** Without the library's own marks. */
const plain = <T>(entity: Entity): T =>
  Object.fromEntries(Object.entries(entity).filter(([, value]) => value !== null)) as T
