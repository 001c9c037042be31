/**
 * Accounts and agents as the operator searches them: a projection on the shelf, made from the
 * ledger and never the truth. Nobody waits for it; what one node missed, the next change or
 * `agentmall rebuild views` makes right.
 */
import type { Repository } from 'redis-om'
import { withDeadline } from '../contract/time.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys, scans, shelf as shelfKeys } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { readAgent } from './agent-record.ts'
import { maskEmail } from './email.ts'
import { membersOf } from './membership.ts'
import type { AccountRow, AgentRow, ViewClient } from './view-schema.ts'

export type { AccountRow, AgentRow } from './view-schema.ts'

export interface ViewQuery {
  readonly tier?: string
  /** Words of an agent's label. */
  readonly label?: string
  /** Of the account. */
  readonly state?: string
  readonly limit: number
}

export interface FoundAccount extends AccountRow {
  readonly agents: readonly AgentRow[]
}

export interface Views {
  /** Loads the code that views need, which holds up a process for half a second: for nodes. */
  load(): Promise<void>
  /** Makes an account's view anew, some time soon. Give it to whoever changes accounts. */
  touch(account: string): void
  refresh(account: string): Promise<void>
  search(query: ViewQuery): Promise<FoundAccount[]>
  rebuild(): Promise<{ accounts: number, agents: number, removed: number }>
  close(): Promise<void>
}

export interface ViewsOptions {
  readonly ledger: RedisClient
  readonly shelf: RedisClient
  readonly shelfUrl: string
  readonly secrets: Secrets
  readonly log: Pick<Logger, 'warn'>
}

const REFRESH_MS_MAX = 5000
/** Shown where an address should be. */
const UNREADABLE = '?'
/** Accounts that wait for their view; what does not fit in waits for a rebuild. */
const WAITING_MAX = 10_000

export function createViews(options: ViewsOptions): Views {
  const { ledger, shelf, shelfUrl, secrets, log } = options
  const seal = secrets.seal('email')
  const waiting = new Set<string>()
  let isBusy = false
  let opened: Promise<ViewClient> | undefined

  /** Its code and its connection are for those who use it. */
  function open(): Promise<ViewClient> {
    opened ??= import('./view-schema.ts').then(({ openViewClient }) =>
      openViewClient(shelfUrl, log))
    opened.catch(() => { opened = undefined })
    return opened
  }

  async function accountRow(account: string): Promise<[AccountRow, string[]] | undefined> {
    const [fields, sealed, former] = await Promise.all([
      ledger.hgetall(keys.account(account)),
      ledger.hget(keys.login(account), 'email'),
      ledger.zrange(keys.formerAgents(account), '0', '-1'),
    ])
    if (Object.keys(fields).length === 0) return undefined
    const members = membersOf(fields).map(([agent]) => agent)
    return [{
      account,
      kind: fields['kind'] ?? 'operator',
      state: fields['merged_into'] ? 'merged' : fields['state'] ?? 'active',
      ...(sealed && { email: emailOf(account, sealed) }),
      ...(fields['created_at'] && { created_at: fields['created_at'] }),
      agent_count: members.length,
    }, [...members, ...former]]
  }

  /** One record that cannot be read must not keep all others from being found. */
  function emailOf(account: string, sealed: string): string {
    try {
      return maskEmail(seal.open(sealed, account))
    } catch {
      log.warn({ account }, 'the e-mail address of an account cannot be opened')
      return UNREADABLE
    }
  }

  async function agentRow(agent: string): Promise<AgentRow | undefined> {
    const record = await readAgent(ledger, agent)
    if (!record) return undefined
    const { account, label, tier, state, createdAt } = record
    return {
      agent, account, label, tier, state, created_at: createdAt,
      live_keys: record.keys.filter((key) => key.state !== 'revoked').length,
    }
  }

  /** How many of its agents there are. */
  async function project({ accounts, agents }: ViewClient, account: string): Promise<number> {
    const found = await accountRow(account)
    if (!found) {
      await accounts.remove(account)
      return 0
    }
    const [row, names] = found
    await accounts.save(account, { email: null, created_at: null, ...row })
    const rows = await Promise.all(names.map(agentRow))
    for (const one of rows) if (one) await agents.save(one.agent, { ...one })
    // A trial's view ends with it; the first call after a day, and a rebuild, make it anew.
    const leftMs = await ledger.pttl(keys.account(account))
    if (leftMs >= 0) {
      const ttlS = Math.ceil(leftMs / 1000)
      await accounts.expire(account, ttlS)
      for (const agent of names) await agents.expire(agent, ttlS)
    }
    return rows.filter((one) => one?.account === account).length
  }

  async function refresh(account: string): Promise<void> {
    const late = (): Error => new Error('the shelf is late')
    await withDeadline(open().then((client) => project(client, account)), REFRESH_MS_MAX, late)
  }

  /** While the shelf is away the rest waits: the next change tries again. */
  async function work(): Promise<void> {
    isBusy = true
    for (const account of waiting) {
      // Taken off first: a change that comes meanwhile asks for another view.
      waiting.delete(account)
      try {
        await refresh(account)
      } catch (error) {
        log.warn({ error: (error as Error).message }, 'views of accounts are behind')
        waiting.add(account)
        break
      }
    }
    isBusy = false
  }

  /** What stands on the shelf and no longer on the ledger. */
  async function removeOthers(
    repository: Repository, name: string, isKept: (id: string) => Promise<boolean>,
  ): Promise<number> {
    let removed = 0
    const kind = { match: `${name}:*`, name: new RegExp(`^${name}:(.+)$`) }
    for await (const ids of scanNames(shelf, kind)) {
      for (const id of ids) {
        if (await isKept(id)) continue
        await repository.remove(id)
        removed += 1
      }
    }
    return removed
  }

  return {
    async load() {
      await import('./view-schema.ts')
    },
    touch(account) {
      if (waiting.size < WAITING_MAX) waiting.add(account)
      if (!isBusy) void work()
    },
    refresh,
    async search(query) {
      const client = await open()
      return await client.search(query)
    },
    async rebuild() {
      const client = await open()
      let [accounts, agents] = [0, 0]
      const seen = new Set<string>()
      for await (const names of scanNames(ledger, scans.accounts)) {
        for (const account of names) {
          if (seen.has(account)) continue
          seen.add(account)
          agents += await project(client, account)
          accounts += 1
        }
      }
      const isThere = async (key: string): Promise<boolean> => await ledger.exists(key) === 1
      const removed = await removeOthers(client.accounts, shelfKeys.accountView,
        (id) => isThere(keys.account(id)))
        + await removeOthers(client.agents, shelfKeys.agentView, (id) => isThere(keys.agent(id)))
      return { accounts, agents, removed }
    },
    async close() {
      await opened?.then((client) => client.close(), () => {})
    },
  }
}
