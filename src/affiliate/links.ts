/** Our own short links to platforms, and the marks by which platforms name an agent in orders. */
import { randomBytes } from 'node:crypto'
import type { ConvertedLink, Source } from '../../adapters/index.ts'
import { isoTime, nowMs } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { randomBase62 } from '../ids.ts'
import type { AgentCaller } from '../operations/define.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import { countClick } from './clicks.ts'

/** Where people shop at a platform that is simulated, by its name. */
export type SandboxShops = Readonly<Record<string, string>>

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
  target(code: string): Promise<Target | undefined>
  /** Counts a visitor once in a while; false when it was counted already. */
  click(code: string, target: Target, visitor: string): Promise<boolean>
}

interface Options {
  readonly ledger: RedisClient
  readonly counters: RedisClient
  readonly publicUrl: string
  readonly sandboxShops?: SandboxShops
}

const poolTake = defineScript('pool-take', ['pool'], ['agent', 'marks'],
  (mark: string) => (mark === '' ? undefined : mark))

/** Platforms report orders for up to 90 days, and settle them later. */
const SUB_ID_S = 400 * 86_400
const LINK_S = 180 * 86_400
const CODE = /^[0-9A-Za-z]{12}$/

/** The agent that a mark in a platform's orders stands for. */
export async function agentOfMark(
  ledger: RedisClient, source: string, mark: string,
): Promise<string | null> {
  return await ledger.hget(keys.subId(source, mark), 'agent')
    ?? await ledger.hget(keys.markPool(source), `mark:${mark}`)
}

export function createLinks(options: Options): Links {
  const { ledger, counters, publicUrl, sandboxShops = {} } = options
  return {
    async subId({ name: source, capabilities }, { agent, account }) {
      if (capabilities.attribution === 'pool') {
        const marks = JSON.stringify(capabilities.pool ?? [])
        return await poolTake.run(ledger, { pool: keys.markPool(source) }, { agent, marks })
      }
      if (capabilities.attribution === 'none') return undefined
      const token = `am${randomBytes(12).toString('hex').slice(0, 20)}`
      await written(ledger.multi()
        .hset(keys.subId(source, token), { agent, account })
        .expire(keys.subId(source, token), SUB_ID_S).exec())
      return token
    },
    async create({ source, item_id, url, expires_at }, { agent }) {
      const code = randomBase62(12)
      const lifeS = expires_at === null ? LINK_S
        : Math.max(1, Math.min(LINK_S, Math.ceil((expires_at - nowMs()) / 1000)))
      const fields = { url, agent, source, item: item_id ?? '', created_at: isoTime(nowMs()) }
      await written(ledger.multi()
        .hset(keys.link(code), fields).expire(keys.link(code), lifeS).exec())
      return `${publicUrl}/go/${code}`
    },
    async target(code) {
      if (!CODE.test(code)) return undefined
      const [url, agent, source, item] =
        await ledger.hmget(keys.link(code), 'url', 'agent', 'source', 'item')
      if (!url || !agent || !source) return undefined
      const shop = sandboxShops[source]
      const to = shop === undefined ? url : `${shop}/visit?url=${encodeURIComponent(url)}`
      return { url: to, agent, source, item: item ?? '' }
    },
    click: (code, { agent, source, item }, visitor) =>
      countClick({ ledger, counters }, { code, agent, source, item }, visitor),
  }
}

/** A link that was not kept would attribute nothing. */
async function written(work: Promise<[Error | null, unknown][] | null>): Promise<void> {
  try {
    const replies = await work
    const failed = replies === null ? new Error('not run') : replies.find(([error]) => error)?.[0]
    if (failed) throw failed
  } catch (error) {
    throw new Refusal('unavailable', {}, error)
  }
}
