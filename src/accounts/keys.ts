/** API keys and the agents they belong to. Only a keyed hash of a key is ever stored. */
import { LRUCache } from 'lru-cache'
import { isoTime, monotonicMs, nowMs, withDeadline } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import { API_KEY_PATTERN, randomBase62, randomId } from '../contract/ids.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Logger } from '../log.ts'
import type { Maybe } from '../contract/maybe.ts'
import { countHit, measures } from '../measures.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { channels, ledger as keys } from '../redis/keys.ts'
import { hashKeep } from '../redis/hash-keep.ts'
import { defineScript } from '../redis/script.ts'
import {
  agentOfKey, keyField, lookAtKey, usedField, type Agent, type KeyLook,
} from './agent-record.ts'
import { joinAccount } from './membership.ts'
import { isToRenew, keepTrial, renewTrial, TRIAL_ACCOUNT_MS, TRIAL_MS } from './trials.ts'

export type { Agent } from './agent-record.ts'

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

/** When a key was last used is written down this often. */
const USED_MS = 60_000

const API_KEY = new RegExp(API_KEY_PATTERN)

const keyRevoke = defineScript('key-revoke', ['agent'], ['hash', 'state'],
  (ended: string[]) => ended)

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
  /** Another key of an agent: it opens nothing before the agent's record names it. */
  prepareKey(agent: string): Promise<{ apiKey: string, hash: string }>
  /** Revokes a key, or all keys of an agent; the number that were good. */
  revoke(keyOrAgent: string): Promise<number>
  /** The same for a key by its hash; all of the agent's and the agent itself with `delete`. */
  end(agent: string, which: { hash: string } | 'keys' | 'delete'): Promise<number>
  /** Tells all nodes that an agent has changed; those that do not hear know within a second. */
  announce(agent: string): Promise<void>
  /** Forgets what is cached of a key: another node changed it. */
  forget(keyHash: string): void
  /** Tells the listener of every account that this node gave a key to, after it. */
  watch(listener: (account: string) => void): void
}

/** What was read of a key, and when (ms, monotonic); null where it opens nothing. */
interface Known {
  readonly agent: Agent | null
  readonly at: number
  /** When a rotated key ends, on the same clock. */
  readonly endsAt?: number
}

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
  const trials = { ledger, durable: { run } }
  const cache = new LRUCache<string, Known>({ max: CACHED_KEYS_MAX })
  /** Hashing a key costs more than all else that a cached answer costs. */
  const hashes = new LRUCache<string, string>({ max: CACHED_HASHES_MAX })
  const watchers: ((account: string) => void)[] = []
  const tell = (account: string): void => watchers.forEach((listener) => listener(account))
  let forgottenAt = monotonicMs()
  /** Undefined for what is no key. */
  function hashOf(apiKey: string): string | undefined {
    const known = hashes.get(apiKey)
    if (known !== undefined || !API_KEY.test(apiKey)) return known
    const hash = secrets.keyHash(apiKey)
    hashes.set(apiKey, hash)
    return hash
  }

  async function read(hash: string, at: number, known: Known | undefined): Promise<Known> {
    const agent = known?.agent?.agent ?? await agentOfKey(ledger, hash)
    const look = agent === null ? null : await lookAtKey(ledger, agent, hash)
    if (!look) return { agent: null, at }
    noteUse(hash, look)
    return {
      agent: look.agent, at,
      ...(look.endsAt !== undefined && { endsAt: at + look.endsAt - look.now }),
    }
  }

  /** Off the caller's path, and nobody waits for it: losing one costs nothing. */
  function noteUse(hash: string, { agent, now, usedAt, leftMs }: KeyLook): void {
    if (leftMs !== undefined && isToRenew(leftMs)) {
      renewTrial(trials, agent.account).then(() => tell(agent.account), (error: Error) => {
        log.warn({ error: error.message }, 'the end of a trial key was not put off')
      })
    }
    if (now - usedAt < USED_MS) return
    ledger.hset(keys.agent(agent.agent), usedField(hash), now).catch((error: Error) => {
      log.warn({ error: error.message }, 'last use of a key not noted')
    })
  }

  async function readAnew(hash: string, known: Known | undefined): Promise<Agent | undefined> {
    const at = monotonicMs()
    try {
      const found = await (known
        ? withDeadline(read(hash, at, known), ASKED_MS_MAX, () => new Error('the ledger is late'))
        : read(hash, at, known))
      cache.set(hash, found)
      return found.agent ?? undefined
    } catch (error) {
      if (known && at - known.at < STALE_MS) return goodAt(known, at)
      log.warn({ error: (error as Error).message }, 'key look-up failed')
      throw new Refusal('unavailable', {}, error)
    }
  }

  /** The agent's record comes last: before it is there the key opens nothing. */
  async function store(
    apiKey: string, agent: Agent, label: string, lifeMs?: number,
  ): Promise<void> {
    const created_at = isoTime(nowMs())
    await joinAccount({ ledger, run }, agent.account, agent.agent)
    const hash = await storeKey(apiKey, agent.agent, lifeMs)
    await write(keys.agent(agent.agent), {
      account: agent.account, tier: agent.tier, label, created_at, [keyField(hash)]: 'active',
    }, lifeMs)
  }

  async function storeKey(apiKey: string, agent: string, lifeMs?: number): Promise<string> {
    const hash = secrets.keyHash(apiKey)
    await write(keys.key(hash), {
      agent, state: 'active', prefix: apiKey.slice(0, 8), created_at: isoTime(nowMs()),
    }, lifeMs)
    return hash
  }

  /** Fields and end in one step: a trial's record without an end would stay for ever. */
  async function write(
    hash: string, fields: Record<string, string>, lifeMs?: number,
  ): Promise<void> {
    if (lifeMs === undefined) await send('hset', hash, ...Object.entries(fields).flat())
    else await run(hashKeep, { hash }, { fields: JSON.stringify(fields), ttl_s: lifeMs / 1000 })
  }

  async function create(kind: 'ak_' | 'ak_trial_', options: {
    tier: string, label: string, account?: string | undefined, lifeMs?: number,
  }): Promise<NewKey> {
    const agent = {
      agent: randomId('ag_'), account: options.account ?? randomId('ac_'), tier: options.tier,
    }
    const apiKey = kind + randomBase62(32)
    await orUnavailable(store(apiKey, agent, options.label, options.lifeMs))
    measures.keysCreated.add(kind === 'ak_trial_' ? 'trial' : 'account')
    return { ...agent, apiKey }
  }

  async function publish(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) cache.delete(hash)
    try {
      await Promise.all(hashes.map((hash) => ledger.publish(channels.keyChanged, hash)))
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'a change of keys was not told')
    }
  }

  const end: Accounts['end'] = async (agent, which) => {
    const ended = await run(keyRevoke, { agent: keys.agent(agent) }, {
      hash: typeof which === 'object' ? which.hash : '', state: which === 'delete' ? 'deleted' : '',
    })
    await publish(ended)
    return ended.length
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
      return countHit('keys', isFresh) && known ? goodAt(known, at) : readAnew(hash, known)
    },
    wasGood: (apiKey) => Boolean(cache.get(hashOf(apiKey) ?? '')?.agent),
    async createKey(options) {
      const { account } = options
      // An agent of the operator's making keeps the trial that it joins.
      if (account !== undefined) {
        await orUnavailable(keepTrial(trials, account))
      }
      const key = await create('ak_', options)
      tell(key.account)
      return key
    },
    async createTrialKey(address) {
      const refused = await takeTrial(address)
      if (refused) throw refused
      const [account, bindingCode] = [randomId('ac_'), randomBase62(16)]
      const binding = secrets.keyHash(bindingCode)
      await orUnavailable(write(keys.account(account), {
        kind: 'trial', created_at: isoTime(nowMs()), binding,
      }, TRIAL_ACCOUNT_MS))
      await orUnavailable(
        send('set', keys.binding(binding), account, 'PX', TRIAL_ACCOUNT_MS))
      const key = await create('ak_trial_', {
        tier: 'trial', label: 'trial', account, lifeMs: TRIAL_MS,
      })
      tell(account)
      return { ...key, bindingCode }
    },
    async prepareKey(agent) {
      const apiKey = `ak_${randomBase62(32)}`
      return { apiKey, hash: await orUnavailable(storeKey(apiKey, agent)) }
    },
    async revoke(keyOrAgent) {
      if (!API_KEY.test(keyOrAgent)) return await end(keyOrAgent, 'keys')
      const hash = secrets.keyHash(keyOrAgent)
      const agent = await agentOfKey(ledger, hash)
      return agent === null ? 0 : await end(agent, { hash })
    },
    end,
    async announce(agent) {
      const fields = await ledger.hkeys(keys.agent(agent))
      await publish(fields.filter((field) => field.startsWith(keyField('')))
        .map((field) => field.slice(keyField('').length)))
    },
    forget(keyHash) {
      cache.delete(keyHash)
    },
    watch(listener) {
      watchers.push(listener)
    },
  }
}

const goodAt = ({ agent, endsAt }: Known, at: number): Agent | undefined =>
  (agent === null || (endsAt !== undefined && at >= endsAt) ? undefined : agent)

async function orUnavailable<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('unavailable', {}, error)
  }
}
