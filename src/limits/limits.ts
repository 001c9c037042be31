/** May this caller call now? Token buckets by tier, shared by all nodes. */
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { monotonicMs } from '../contract/time.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import { createLogger, type Logger } from '../log.ts'
import { chain, type MaybePromise } from '../contract/maybe-promise.ts'
import type { Caller } from '../contract/caller.ts'
import type { RedisClient } from '../redis/connect.ts'
import { Counters } from '../redis/counters.ts'
import { counters as keys } from '../redis/keys.ts'
import { DAY_S, takeOfDay } from './day.ts'
import {
  createAnswers, waitSeconds, type RateLimitResult, type Answers, type Headers,
} from './headers.ts'
import { readTiers, tierOf, type Tier, type Tiers } from './tiers.ts'
import {
  createLimiter, createLocal, decide, HOLD_MS, Lease, type Decision,
} from './token-buckets.ts'

export type { RateLimitResult, Headers } from './headers.ts'
export { readTiers, type Tier } from './tiers.ts'

/** Wrong keys an address may try: enough for a mistake, too few for a search. */
export const AUTH_FAILURES = { rate_per_s: 1, burst: 20 }

/** Of a person at the console: a page asks for several things at once. */
const CONSOLE = { rate_per_s: 10, burst: 60 }

/** From this rate on tokens are taken in slices: below it a slice would be a few tokens. */
const LEASED_RATE_MIN = 200
/** Callers with slices that a node remembers; what it forgets is at most one slice each. */
const LEASES_MAX = 10_000
/** Trial keys of a /48, in those of a /64. */
const SITE_FACTOR = 4
/** Purposes are few, and their limits come from the settings. */
const LOCAL_DAYS_MAX = 100

export interface Limits {
  readonly tiers: Tiers
  /**
   * Takes a token of the caller's bucket, and one of its address's where the tier has such a
   * bucket; a call that the caller's own refuses costs nothing. At once where the node holds a
   * token, else after a round trip for each.
   */
  admit(caller: Caller): MaybePromise<RateLimitResult>
  /** Takes a token of an account's bucket at the console; without one, of the address's. */
  admitConsole(account: string | undefined, address: string): Promise<RateLimitResult>
  /** Counts a failed authentication against its address. */
  authFailed(address: string): Promise<RateLimitResult>
  /** Takes one of `perDay` uses of a purpose by an address, each UTC day. */
  takeDaily(purpose: string, address: string, perDay: number): Promise<Refusal | undefined>
  /** Takes a trial key of an address's day, of its IPv6 network's, and of everybody's. */
  takeTrial(address: string, perDay: TrialsPerDay): Promise<Refusal | undefined>
  /** Headers of an answer to a caller who could not be identified and paid nothing. */
  readonly unspent: Headers
}

type TrialsPerDay = Pick<Config, 'trialKeysPerDay' | 'trialKeysPerDayAll'>
type Log = Pick<Logger, 'warn'>
type Admit = (subject: string) => MaybePromise<RateLimitResult>

export function createLimits(
  client: RedisClient, tiers: Tiers = readTiers(), log: Log = createLogger('silent'),
): Limits {
  const counters = new Counters(client, log)
  const admitBy = new Map<string, Admit>(Object.entries(tiers).map(([name, tier]) =>
    [name, tier.rate_per_s < LEASED_RATE_MIN
      ? oneByOne(counters, name, 'default', tier) : inSlices(counters, name, tier)]))
  const admitByAddress = new Map<string, Admit>(Object.entries(tiers).flatMap(([name, tier]) =>
    (tier.address
      ? [[name, oneByOne(counters, `${name}-address`, 'address', tier.address)] as const] : [])))
  const countConsole = oneByOne(counters, 'console', 'console', CONSOLE)
  const countFailure = oneByOne(counters, 'auth', 'auth', AUTH_FAILURES)
  const unknownTiers = new Set<string>()
  const daily = createDaily(counters)

  return {
    tiers,
    admit(caller) {
      const { agent, tier, client } = caller
      const [name] = tierOf(tiers, agent, tier)
      if (agent !== null && name !== tier && !unknownTiers.has(tier) && unknownTiers.size < 100) {
        unknownTiers.add(tier)
        log.warn({ tier }, 'agents of an unknown tier get the rate of callers without a key')
      }
      const admission = (admitBy.get(name) as Admit)(agent ?? addressGroup(client.address))
      const ofAddress = agent === null ? undefined : admitByAddress.get(name)
      if (!ofAddress) return admission
      // Asked for now: who has gone meanwhile can no longer be asked.
      const group = addressGroup(client.address)
      return chain(admission, (own) => (own.refusal ? own
        : chain(ofAddress(group), (shared) => (shared.refusal ? shared : own))))
    },
    admitConsole: async (account, address) =>
      await countConsole(account ?? addressGroup(address)),
    authFailed: async (address) => await countFailure(addressGroup(address)),
    takeDaily: (purpose, address, perDay) => daily(purpose, addressGroup(address), perDay),
    async takeTrial(address, { trialKeysPerDay: each, trialKeysPerDayAll: all }) {
      // Everybody's last: who is refused for an address must not use up what others may have.
      const site = siteOf(address)
      return await daily('trial-keys', addressGroup(address), each)
        ?? (site === undefined ? undefined
          : await daily('trial-keys-site', site, each * SITE_FACTOR))
        ?? await daily('trial-keys-all', 'all', all)
    },
    unspent: answersOf('auth', AUTH_FAILURES).granted(AUTH_FAILURES.burst).headers,
  }
}

const answersOf = (name: string, { rate_per_s, burst }: Pick<Tier, 'rate_per_s' | 'burst'>) =>
  createAnswers({ name, limit: burst, window_s: burst / rate_per_s })

const answer = (answers: Answers, { isGranted, remaining, waitMs }: Decision): RateLimitResult =>
  isGranted ? answers.granted(remaining) : answers.refused(waitMs)

/** One round trip a call. */
function oneByOne(
  counters: Counters, bucket: string, policy: string, shape: Pick<Tier, 'rate_per_s' | 'burst'>,
): Admit {
  const answers = answersOf(policy, shape)
  const limiter = createLimiter(counters, bucket, shape)
  return (subject) => chain(limiter.take(subject), (decision) => answer(answers, decision))
}

/** A round trip for many calls of a busy caller. */
function inSlices(counters: Counters, bucket: string, tier: Tier): Admit {
  const { rate_per_s, burst } = tier
  const answers = answersOf('default', tier)
  const local = createLocal(bucket, burst, burst / rate_per_s)
  const leases = new LRUCache<string, Lease>({ max: LEASES_MAX })
  return (subject) => {
    let lease = leases.get(subject)
    if (!lease) {
      const key = keys.rate(bucket, subject)
      leases.set(subject, lease = new Lease({
        rate_per_s, burst, answers, now: monotonicMs,
        take: (waiting, ahead) => counters.take(key, tier, waiting, ahead, HOLD_MS),
        fallback: async () => answer(answers, await decide(local, subject)),
      }))
    }
    return lease.admit()
  }
}

type Daily = (purpose: string, subject: string, perDay: number) => Promise<Refusal | undefined>

function createDaily(counters: Counters): Daily {
  const locals = new LRUCache<string, ReturnType<typeof createLocal>>({ max: LOCAL_DAYS_MAX })

  async function takeLocal(purpose: string, address: string, perDay: number): Promise<number> {
    const name = `${purpose}-${perDay}`
    let local = locals.get(name)
    if (!local) locals.set(name, local = createLocal(name, perDay, DAY_S))
    const { isGranted, waitMs } = await decide(local, address)
    return isGranted ? 0 : waitMs
  }

  /** 0 when it was granted, else the wait. */
  async function take(purpose: string, address: string, perDay: number): Promise<number> {
    try {
      const { granted, endsMs } = await counters.ask(() => takeOfDay(
        (script, names, args) => script.run(counters.client, names, args),
        (day) => keys.daily(purpose, address, day), perDay, 1))
      return granted > 0 ? 0 : Math.max(endsMs, 1)
    } catch {
      return perDay > 0 ? await takeLocal(purpose, address, perDay) : DAY_S * 1000
    }
  }

  return async (purpose, subject, perDay) => {
    const waitMs = await take(purpose, subject, perDay)
    return waitMs === 0 ? undefined : new Refusal('rate_limited', {
      policy: purpose, limit: perDay, window_s: DAY_S, retry_after_s: waitSeconds(waitMs),
    })
  }
}

/** A site has a /48: 65,536 times a /64, for nothing. Undefined for IPv4. */
function siteOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return undefined
  return (parsed as ipaddr.IPv6).parts.slice(0, 3).map((part) => part.toString(16)).join(':')
}

/** IPv6 clients own a /64: they are limited as one. */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16)).join(':')
}
