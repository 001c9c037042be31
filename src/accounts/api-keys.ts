/** API keys and the agents they belong to. Only a keyed hash of a key is ever stored. */
import { LRUCache } from 'lru-cache'
import { isoTime, monotonicMs, nowMs, withDeadline } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import { API_KEY_PATTERN, randomBase62, randomId } from '../contract/ids.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Logger } from '../log.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import { countHit, measures } from '../measures.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { channels, ledger as keys } from '../redis/keys.ts'
import { defineScript, hashKeep } from '../redis/script.ts'
import { orUnavailable } from '../redis/command-errors.ts'
import {
  agentOfKey, joinAccount, keyField, lookAtKey, usedField, type Agent, type KeyLook,
} from './agent-records.ts'
import { isToRenew, keepTrial, renewTrial, TRIAL_ACCOUNT_MS, TRIAL_MS } from './trials.ts'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Under a second, so that a lost message about a revoked key changes nothing for long. */
const FRESH_MS = 900
/** While the ledger is down nothing can be revoked, so reads go on with what was known. */
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

/** What was read of a key, and when (ms, monotonic); null where it opens nothing. */
interface Known {
  readonly agent: Agent | null
  readonly at: number
  /** When a rotated key ends, on the same clock. */
  readonly endsAt?: number
}

interface ApiKeysOptions {
  readonly ledger: RedisClient
  /** A key that was given out, or revoked, must stay so; without it the ledger's word is enough. */
  readonly durable?: Pick<Durable, 'send' | 'run'>
  readonly secrets: Secrets
  readonly log: Logger
  /** Takes one of an address's trial keys for today; says why not. */
  readonly takeTrial: (address: string) => Promise<Refusal | undefined>
}

export class ApiKeys {
  private readonly ledger: RedisClient
  private readonly secrets: Secrets
  private readonly log: Logger
  private readonly takeTrial: ApiKeysOptions['takeTrial']
  private readonly send: Durable['send']
  private readonly run: Durable['run']
  private readonly trials: Parameters<typeof keepTrial>[0]
  private readonly cache = new LRUCache<string, Known>({ max: CACHED_KEYS_MAX })
  /** Hashing a key costs more than all else that a cached answer costs. */
  private readonly hashes = new LRUCache<string, string>({ max: CACHED_HASHES_MAX })
  private readonly watchers: ((account: string) => void)[] = []
  private hashesClearedAt = monotonicMs()

  constructor({ ledger, durable, secrets, log, takeTrial }: ApiKeysOptions) {
    this.ledger = ledger
    this.secrets = secrets
    this.log = log
    this.takeTrial = takeTrial
    this.send = durable?.send ?? ((name, ...operands) => ledger.call(name, ...operands))
    this.run = durable?.run ?? ((script, names, args) => script.run(ledger, names, args))
    this.trials = { ledger, durable: { run: this.run } }
  }

  /** The agent of a key, at once where it is known; undefined when it is unknown or revoked. */
  lookup(apiKey: string): MaybePromise<Agent | undefined> {
    const at = monotonicMs()
    if (at - this.hashesClearedAt > HASHES_MS) {
      this.hashes.clear()
      this.hashesClearedAt = at
    }
    const hash = this.hashOf(apiKey)
    if (hash === undefined) return undefined
    const known = this.cache.get(hash)
    const isFresh = known !== undefined && at - known.at < FRESH_MS
    return countHit('keys', isFresh) && known ? validAgent(known, at) : this.readAnew(hash, known)
  }

  /** Whether a key opened something when this node last looked it up. */
  wasValid(apiKey: string): boolean {
    return Boolean(this.cache.get(this.hashOf(apiKey) ?? '')?.agent)
  }

  /** Refuses with agent_limit when the account has its agents already. */
  async createKey(
    options: { tier: string, label: string, account?: string },
  ): Promise<NewKey> {
    const { account } = options
    // An agent of the operator's making keeps the trial that it joins.
    if (account !== undefined) await orUnavailable(keepTrial(this.trials, account))
    const key = await this.create('ak_', options)
    this.notify(key.account)
    return key
  }

  /** A key without an account; its earnings wait for the binding code. */
  async createTrialKey(address: string): Promise<NewKey & { bindingCode: string }> {
    const refused = await this.takeTrial(address)
    if (refused) throw refused
    const [account, bindingCode] = [randomId('ac_'), randomBase62(16)]
    const binding = this.secrets.keyHash(bindingCode)
    await orUnavailable(this.write(keys.account(account), {
      kind: 'trial', created_at: isoTime(nowMs()), binding,
    }, TRIAL_ACCOUNT_MS))
    await orUnavailable(this.send('set', keys.binding(binding), account, 'PX', TRIAL_ACCOUNT_MS))
    const key = await this.create('ak_trial_', {
      tier: 'trial', label: 'trial', account, lifeMs: TRIAL_MS,
    })
    this.notify(account)
    return { ...key, bindingCode }
  }

  /** Another key of an agent: it opens nothing before the agent's record names it. */
  async prepareKey(agent: string): Promise<{ apiKey: string, hash: string }> {
    const apiKey = `ak_${randomBase62(32)}`
    return { apiKey, hash: await orUnavailable(this.storeKey(apiKey, agent)) }
  }

  /** Revokes a key, or all keys of an agent; the number that were valid. */
  async revoke(keyOrAgent: string): Promise<number> {
    if (!API_KEY.test(keyOrAgent)) return await this.end(keyOrAgent, 'keys')
    const hash = this.secrets.keyHash(keyOrAgent)
    const agent = await agentOfKey(this.ledger, hash)
    return agent === null ? 0 : await this.end(agent, { hash })
  }

  /** The same for a key by its hash; all of the agent's and the agent itself with `delete`. */
  async end(agent: string, which: { hash: string } | 'keys' | 'delete'): Promise<number> {
    const ended = await this.run(keyRevoke, { agent: keys.agent(agent) }, {
      hash: typeof which === 'object' ? which.hash : '', state: which === 'delete' ? 'deleted' : '',
    })
    await this.publish(ended)
    return ended.length
  }

  /** Publishes that an agent has changed; nodes that miss the message know within a second. */
  async announce(agent: string): Promise<void> {
    const fields = await this.ledger.hkeys(keys.agent(agent))
    await this.publish(fields.filter((field) => field.startsWith(keyField('')))
      .map((field) => field.slice(keyField('').length)))
  }

  /** Forgets what is cached of a key: another node changed it. */
  forget(keyHash: string): void {
    this.cache.delete(keyHash)
  }

  /** Calls the listener with every account that this node gave a key to, after it. */
  watch(listener: (account: string) => void): void {
    this.watchers.push(listener)
  }

  private notify(account: string): void {
    for (const listener of this.watchers) listener(account)
  }

  /** Undefined for what is no key. */
  private hashOf(apiKey: string): string | undefined {
    const known = this.hashes.get(apiKey)
    if (known !== undefined || !API_KEY.test(apiKey)) return known
    const hash = this.secrets.keyHash(apiKey)
    this.hashes.set(apiKey, hash)
    return hash
  }

  private async readAnew(hash: string, known: Known | undefined): Promise<Agent | undefined> {
    const at = monotonicMs()
    try {
      const found = await orUnavailable(known
        ? withDeadline(this.read(hash, at, known), ASKED_MS_MAX, ledgerIsLate)
        : this.read(hash, at, known))
      this.cache.set(hash, found)
      return found.agent ?? undefined
    } catch (error) {
      if (known && at - known.at < STALE_MS) return validAgent(known, at)
      const { cause = error } = error as { cause?: unknown }
      this.log.warn({ error: (cause as Error).message }, 'key look-up failed')
      throw error
    }
  }

  private async read(hash: string, at: number, known: Known | undefined): Promise<Known> {
    const agent = known?.agent?.agent ?? await agentOfKey(this.ledger, hash)
    const look = agent === null ? null : await lookAtKey(this.ledger, agent, hash)
    if (!look) return { agent: null, at }
    this.noteUse(hash, look)
    return {
      agent: look.agent, at,
      ...(look.endsAt !== undefined && { endsAt: at + look.endsAt - look.now }),
    }
  }

  /** Off the caller's path, and nobody waits for it: losing one costs nothing. */
  private noteUse(hash: string, { agent, now, usedAt, leftMs }: KeyLook): void {
    if (leftMs !== undefined && isToRenew(leftMs)) {
      renewTrial(this.trials, agent.account)
        .then(() => this.notify(agent.account), (error: Error) => {
          this.log.warn({ error: error.message }, 'the end of a trial key was not put off')
        })
    }
    if (now - usedAt < USED_MS) return
    this.ledger.hset(keys.agent(agent.agent), usedField(hash), now).catch((error: Error) => {
      this.log.warn({ error: error.message }, 'last use of a key not noted')
    })
  }

  private async create(kind: 'ak_' | 'ak_trial_', options: {
    tier: string, label: string, account?: string | undefined, lifeMs?: number,
  }): Promise<NewKey> {
    const agent = {
      agent: randomId('ag_'), account: options.account ?? randomId('ac_'), tier: options.tier,
    }
    const apiKey = kind + randomBase62(32)
    await orUnavailable(this.store(apiKey, agent, options.label, options.lifeMs))
    measures.keysCreated.add(kind === 'ak_trial_' ? 'trial' : 'account')
    return { ...agent, apiKey }
  }

  /** The agent's record comes last: before it is there the key opens nothing. */
  private async store(
    apiKey: string, { agent, account, tier }: Agent, label: string, lifeMs?: number,
  ): Promise<void> {
    const created_at = isoTime(nowMs())
    await joinAccount({ ledger: this.ledger, run: this.run }, account, agent)
    const hash = await this.storeKey(apiKey, agent, lifeMs)
    await this.write(keys.agent(agent), {
      account, tier, label, created_at, [keyField(hash)]: 'active',
    }, lifeMs)
  }

  private async storeKey(apiKey: string, agent: string, lifeMs?: number): Promise<string> {
    const hash = this.secrets.keyHash(apiKey)
    await this.write(keys.key(hash), {
      agent, state: 'active', prefix: apiKey.slice(0, 8), created_at: isoTime(nowMs()),
    }, lifeMs)
    return hash
  }

  /** Fields and end in one step: a trial's record without an end would stay for ever. */
  private async write(
    hash: string, fields: Record<string, string>, lifeMs?: number,
  ): Promise<void> {
    if (lifeMs === undefined) {
      await this.send('hset', hash, ...Object.entries(fields).flat())
    } else {
      await this.run(hashKeep, { hash },
        { fields: JSON.stringify(fields), ttl_s: lifeMs / 1000 })
    }
  }

  private async publish(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) this.cache.delete(hash)
    try {
      await Promise.all(hashes.map((hash) => this.ledger.publish(channels.keyChanged, hash)))
    } catch (error) {
      this.log.warn({ error: (error as Error).message }, 'a change of keys was not told')
    }
  }
}

const validAgent = ({ agent, endsAt }: Known, at: number): Agent | undefined =>
  (agent === null || (endsAt !== undefined && at >= endsAt) ? undefined : agent)

const ledgerIsLate = (): Refusal =>
  new Refusal('unavailable', {}, new Error('the ledger is late'))

export interface SandboxKey {
  readonly file: string
  /** There when it was made just now: it is shown once. */
  readonly apiKey?: string
}

/** The kept key while it still works, else a new one. */
export async function sandboxKey(apiKeys: ApiKeys, dataDir: string): Promise<SandboxKey> {
  const file = join(dataDir, 'sandbox-key')
  if (existsSync(file)) {
    const kept = readFileSync(file, 'utf8').trim()
    if (await apiKeys.lookup(kept)) return { file }
  }
  const { apiKey } = await apiKeys.createKey({ tier: 't1', label: 'sandbox' })
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${apiKey}\n`, { mode: 0o600 })
  return { file, apiKey }
}
