/** What must be true of accounts, their agents and addresses. */
import { AGENTS_MAX, memberField, membersOf } from '../accounts/membership.ts'
import { sleep } from '../contract/time.ts'
import { BOOKS } from '../earnings/books.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { scanNames, type ScanKind } from '../redis/scan.ts'
import { runMany, type KeyCommand } from '../redis/slots.ts'
import type { Tally, Violation } from './report.ts'

export const ACCOUNT_INVARIANTS = {
  members: 'An account has at most five agents.',
  member: 'No place of an account is held by another account\'s agent: an agent is in one.',
  agent: 'Every agent in use is a member of the account that its record names.',
  address: 'An address leads to the account that has it, and an account\'s address to it.',
  merged: 'A trial that was merged has nothing left in its books.',
} as const

type Invariant = keyof typeof ACCOUNT_INVARIANTS
type Found = Violation & { readonly invariant: Invariant }

/** Looks at some of a kind. What a call that was cut off left behind, and harms nobody, is told. */
type Judge = (ledger: RedisClient, names: readonly string[], leftover: () => void) =>
  Promise<Found[]>

const AT_ONCE = 64
const SUSPECTS_MAX = 1000
/** Registering, binding and deleting are several writes: they are through after this. */
const UNDER_WAY_MS = 1000

export async function checkAccounts(ledger: RedisClient, tally: Tally): Promise<void> {
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
  ledger: RedisClient, tally: Tally, what: string, kind: ScanKind, judge: Judge,
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
