/** What must be true of keys that belong to agents and persons. */
import type { Tiers } from '../limits/tiers.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import { AFTERSALES_MAX } from '../orders/person.ts'
import { checkFeed } from '../orders/feed.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { runMany } from '../redis/slots.ts'
import type { Tally } from './report.ts'

export const LEDGER_INVARIANTS = {
  list: 'No entry of an agent\'s list points nowhere, or at another agent\'s order.',
  feed: 'No entry of an agent\'s feed tells what happened to no order of that agent.',
  human: 'At most five after-sales hold a person\'s window, and the window ends.',
  quota: 'No agent took more of a day than its tier allows, and the day\'s count ends.',
} as const

const ENTRIES_MAX = 500
const LISTS_AT_ONCE = 64

export async function checkLists(ledger: RedisClient, tally: Tally): Promise<void> {
  for await (const agents of scanNames(ledger, scans.agentOrders)) {
    for (let from = 0; from < agents.length; from += LISTS_AT_ONCE) {
      await Promise.all(agents.slice(from, from + LISTS_AT_ONCE)
        .map((agent) => checkList(ledger, agent, tally)))
    }
  }
}

async function checkList(ledger: RedisClient, agent: string, tally: Tally): Promise<void> {
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
  ledger: RedisClient, now: number, tally: Tally,
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
  ledger: RedisClient, known: ReadonlySet<string> | undefined, tally: Tally,
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
  ledger: RedisClient, tiers: Tiers, tally: Tally,
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
