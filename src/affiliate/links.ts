/**
 * Our own short links to platforms, the marks by which platforms name an agent in orders, and the
 * clicks on those links. Links and marks are written durably before a conversion is answered: an
 * order that carries a lost mark would belong to no agent.
 */
import { randomBytes } from 'node:crypto'
import type { ConvertedLink, Source } from '../../adapters/index.ts'
import { renewTrial, TRIAL_LINK_MS, TRIAL_WITH_LINK_MS } from '../accounts/trials.ts'
import type { AgentCaller } from '../contract/caller.ts'
import { randomBase62 } from '../contract/ids.ts'
import { isoTime, nowMs } from '../contract/time.ts'
import { dayOf, monthsBetween } from '../earnings/month.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { counters as counterKeys, ledger as keys } from '../redis/keys.ts'
import { replyValues } from '../redis/replies.ts'
import { defineScript, hashKeep } from '../redis/script.ts'
import { runMany } from '../redis/send.ts'
import type { ShopPages } from './shop-pages.ts'

export interface Target {
  /** Where a person goes: the platform, or its simulator's shop. */
  readonly url: string
  readonly agent: string
  readonly source: string
  readonly item: string
}

export interface Links {
  /**
   * A mark that stands for the agent in the platform's orders; undefined where the platform has no
   * marks, or where all that it issued belong to other agents.
   */
  subId(source: Source, caller: AgentCaller): Promise<string | undefined>
  /** The address of a new link; its target is stored, and a visitor cannot choose it. */
  create(link: ConvertedLink, caller: AgentCaller, code?: string): Promise<string>
  /** The platform's own link; that of a simulated one on pages that a browser can open. */
  toOpen(link: ConvertedLink): string
  target(code: string): Promise<Target | undefined>
  /** Counts a visitor once in a while; false when it was counted already. */
  click(code: string, target: Target, visitor: string): Promise<boolean>
}

interface Options {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run'>
  readonly counters: RedisClient
  readonly publicUrl: string
  readonly shopPages: Pick<ShopPages, 'toOpen'>
}

const poolTake = defineScript('pool-take', ['pool'], ['agent', 'marks'],
  (mark: string) => (mark === '' ? undefined : mark))

/** Platforms report orders for up to 90 days, and settle them later. */
const SUB_ID_S = 400 * 86_400
const LINK_S = 180 * 86_400
const TRIAL_LINK_S = TRIAL_LINK_MS / 1000
const CODE = /^[0-9A-Za-z]{12}$/

/** The agent that a mark in a platform's orders stands for. */
export async function agentOfMark(
  ledger: RedisClient, source: string, mark: string,
): Promise<string | null> {
  return await ledger.hget(keys.subId(source, mark), 'agent')
    ?? await ledger.hget(keys.markPool(source), `mark:${mark}`)
}

export function createLinks(options: Options): Links {
  const { ledger, durable, counters, publicUrl, shopPages } = options
  const keep = (hash: string, fields: Record<string, string>, ttl_s: number): Promise<unknown> =>
    durable.run(hashKeep, { hash }, { fields: JSON.stringify(fields), ttl_s })
  return {
    async subId({ name: source, capabilities }, { agent, account, tier }) {
      // The trial lasts longer than its links.
      if (tier === 'trial') await renewTrial({ ledger, durable }, account, TRIAL_WITH_LINK_MS)
      if (capabilities.attribution === 'pool') {
        const marks = JSON.stringify(capabilities.pool ?? [])
        return await durable.run(poolTake, { pool: keys.markPool(source) }, { agent, marks })
      }
      if (capabilities.attribution === 'none') return undefined
      const token = `am${randomBytes(12).toString('hex').slice(0, 20)}`
      const lifeS = tier === 'trial' ? TRIAL_LINK_S : SUB_ID_S
      await keep(keys.subId(source, token), { agent, account }, lifeS)
      return token
    },
    async create({ source, item_id, url, expires_at }, { agent, tier }, code = randomBase62(12)) {
      const longestS = tier === 'trial' ? TRIAL_LINK_S : LINK_S
      const lifeS = expires_at === null ? longestS
        : Math.max(1, Math.min(longestS, Math.ceil((expires_at - nowMs()) / 1000)))
      const fields = { url, agent, source, item: item_id ?? '', created_at: isoTime(nowMs()) }
      await keep(keys.link(code), fields, lifeS)
      return `${publicUrl}/go/${code}`
    },
    toOpen: ({ source, url }) => shopPages.toOpen(source, url),
    async target(code) {
      if (!CODE.test(code)) return undefined
      const [url, agent, source, item] =
        await ledger.hmget(keys.link(code), 'url', 'agent', 'source', 'item')
      if (!url || !agent || !source) return undefined
      return { url: shopPages.toOpen(source, url), agent, source, item: item ?? '' }
    },
    click: (code, { agent, source, item }, visitor) =>
      countClick({ ledger, counters }, { code, agent, source, item }, visitor),
  }
}

// Clicks: visits to an agent's links, as a stream and as counts of days.

export interface Click {
  readonly code: string
  readonly agent: string
  readonly source: string
  readonly item: string
}

export interface ClickDay {
  /** China's, as those of earnings: "2026-11-21". */
  readonly day: string
  readonly source: string
  readonly clicks: number
}

/** A visitor who comes again within it is not counted. */
const WINDOW_MS = 1_800_000
const KEPT_MAX = 10_000
const KEPT_S = 90 * 86_400
const DAYS_KEPT_S = 400 * 86_400

interface ClickStores {
  readonly ledger: RedisClient
  readonly counters: RedisClient
}

/** False when the visitor was counted already; a visit that could not be kept is not counted. */
async function countClick(
  { ledger, counters }: ClickStores, { code, agent, source, item }: Click, visitor: string,
): Promise<boolean> {
  const isNew = await counters.set(
    counterKeys.click(code, visitor), '1', 'PX', WINDOW_MS, 'NX')
  if (!isNew) return false
  const at = nowMs()
  const day = dayOf(at)
  const [clicks, days] = [keys.clicks(agent), keys.clickDays(agent, day.slice(0, 7))]
  replyValues(await ledger.multi()
    .xadd(clicks, 'MAXLEN', '~', KEPT_MAX, '*',
      'code', code, 'source', source, 'item', item, 'at', at)
    .expire(clicks, KEPT_S)
    .hincrby(days, `${day} ${source}`, 1)
    .expire(days, DAYS_KEPT_S)
    .exec())
  return true
}

/** From one day to another, both included. */
export async function readClickDays(
  ledger: RedisClient, agent: string, from: string, to: string,
): Promise<ClickDay[]> {
  const found = await runMany(ledger, monthsBetween(from, to).map((month) =>
    ['hgetall', keys.clickDays(agent, month)] as const))
  return found.flatMap((hash) => Object.entries(hash as Record<string, string>)
    .map(([field, count]): ClickDay => {
      const [day = '', source = ''] = field.split(' ')
      return { day, source, clicks: Number(count) }
    }))
    .filter(({ day }) => day >= from && day <= to)
}
