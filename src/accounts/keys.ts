/** API keys and the agents they belong to. Only a keyed hash of a key is ever stored. */
import { LRUCache } from 'lru-cache'
import { isoTime, monotonicMs, nowMs, withDeadline } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { API_KEY_PATTERN, randomBase62, randomId, type Secrets } from '../ids.ts'
import type { Logger } from '../log.ts'
import type { Maybe } from '../maybe.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { channels, ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'

/** Under a second, so that a lost message about a revoked key changes nothing for long. */
const FRESH_MS = 900
/** While the ledger is away nothing can be revoked, so reads go on with what was known. */
const STALE_MS = 300_000
/** A known key waits only so long for a ledger that may be in the middle of a failover. */
const ASKED_MS_MAX = 500
const CACHED_KEYS_MAX = 100_000
/** Keys in the clear are held for callers of this moment only. */
const CACHED_HASHES_MAX = 1000
const HASHES_MS = 10_000

/** Of one account; the service document says so. */
export const AGENTS_MAX = 5

const API_KEY = new RegExp(API_KEY_PATTERN)

const agentJoin = defineScript('agent-join', ['account'], ['member', 'at', 'limit'],
  (isMember: number) => isMember === 1)

export interface Agent {
  readonly agent: string
  readonly account: string
  readonly tier: string
}

export interface NewKey extends Agent {
  /** Shown once. */
  readonly apiKey: string
}

export interface Accounts {
  /** The agent of a key, at once where it is known; undefined when it is unknown or revoked. */
  lookup(apiKey: string): Maybe<Agent | undefined>
  /** Whether a key opened something when this node last looked it up. */
  wasGood(apiKey: string): boolean
  /** Refuses with agent_limit when the account has its agents already. */
  createKey(options: { tier: string, label: string, account?: string }): Promise<NewKey>
  /** A key without an account; its earnings wait for the binding code. */
  createTrialKey(address: string): Promise<NewKey & { bindingCode: string }>
  /** Revokes a key, or all keys of an agent; the number that were active. */
  revoke(keyOrAgent: string): Promise<number>
  /** Forgets what is cached of a key: another node changed it. */
  forget(keyHash: string): void
}

/** What was read of a key, and when (ms, monotonic); null where it opens nothing. */
interface Known { readonly agent: Agent | null, readonly at: number }

interface Options {
  readonly ledger: RedisClient
  /** A key that was given out, or revoked, must stay so; without it the ledger's word is enough. */
  readonly durable?: Pick<Durable, 'send' | 'run'>
  readonly secrets: Secrets
  readonly log: Logger
  /** Takes one of an address's trial keys for today; says why not. */
  readonly takeTrial: (address: string) => Promise<Refusal | undefined>
}

export function createAccounts(options: Options): Accounts {
  const { ledger, secrets, log, takeTrial } = options
  const { send, run }: Pick<Durable, 'send' | 'run'> = options.durable ?? {
    send: (name, ...operands) => ledger.call(name, ...operands),
    run: (script, names, args) => script.run(ledger, names, args),
  }
  const cache = new LRUCache<string, Known>({ max: CACHED_KEYS_MAX })
  /** Hashing a key costs more than all else that a cached answer costs. */
  const hashes = new LRUCache<string, string>({ max: CACHED_HASHES_MAX })
  let forgottenAt = monotonicMs()
  /** Undefined for what is no key. */
  function hashOf(apiKey: string): string | undefined {
    const known = hashes.get(apiKey)
    if (known !== undefined || !API_KEY.test(apiKey)) return known
    const hash = secrets.keyHash(apiKey)
    hashes.set(apiKey, hash)
    return hash
  }

  async function read(hash: string): Promise<Agent | null> {
    const [agent, account, tier, state] =
      await ledger.hmget(keys.key(hash), 'agent', 'account', 'tier', 'state')
    return agent && account && tier && state === 'active' ? { agent, account, tier } : null
  }

  async function readAnew(hash: string, known: Known | undefined): Promise<Agent | undefined> {
    const at = monotonicMs()
    try {
      const agent = await (known
        ? withDeadline(read(hash), ASKED_MS_MAX, () => new Error('the ledger is late'))
        : read(hash))
      cache.set(hash, { agent, at })
      return agent ?? undefined
    } catch (error) {
      if (known && at - known.at < STALE_MS) return known.agent ?? undefined
      log.warn({ error: (error as Error).message }, 'key look-up failed')
      throw new Refusal('unavailable', {}, error)
    }
  }

  async function store(apiKey: string, agent: Agent, label: string): Promise<void> {
    const hash = secrets.keyHash(apiKey)
    const created_at = isoTime(nowMs())
    const isMember = await run(agentJoin, { account: keys.account(agent.account) },
      { member: `member:${agent.agent}`, at: created_at, limit: AGENTS_MAX })
    if (!isMember) throw new Refusal('agent_limit', { agents: AGENTS_MAX })
    await send('hset', keys.agent(agent.agent), ...Object.entries({
      account: agent.account, tier: agent.tier, label, created_at, [`hash:${hash}`]: 'active',
    }).flat())
    await send('hset', keys.key(hash), ...Object.entries({
      ...agent, state: 'active', prefix: apiKey.slice(0, 8), created_at,
    }).flat())
  }

  async function create(kind: 'ak_' | 'ak_trial_', options: {
    tier: string, label: string, account?: string | undefined,
  }): Promise<NewKey> {
    const agent = {
      agent: randomId('ag_'), account: options.account ?? randomId('ac_'), tier: options.tier,
    }
    const apiKey = kind + randomBase62(32)
    await orUnavailable(store(apiKey, agent, options.label))
    return { ...agent, apiKey }
  }

  async function revokeHash(hash: string): Promise<boolean> {
    const agent = await ledger.hget(keys.key(hash), 'agent')
    if (!agent) return false
    const state = await ledger.hget(keys.key(hash), 'state')
    await send('hset', keys.key(hash), 'state', 'revoked')
    await send('hset', keys.agent(agent), `hash:${hash}`, 'revoked')
    cache.delete(hash)
    await ledger.publish(channels.keyChanged, hash)
    return state === 'active'
  }

  return {
    lookup(apiKey) {
      const at = monotonicMs()
      if (at - forgottenAt > HASHES_MS) {
        hashes.clear()
        forgottenAt = at
      }
      const hash = hashOf(apiKey)
      if (hash === undefined) return undefined
      const known = cache.get(hash)
      const isFresh = known !== undefined && at - known.at < FRESH_MS
      return isFresh ? known.agent ?? undefined : readAnew(hash, known)
    },
    wasGood: (apiKey) => Boolean(cache.get(hashOf(apiKey) ?? '')?.agent),
    createKey: (options) => create('ak_', options),
    async createTrialKey(address) {
      const refused = await takeTrial(address)
      if (refused) throw refused
      const key = await create('ak_trial_', { tier: 'trial', label: 'trial' })
      const bindingCode = randomBase62(16)
      await orUnavailable(Promise.all([
        send('hset', keys.account(key.account), 'kind', 'trial', 'created_at', isoTime(nowMs())),
        send('set', keys.binding(secrets.keyHash(bindingCode)), key.account),
      ]))
      return { ...key, bindingCode }
    },
    async revoke(keyOrAgent) {
      if (API_KEY.test(keyOrAgent)) {
        return await revokeHash(secrets.keyHash(keyOrAgent)) ? 1 : 0
      }
      const fields = await ledger.hkeys(keys.agent(keyOrAgent))
      let revoked = 0
      for (const field of fields.filter((name) => name.startsWith('hash:'))) {
        if (await revokeHash(field.slice('hash:'.length))) revoked += 1
      }
      return revoked
    },
    forget(keyHash) {
      cache.delete(keyHash)
    },
  }
}

async function orUnavailable<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('unavailable', {}, error)
  }
}
