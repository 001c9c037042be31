/** Token buckets by tier, shared by all nodes, with a local limiter when counters are away. */
import ipaddr from 'ipaddr.js'
import {
  RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { Type } from 'typebox'
import { ConfigError, readConfigFile } from '../config.ts'
import { Refusal } from '../errors.ts'
import { CLOSED, type Caller } from '../operations/define.ts'
import type { RedisClient } from '../redis/connect.ts'
import { counters as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import { problemsOf } from '../validate.ts'

export interface Tier {
  /** Tokens a second. */
  readonly rate_per_s: number
  /** Tokens a full bucket holds. */
  readonly burst: number
  /** Calls that reach an affiliate platform, each UTC day. */
  readonly daily_quota: number
  readonly per: 'address' | 'agent'
}

const TierTable = Type.Record(Type.String(), Type.Object({
  rate_per_s: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  burst: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
  daily_quota: Type.Integer({ minimum: 0 }),
  per: Type.Union([Type.Literal('address'), Type.Literal('agent')]),
}, CLOSED))

/** Wrong keys an address may try: enough for a mistake, too few for a search. */
const AUTH_FAILURES: Tier = { rate_per_s: 1, burst: 20, daily_quota: 0, per: 'address' }

export type Headers = readonly (readonly [string, string])[]

export interface Admission {
  readonly headers: Headers
  readonly refusal?: Refusal
}

export interface Limits {
  readonly tiers: Readonly<Record<string, Tier>>
  /** Takes a token of the caller's bucket; a refused call costs nothing. */
  admit(caller: Caller): Promise<Admission>
  /** Counts a failed authentication against its address. */
  authFailed(address: string): Promise<Admission>
  /** Takes one of `perDay` uses of a purpose by an address. */
  takeDaily(purpose: string, address: string, perDay: number): Promise<Refusal | undefined>
}

export function readTiers(): Record<string, Tier> {
  const tiers = readConfigFile('tiers.json') as Record<string, Tier>
  const [problem] = problemsOf(TierTable, tiers)
  if (problem) throw new ConfigError(`config/tiers.json: ${problem.path} ${problem.problem}.`)
  for (const [name, { rate_per_s, burst }] of Object.entries(tiers)) {
    if (burst % rate_per_s !== 0) {
      throw new ConfigError(`config/tiers.json: ${name}.burst must be a multiple of rate_per_s.`)
    }
  }
  if (!tiers['keyless']) throw new ConfigError('config/tiers.json: keyless is missing.')
  return tiers
}

/** Run by the limiter library, which passes the operands in this order. */
const tokenBucket = defineScript('token-bucket', ['bucket'], ['cost', 'seconds', 'burst'],
  (reply: [number, number]) => reply)

export function createLimits(counters: RedisClient, tiers = readTiers()): Limits {
  const bucket = (policy: string, points: number, seconds: number): RateLimiterAbstract =>
    new RateLimiterRedis({
      storeClient: counters,
      keyPrefix: keys.ratePrefix(policy),
      points,
      duration: seconds,
      customIncrTtlLuaScript: tokenBucket.source,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix: policy, points, duration: seconds }),
    })
  const buckets = new Map<string, RateLimiterAbstract>()
  for (const [name, { rate_per_s, burst }] of Object.entries(tiers)) {
    buckets.set(name, bucket(name, burst, burst / rate_per_s))
  }
  const authBucket = bucket('auth', AUTH_FAILURES.burst, AUTH_FAILURES.burst)
  const dailyBuckets = new Map<string, RateLimiterAbstract>()

  return {
    tiers,
    async admit(caller) {
      const name = caller.agent !== null && tiers[caller.tier] ? caller.tier : 'keyless'
      const tier = tiers[name] as Tier
      const subject = tier.per === 'agent' && caller.agent !== null
        ? caller.agent : addressGroup(caller.address)
      return admission(tier, await take(buckets.get(name) as RateLimiterAbstract, subject))
    },
    async authFailed(address) {
      return admission(AUTH_FAILURES, await take(authBucket, addressGroup(address)))
    },
    async takeDaily(purpose, address, perDay) {
      const name = `${purpose}-${perDay}`
      let limiter = dailyBuckets.get(name)
      if (!limiter) dailyBuckets.set(name, limiter = bucket(name, Math.max(perDay, 1), 86_400))
      const taken = perDay > 0 ? await take(limiter, addressGroup(address)) : undefined
      if (taken?.granted) return undefined
      return new Refusal('rate_limited', {
        policy: purpose, retry_after_s: Math.ceil((taken?.waitMs ?? 86_400_000) / 1000),
      })
    },
  }
}

interface Taken { granted: boolean, remaining: number, waitMs: number }

async function take(limiter: RateLimiterAbstract, subject: string): Promise<Taken> {
  try {
    const result = await limiter.consume(subject, 1)
    return { granted: true, remaining: result.remainingPoints, waitMs: result.msBeforeNext }
  } catch (result) {
    if (!(result instanceof RateLimiterRes)) throw result
    return { granted: false, remaining: 0, waitMs: result.msBeforeNext }
  }
}

/** IETF httpapi rate limit headers, draft 10. */
function admission({ rate_per_s, burst }: Tier, taken: Taken): Admission {
  const window = burst / rate_per_s
  const refill = taken.granted
    ? Math.ceil((burst - taken.remaining) / rate_per_s) : Math.ceil(taken.waitMs / 1000)
  const headers: [string, string][] = [
    ['RateLimit-Policy', `"default";q=${burst};w=${window}`],
    ['RateLimit', `"default";r=${taken.remaining};t=${Math.max(refill, 1)}`],
  ]
  if (taken.granted) return { headers }
  const wait = Math.max(1, Math.ceil(taken.waitMs / 1000))
  headers.push(['Retry-After', String(Math.max(wait, refill))])
  return {
    headers,
    refusal: new Refusal('rate_limited', { policy: 'default', retry_after_s: wait }),
  }
}

/** IPv6 clients own a /64: they are limited as one. */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16)).join(':')
}
