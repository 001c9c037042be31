/** The tiers of `config/tiers.json`: what each may do, checked when a node starts. */
import { type Static, Type } from 'typebox'
import { LOOPBACK } from '../config-values.ts'
import { type Config, ConfigError, readConfigFile } from '../config.ts'
import { CLOSED, Optional } from '../contract/fields.ts'
import type { Shape } from '../redis/counters.ts'
import { checkConfigFile } from '../validate.ts'

const Count = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

/** Of one agent, account or client address. */
const Cap = Type.Object({
  /** Orders that wait for payment. */
  open: Count,
  /** Pieces in them. */
  units: Count,
  /** Orders that may be tried on a UTC day; a repeated key counts once. */
  per_day: Count,
}, CLOSED)

/** What keys of a tier may have open, and try in a day; what is absent is not limited. */
export const OrderCaps = Type.Object({
  agent: Optional(Cap),
  account: Optional(Cap),
  address: Optional(Cap),
  /** Of a product's stock, in unpaid orders of all keys of such tiers together. */
  stock_percent: Optional(Type.Integer({ minimum: 1, maximum: 100 })),
}, CLOSED)

export type Cap = Readonly<Static<typeof Cap>>
export type OrderCaps = Readonly<Static<typeof OrderCaps>>

export interface Tier {
  /** Tokens a second. */
  readonly rate_per_s: number
  /** Tokens a full bucket holds. */
  readonly burst: number
  /** Of all agents of the tier at one client address together; absent means no such limit. */
  readonly address?: Shape
  /** Instead of its rate on a sandbox node that only its own machine reaches. */
  readonly local?: Shape
  /** Calls that reach an affiliate platform, each UTC day. */
  readonly daily_quota: number
  readonly per: 'address' | 'agent'
  /**
   * Part of each platform's call budget that callers of tiers with a smaller share leave to this
   * one. Default: 0.
   */
  readonly platform_share?: number
  /** What its keys may have unpaid, and try in a day; absent means everything. */
  readonly orders?: OrderCaps
}

export type Tiers = Readonly<Record<string, Tier>>

/** The rest is for everybody. */
const SHARES_MAX = 0.8

const RATE = {
  rate_per_s: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  burst: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
}
const TierTable = Type.Record(Type.String(), Type.Object({
  ...RATE,
  address: Optional(Type.Object(RATE, CLOSED)),
  local: Optional(Type.Object(RATE, CLOSED)),
  daily_quota: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
  per: Type.Union([Type.Literal('address'), Type.Literal('agent')]),
  platform_share: Optional(Type.Number({ minimum: 0, maximum: SHARES_MAX })),
  orders: Optional(OrderCaps),
}, CLOSED))

export function readTiers(): Record<string, Tier> {
  const tiers = readConfigFile('tiers.json')
  assertTiers(tiers)
  return tiers
}

type Place = Pick<Config, 'sandbox' | 'host' | 'publicUrl' | 'trustedProxies'>

/**
 * The tiers as a node applies them. Whoever reaches a sandbox that listens on the loopback address
 * is its developer, with tools that cannot send a key: the official conformance suite is one.
 */
export function tiersFor(
  { sandbox, host, publicUrl, trustedProxies }: Place, tiers: Tiers = readTiers(),
): Tiers {
  const isOwn = sandbox && trustedProxies.length === 0
    && [host, new URL(publicUrl).hostname].every((name) => LOOPBACK.test(name))
  return !isOwn ? tiers : Object.fromEntries(Object.entries(tiers).map(([name, tier]) =>
    [name, { ...tier, ...tier.local }]))
}

export function assertTiers(tiers: unknown): asserts tiers is Record<string, Tier> {
  const refuse = (problem: string): never => {
    throw new ConfigError(`config/tiers.json: ${problem}.`)
  }
  checkConfigFile('tiers.json', TierTable, tiers)
  for (const [name, tier] of Object.entries(tiers as Tiers)) {
    const { rate_per_s, burst, per, address, local } = tier
    if (!/^[a-z][a-z0-9_]{0,19}$/.test(name)) refuse(`${name} is no name of a tier`)
    // The window that answers name is burst over rate, in whole seconds.
    if (burst % rate_per_s !== 0) refuse(`${name}.burst must be a multiple of rate_per_s`)
    for (const [which, shape] of Object.entries({ address, local })) {
      if (shape && shape.burst % shape.rate_per_s !== 0) {
        refuse(`${name}.${which}.burst must be a multiple of its rate_per_s`)
      }
    }
    if ((name === 'keyless') !== (per === 'address')) {
      refuse(`${name}.per must be ${name === 'keyless' ? 'address' : 'agent'}`)
    }
  }
  const shares = Object.values(tiers as Tiers)
    .reduce((sum, { platform_share = 0 }) => sum + platform_share, 0)
  if (shares > SHARES_MAX) refuse(`the platform_share of all may be ${SHARES_MAX} at most`)
  const { keyless } = tiers as Tiers
  if (!keyless) refuse('keyless is missing')
  if (keyless?.daily_quota !== 0) refuse('keyless.daily_quota must be 0')
}

/**
 * The tier that a caller is limited by. One that this node does not know (taken out of the file,
 * or new and this node is older) gets what a caller without a key gets, in a bucket of its own:
 * a mistake of ours neither opens a door nor shuts a paying caller out of reading.
 */
export function tierOf(tiers: Tiers, agent: string | null, tier: string): [string, Tier] {
  const name = agent !== null && Object.hasOwn(tiers, tier) ? tier : 'keyless'
  return [name, tiers[name] as Tier]
}
