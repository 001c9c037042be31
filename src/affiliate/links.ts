/**
 * Our own short links to platforms, and the marks by which platforms name an agent in orders. Both
 * are written durably before a conversion is answered: a mark that vanished would leave the order
 * that carries it to nobody.
 */
import { randomBytes } from 'node:crypto'
import type { ConvertedLink, Source } from '../../adapters/index.ts'
import { renewTrial, TRIAL_LINK_MS, TRIAL_WITH_LINK_MS } from '../accounts/trials.ts'
import { isoTime, nowMs } from '../contract/time.ts'
import { randomBase62 } from '../contract/ids.ts'
import type { AgentCaller } from '../contract/caller.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { hashKeep } from '../redis/hash-keep.ts'
import { defineScript } from '../redis/script.ts'
import { countClick } from './clicks.ts'
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
   * A mark that stands for the agent in the platform's orders; undefined where the platform knows
   * none, or where those that it issued are all others'.
   */
  subId(source: Source, caller: AgentCaller): Promise<string | undefined>
  /** The address of a new link; what it leads to is stored and cannot be chosen by who opens it. */
  create(link: ConvertedLink, caller: AgentCaller): Promise<string>
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
      // The trial outlives what it may earn by.
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
    async create({ source, item_id, url, expires_at }, { agent, tier }) {
      const code = randomBase62(12)
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
