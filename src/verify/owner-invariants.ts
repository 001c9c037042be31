/** What must be true of keys that belong to agents and persons. */
import type { Tiers } from '../limits/tiers.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import { AFTERSALES_MAX } from '../orders/aftersales.ts'
import { checkFeed } from '../events/feed.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { scanNames, type ScanKind } from '../redis/scan.ts'
import { runMany, type KeyCommand } from '../redis/send.ts'
import type { VerifyTally, Violation } from './report.ts'
import { AGENTS_MAX, memberField, membersOf } from '../accounts/agent-records.ts'
import { sleep } from '../contract/time.ts'
import { BOOKS } from '../earnings/books.ts'

export const LEDGER_INVARIANTS = {
  list: 'No entry of an agent\'s list points nowhere, or at another agent\'s order.',
  feed: 'No entry of an agent\'s feed tells what happened to no order of that agent.',
  human: 'At most five after-sales hold a person\'s window, and the window ends.',
  quota: 'No agent took more of a day than its tier allows, and the day\'s count ends.',
} as const

const ENTRIES_MAX = 500
const LISTS_AT_ONCE = 64

export async function checkLists(ledger: RedisClient, tally: VerifyTally): Promise<void> {
  for await (const agents of scanNames(ledger, scans.agentOrders)) {
    for (let from = 0; from < agents.length; from += LISTS_AT_ONCE) {
      await Promise.all(agents.slice(from, from + LISTS_AT_ONCE)
        .map((agent) => checkList(ledger, agent, tally)))
    }
  }
}

async function checkList(ledger: RedisClient, agent: string, tally: VerifyTally): Promise<void> {
  const list = keys.agentOrders(agent)
  const type = await ledger.type(list)
  if (type === 'none') return
  if (type !== 'zset') {
    tally.add([{ invariant: 'list', subject: agent, detail: 'is no sorted set' }])
    return
  }
  tally.count('lists')
  for (let from = 0; ; from += ENTRIES_MAX) {
    const entries = await ledger.zrange(list, String(from), String(from + ENTRIES_MAX - 1))
    const owners = await runMany(ledger, entries.map((orderNo) =>
      ['hget', keys.order(partitionOfOrder(orderNo) ?? 0, orderNo), 'agent'] as const))
    tally.count('list entries', entries.length)
    const dropped = await droppedJustNow(ledger, agent,
      entries.filter((_, index) => owners[index] === null))
    const wrong = [...entries.entries()].filter(([index, orderNo]) =>
      owners[index] !== agent && !dropped.has(orderNo))
    tally.add(wrong.map(([index, orderNo]) => ({
      invariant: 'list', subject: agent,
      detail: owners[index] === null ? `${orderNo} is no order` : `${orderNo} is another agent's`,
    })))
    if (entries.length < ENTRIES_MAX) return
  }
}

export async function checkFeeds(
  ledger: RedisClient, now: number, tally: VerifyTally,
): Promise<void> {
  for await (const agents of scanNames(ledger, scans.feeds)) {
    for (const agent of agents) {
      if (await ledger.type(keys.feed(agent)) !== 'stream') continue
      tally.count('feeds')
      for await (const { entries, strays } of checkFeed(ledger, agent, now)) {
        tally.count('feed entries', entries)
        tally.add(strays.map(({ order_no, event, id }) => ({
          invariant: 'feed', subject: agent, detail: `${id}: ${order_no} was not ${event} then`,
        })))
      }
    }
  }
}

/** Of those that are no orders: which were never paid, and are taken off the list in a moment. */
async function droppedJustNow(
  ledger: RedisClient, agent: string, orderNos: readonly string[],
): Promise<ReadonlySet<string>> {
  const times = await runMany(ledger, orderNos.map((orderNo) =>
    ['zscore', keys.fading(partitionOfOrder(orderNo) ?? 0), `${orderNo} ${agent}`] as const))
  return new Set(orderNos.filter((_, index) => times[index] !== null))
}

/** `known` are the after-sales that there are; undefined where not all were collected. */
export async function checkHumans(
  ledger: RedisClient, known: ReadonlySet<string> | undefined, tally: VerifyTally,
): Promise<void> {
  let strays = 0
  for await (const humans of scanNames(ledger, scans.humans)) {
    const replies = await runMany(ledger, humans.flatMap((human) => [
      ['hkeys', keys.human(human)] as const, ['ttl', keys.human(human)] as const]))
    for (const [index, subject] of humans.entries()) {
      const [ids, ttl] = replies.slice(index * 2, index * 2 + 2) as [string[], number]
      tally.count('human windows')
      if (ids.length > AFTERSALES_MAX) {
        tally.add([{ invariant: 'human', subject, detail: `${ids.length} after-sales hold it` }])
      }
      if (ttl === -1) tally.add([{ invariant: 'human', subject, detail: 'has no end' }])
      if (known) strays += ids.filter((id) => !known.has(id)).length
    }
  }
  if (strays > 0) {
    tally.warn(`${strays} places in persons' windows are held by no after-sale: requests under way,`
      + ' or cut off and not repeated; they end with their window.')
  }
}

export async function checkQuotas(
  ledger: RedisClient, tiers: Tiers, tally: VerifyTally,
): Promise<void> {
  const highest = Math.max(...Object.values(tiers).map(({ daily_quota }) => daily_quota))
  for await (const found of scanNames(ledger, scans.quotas)) {
    const counters = found.map((name) => name.split('}:') as [agent: string, day: string])
    const replies = await runMany(ledger, counters.flatMap(([agent, day]) => [
      ['get', keys.quota(agent, Number(day))] as const,
      ['ttl', keys.quota(agent, Number(day))] as const,
      ['hget', keys.agent(agent), 'tier'] as const,
    ]))
    for (const [index, [agent]] of counters.entries()) {
      const [used, ttl, tier] = replies.slice(index * 3, index * 3 + 3)
      const limit = tiers[String(tier)]?.daily_quota ?? highest
      tally.count('daily quotas')
      if (Number(used) > limit || Number(used) < 0) {
        tally.add([{
          invariant: 'quota', subject: agent, detail: `${String(used)} taken of ${limit}`,
        }])
      }
      if (ttl === -1) tally.add([{ invariant: 'quota', subject: agent, detail: 'has no end' }])
    }
  }
}

export const ACCOUNT_INVARIANTS = {
  members: 'An account has at most five agents.',
  member: 'No place of an account is held by another account\'s agent: an agent is in one.',
  agent: 'Every agent in use is a member of the account that its record names.',
  address: 'An address leads to the account that has it, and an account\'s address to it.',
  merged: 'A trial that was merged has nothing left in its books.',
} as const

type Invariant = keyof typeof ACCOUNT_INVARIANTS
type Found = Violation & { readonly invariant: Invariant }

/** Looks at some of a kind. Harmless remains of a call that was cut off are reported. */
type Judge = (ledger: RedisClient, names: readonly string[], leftover: () => void) =>
  Promise<Found[]>

const AT_ONCE = 64
const SUSPECTS_MAX = 1000
/** Registering, binding and deleting are several writes: they are through after this. */
const UNDER_WAY_MS = 1000

export async function checkAccounts(ledger: RedisClient, tally: VerifyTally): Promise<void> {
  const places = await judgeAll(ledger, tally, 'accounts', scans.accounts, judgeAccounts)
  await judgeAll(ledger, tally, 'agents', scans.agents, judgeAgents)
  const addresses = await judgeAll(ledger, tally, 'addresses', scans.emails, judgeAddresses)
  if (places > 0) {
    tally.warn(`${places} places of accounts are held by no agent of theirs: calls that were cut`
      + ' off, or are under way; an account that needs them takes them back.')
  }
  if (addresses > 0) {
    tally.warn(`${addresses} addresses are those of deleted accounts: whoever registers next gets`
      + ' them.')
  }
}

/** A violation is what is seen twice, unchanged, with some time between. Returns the leftovers. */
async function judgeAll(
  ledger: RedisClient, tally: VerifyTally, what: string, kind: ScanKind, judge: Judge,
): Promise<number> {
  let leftovers = 0
  const suspects = new Map<string, Found[]>()
  for await (const names of scanNames(ledger, kind)) {
    tally.count(what, names.length)
    for (let from = 0; from < names.length; from += AT_ONCE) {
      const found = await judge(ledger, names.slice(from, from + AT_ONCE), () => { leftovers += 1 })
      for (const one of found.slice(0, SUSPECTS_MAX - suspects.size)) {
        suspects.set(one.subject, [...suspects.get(one.subject) ?? [], one])
      }
    }
  }
  if (suspects.size > 0) await sleep(UNDER_WAY_MS)
  const names = [...suspects.keys()]
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const again = await judge(ledger, names.slice(from, from + AT_ONCE), () => {})
    tally.add(again.filter(({ subject, invariant, detail }) => suspects.get(subject)
      ?.some((one) => one.invariant === invariant && one.detail === detail)))
  }
  return leftovers
}

type Fen = (string | null)[]

const judgeAccounts: Judge = async (ledger, accounts, leftover) => {
  const replies = await runMany(ledger, accounts.flatMap((account): KeyCommand[] => [
    ['hgetall', keys.account(account)], ['hmget', keys.balances(account, 'sandbox'), ...BOOKS],
    ['hmget', keys.balances(account, 'live'), ...BOOKS],
    ['hget', keys.login(account), 'email_hash'], ['pttl', keys.login(account)],
  ]))
  const found: Found[] = []
  for (const [index, subject] of accounts.entries()) {
    const [fields, sandbox, live, emailHash, loginTtl] = replies.slice(index * 5, index * 5 + 5) as
      [Record<string, string>, Fen, Fen, string | null, number]
    const members = membersOf(fields).map(([agent]) => agent)
    const bad = (invariant: Invariant, detail: string): void => {
      found.push({ invariant, subject, detail })
    }
    if (members.length > AGENTS_MAX) bad('members', `has ${members.length} agents`)
    if (fields['merged_into']) {
      for (const [mode, balances] of [['sandbox', sandbox], ['live', live]] as const) {
        const left = BOOKS.filter((_, at) => Number(balances[at] ?? 0) !== 0)
        if (left.length > 0) {
          bad('merged', `still has ${left.map((book) =>
            `${balances[BOOKS.indexOf(book)]} in ${book} of ${mode}`).join(', ')}`)
        }
      }
    }
    // A merged trial's agents have gone along, and are looked at where they are.
    const own = fields['merged_into'] ? [] : members
    for (const [agent, verdict] of await strangers(ledger, subject, own)) {
      if (verdict === 'leftover') leftover()
      else bad('member', `${agent} is an agent of ${verdict}`)
    }
    // An unfinished registration ends by itself.
    if (emailHash === null || loginTtl >= 0) continue
    const holder = await ledger.get(keys.email(emailHash))
    if (holder !== subject) bad('address', `its address leads to ${holder ?? 'nobody'}`)
  }
  return found
}

/** Members that are no agents of the account: of another account, or left by a cut-off call. */
async function strangers(
  ledger: RedisClient, account: string, members: readonly string[],
): Promise<[agent: string, account: string][]> {
  const records = await runMany(ledger, members.map((agent): KeyCommand =>
    ['hmget', keys.agent(agent), 'account', 'state'])) as (string | null)[][]
  const found: [string, string][] = []
  for (const [index, agent] of members.entries()) {
    const [own = null, state] = records[index] ?? []
    if (own === account && state !== 'deleted') continue
    const [kind, into] = own === null ? []
      : await ledger.hmget(keys.account(own), 'kind', 'merged_into')
    if (state !== 'deleted' && into === account) continue
    // A trial's agent has a place before the trial is merged.
    const isLeftover = own === null || state === 'deleted' || kind === 'trial'
    found.push([agent, isLeftover ? 'leftover' : own])
  }
  return found
}

const judgeAgents: Judge = async (ledger, agents) => {
  const records = await runMany(ledger, agents.map((agent): KeyCommand =>
    ['hmget', keys.agent(agent), 'account', 'state'])) as (string | null)[][]
  const used = agents.flatMap((agent, index) => {
    const [account, state] = records[index] ?? []
    return account && state !== 'deleted' ? [{ agent, account }] : []
  })
  const isMember = await runMany(ledger, used.map(({ agent, account }): KeyCommand =>
    ['hexists', keys.account(account), memberField(agent)]))
  return used.filter((_, index) => isMember[index] !== 1).map(({ agent, account }) =>
    ({ invariant: 'agent', subject: agent, detail: `is no member of ${account}` }))
}

const judgeAddresses: Judge = async (ledger, hashes, leftover) => {
  const holders = await runMany(ledger, hashes.flatMap((hash): KeyCommand[] =>
    [['get', keys.email(hash)], ['pttl', keys.email(hash)]]))
  const found: Found[] = []
  for (const [index, subject] of hashes.entries()) {
    const [holder, ttl] = holders.slice(index * 2, index * 2 + 2) as [string | null, number]
    if (holder === null || ttl >= 0) continue
    const own = await ledger.hget(keys.login(holder), 'email_hash')
    if (own === subject) continue
    const state = await ledger.hget(keys.account(holder), 'state')
    if (own === null && state === 'deleted') leftover()
    else found.push({ invariant: 'address', subject, detail: `${holder} has another, or none` })
  }
  return found
}
