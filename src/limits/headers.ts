/**
 * What an answer says about limits: RateLimit-Policy and RateLimit of the IETF httpapi draft 10,
 * and Retry-After. An answer names the policies that it spent from; a refusal names, with nothing
 * left, the one that was violated. Pages for people (images, item, cashier, documents, health)
 * have no limits of ours and name none.
 */
import { Refusal, type ErrorData, type ErrorName } from '../contract/errors.ts'
import { DAY_S } from './day.ts'

export type Headers = readonly (readonly [string, string])[]

export interface RateLimitResult {
  readonly headers: Headers
  readonly refusal?: Refusal
}

/** A limit with a name: `limit` units, all of them back after `window_s`. */
export interface Policy {
  readonly name: string
  readonly limit: number
  readonly window_s: number
}

/** The answers of one policy. They are few and calls are many, so each is made once. */
export interface Answers {
  granted(remaining: number): RateLimitResult
  refused(waitMs: number): RateLimitResult
}

const POLICY = 'RateLimit-Policy'
const STATE = 'RateLimit'
const RETRY = 'Retry-After'
/** Answers kept for each policy; a larger bucket's are made again for each call. */
const KEPT_MAX = 8192

const policyItem = ({ name, limit, window_s }: Policy): string =>
  `"${name}";q=${limit};w=${window_s}`
const stateItem = (name: string, remaining: number, seconds: number): string =>
  `"${name}";r=${remaining};t=${seconds}`

/** Whole seconds, at least one: nobody should come back in the same instant. */
export const waitSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

export function createAnswers(policy: Policy, error: ErrorName = 'rate_limited'): Answers {
  const { name, limit, window_s } = policy
  const policyHeader = [POLICY, policyItem(policy)] as const
  const grants: (RateLimitResult | undefined)[] = []
  const refusals: (RateLimitResult | undefined)[] = []

  function grant(remaining: number): RateLimitResult {
    const refill = Math.ceil(((limit - remaining) * window_s) / limit)
    return { headers: [policyHeader, [STATE, stateItem(name, remaining, Math.max(refill, 1))]] }
  }

  function refuse(seconds: number): RateLimitResult {
    return {
      headers: [policyHeader, [STATE, stateItem(name, 0, seconds)], [RETRY, String(seconds)]],
      refusal: new Refusal(error, { policy: name, retry_after_s: seconds }),
    }
  }

  return {
    granted(remaining) {
      const left = remaining > limit ? limit : remaining
      return grants[left] ?? keep(grants, left, grant(left))
    },
    refused(waitMs) {
      const seconds = waitSeconds(waitMs)
      return refusals[seconds] ?? keep(refusals, seconds, refuse(seconds))
    },
  }
}

function keep(
  list: (RateLimitResult | undefined)[], at: number, made: RateLimitResult,
): RateLimitResult {
  if (at < KEPT_MAX) list[at] = made
  return made
}

/** How much of the daily quota is left, where this node knows it. */
export interface Standing {
  readonly limit: number
  readonly remaining?: number
  readonly resetS?: number
}

export const DAILY = 'daily'

/** The same headers with the daily quota beside what they name already. */
export function withDaily(headers: Headers, standing: Standing | undefined): Headers {
  if (!standing) return headers
  const { limit, remaining, resetS } = standing
  return joined(headers, { name: DAILY, limit, window_s: DAY_S }, remaining, resetS)
}

/** The same headers with the policy that a refusal says it violated. */
export function withViolated(headers: Headers, data: ErrorData): Headers {
  const { policy: name, limit, window_s, retry_after_s } = data
  if (typeof name !== 'string' || typeof limit !== 'number' || typeof window_s !== 'number') {
    return headers
  }
  return joined(headers, { name, limit, window_s }, 0, retry_after_s ?? window_s)
}

function joined(
  headers: Headers, policy: Policy, remaining: number | undefined, seconds: number = 1,
): Headers {
  const mark = `"${policy.name}";`
  return headers.map(([name, value]) => {
    if (value.includes(mark)) return [name, value] as const
    if (name === POLICY) return [name, `${value}, ${policyItem(policy)}`] as const
    if (name !== STATE || remaining === undefined) return [name, value] as const
    return [name, `${value}, ${stateItem(policy.name, remaining, seconds)}`] as const
  })
}
