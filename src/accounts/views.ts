/**
 * Accounts and agents as the operator searches them: a projection on the shelf, made from the
 * ledger and never the truth. Nobody waits for it; what one node missed, the next change or
 * `agentmall rebuild views` makes right.
 */
import type { Repository } from 'redis-om'
import { withDeadline } from '../contract/time.ts'
import { bpsAt } from '../earnings/records.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys, scans, shelf as shelfKeys } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { membersOf, readAgent } from './agent-records.ts'
import { maskEmail } from './email.ts'
import type { Agents, AgentView } from './agents.ts'
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

export interface AccountViewsOptions {
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

export class AccountViews {
  private readonly options: AccountViewsOptions
  private readonly waiting = new Set<string>()
  private isBusy = false
  private opened: Promise<ViewClient> | undefined

  constructor(options: AccountViewsOptions) {
    this.options = options
  }

  /** Loads the code that views need, which holds up a process for half a second: for nodes. */
  async load(): Promise<void> {
    await import('./view-schema.ts')
  }

  /** Makes an account's view anew, some time soon. Whoever changes accounts calls it. */
  touch(account: string): void {
    if (this.waiting.size < WAITING_MAX) this.waiting.add(account)
    if (!this.isBusy) void this.work()
  }

  async refresh(account: string): Promise<void> {
    const late = (): Error => new Error('the shelf is late')
    await withDeadline(this.open().then((client) => this.project(client, account)),
      REFRESH_MS_MAX, late)
  }

  async search(query: ViewQuery): Promise<FoundAccount[]> {
    const client = await this.open()
    return await client.search(query)
  }

  async rebuild(): Promise<{ accounts: number, agents: number, removed: number }> {
    const { ledger } = this.options
    const client = await this.open()
    let [accounts, agents] = [0, 0]
    const seen = new Set<string>()
    for await (const names of scanNames(ledger, scans.accounts)) {
      for (const account of names) {
        if (seen.has(account)) continue
        seen.add(account)
        agents += await this.project(client, account)
        accounts += 1
      }
    }
    const isThere = async (key: string): Promise<boolean> => await ledger.exists(key) === 1
    const removed = await this.removeOthers(client.accounts, shelfKeys.accountView,
      (id) => isThere(keys.account(id)))
      + await this.removeOthers(client.agents, shelfKeys.agentView, (id) => isThere(keys.agent(id)))
    return { accounts, agents, removed }
  }

  async close(): Promise<void> {
    await this.opened?.then((client) => client.close(), () => {})
  }

  /** Its code and its connection are for those who use it. */
  private open(): Promise<ViewClient> {
    const { shelfUrl, log } = this.options
    this.opened ??= import('./view-schema.ts').then(({ openViewClient }) =>
      openViewClient(shelfUrl, log))
    this.opened.catch(() => { this.opened = undefined })
    return this.opened
  }

  /** While the shelf is down the rest waits: the next change tries again. */
  private async work(): Promise<void> {
    this.isBusy = true
    for (const account of this.waiting) {
      // Taken off first: a change that comes meanwhile asks for another view.
      this.waiting.delete(account)
      try {
        await this.refresh(account)
      } catch (error) {
        this.options.log.warn({ error: (error as Error).message }, 'views of accounts are behind')
        this.waiting.add(account)
        break
      }
    }
    this.isBusy = false
  }

  /** How many of its agents there are. */
  private async project({ accounts, agents }: ViewClient, account: string): Promise<number> {
    const { ledger } = this.options
    const found = await this.accountRow(account)
    if (!found) {
      await accounts.remove(account)
      return 0
    }
    const [row, names] = found
    await accounts.save(account, { email: null, created_at: null, ...row })
    const rows = await Promise.all(names.map((agent) => agentRow(ledger, agent)))
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

  private async accountRow(
    account: string,
  ): Promise<[row: AccountRow, agents: string[]] | undefined> {
    const { ledger } = this.options
    const [fields, sealed, former] = await Promise.all([
      ledger.hgetall(keys.account(account)),
      ledger.hget(keys.login(account), 'email'),
      ledger.zrange(keys.formerAgents(account), '0', '-1'),
    ])
    if (Object.keys(fields).length === 0) return undefined
    const members = membersOf(fields).map(([agent]) => agent)
    return [{
      ...accountFacts(account, fields),
      ...(sealed && { email: this.emailOf(account, sealed) }),
      agent_count: members.length,
    }, [...members, ...former]]
  }

  /** One record that cannot be read must not keep all others from being found. */
  private emailOf(account: string, sealed: string): string {
    const { secrets, log } = this.options
    try {
      return maskEmail(secrets.seal('email').open(sealed, account))
    } catch {
      log.warn({ account }, 'the e-mail address of an account cannot be opened')
      return UNREADABLE
    }
  }

  /** Removes from the shelf what no longer stands on the ledger. */
  private async removeOthers(
    repository: Repository, name: string, isKept: (id: string) => Promise<boolean>,
  ): Promise<number> {
    let removed = 0
    const kind = { match: `${name}:*`, name: new RegExp(`^${name}:(.+)$`) }
    for await (const ids of scanNames(this.options.shelf, kind)) {
      for (const id of ids) {
        if (await isKept(id)) continue
        await repository.remove(id)
        removed += 1
      }
    }
    return removed
  }
}

const accountFacts = (account: string, fields: Record<string, string>) => ({
  account,
  kind: fields['kind'] ?? 'operator',
  state: fields['merged_into'] ? 'merged' : fields['state'] ?? 'active',
  ...(fields['created_at'] && { created_at: fields['created_at'] }),
})

async function agentRow(ledger: RedisClient, agent: string): Promise<AgentRow | undefined> {
  const record = await readAgent(ledger, agent)
  if (!record) return undefined
  const { account, label, tier, state, createdAt } = record
  return {
    agent, account, label, tier, state, created_at: createdAt,
    live_keys: record.keys.filter((key) => key.state !== 'revoked').length,
  }
}

interface ShownAccount {
  readonly account: string
  readonly kind: string
  readonly state: string
  readonly email?: string
  /** Whether its owner proved to read the mail of that address. */
  readonly email_verified?: boolean
  readonly created_at?: string
  readonly merged_into?: string
  /** Negotiated; absent where the usual rate holds. */
  readonly bps?: number
  readonly agents: readonly AgentView[]
}

/** An account as the ledger has it now, for the operator; undefined when there is none. */
export async function showAccount(
  { ledger, secrets, agents }: {
    readonly ledger: RedisClient, readonly secrets: Secrets, readonly agents: Pick<Agents, 'list'>,
  }, account: string,
): Promise<ShownAccount | undefined> {
  const fields = await ledger.hgetall(keys.account(account))
  if (Object.keys(fields).length === 0) return undefined
  const { merged_into, terms } = fields
  const [sealed, verifiedAt] = await ledger.hmget(keys.login(account), 'email', 'verified_at')
  const { account: _, kind, state, created_at } = accountFacts(account, fields)
  return {
    account, kind, state,
    ...(sealed && {
      email: maskEmail(secrets.seal('email').open(sealed, account)),
      email_verified: verifiedAt !== null,
    }),
    ...(created_at && { created_at }),
    ...(merged_into && { merged_into }),
    ...(terms && { bps: bpsAt(terms) }),
    agents: await agents.list(account),
  }
}
